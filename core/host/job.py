"""A job: a change of one match that waits for the judge, is judged in somebody's turn, and is then answered."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from .live_match import LiveMatch

T = TypeVar("T")
InTurn = Callable[[], AbstractAsyncContextManager[object]]
"""What returns the context in which somebody has his turn, of whom else computes."""


@frozen
class Then(Generic[T]):
    """What a job returns that goes on, in a thread of its own, once what it has changed so far is stored."""

    work: Callable[[LiveMatch], T | Then[T]]


@define(eq=False)
class Job(Generic[T]):
    """A change of one match: work on the folded match, which notes in `LiveMatch.changes` what is to be stored."""

    match: str
    work: Callable[[LiveMatch], T | Then[T]]
    computes: bool = False
    """Whether a bot is behind it: what people wait for comes first."""
    event: Any = None
    """Set once it is done, or its thread is to judge; None while nobody waits for that, and where a future is."""
    future: asyncio.Future[None] | None = None
    apart: bool = False
    """Whether it runs in a thread of its own."""
    reads: bool = False
    """Whether it is judged on the match as it was just read, not as this host last knew it."""
    attempts: int = 0
    turn: Turn | None = None
    """Given to a waiting thread that is to judge."""
    value: Any = None
    error: Exception | None = None
    is_done: bool = False

    def answer(self) -> T | Then[T]:
        """Return what the work returned, or raise what it raised."""
        if self.error is not None:
            raise self.error
        value: T | Then[T] = self.value
        return value


Held = tuple[Job[Any], LiveMatch]
"""A job, and its match under its lock."""


@define(eq=False)
class Turn:
    """Who judges now: the jobs that it has taken, and how far it is."""

    todo: deque[Held] = field(factory=deque)
    judged: list[Held] = field(factory=list)
    current: Held | None = None
    is_given: bool = False
    """Whether it waits for the thread that it was given to."""
    since_s: float = 0.0
    """When it began the current job, or was given."""


def tell(done: Sequence[Job[Any]]) -> None:
    """Wake those who wait for these jobs."""
    for loop in {job.future.get_loop() for job in done if job.future is not None}:
        with suppress(RuntimeError):  # it has ended: nobody waits
            loop.call_soon_threadsafe(deliver, loop, done)
    for event in [job.event for job in done]:  # its thread may begin to judge, and have none
        if event is not None:
            event.set()


def deliver(loop: asyncio.AbstractEventLoop, done: Sequence[Job[Any]]) -> None:
    """Wake those who wait for these jobs in this loop."""
    for job in done:
        if job.future is not None and job.future.get_loop() is loop and not job.future.done():
            job.future.set_result(None)


async def lasting(work: Awaitable[T]) -> T:
    """Await work that goes on where its caller is cancelled: what that holds is free once the work has ended."""
    future = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise

"""Commands that come at the same time are judged by one thread, and stored in one transaction.

Threads that each serve one command wait for the interpreter, and wake each other, longer than they compute. What does
not go this way (`Host.submit_together`) goes the usual one: a thread of its own, which may wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any

from attrs import define

from ..host import Answer, Host, Receipt, Submission

Encode = Callable[[Receipt, str], bytes]
"""Returns a receipt as JSON in a language."""
MOST = 32
"""The most commands of one transaction."""
LATE_S = 0.01
"""How long commands are judged before those that were are stored: a slow game does not keep others waiting for long."""
STUCK_S = 0.25
"""How long a thread may take for its commands; then others do not wait for it any more."""


@define(eq=False)
class _Waiting:
    """A command that waits for its turn."""

    submission: Submission
    lang: str
    answer: asyncio.Future[bytes | Exception | None]


class Commands:
    """The commands that wait, and the thread that serves them."""

    def __init__(self, host: Host, encode: Encode, start: Callable[[Callable[[], None]], Any]) -> None:
        """Serve the commands of a host; `start` runs a function in a thread."""
        self._host = host
        self._encode = encode
        self._start = start
        self._lock = Lock()
        self._waiting: deque[_Waiting] = deque()
        self._runner: object | None = None
        """Stands for the thread that serves; None while there is none."""
        self._busy_since_s = 0.0

    async def submit(self, submission: Submission, lang: str) -> bytes | None:
        """Return the receipt of a command as JSON, once it is on disk; None if it is to go the usual way.

        Raises the error of a command that may have been stored.
        """
        answer: asyncio.Future[bytes | Exception | None] = asyncio.get_running_loop().create_future()
        self._add(_Waiting(submission, lang, answer))
        try:
            found = await asyncio.shield(answer)
        except asyncio.CancelledError:
            await asyncio.wait([answer])  # it goes on: what it holds is free once it has ended
            raise
        if isinstance(found, Exception):
            raise found
        return found

    def _add(self, waiting: _Waiting) -> None:
        """Let a command wait; start a thread if none serves, or the one that does is stuck."""
        with self._lock:
            self._waiting.append(waiting)
            if self._runner is not None and monotonic() - self._busy_since_s < STUCK_S:
                return
            self._runner = runner = object()
            self._busy_since_s = monotonic()
        self._start(lambda: self._run(runner))

    def _run(self, runner: object) -> None:
        """Serve commands until none waits, or another thread has taken over."""
        while taken := self._take(runner):
            late_s = self._busy_since_s + LATE_S
            try:
                answers = self._host.submit_together(
                    [each.submission for each in taken],
                    lambda late_s=late_s: monotonic() > late_s,  # type: ignore[misc]
                )
            except Exception:  # a fault of ours: the usual way will show it
                answers = [None] * len(taken)
            taken = self._put_back(taken, len(answers))
            replies = [self._reply_to(each, answer) for each, answer in zip(taken, answers, strict=True)]
            for loop in {each.answer.get_loop() for each in taken}:
                with suppress(RuntimeError):  # it has ended: nobody waits
                    loop.call_soon_threadsafe(_deliver, loop, taken, replies)

    def _take(self, runner: object) -> list[_Waiting]:
        """Take the next commands, at most one of each match; none if another thread serves now."""
        with self._lock:
            if self._runner is not runner:
                return []
            taken: dict[str, _Waiting] = {}
            others: list[_Waiting] = []
            while self._waiting and len(taken) < MOST:
                each = self._waiting.popleft()
                if each.submission.match in taken:
                    others.append(each)
                else:
                    taken[each.submission.match] = each
            self._waiting.extendleft(reversed(others))
            self._busy_since_s = monotonic()
            if not taken:
                self._runner = None
            return list(taken.values())

    def _put_back(self, taken: list[_Waiting], begun: int) -> list[_Waiting]:
        """Let those wait again that were not begun; return the others."""
        with self._lock:
            self._waiting.extendleft(reversed(taken[begun:]))
        return taken[:begun]

    def _reply_to(self, waiting: _Waiting, answer: Answer) -> bytes | Exception | None:
        if not isinstance(answer, Receipt):
            return answer
        try:
            return self._encode(answer, waiting.lang)
        except Exception as error:
            return error


def _deliver(
    loop: asyncio.AbstractEventLoop, taken: Sequence[_Waiting], replies: Sequence[bytes | Exception | None]
) -> None:
    """Give the answers to those who wait for them in this loop."""
    for each, answer in zip(taken, replies, strict=True):
        if each.answer.get_loop() is loop and not each.answer.done():
            each.answer.set_result(answer)

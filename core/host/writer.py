"""The writer: each change is applied under the lock of its match, in its caller's thread; one thread stores them all.

What waits to be stored, of all matches, goes into one transaction. A match stays locked until its change is on disk, or
was refused; only then is anybody told.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections import deque
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from functools import partial
from inspect import Parameter
from threading import Lock
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, TypeVar, cast, get_args
from weakref import WeakValueDictionary

from attrs import define, field, frozen

from ..errors import Conflict, KifuError, MatchError, Message, NoMatch, StoreError
from ..stores.store import Store, check_known
from .live_match import LiveMatch
from .match_cache import MatchCache, sanitized
from .threads import Threads, processor_s

P = ParamSpec("P")
T = TypeVar("T")


@frozen
class MatchChange(Generic[T]):
    """What is to be done to a match, and who asks for it."""

    match: str
    reads: ClassVar[bool] = False
    """Whether it is applied only to the match as the store has it, not first as this host last knew it."""
    is_new: ClassVar[bool] = False
    """Whether the store does not have the match yet."""
    is_under_todays_rules: ClassVar[bool] = True
    """Whether the match is first brought under today's rules."""

    def apply(self, context: Any, live: LiveMatch) -> T | MatchChange[T]:
        """Apply it to a locked match of a `HostContext`; return the answer. The match notes what is to be stored.

        Or return the change that follows once this one is stored, whose answer it is.
        """
        raise NotImplementedError


@frozen
class SeatChange(MatchChange[T]):
    """What the seat that a key opens asks for."""

    key: str | None = field(repr=False)

    def apply(self, context: Any, live: LiveMatch) -> T | MatchChange[T]:
        """Apply it by the seat; raises `KeyRefused`."""
        return self.apply_by(context, live, live.require_seat(self.key))

    def apply_by(self, context: Any, live: LiveMatch, seat: int) -> T | MatchChange[T]:
        """Apply it by this seat."""
        raise NotImplementedError


def as_method(kind: type[MatchChange[Any]], call: Callable[..., Any]) -> None:
    """Have a function described as the method that makes a change of this kind."""
    parameters = inspect.signature(kind)
    own = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *parameters.parameters.values()]
    (answer,) = get_args(vars(kind)["__orig_bases__"][0])
    answer = None if answer is type(None) else answer
    call.__signature__ = parameters.replace(parameters=own, return_annotation=answer)  # type: ignore[attr-defined]
    call.__name__ = re.sub(r"(?<=.)([A-Z])", r"_\1", kind.__name__).lower()
    call.__doc__ = f"{inspect.getdoc(kind)}\n\n{inspect.getdoc(getattr(kind, 'apply_by', kind.apply))}"


def changing(kind: Callable[P, MatchChange[T]]) -> Callable[Concatenate[Any, P], T]:
    """Return the method of a host that makes a change of this kind."""

    def change(self: Any, /, *args: P.args, **more: P.kwargs) -> T:
        answer: T = self.do(kind(*args, **more))
        return answer

    as_method(cast("type[MatchChange[T]]", kind), change)
    return change


Charge = Callable[[float], None]
"""Told how many seconds of processor time a change took."""

MAX_ATTEMPTS = 64
"""How often a change is applied in all, while other hosts keep writing first."""
AT_ONCE, MOST = 4, 64
"""How many threads apply what is awaited: more would share one processor, so they come only where these take long.

A thread for each of forty changes that come at once takes twice the processor time.
"""
PATIENCE_S = 0.05
"""How long a change waits for these."""


@define(eq=False)
class Call(Generic[T]):
    """A change on its way, and who waits for it: a thread, at a gate, or a future of an event loop."""

    change: MatchChange[T]
    """Or what follows it, once it is stored."""
    reads: bool
    """Whether it is applied to the match as it was just read, not as this host last knew it."""
    gate: Any = None
    """A lock, which is released once the change is done, or to be applied again."""
    future: asyncio.Future[None] | None = None
    seconds: float = 0.0
    """Of processor time, that applying it has taken."""
    attempts: int = 0
    value: Any = None
    error: Exception | None = None
    is_done: bool = False
    is_unstored: bool = False
    """Whether the store failed."""


@define(eq=False)
class Line:
    """The awaited changes of one match: the first alone has a thread."""

    lock: asyncio.Lock = field(factory=asyncio.Lock)
    failure: Exception | None = None
    """The last failure of the store: who has waited behind it fails with it, and not each after the same wait."""


class Writer:
    """The two ways to change a match, and the thread that stores what waits."""

    _context: Any
    """The `HostContext` to which changes are applied."""

    def __init__(self, store: Store, cache: MatchCache, threads: Threads, late: Container[str]) -> None:
        """Write to a store; `late` are the matches that are known to have events without a witness."""
        self._store, self._cache, self._threads, self._late = store, cache, threads, late
        self._lock = Lock()  # held for moments
        self._to_apply: deque[Call[Any]] = deque()
        """What is awaited, and to be applied by a thread."""
        self._waiting: list[tuple[Call[Any], LiveMatch]] = []
        """What was applied, and is to be stored."""
        self._storing = threads.executor(1, "kifu writer")
        self._applying = threads.executor(MOST, "kifu change")
        self._at_work = 0
        """How many threads apply, or are about to."""
        self._lines: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], Line] = WeakValueDictionary()
        self.made = 0
        """How many changes were stored."""

    def do(self, change: MatchChange[T]) -> T:
        """Make a change of a match; return its answer once it is on disk. Raises what it raises, and `StoreError`.

        All methods that change a match do so.
        """
        check_known(change.match)
        call = Call(change, change.reads, gate=self._threads.lock())
        call.gate.acquire()
        while not call.is_done:
            self._attempt(call)
            call.gate.acquire()
        if call.error is not None:
            raise call.error
        value: T = call.value
        return value

    async def ado(self, change: MatchChange[T], charge: Charge | None = None) -> T:
        """Do what `do` does, without a thread that waits for the disk: `await host.ado(Join(match, "Aki"))`.

        `charge` is told how many seconds of processor time it took. A change that has begun is made, also where its
        caller is cancelled, who goes on once it is.
        """
        check_known(change.match)
        loop = asyncio.get_running_loop()
        line = self._lines.setdefault((loop, change.match), Line())
        before = line.failure
        async with line.lock:
            if line.failure is not None and line.failure is not before:
                raise line.failure
            future = loop.create_future()
            call = Call(change, change.reads, future=future)
            self._put(call)
            hurry = loop.call_later(PATIENCE_S, partial(self._put, call, again=True))
            cancelled: asyncio.CancelledError | None = None
            while not call.is_done:  # also where the caller is cancelled: what that holds is free once it is
                try:
                    await future
                except asyncio.CancelledError as stopped:
                    cancelled, future = stopped, loop.create_future()
                    call.future = future
            hurry.cancel()
            if charge is not None:
                charge(call.seconds)
            if call.is_unstored:
                line.failure = call.error
        if cancelled is not None:
            raise cancelled
        if call.error is not None:
            raise call.error
        value: T = call.value
        return value

    def _put(self, call: Call[Any], *, again: bool = False) -> None:
        """Have an awaited change applied by a thread; `again`, by one more: others may never come to it."""
        with self._lock:
            if not again:
                self._to_apply.append(call)
            starts = call in self._to_apply if again else self._at_work < AT_ONCE
            self._at_work += starts
        if starts:
            try:
                self._applying.submit(self._apply_all)
            except RuntimeError:  # no thread can be started
                self._apply_all()

    def _apply_all(self) -> None:
        """Apply what is awaited, until nothing is."""
        while True:
            with self._lock:
                call = self._to_apply.popleft() if self._to_apply else None
                self._at_work -= call is None
            if call is None:
                return
            try:
                self._attempt(call)
            except BaseException:  # this thread has no caller, who would be told by it
                call.error, call.is_done = _interrupted(), True
                self._tell([call])

    def _attempt(self, call: Call[Any]) -> None:
        """Apply a change; what it changes is on its way to the store then, and else it is done."""
        try:
            live = self._cache.acquire(call.change.match)
        except KifuError as failure:
            call.error, call.is_done = failure, True
            self._tell([call])
            return
        began_s = processor_s()
        try:
            self._apply_to(call, live)
        except BaseException:  # its caller is interrupted, or a game raises one of its own: the match is free again
            self._undo(live)
            self._cache.release(live)
            raise
        call.seconds += processor_s() - began_s
        if not live.changes:
            self._settle(call, live, None)
            self._tell([call])
            return
        with self._lock:
            self._waiting.append((call, live))
            is_first = len(self._waiting) == 1
        if is_first:
            try:
                self._storing.submit(self._store_all)
            except RuntimeError:  # no thread can be started
                self._store_all()

    def _apply_to(self, call: Call[Any], live: LiveMatch) -> None:
        """Apply a change to its locked match, which is first brought under today's rules.

        What it returns or raises without changing anything counts only of a match that was just read.
        """
        while True:
            call.value, call.error = None, None
            call.reads = call.reads or live.folded is None
            try:
                if call.reads and not call.change.is_new:
                    live.catch_up()
                if call.change.is_under_todays_rules and not (live.folded and live.is_current_version):
                    self._context.update_rules(live)
                call.value = call.change.apply(self._context, live)
            except Exception as error:
                call.error = sanitized(live, error)
            if live.changes or call.reads or live.has_uncommitted_changes:
                return
            call.reads = True

    def _store_all(self) -> None:
        """Store what waits in one transaction, and answer."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        changes = [change for _, live in waiting for change in live.changes]
        if not changes:
            return
        failures: Sequence[KifuError | None]
        try:
            failures = self._store.commit(changes)
        except BaseException:  # a store raises nothing; whatever it is, those who wait are told, and others come
            failures = [_interrupted()] * len(changes)
        place = 0
        for call, live in waiting:
            own = failures[place : place + len(live.changes)]
            place += len(live.changes)
            self._settle(call, live, next(filter(None, own), None))
        self._tell([call for call, _ in waiting])

    def _settle(self, call: Call[Any], live: LiveMatch, failure: KifuError | None) -> None:
        """Note what became of a change, and give its match free."""
        is_outdated = isinstance(failure, Conflict | NoMatch)
        is_outdated = is_outdated or (not live.changes and not call.reads and live.has_uncommitted_changes)
        self.made += bool(live.changes)
        call.attempts += 1
        if is_outdated:
            call.reads = True
            call.error = MatchError(Message("others-first", "other hosts kept changing this match first: try again"))
            self._undo(live)
        elif failure is not None:
            call.error, call.is_unstored = failure, True
            self._undo(live, failure)
        else:
            live.changes.clear()
            try:
                if live.due is not None or (live.unwitnessed > 0) is not (live.id in self._late):
                    self._stored(live)
            except Exception as error:  # of who is told of it: nobody waits for ever
                call.error = error
        self._cache.release(live)
        follows = isinstance(call.value, MatchChange) and call.error is None
        if follows:
            call.change, call.reads = call.value, call.value.reads
        goes_on = follows or (is_outdated and call.attempts < MAX_ATTEMPTS)
        call.is_done = not goes_on  # the last: who awaits it may look at any time

    def _stored(self, live: LiveMatch) -> None:
        """Look at a locked match, after a change of it was stored that may concern who acts behind it."""

    def _undo(self, live: LiveMatch, failure: KifuError | None = None) -> None:
        """Forget what a locked match has noted, and the match as it would have been."""
        live.changes.clear()
        self._cache.discard(live, failure)

    def _tell(self, calls: Sequence[Call[Any]]) -> None:
        """Wake those who wait for these changes; one that another host was faster than is applied again."""
        for loop in {call.future.get_loop() for call in calls if call.future is not None and call.is_done}:
            with suppress(RuntimeError):  # it has ended: nobody waits
                loop.call_soon_threadsafe(_deliver, loop, calls)
        for call in calls:
            if call.gate is not None:
                call.gate.release()
            elif not call.is_done:
                self._put(call)


def _deliver(loop: asyncio.AbstractEventLoop, calls: Sequence[Call[Any]]) -> None:
    """Wake those who wait for these changes in this loop."""
    for call in calls:
        future = call.future
        if call.is_done and future is not None and future.get_loop() is loop and not future.done():
            future.set_result(None)


def _interrupted() -> StoreError:
    return StoreError("of the host", Message("interrupted", "it was interrupted"))

"""The judge: all changes of matches at one host, judged by one thread, in turn, and stored in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from attrs import define

from ..errors import Conflict, KifuError, MatchError, Message, NoMatch, StoreError
from ..stores.store import Store, check_known
from .bounded_threads import BoundedThreads
from .job import Held, InTurn, Job, Then, Turn, deliver, lasting, tell
from .job_queue import JobQueue
from .live_match import LiveMatch
from .match_cache import MatchCache, sanitized
from .threads import Threads

T = TypeVar("T")

LATE_S = 0.01
"""How long jobs are judged before what they change is stored: nobody waits for long behind others."""
SLOW_S = 0.05
"""The next job of a match whose last one took longer runs in a thread of its own."""
STUCK_S = 0.25
"""A job that takes longer is left to the thread that it has; another one judges the rest."""
MAX_READING = 4
"""The most matches at a time that are read whole, or are slow, not counting those that are stuck."""
PATIENCE_S = 5.0
"""What goes on by itself, as a fork, waits its turn; one that takes longer than this is waited for no more."""
IDLE_S = 1.0
"""How long a thread of the judge's own waits for its next turn."""
MAX_ATTEMPTS = 64
"""How often a job is tried in all, while other hosts keep writing first."""


@define(eq=False)
class Idle:
    """A thread of the judge's own that waits for its turn."""

    event: Any
    turn: Turn | None = None


class Judge:
    """The jobs that wait at one host, and whoever judges them: the thread that has the turn, one at a time."""

    def __init__(self, store: Store, cache: MatchCache, threads: Threads, stored: Callable[[LiveMatch], None]) -> None:
        """Judge over a store; `stored` is called with each match that a job is done with, under its lock."""
        self._store, self._cache, self._threads, self._stored = store, cache, threads, stored
        self._lock = Lock()  # held for moments; nothing is waited for under it
        self._waiting = JobQueue(cache, self._has_room)
        self._turn: Turn | None = None
        self._looked_s = 0.0
        """When the turn was last given to another because nobody used it."""
        self._idle: list[Idle] = []
        self._reading = BoundedThreads(threads, MAX_READING, STUCK_S, "kifu job", self._hand_over)
        self._going_on = BoundedThreads(threads, 1, PATIENCE_S, "kifu fork", self._hand_over)
        self.moved = 0
        """How many jobs took so long that the others were moved to another thread."""
        self.done = 0
        """How many jobs were done."""
        cache.freed = self._hand_over

    def do(
        self, match: str, work: Callable[[LiveMatch], T | Then[T]], *, computes: bool = False, reads: bool = False
    ) -> T:
        """Do a job and return what it returns once it is stored; raises what it raises, or `StoreError`."""
        value = self._do(Job(match, work, computes, reads=reads))
        while isinstance(value, Then):
            value = self._do(Job(match, value.work, reads=True, apart=True))
        return value

    def _do(self, job: Job[T]) -> T | Then[T]:
        """Do a job in this thread, or wait for it."""
        try:
            self._put(job)
            while not job.is_done:
                if job.turn is not None:
                    job.event = None  # while it judges it is nobody's heir
                    self._serve(job.turn, job)
                    job.turn = None
                elif job.event is None:  # it may be done meanwhile, so it is looked at once more
                    job.event = self._threads.event()
                elif not job.event.wait(STUCK_S):
                    self._relieve()
        except BaseException:
            self._withdraw(job)
            raise
        finally:
            self._pass_on(job)
        return job.answer()

    async def soon(self, match: str, work: Callable[[LiveMatch], T | Then[T]], turn: InTurn = nullcontext) -> T:
        """Do what `do` does, without a thread that waits; what goes on, as a fork, does so in a `turn`."""
        value = await self._soon(Job(match, work))
        return await lasting(self._go_on(match, value, turn)) if isinstance(value, Then) else value

    async def _go_on(self, match: str, then: Then[T], turn: InTurn) -> T:
        """Do what goes on behind a change that is stored."""
        value: T | Then[T] = then
        async with turn():
            while isinstance(value, Then):
                value = await self._soon(Job(match, value.work, reads=True, apart=True))
        return value

    async def _soon(self, job: Job[T]) -> T | Then[T]:
        """Have a job done, and await it."""
        loop = asyncio.get_running_loop()
        job.future = loop.create_future()
        turn = self._put(job)
        if turn is not None:
            self._give(turn)
        stopped: asyncio.CancelledError | None = None
        while not job.is_done:  # also where the caller is cancelled: what that holds is free once the job is done
            timer = loop.call_later(STUCK_S, deliver, loop, (job,))
            try:
                await job.future
            except asyncio.CancelledError as cancelled:
                stopped = cancelled
            finally:
                timer.cancel()
            if not job.is_done:
                job.future = loop.create_future()
                self._relieve()
        if stopped is not None:
            raise stopped
        return job.answer()

    def _put(self, job: Job[Any]) -> Turn | None:
        """Let a job wait; return the turn if nobody has it: the caller judges. Raises `NoMatch`."""
        check_known(job.match)
        with self._lock:
            self._waiting.put(job)
            if self._turn is not None:
                job.event = None if job.future is not None else self._threads.event()
                return None
            self._turn = turn = Turn()
            if job.future is None:
                job.turn = turn  # under the lock: afterwards another may have given it one already
            return turn

    def _serve(self, turn: Turn, until: Job[Any] | None = None) -> None:
        """Judge jobs while they come, or until this one is done; then another thread goes on."""
        try:
            while self._take(turn, until):
                self._judge(turn)
        except BaseException:
            self._break_off(turn)
            raise

    def _take(self, turn: Turn, until: Job[Any] | None) -> bool:
        """Take the next jobs, one of each match that nobody uses; return False if this thread has the turn no more."""
        with self._lock:
            is_left = self._turn is not turn
            if not is_left:
                turn.is_given = False
                if turn.todo or turn.judged:
                    return True
                if until is None or not until.is_done:
                    self._waiting.take(turn.todo)
                    if turn.todo:
                        return True
                self._turn = None
        self._hand_over(is_left or (until is not None and until.is_done))
        return False

    def _apart(self, job: Job[Any], live: LiveMatch) -> BoundedThreads | None:
        """Return the threads of which the job needs one: its match is to be read whole, or it takes long."""
        if job.apart:
            return self._going_on
        return self._reading if live.is_slow or not live.is_read else None

    def _has_room(self, job: Job[Any], live: LiveMatch, todo: Sequence[Held]) -> bool:
        """Return whether the job can begin beside those that were taken."""
        apart = self._apart(job, live)
        return apart is None or apart.room > sum(self._apart(*held) is apart for held in todo)

    def _hand_over(self, is_needed: bool = True) -> None:
        """Let somebody judge what waits, unless somebody does."""
        with self._lock:
            if not is_needed or self._turn is not None or not self._waiting:
                return
            self._turn = turn = Turn()
        self._give(turn)

    def _give(self, turn: Turn) -> None:
        """Give the turn to a thread that waits, or to one of the judge's own; if none is available, to nobody yet."""
        with self._lock:
            turn.is_given, turn.since_s = True, self._threads.monotonic()
            heir = self._waiting.heir() or (self._idle.pop() if self._idle else None)
            if heir is not None:
                event, heir.turn = heir.event, turn  # once it has the turn it may have no event
                event.set()
                return
        try:
            self._threads.start(lambda: self._stay(turn), "kifu judge")
        except BaseException as failure:  # whoever waits looks again (`_relieve`)
            with self._lock:
                self._put_down(turn)
            if not isinstance(failure, RuntimeError):
                raise

    def _stay(self, turn: Turn | None) -> None:
        """Judge when it is this thread's turn, until it was not for a while: a thread is dear to start."""
        while turn is not None:
            self._serve(turn)
            idle = Idle(self._threads.event())
            with self._lock:
                self._idle.append(idle)
            idle.event.wait(IDLE_S)
            with self._lock, suppress(ValueError):  # it was taken
                self._idle.remove(idle)
            turn = idle.turn

    def _relieve(self) -> None:
        """Let another thread judge what waits if the one that does is stuck in a job, or, at times, if none does."""
        self._reading.go_on()
        self._going_on.go_on()
        with self._lock:
            now_s, nobody = self._threads.monotonic(), Turn(is_given=bool(self._waiting), since_s=self._looked_s)
            stuck = self._turn or nobody
            if now_s - stuck.since_s < STUCK_S or (stuck.current is None and not stuck.is_given):
                return
            if stuck.current is not None:
                stuck.current[1].is_slow = True
                self.moved += 1
            self._looked_s = now_s
            self._turn = turn = Turn(stuck.todo, stuck.judged)
        self._give(turn)

    def _judge(self, turn: Turn) -> None:
        """Judge the jobs of a turn and store what they change; ends early if they are left to another thread."""
        late_s = self._threads.monotonic() + LATE_S
        while True:
            with self._lock:
                if self._turn is not turn:
                    return
                turn.current = None
                now_s = self._threads.monotonic()
                if not turn.todo or (turn.judged and now_s > late_s):
                    self._waiting.put_back(turn.todo)
                    judged, turn.judged = turn.judged, []
                    break
                job, live = turn.todo.popleft()
                apart = self._apart(job, live)
                if apart is None:
                    turn.current, turn.since_s = (job, live), now_s
            if apart is not None:
                apart.start(partial(self._do_apart, job, live))
                continue
            self._work(job, live)
            with self._lock:
                is_left = self._turn is not turn
                if not is_left:
                    turn.current = None
                    turn.judged.append((job, live))
            if is_left:
                self._finish([(job, live)])
        self._finish(judged)

    def _do_apart(self, job: Job[Any], live: LiveMatch) -> None:
        """Do a job in a thread of its own."""
        try:
            self._work(job, live)
        except BaseException:  # of a kind of its own, which a game may raise
            self._lose(job, live)
            raise
        self._finish([(job, live)])

    def _work(self, job: Job[Any], live: LiveMatch) -> None:
        """Do the work of a job on its match.

        What it returns or raises without a change counts only on a match that was just read.
        """
        began_s = self._threads.monotonic()
        while True:
            job.value, job.error = None, None
            job.reads = job.reads or live.folded is None
            try:
                if job.reads:
                    live.catch_up()
                job.value = job.work(live)
            except Exception as error:
                job.error = sanitized(live, error)
            except SystemExit:  # a game's code may raise it: its command is lost, and no thread that judges
                live.changes.clear()
                self._cache.discard(live)
                job.error, job.reads = _interrupted(), True
            if live.changes or job.reads or live.has_uncommitted_changes:
                break
            job.reads = True
        live.is_slow = self._threads.monotonic() - began_s > SLOW_S

    def _finish(self, judged: Sequence[Held]) -> None:
        """Store what these jobs have changed, and answer them."""
        changes = [change for _, live in judged for change in live.changes]
        failures: Sequence[KifuError | None] = ()
        try:
            failures = self._store.commit(changes) if changes else ()
        except BaseException as interrupted:
            failures = [_interrupted()] * len(changes)
            if not isinstance(interrupted, Exception):
                raise
        finally:
            self._answer(judged, failures)

    def _answer(self, judged: Sequence[Held], failures: Sequence[KifuError | None]) -> None:
        done, place = list[Job[Any]](), 0
        for job, live in judged:
            own = failures[place : place + len(live.changes)]
            place += len(live.changes)
            try:
                is_done = self._settle(job, live, next((each for each in own if each is not None), None))
            except Exception as error:  # of who is told of it, for one: nobody waits for ever
                job.error, job.is_done, is_done = error, True, True
            if is_done:
                done.append(job)
            self._cache.release(live)
        tell(done)

    def _settle(self, job: Job[Any], live: LiveMatch, failure: KifuError | None) -> bool:
        """Note what became of a job whose changes were sent to the store; return whether it is done."""
        is_outdated = isinstance(failure, Conflict | NoMatch)
        is_outdated = is_outdated or (not live.changes and not job.reads and live.has_uncommitted_changes)
        live.changes.clear()
        if failure is not None or is_outdated:
            self._cache.discard(live)
        if is_outdated and job.attempts + 1 < MAX_ATTEMPTS:
            return self._again(job)
        if is_outdated:
            job.error = MatchError(Message("others-first", "other hosts kept changing this match first: try again"))
        elif failure is not None:
            job.error = failure
            self._fail_others(job.match, failure)
        else:
            self._stored(live)
        job.is_done = True
        self.done += 1
        return True

    def _again(self, job: Job[Any]) -> bool:
        """Let a job wait for its next attempt, before all others."""
        job.attempts, job.reads = job.attempts + 1, True
        with self._lock:
            self._waiting.put_first(job)
        return False

    def _fail_others(self, match: str, failure: KifuError) -> None:
        """Answer those that waited for a match which could not be stored: each would wait for the store as long."""
        with self._lock:
            failed = self._waiting.drop_all_of(match)
        for job in failed:
            job.error, job.is_done = failure, True
        tell(failed)

    def _withdraw(self, job: Job[Any]) -> None:
        """Forget the job of an interrupted thread if nobody has taken it; if somebody has, it is no heir's any more."""
        with self._lock:
            job.event = None
            self._waiting.drop(job)

    def _pass_on(self, job: Job[Any]) -> None:
        """Give the turn of a thread that waits no more to another."""
        with self._lock:
            if job.turn is None:
                return
            self._put_down(job.turn)
        self._hand_over()

    def _break_off(self, turn: Turn) -> None:
        """Leave the jobs of an interrupted thread to another; the one that it was at is lost, if it was at one."""
        with self._lock:
            self._put_down(turn)
        if turn.current is not None and not turn.current[0].is_done:
            self._lose(*turn.current)
        self._hand_over()

    def _put_down(self, turn: Turn) -> None:
        """Take the turn from whoever has it: what was taken or judged in it, and is not stored, waits again."""
        if self._turn is not turn:
            return
        self._turn = None
        for job, live in turn.judged:
            live.changes.clear()
            self._cache.discard(live)
            job.reads = True
        turn.todo.extendleft(reversed(turn.judged))
        self._waiting.put_back(turn.todo)

    def _lose(self, job: Job[Any], live: LiveMatch) -> None:
        """Answer a job that was interrupted in the middle, and give its match free."""
        live.changes.clear()
        self._cache.discard(live)
        self._cache.release(live)
        job.error, job.is_done = _interrupted(), True
        tell([job])


def _interrupted() -> StoreError:
    return StoreError("of the host", Message("interrupted", "it was interrupted"))

"""The world of a simulation: a queue of what happens when, tasks that wait in it, the trace of it all, and faults.

The locks, events and threads of a host are tasks of the world, too, and what waits for them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from hashlib import blake2b
from heapq import heappop, heappush
from random import Random
from typing import Any, Literal, get_args

from greenlet import getcurrent, greenlet

from ...host.threads import Threads

Action = Callable[[], object]
EPOCH_MS = 1_800_000_000_000
"""What the store's clock shows when the world begins."""


class Killed(BaseException):  # as GreenletExit: nothing that catches errors may catch it
    """The process of this task was killed: it runs no further."""


class Task:
    """A task of a process: code that runs until it waits. All tasks share one thread."""

    def __init__(self, world: World, name: str, work: Action, process: Any = None) -> None:
        self.world, self.name, self.process = world, name, process
        self.done = False
        self.failure: BaseException | None = None
        self.waits_for = ""
        self.turn = 0
        """Goes up with each waking, so that a later one, as of a timeout, is stale."""
        self.killed = False
        self._work = work
        self._greenlet = greenlet(self._run, world.main)
        self._greenlet.task = self

    def _run(self) -> None:
        try:
            self._work()
        except Killed:
            pass
        except BaseException as failure:
            self.failure = failure
        self.done = True

    def resume(self, turn: int) -> None:
        """Go on until the task waits again, unless it was woken meanwhile."""
        if not self.done and turn == self.turn:
            self.turn += 1
            self._greenlet.switch()
            if self.failure is not None:
                self.world.violate(f"{self.name} failed: {type(self.failure).__name__}: {self.failure}")

    def kill(self) -> None:
        """End the task where it waits; called outside of all tasks."""
        if not self.done:
            self.turn += 1
            self.killed = True
            if self._greenlet:  # it has begun
                self._greenlet.throw(Killed)
            self.done = True


class World:
    """Virtual time, random choices from one seed, and the tasks."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random  # noqa: S311 (whose numbers are the same in every Python)
        self.now_ms = 0.0
        self.steps = 0
        self.lines: list[str] = []
        self.violations: list[str] = []
        self.tasks: list[Task] = []
        self._queue: list[tuple[float, float, int, Action]] = []
        self._queued = 0
        self.main = getcurrent()

    @property
    def task(self) -> Task | None:
        """The task that runs; None outside of all."""
        return getattr(getcurrent(), "task", None)

    @property
    def digest(self) -> str:
        """The digest of the trace, as hexadecimal digits."""
        return blake2b("\n".join(self.lines).encode(), digest_size=16).hexdigest()

    def trace(self, who: str, what: str) -> None:
        """Add a line to the trace."""
        self.lines.append(f"{self.now_ms / 1000:9.3f} {who:<12} {what}")

    def below(self, bound: int) -> int:
        """Return a random int of 0 … bound - 1."""
        return int(self.random() * bound)

    def chance(self, one_in: float) -> bool:
        """Return True once in so many times."""
        return self.random() * one_in < 1

    def bytes(self, size: int) -> bytes:
        """Return so many random bytes."""
        return bytes(int(self.random() * 256) for _ in range(size))

    def later(self, after_ms: float, action: Action) -> None:
        """Run an action after so many milliseconds; of those at the same moment, in random order."""
        self._queued += 1
        heappush(self._queue, (self.now_ms + after_ms, self.random(), self._queued, action))

    def start(self, name: str, work: Action, process: Any = None, after_ms: float = 0) -> Task:
        """Start a task; return it."""
        task = Task(self, name, work, process)
        self.tasks.append(task)
        self.later(after_ms, lambda: task.resume(0))
        return task

    def sleep(self, for_ms: float) -> None:
        """Let the running task wait for so many milliseconds."""
        self.wait([], "", for_ms)

    def wait(self, waiters: list[Task], what: str, timeout_ms: float | None = None) -> bool:
        """Let the running task wait until it is woken as one of the waiters; False if the time was over first."""
        task = self.task
        assert task is not None, "only a task can wait"
        if task.killed:
            raise Killed
        turn, late = task.turn, list[bool]()

        def give_up() -> None:
            if task.turn == turn and not task.done:
                late.append(True)
                task.resume(turn)

        if timeout_ms is not None:
            self.later(timeout_ms, give_up)
        waiters.append(task)
        task.waits_for = what
        self.main.switch()
        task.waits_for = ""
        if task in waiters:
            waiters.remove(task)
        return not late

    def wake(self, waiters: list[Task]) -> None:
        """Wake all waiters, in random order."""
        woken, waiters[:] = waiters[:], []
        for task in woken:
            turn = task.turn
            self.later(0, lambda task=task, turn=turn: task.resume(turn))  # type: ignore[misc]

    def violate(self, what: str, match: str = "") -> None:
        """Note what should never be, and in which match."""
        what = f"match {match[:4]}: {what}" if match else what
        if what not in self.violations:
            self.trace("VIOLATION", what)
            self.violations.append(what)

    def run(self, goes_on: Callable[[], bool]) -> None:
        """Let things happen for as long as there is something to happen, and this returns True."""
        while self._queue and goes_on():
            at_ms, _, _, action = heappop(self._queue)
            self.now_ms = max(self.now_ms, at_ms)
            self.steps += 1
            action()

    def hurry(self, most_ms: float) -> None:
        """Let all that waits happen within so many milliseconds, in its order: nobody is stalled any more."""
        soon = self.now_ms + most_ms
        hurried = [(min(at_ms, soon + at_ms / 1e9), *rest) for at_ms, *rest in self._queue]
        self._queue[:] = sorted(hurried)  # type: ignore[arg-type]

    def end(self) -> None:
        """Kill all tasks."""
        for task in self.tasks:
            task.kill()
        self._queue.clear()


Fault = Literal["clocks", "crashes", "errors", "losses", "partitions", "stalls", "upgrades"]
FAULTS: frozenset[Fault] = frozenset(get_args(Fault))
"""`clocks` jump, hosts suffer `crashes`, stores answer with `errors` before and after a change, requests and answers
suffer `losses`, `partitions` part hosts from the store, tasks suffer `stalls` longer than a claim, `upgrades` bring the
hosts to newer rules one after the other."""

Fate = Literal["", "before", "after"]


class Weather:
    """The faults that there may be; once it is calm there are none."""

    def __init__(self, world: World, faults: frozenset[Fault]) -> None:
        self._world = world
        self._faults = faults
        self.is_calm = False

    def has(self, fault: Fault) -> bool:
        """Return True if there may be such faults now."""
        return not self.is_calm and fault in self._faults

    def strikes(self, fault: Fault, one_in: float) -> bool:
        """Return True once in so many times, if there may be such faults."""
        return self._world.chance(one_in) and self.has(fault)

    def latency_ms(self) -> float:
        """Return how long a message takes, or a task that the machine has stalled."""
        most_ms = (4, 4, 4, 40, 40, 400)[self._world.below(6)]
        if self.strikes("stalls", 150):
            most_ms = 8000
        return self._world.random() * (4 if self.is_calm else most_ms)

    def fate(self) -> Fate:
        """Return whether a call of the store fails, before or after it was carried out."""
        drawn = self._world.below(40)
        if not self.has("errors") or drawn > 1:
            return ""
        return "before" if drawn else "after"


class SimulatedLock:
    """A lock that other tasks can wait for."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._held = False
        self._waiters: list[Task] = []

    def acquire(self, timeout: float = -1) -> bool:
        """Hold it, and wait until it is free; return False if it is not within `timeout` seconds, where it has any."""
        until_ms = self._world.now_ms + timeout * 1000
        while self._held:
            if timeout < 0:
                self._world.wait(self._waiters, "a lock")
            elif not self._world.wait(self._waiters, "a lock", max(until_ms - self._world.now_ms, 0.0)):
                return False
        self._held = True
        return True

    def release(self) -> None:
        """Let the next one hold it."""
        self._held = False
        self._world.wake(self._waiters)


class SimulatedEvent:
    """An event that tasks can wait for."""

    def __init__(self, world: World, what: str = "an event") -> None:
        self._world, self._what = world, what
        self._is_set = False
        self._waiters: list[Task] = []

    def set(self) -> None:
        """Set it, and wake who waits."""
        self._is_set = True
        self._world.wake(self._waiters)

    def clear(self) -> None:
        """Unset it."""
        self._is_set = False

    def is_set(self) -> bool:
        """Return whether it is set."""
        return self._is_set

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is set, at most so long; return whether it is."""
        if not self._is_set:
            self._world.wait(self._waiters, self._what, None if timeout_s is None else timeout_s * 1000)
        return self._is_set


class SimulatedExecutor:
    """An executor whose threads are tasks."""

    def __init__(self, threads: SimulatedThreads, size: int, name: str) -> None:
        self._threads, self._free, self._name = threads, size, name
        self._waiting: deque[Callable[[], object]] = deque()

    def __enter__(self) -> SimulatedExecutor:
        """Begin."""
        return self

    def __exit__(self, *error: object) -> None:
        """End; who is killed waits for nothing."""

    def submit(self, work: Callable[..., object], *args: object) -> None:
        """Run work in a task, once one is free."""
        self._waiting.append(lambda: work(*args))
        if self._free:
            self._free -= 1
            self._threads.start(self._drain, self._name)

    def _drain(self) -> None:
        try:
            while self._waiting:
                self._waiting.popleft()()
        finally:
            self._free += 1


class SimulatedThreads(Threads):
    """What a host of one process waits with."""

    def __init__(self, world: World, process: Any, name: str) -> None:
        self._world, self._process, self._name = world, process, name

    def lock(self) -> Any:
        """Return a lock."""
        return SimulatedLock(self._world)

    def event(self) -> Any:
        """Return an event."""
        return SimulatedEvent(self._world)

    def start(self, work: Callable[[], object], name: str) -> Any:
        """Start a task of the process, which nobody joins: a host is killed, and never stopped."""
        return self._world.start(f"{self._name} {name}", work, self._process)

    def executor(self, size: int, name: str) -> Any:
        """Return an executor of tasks."""
        return SimulatedExecutor(self, size, name)

    def monotonic(self) -> float:
        """Return the seconds of virtual time."""
        return self._world.now_ms / 1000

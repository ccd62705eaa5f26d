"""The world of a simulation: one queue of what happens when, tasks that wait in it, and the trace of it all."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from heapq import heappop, heappush
from random import Random
from typing import Any

from greenlet import getcurrent, greenlet

Action = Callable[[], object]


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
                self.world.failed(self)

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
        task = self._waiting_task()
        turn = task.turn
        self.later(for_ms, lambda: task.resume(turn))
        self.main.switch()

    def _waiting_task(self) -> Task:
        """Return the task that runs and is to wait; one that was killed waits no more."""
        task = self.task
        assert task is not None, "only a task can wait"
        if task.killed:
            raise Killed
        return task

    def wait(self, waiters: list[Task], what: str, timeout_ms: float | None = None) -> bool:
        """Let the running task wait until it is woken as one of the waiters; False if the time was over first."""
        task = self._waiting_task()
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

    def failed(self, task: Task) -> None:
        """Note that a task ended with an error that nobody has caught."""
        failure = task.failure
        self.violate(f"{task.name} failed: {type(failure).__name__}: {failure}")

    def violate(self, what: str) -> None:
        """Note what should never be."""
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

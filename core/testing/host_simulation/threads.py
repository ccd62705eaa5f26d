"""Locks, events and threads that are tasks of a simulated world."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from ...host.threads import Threads
from .world import Task, World


class SimulatedLock:
    """A lock that other tasks can wait for."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._held = False
        self._waiters: list[Task] = []

    def acquire(self, blocking: bool = True) -> bool:
        """Hold it, and wait until it is free; unless `blocking`, return False if it is not."""
        if self._held and not blocking:
            return False
        while self._held:
            self._world.wait(self._waiters, "a lock")
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


class SimulatedCondition:
    """A condition; nothing else runs between two waits, so its lock needs none."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._waiters: list[Task] = []

    def __enter__(self) -> SimulatedCondition:
        """Hold it."""
        return self

    def __exit__(self, *error: object) -> None:
        """Release it."""

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until somebody notifies, at most so long."""
        return self._world.wait(self._waiters, "a condition", None if timeout_s is None else timeout_s * 1000)

    def notify(self) -> None:
        """Wake one."""
        first = self._waiters[:1]
        del self._waiters[:1]
        self._world.wake(first)

    def notify_all(self) -> None:
        """Wake all."""
        self._world.wake(self._waiters)


class SimulatedThread:
    """A task that can be waited for."""

    def __init__(self, world: World, name: str, work: Callable[[], object], process: Any) -> None:
        self._ended = SimulatedEvent(world, f"the end of {name}")
        self._work = work
        world.start(name, self._run, process)

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._ended.set()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for its end, at most so long."""
        self._ended.wait(timeout_s)

    def is_alive(self) -> bool:
        """Return whether it has not ended."""
        return not self._ended.is_set()


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

    def condition(self) -> Any:
        """Return a condition."""
        return SimulatedCondition(self._world)

    def start(self, work: Callable[[], object], name: str) -> Any:
        """Start a task of the process."""
        return SimulatedThread(self._world, f"{self._name} {name}", work, self._process)

    def executor(self, size: int, name: str) -> Any:
        """Return an executor of tasks."""
        return SimulatedExecutor(self, size, name)

    def monotonic(self) -> float:
        """Return the seconds of virtual time."""
        return self._world.now_ms / 1000

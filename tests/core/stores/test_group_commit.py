"""Group commit: each change is made or fails by itself, whatever becomes of the others."""

import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from threading import Event, Thread, main_thread

import pytest
from kifu.core.stores.group_commit import GroupCommit, PendingChange

TIMEOUT_S = 60


class Slow:
    """Makes changes once `go` is set."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()
        self.batches: list[list[str]] = []
        self.commit: GroupCommit[str] = GroupCommit(self.make)

    def make(self, batch: Sequence[PendingChange[str]]) -> None:
        self.batches.append([pending.change for pending in batch])
        self.begun.set()
        assert self.go.wait(TIMEOUT_S)
        for pending in batch:
            if pending.change == "refused":
                pending.failure = ValueError(pending.change)
            if pending.change == "interrupted":
                raise KeyboardInterrupt

    def submit(self, change: str, outcomes: list[str]) -> Thread:
        def submit() -> None:
            try:
                self.commit.submit(change)
            except (ValueError, KeyboardInterrupt) as cause:
                outcomes.append(f"{change}: {type(cause).__name__}")
            else:
                outcomes.append(f"{change}: made")

        thread = Thread(target=submit, daemon=True)
        thread.start()
        return thread

    def wait_for(self, count: int) -> None:
        waited = Event()
        while self.commit.waiting < count:
            waited.wait(0.001)


@pytest.mark.parametrize("first", ["a", "refused", "interrupted"])
def test_changes_that_come_meanwhile_are_made_together(first: str) -> None:
    slow, outcomes = Slow(), list[str]()
    threads = [slow.submit(first, outcomes)]
    assert slow.begun.wait(TIMEOUT_S)
    for number, change in enumerate(("b", "refused", "c"), 1):
        threads.append(slow.submit(change, outcomes))
        slow.wait_for(number)
    slow.go.set()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert slow.batches == [[first], ["b", "refused", "c"]]
    became = {"a": "made", "refused": "ValueError", "interrupted": "KeyboardInterrupt"}[first]
    assert sorted(outcomes) == sorted([f"{first}: {became}", "b: made", "c: made", "refused: ValueError"])
    slow.commit.submit("d")
    assert slow.batches[-1] == ["d"]


def test_the_changes_of_many_threads_are_all_made() -> None:
    made: list[int] = []

    def make(batch: Sequence[PendingChange[int]]) -> None:
        made.extend(pending.change for pending in batch)

    commit: GroupCommit[int] = GroupCommit(make)

    def submit(start: int) -> None:
        for number in range(start, start + 200):
            commit.submit(number)
            assert number in made[-8:] or number in made

    threads = [Thread(target=submit, args=(1000 * number,), daemon=True) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert sorted(made) == sorted(1000 * number + each for number in range(8) for each in range(200))


@pytest.fixture
def interrupt() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Return a function that runs another in the main thread and then interrupts that, wherever it waits."""
    before: list[Callable[[], None]] = []

    def interrupted(*_: object) -> None:
        before.pop()()
        raise KeyboardInterrupt

    def interrupt(first: Callable[[], None]) -> None:
        before.append(first)
        signal.pthread_kill(main_thread().ident or 0, signal.SIGUSR1)

    handler = signal.signal(signal.SIGUSR1, interrupted)
    yield interrupt
    signal.signal(signal.SIGUSR1, handler)


@pytest.mark.parametrize("leads", [False, True], ids=["while it waits", "just as it leads"])
def test_an_interrupted_thread_blocks_no_other(interrupt: Callable[[Callable[[], None]], None], leads: bool) -> None:
    slow, outcomes = Slow(), list[str]()
    first, others = slow.submit("first", outcomes), list[Thread]()
    assert slow.begun.wait(TIMEOUT_S)

    def first_is_made() -> None:
        slow.go.set()
        first.join(TIMEOUT_S)

    def interrupting() -> None:
        slow.wait_for(1)
        others.append(slow.submit("other", outcomes))
        slow.wait_for(2)
        interrupt(first_is_made if leads else lambda: None)

    Thread(target=interrupting, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        slow.commit.submit("gone")
    slow.go.set()
    for each in (*others, slow.submit("next", outcomes)):
        each.join(TIMEOUT_S)
    assert sorted(outcomes) == ["first: made", "next: made", "other: made"]
    assert list(chain(*slow.batches)) == ["first", *(["gone"] if leads else []), "other", "next"]

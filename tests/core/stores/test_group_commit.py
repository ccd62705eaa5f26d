"""Who waits for a change is served, whatever becomes of the others."""

import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from threading import Event, Thread, main_thread

import pytest
from kifu.core.stores.group_commit import GroupCommit, PendingChange

PATIENCE = 60


class Slow:
    """Makes changes when it is let."""

    def __init__(self) -> None:
        self.begun, self.go = Event(), Event()
        self.batches: list[list[str]] = []
        self.turns: GroupCommit[str] = GroupCommit(self.make)

    def make(self, batch: Sequence[PendingChange[str]]) -> None:
        self.batches.append([asked.change for asked in batch])
        self.begun.set()
        assert self.go.wait(PATIENCE)
        for asked in batch:
            if asked.change == "refused":
                asked.failure = ValueError(asked.change)
            if asked.change == "interrupted":
                raise KeyboardInterrupt

    def ask(self, change: str, said: list[str]) -> Thread:
        def ask() -> None:
            try:
                self.turns.submit(change)
            except (ValueError, KeyboardInterrupt) as cause:
                said.append(f"{change}: {type(cause).__name__}")
            else:
                said.append(f"{change}: made")

        thread = Thread(target=ask, daemon=True)
        thread.start()
        return thread

    def wait_for(self, count: int) -> None:
        waited = Event()
        while self.turns.waiting < count:
            waited.wait(0.001)


@pytest.mark.parametrize("first", ["a", "refused", "interrupted"])
def test_those_who_come_meanwhile_are_made_together(first: str) -> None:
    slow, said = Slow(), list[str]()
    threads = [slow.ask(first, said)]
    assert slow.begun.wait(PATIENCE)
    for number, change in enumerate(("b", "refused", "c"), 1):
        threads.append(slow.ask(change, said))
        slow.wait_for(number)
    slow.go.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert slow.batches == [[first], ["b", "refused", "c"]]
    became = {"a": "made", "refused": "ValueError", "interrupted": "KeyboardInterrupt"}[first]
    assert sorted(said) == sorted([f"{first}: {became}", "b: made", "c: made", "refused: ValueError"])
    slow.turns.submit("d")
    assert slow.batches[-1] == ["d"]


def test_many_threads_are_all_served() -> None:
    made: list[int] = []

    def make(batch: Sequence[PendingChange[int]]) -> None:
        made.extend(asked.change for asked in batch)

    turns: GroupCommit[int] = GroupCommit(make)

    def ask(start: int) -> None:
        for number in range(start, start + 200):
            turns.submit(number)
            assert number in made[-8:] or number in made

    threads = [Thread(target=ask, args=(1000 * number,), daemon=True) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(made) == sorted(1000 * number + each for number in range(8) for each in range(200))


@pytest.fixture
def interrupt() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Interrupt the main thread from another, after it has done something in the midst of whatever it waits for."""
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


@pytest.mark.parametrize("leads", [False, True], ids=["while it waits", "just as it is to make the changes that wait"])
def test_who_was_interrupted_is_not_waited_for(interrupt: Callable[[Callable[[], None]], None], leads: bool) -> None:
    slow, said = Slow(), list[str]()
    first, others = slow.ask("first", said), list[Thread]()
    assert slow.begun.wait(PATIENCE)

    def first_is_made() -> None:
        slow.go.set()
        first.join(PATIENCE)

    def interrupting() -> None:
        slow.wait_for(1)
        others.append(slow.ask("other", said))
        slow.wait_for(2)
        interrupt(first_is_made if leads else lambda: None)

    Thread(target=interrupting, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        slow.turns.submit("gone")
    slow.go.set()
    for each in (*others, slow.ask("next", said)):
        each.join(PATIENCE)
    assert sorted(said) == ["first: made", "next: made", "other: made"]
    assert list(chain(*slow.batches)) == ["first", *(["gone"] if leads else []), "other", "next"]

"""The fixtures of the laws of a store: a store just opened, and a log to put into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from attrs import evolve, frozen

from ..game import Game
from ..log import log_bytes
from ..log.framing import ObjectStream
from ..stores.store import Append, Create, MetadataRow, Store, StoredLog, commit_one
from .play import played

TIMEOUT_S = 120.0
"""How long to wait for what comes at once on a quiet machine."""


@frozen
class LogObjects:
    """The objects of a whole log."""

    head: bytes
    events: tuple[bytes, ...]
    end: bytes


def objects_of(game: Game[Any, Any, Any]) -> LogObjects:
    """Return the objects of the log of a random match."""
    data = log_bytes(played(game, game.seats[0], game.options(), 1))
    head, *events, end = [data[start:stop] for _, start, stop in ObjectStream(data)]
    return LogObjects(head, tuple(events), end)


ROW = MetadataRow("some_game", "going", True, 1000, bytes(range(256)))


def row(version: int = 0, **changes: Any) -> MetadataRow:
    """Return `ROW` with another version and other values."""
    return evolve(ROW, version=version, **changes)


class StoreCase:
    """The base of the laws: the stores they test."""

    open_again: Callable[[Path], Store]
    lasts: bool
    many: int
    log: LogObjects
    game: Game[Any, Any, Any]

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """Yield a store, opened for the first time."""
        store = self.open_again(tmp_path)
        yield store
        store.close()

    @pytest.fixture
    def other(self, tmp_path: Path, store: Store) -> Iterator[Store]:
        """Yield another connection to the same store."""
        other = self.open_again(tmp_path) if self.lasts else store
        yield other
        other.close()

    def begun(self, store: Store, match: str = "m1", count: int = 0) -> StoredLog:
        """Begin a log of so many events; return it as stored."""
        commit_one(store, Create(match, self.log.head, ROW))
        commit_one(store, Append(match, 0, self.log.events[:count]))
        return store.read(match)


def together(works: Sequence[Callable[[], None]]) -> None:
    """Run all of these at once; raises what the first to fail raises."""
    failed: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as cause:
            failed.append(cause)

    threads = [Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    if failed:
        raise failed[0]
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"

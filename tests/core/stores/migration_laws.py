"""The contract of a store's migrations, as a test class."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest
from attrs import evolve
from kifu.core.errors import StoreError
from kifu.core.match.registry import find
from kifu.core.stores.store import (
    Append,
    Change,
    Create,
    Due,
    MetadataRow,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
)

from .store_laws import TIMEOUT_S, StoreCase, objects_of, row, together

T = TypeVar("T")
THREADS = 4
IDS = ("begins-later", "m1", "whole")
Left = tuple[dict[str, StoredLog], list[tuple[str, MetadataRow]], int | None]


class MigrationLaws(StoreCase):
    """A store of an older version is migrated whole; one of a newer version is refused and left alone."""

    older: Callable[[Path], None]
    newer: Callable[[Path], Callable[[], None]]

    def test_what_an_older_version_left_is_all_there_and_goes_on(self, tmp_path: Path) -> None:
        stored, *listed = self._left(tmp_path)
        self.older(tmp_path)
        for count in (7, 8):  # and it is migrated once
            assert self._with(tmp_path, _all_of) == (stored, *listed)
            self._change(tmp_path, Append("m1", count, self.log.events[count : count + 1]))
            stored["m1"] = evolve(stored["m1"], events=self.log.events[: count + 1])
        self._change(tmp_path, Update("m1", row(1)))
        self._change(tmp_path, Append("begins-later", 0, self.log.events[:1], header=self.log.head))
        stored["m1"] = evolve(stored["m1"], row=row(1))
        stored["begins-later"] = evolve(stored["begins-later"], header=self.log.head, events=self.log.events[:1])
        assert self._with(tmp_path, _all_of)[0] == stored

    def test_those_that_open_at_once_what_an_older_version_left_find_the_same(self, tmp_path: Path) -> None:
        left = self._left(tmp_path)
        self.older(tmp_path)
        found: list[Any] = []
        start = Barrier(THREADS)

        def opening() -> None:
            start.wait(TIMEOUT_S)
            found.append(self._with(tmp_path, _all_of))

        together([opening] * THREADS)
        assert found == [left] * THREADS

    def test_what_a_newer_version_left_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        left = self._left(tmp_path)
        restore = self.newer(tmp_path)
        with pytest.raises(StoreError):
            self._with(tmp_path, lambda store: store.read("m1"))
        for change in (Append("m1", 7, self.log.events[7:8]), Append("m1", 7, (), row=row(1)), Update("m1", row(1))):
            with pytest.raises(StoreError):
                self._change(tmp_path, change)
        restore()
        assert self._with(tmp_path, _all_of) == left

    def _left(self, place: Path) -> Left:
        """Fill and close a store: a log that goes on, one that has ended, a row without a log; return its content."""

        def fill(store: Store) -> Left:
            self.begun(store, "m1", 7)
            commit_one(store, Schedule("m1", 7, Due(70, is_bot=True)))
            count, over = self.begun(store, "whole", len(self.log.events)).count, row(1, status="over", changed_at_ms=2)
            commit_one(store, Append("whole", count, (), end=self.log.end, row=over))
            commit_one(store, Create("begins-later", b"", row(status="open", public=False)))
            return _all_of(store)

        left = self._with(place, fill)
        assert self._with(place, _all_of) == left, "what was acknowledged is there when it is opened again"
        return left

    def _change(self, place: Path, change: Change) -> None:
        self._with(place, lambda store: commit_one(store, change))

    def _with(self, place: Path, work: Callable[[Store], T]) -> T:
        store = self.open_again(place)
        try:
            return work(store)
        finally:
            store.close()


def _all_of(store: Store) -> Left:
    """Return all matches of a store, its list, and when something is due."""
    return {match: store.read(match) for match in IDS}, list(store.list()), store.earliest_due()


def migration_contract(
    open_again: Callable[[Path], Store], older: Callable[[Path], None], newer: Callable[[Path], Callable[[], None]]
) -> type:
    """Return the test class of a store's migrations.

    `older(place)` turns the closed store in this folder into what an older version would have left, with the same
    content. `newer(place)` turns it into what a newer version would leave, and returns a function that undoes that.
    """
    known = {"open_again": staticmethod(open_again), "older": staticmethod(older), "newer": staticmethod(newer)}
    log = objects_of(find("take_and_share"))
    return type("TestMigration", (MigrationLaws,), {**known, "log": log, "__doc__": MigrationLaws.__doc__})

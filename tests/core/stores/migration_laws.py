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
from kifu.core.stores.store import Append, Create, MetadataRow, Store, StoredLog, Update, commit_one

from .store_laws import TIMEOUT_S, StoreCase, objects_of, row, together

T = TypeVar("T")
THREADS = 4
IDS = ("begins-later", "m1", "whole")


class MigrationLaws(StoreCase):
    """A store of an older version is migrated whole; one of a newer version is refused and left alone."""

    older: Callable[[Path], None]
    newer: Callable[[Path], Callable[[], None]]

    def test_what_an_older_version_left_is_all_there_and_goes_on(self, tmp_path: Path) -> None:
        stored, listed = self._left(tmp_path)
        self.older(tmp_path)
        for count in (7, 8):  # and it is migrated once
            assert self._with(tmp_path, _all_of) == (stored, listed)
            self._grow(tmp_path, count)
            stored["m1"] = evolve(stored["m1"], events=self.log.events[: count + 1])
        self._with(tmp_path, lambda store: commit_one(store, Update("m1", row(1))))
        self._with(
            tmp_path,
            lambda store: commit_one(store, Append("begins-later", 0, self.log.events[:1], header=self.log.head)),
        )
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
        changes: tuple[Callable[[Store], Any], ...] = (
            lambda store: store.read("m1"),
            lambda store: commit_one(store, Append("m1", 7, self.log.events[7:8])),
            lambda store: commit_one(store, Append("m1", 7, (), row=row(1))),
            lambda store: commit_one(store, Update("m1", row(1))),
        )
        for change in changes:
            with pytest.raises(StoreError):
                self._with(tmp_path, change)
        restore()
        assert self._with(tmp_path, _all_of) == left

    def _left(self, place: Path) -> tuple[dict[str, StoredLog], list[tuple[str, MetadataRow]]]:
        """Fill and close a store: a log that goes on, one that has ended, a row without a log; return its content."""

        def fill(store: Store) -> None:
            self.begun(store, "m1", 7)
            self.begun(store, "whole", len(self.log.events))
            commit_one(
                store,
                Append(
                    "whole", len(self.log.events), (), end=self.log.end, row=row(1, status="over", changed_at_ms=2000)
                ),
            )
            commit_one(store, Create("begins-later", b"", row(status="open", public=False)))

        self._with(place, fill)
        return self._with(place, _all_of)

    def _grow(self, place: Path, count: int) -> None:
        self._with(place, lambda store: commit_one(store, Append("m1", count, self.log.events[count : count + 1])))

    def _with(self, place: Path, work: Callable[[Store], T]) -> T:
        store = self.open_again(place)
        try:
            return work(store)
        finally:
            store.close()


def _all_of(store: Store) -> tuple[dict[str, StoredLog], list[tuple[str, MetadataRow]]]:
    """Return all matches of a store, and its list."""
    return {match: store.read(match) for match in IDS}, list(store.list())


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

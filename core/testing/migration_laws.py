"""The laws of a store whose form has changed, in a class that `migration_contract` puts together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest
from attrs import evolve

from ..errors import StoreError
from ..stores.store import MetadataRow, Store, StoredLog
from . import store_case
from .store_case import Opened, row, together

T = TypeVar("T")

AT_ONCE = 4
IDS = ("begins-later", "m1", "whole")


class Migrating(Opened):
    """What an older version of the store left is all there; what a newer one left is left alone."""

    older: Callable[[Path], None]
    newer: Callable[[Path], Callable[[], None]]

    def test_what_an_older_version_left_is_all_there_and_goes_on(self, tmp_path: Path) -> None:
        kept, listed = self._left(tmp_path)
        self.older(tmp_path)
        for count in (7, 8):  # and it is brought up to date once
            assert self._with(tmp_path, _all_of) == (kept, listed)
            self._grow(tmp_path, count)
            kept["m1"] = evolve(kept["m1"], events=self.log.events[: count + 1])
        self._with(tmp_path, lambda store: store.update("m1", row(1)))
        self._with(tmp_path, lambda store: store.append("begins-later", 0, self.log.events[:1], header=self.log.head))
        kept["m1"] = evolve(kept["m1"], row=row(1))
        kept["begins-later"] = evolve(kept["begins-later"], header=self.log.head, events=self.log.events[:1])
        assert self._with(tmp_path, _all_of)[0] == kept

    def test_those_that_open_at_once_what_an_older_version_left_find_the_same(self, tmp_path: Path) -> None:
        left = self._left(tmp_path)
        self.older(tmp_path)
        found: list[Any] = []
        start = Barrier(AT_ONCE)

        def opening() -> None:
            start.wait(store_case.TIMEOUT_S)
            found.append(self._with(tmp_path, _all_of))

        together([opening] * AT_ONCE)
        assert found == [left] * AT_ONCE

    def test_what_a_newer_version_left_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        left = self._left(tmp_path)
        put_back = self.newer(tmp_path)
        changes: tuple[Callable[[Store], Any], ...] = (
            lambda store: store.read("m1"),
            lambda store: store.append("m1", 7, self.log.events[7:8]),
            lambda store: store.append("m1", 7, (), row=row(1)),
            lambda store: store.update("m1", row(1)),
        )
        for change in changes:
            with pytest.raises(StoreError):
                self._with(tmp_path, change)
        put_back()
        assert self._with(tmp_path, _all_of) == left

    def _left(self, place: Path) -> tuple[dict[str, StoredLog], list[tuple[str, MetadataRow]]]:
        """Fill a store with a log that goes on, one that has ended and a sheet without one, and close it."""

        def fill(store: Store) -> None:
            self.begun(store, "m1", 7)
            self.begun(store, "whole", len(self.log.events))
            store.append(
                "whole", len(self.log.events), (), end=self.log.end, row=row(1, status="over", changed_at_ms=2000)
            )
            store.create("begins-later", b"", row(status="open", public=False))

        self._with(place, fill)
        return self._with(place, _all_of)

    def _grow(self, place: Path, count: int) -> None:
        self._with(place, lambda store: store.append("m1", count, self.log.events[count : count + 1]))

    def _with(self, place: Path, work: Callable[[Store], T]) -> T:
        store = self.open_again(place)
        try:
            return work(store)
        finally:
            store.close()


def _all_of(store: Store) -> tuple[dict[str, StoredLog], list[tuple[str, MetadataRow]]]:
    """Give all that a store keeps, and how it lists it."""
    return {match: store.read(match) for match in IDS}, list(store.list())

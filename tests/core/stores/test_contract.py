"""The contract catches stores that break it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from kifu.core.errors import Conflict, KifuError
from kifu.core.stores import Append, Change, Create, MemoryStore, MetadataRow, Query, Store, StoredLog, Update
from kifu.core.stores.store import NEWEST, each_made
from kifu.core.testing import store_case, store_contract


class Late(MemoryStore):
    """Appends at any place."""

    def _make(self, change: Change) -> None:
        if isinstance(change, Append):
            change = evolve(change, expected_events=self._find(change.match).log_head.count)
        super()._make(change)


class Half(MemoryStore):
    """Appends the events, and then checks the row."""

    def _make(self, change: Change) -> None:
        if isinstance(change, Append):
            super()._make(Append(change.match, change.expected_events, change.events))
            change = evolve(change, expected_events=change.expected_events + len(change.events), events=())
        super()._make(change)


class Endless(MemoryStore):
    """Goes on after the end record."""

    def _make(self, change: Change) -> None:
        log = self._logs.get(change.match)
        if log is not None and isinstance(change, Append):
            change, log.end = evolve(change, end=change.end or log.end), None
        super()._make(change)


class Overwriting(MemoryStore):
    """Begins a log again."""

    def _make(self, change: Change) -> None:
        if isinstance(change, Create):
            self._logs.pop(change.match, None)
        super()._make(change)


class Headless(MemoryStore):
    """Appends to a log that has not begun."""

    def _make(self, change: Change) -> None:
        log = self._logs.get(change.match)
        if isinstance(change, Append) and log is not None and not log.header:
            change = evolve(change, header=change.header or b"?")
        super()._make(change)


class Careless(MemoryStore):
    """Replaces a row whatever its version."""

    def _make(self, change: Change) -> None:
        if isinstance(change, Update):
            change = evolve(change, row=evolve(change.row, version=self._find(change.match).row.version + 1))
        super()._make(change)


class Trusting(MemoryStore):
    """Accepts an older expected version."""

    def _make(self, change: Change) -> None:
        super()._make(evolve(change, expected_version=None) if isinstance(change, Append) else change)


class Whole(MemoryStore):
    """Reads a log from its beginning, whatever `since` is."""

    def read(self, match: str, since: int = 0) -> StoredLog:
        return evolve(super().read(match), since=since)


class Unsorted(MemoryStore):
    """Lists in the order of the ids."""

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        return iter(sorted(super().list(evolve(query, limit=1 << 30)))[: query.limit])


class Repeating(MemoryStore):
    """Begins a page with the last one of the page before."""

    def list(self, query: Query = NEWEST) -> Iterator[tuple[str, MetadataRow]]:
        before = query.before
        return super().list(evolve(query, before=(before[0], before[1][:-1]) if before else None))


class Silent(MemoryStore):
    """Does not notify."""

    def commit(self, changes: Sequence[Change]) -> Sequence[KifuError | None]:
        with self._lock:
            return each_made(changes, self._make)


class Garbling(MemoryStore):
    """Changes a byte."""

    def read(self, match: str, since: int = 0) -> StoredLog:
        stored = super().read(match, since)
        return evolve(stored, events=tuple(event[:-1] + b"?" for event in stored.events))


BROKEN: list[tuple[type[MemoryStore], str]] = [
    (Late, "test_an_append_elsewhere_than_at_the_end_is_a_conflict"),
    (Half, "test_an_append_is_all_or_nothing"),
    (Endless, "test_nothing_follows_the_end_record"),
    (Overwriting, "test_there_is_one_log_of_an_id"),
    (Headless, "test_a_log_may_begin_later_than_its_row"),
    (Careless, "test_a_row_changes_one_version_at_a_time"),
    (Trusting, "test_an_append_by_an_older_row_is_a_conflict"),
    (Whole, "test_a_log_is_read_from_any_event_on"),
    (Unsorted, "test_the_newest_change_comes_first"),
    (Repeating, "test_pages_follow_one_another"),
    (Silent, "test_a_callback_is_called_after_each_change"),
    (Garbling, "test_what_is_stored_is_a_log_that_passes_an_audit"),
]


def check(kind: Callable[[], Store], law: str) -> None:
    """Run one test of the contract on such a store."""
    laws: Any = store_contract(lambda place: kind(), lasts=False)()
    store = kind()
    wanted = getattr(laws, law).__code__.co_varnames[1 : getattr(laws, law).__code__.co_argcount]
    getattr(laws, law)(**{name: {"store": store, "other": store, "at": 2}[name] for name in wanted})


@pytest.mark.parametrize(("kind", "law"), BROKEN, ids=[kind.__name__ for kind, _ in BROKEN])
def test_a_broken_store_is_caught(kind: type[MemoryStore], law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_case, "TIMEOUT_S", 0.2)
    check(MemoryStore, law)
    with pytest.raises((AssertionError, pytest.fail.Exception, Conflict)):
        check(kind, law)


def test_a_store_that_forgets_is_caught(tmp_path: Path) -> None:
    laws: Any = store_contract(lambda place: MemoryStore())()
    with pytest.raises(Exception, match="no match"):
        laws.test_a_store_that_was_closed_is_opened_again(tmp_path, MemoryStore())

"""The laws of what a store does with logs: appended whole, read by any process, never lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from attrs import evolve

from ..errors import Conflict, NoMatch, StoreError
from ..log import read_bytes
from ..stores.store import (
    Append,
    Create,
    Delete,
    Due,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
    log_bytes_of,
)
from .store_case import ROW, StoreCase, row, together

WRITERS = 4
HOSTILE = [
    "",
    ".",
    "..",
    "../up",
    "a/b",
    "/etc/passwd",
    "a\\b",
    "a\0b",
    "a b",
    "a\n",
    "-a",
    "ä",
    "\ud800",
    "x" * 65,
    "%",
]


class LogLaws(StoreCase):
    """A log grows at its end, all of a change or nothing."""

    def test_a_log_is_stored_byte_for_byte(self, store: Store) -> None:
        assert self.begun(store) == StoredLog(self.log.head, 0, (), None, ROW)
        for seq, event in enumerate(self.log.events[:-2]):
            commit_one(store, Append("m1", seq, [event]))
        commit_one(store, Append("m1", len(self.log.events) - 2, self.log.events[-2:], end=self.log.end, row=row(1)))
        assert store.read("m1") == StoredLog(self.log.head, 0, self.log.events, self.log.end, row(1))

    def test_a_log_is_read_from_any_event_on(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=7)
        for since in range(8):
            assert other.read("m1", since) == evolve(stored, since=since, events=stored.events[since:])
        assert other.read("m1", 9) == evolve(stored, since=7, events=())
        assert other.read("m1", 9).count == 7

    def test_there_is_one_log_of_an_id(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=2)
        with pytest.raises(Conflict) as caught:
            commit_one(other, Create("m1", self.log.head, row(0, data=b"another")))
        assert (caught.value.match, caught.value.count) == ("m1", 2)
        assert store.read("m1") == stored

    @pytest.mark.parametrize("at", [0, 2, 4, 1000])
    def test_an_append_elsewhere_than_at_the_end_is_a_conflict(self, store: Store, other: Store, at: int) -> None:
        stored = self.begun(store, count=3)
        with pytest.raises(Conflict) as caught:
            commit_one(other, Append("m1", at, self.log.events[at : at + 1] or [self.log.events[0]], row=row(1)))
        assert (caught.value.match, caught.value.expected, caught.value.count) == ("m1", at, 3)
        assert store.read("m1") == stored

    def test_an_append_is_all_or_nothing(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=3)
        for version in (0, 2):
            with pytest.raises(Conflict):
                commit_one(other, Append("m1", 3, self.log.events[3:6], end=self.log.end, row=row(version)))
            assert store.read("m1") == stored

    def test_an_append_by_an_older_row_is_a_conflict(self, store: Store, other: Store) -> None:
        self.begun(store, count=3)
        commit_one(store, Append("m1", 3, self.log.events[3:4], expected_version=0))
        commit_one(other, Update("m1", row(1)))
        stored = store.read("m1")
        for version in (0, 2):
            for following in (None, row(2)):
                with pytest.raises(Conflict) as caught:
                    commit_one(store, Append("m1", 4, self.log.events[4:5], expected_version=version, row=following))
                assert (caught.value.expected, caught.value.count) == (4, 4)
        assert other.read("m1") == stored
        commit_one(store, Append("m1", 4, self.log.events[4:5], expected_version=1, row=row(2)))
        commit_one(store, Append("m1", 5, self.log.events[5:6], expected_version=2))
        assert other.read("m1").count == 6

    def test_changes_are_made_in_their_order_and_each_is_answered(self, store: Store, other: Store) -> None:
        self.begun(store, count=2)
        self.begun(store, "m2")
        answers = store.commit(
            [
                Append("m1", 2, self.log.events[2:3]),
                Append("m2", 7, self.log.events[:1]),
                Append("none", 0),
                Update("m1", row(1), expected_events=3),
                Update("m2", row(1), expected_events=1),
                Create("m3", self.log.head, ROW),
                Append("m3", 0, self.log.events[:2], row=row(1), expected_version=0),
                Create("m3", self.log.head, ROW),
            ]
        )
        kinds = [type(None), Conflict, NoMatch, type(None), Conflict, type(None), type(None), Conflict]
        assert [type(each) for each in answers] == kinds
        assert other.read("m1") == StoredLog(self.log.head, 0, self.log.events[:3], None, row(1))
        assert other.read("m2") == StoredLog(self.log.head, 0, (), None, ROW)
        assert other.read("m3") == StoredLog(self.log.head, 0, self.log.events[:2], None, row(1))

    def test_nothing_follows_the_end_record(self, store: Store, other: Store) -> None:
        self.begun(store, count=3)
        commit_one(store, Append("m1", 3, (), end=self.log.end))
        stored = store.read("m1")
        assert stored.end == self.log.end
        for append in ({"events": self.log.events[3:4]}, {"events": (), "end": self.log.end}):
            with pytest.raises(Conflict):
                commit_one(other, Append("m1", 3, **append))
        assert other.read("m1") == stored
        commit_one(other, Update("m1", row(1, status="over")))
        assert store.read("m1") == evolve(stored, row=row(1, status="over"))

    def test_a_log_may_begin_later_than_its_row(self, store: Store, other: Store) -> None:
        commit_one(store, Create("m1", b"", row(status="open")))
        assert other.read("m1") == StoredLog(b"", 0, (), None, row(status="open"))
        for append in ({"events": self.log.events[:1]}, {"events": (), "end": self.log.end}):
            with pytest.raises(Conflict):
                commit_one(store, Append("m1", 0, **append))
        commit_one(store, Update("m1", row(1, status="open")))
        commit_one(store, Append("m1", 0, self.log.events[:2], header=self.log.head, row=row(2)))
        with pytest.raises(Conflict):
            commit_one(other, Append("m1", 2, (), header=self.log.head))
        assert other.read("m1") == StoredLog(self.log.head, 0, self.log.events[:2], None, row(2))

    def test_writers_that_race_leave_no_gap_and_lose_nothing(self, store: Store, other: Store) -> None:
        self.begun(store)
        total = 40
        won: list[int] = []
        torn: list[StoredLog] = []

        def write(mine: Store) -> None:
            while (count := mine.read("m1").count) < total:
                with suppress(Conflict):
                    commit_one(mine, Append("m1", count, [self.log.events[count]]))
                    won.append(count)

        def read(mine: Store) -> None:
            while (stored := mine.read("m1")).count < total:
                if stored.events != self.log.events[: stored.count]:
                    torn.append(stored)

        together([*[lambda: write(store), lambda: write(other)] * (WRITERS // 2), lambda: read(other)])
        assert sorted(won) == list(range(total))
        assert torn == []
        assert store.read("m1").events == self.log.events[:total]

    def test_a_reader_sees_all_of_a_change_or_nothing(self, store: Store, other: Store) -> None:
        self.begun(store)
        seen: list[tuple[int, int]] = []

        def write() -> None:
            for seq, event in enumerate(self.log.events):
                commit_one(store, Append("m1", seq, [event], row=row(seq + 1)))

        def read(mine: Store) -> None:
            while (stored := mine.read("m1")).count < len(self.log.events):
                seen.append((stored.count, stored.row.version))

        together([write, lambda: read(store), lambda: read(other)])
        assert [each for each in seen if each[0] != each[1]] == []

    def test_many_write_at_once_each_to_a_match_of_its_own(self, store: Store) -> None:
        names = [f"m{number}" for number in range(WRITERS)]

        def write(match: str) -> None:
            self.begun(store, match)
            for seq, event in enumerate(self.log.events[:10]):
                commit_one(store, Append(match, seq, [event], row=row(seq + 1)))

        together([lambda match=match: write(match) for match in names])  # type: ignore[misc]
        for match in names:
            assert store.read(match) == StoredLog(self.log.head, 0, self.log.events[:10], None, row(10))

    def test_what_is_stored_is_a_log_that_passes_an_audit(self, store: Store) -> None:
        for count, end in ((0, None), (9, None), (len(self.log.events), self.log.end)):
            match = f"m{count}"
            self.begun(store, match, count)
            commit_one(store, Append(match, count, (), end=end))
            reading = read_bytes(log_bytes_of(store.read(match)), lambda _: self.game)
            assert (reading.findings, reading.events, reading.ended) == ([], count, "over" if end else None)

    @pytest.mark.parametrize("match", HOSTILE, ids=ascii)
    def test_an_id_that_is_none_is_no_match(self, store: Store, match: str) -> None:
        for call in (
            store.read,
            lambda each: store.subscribe(each, lambda: None),
            lambda each: commit_one(store, Append(each, 0, ())),
        ):
            with pytest.raises(NoMatch):
                call(match)
        with pytest.raises(StoreError):
            commit_one(store, Create(match, self.log.head, ROW))
        assert list(store.list()) == []

    def test_there_is_no_match_that_was_not_begun(self, store: Store) -> None:
        self.begun(store)
        calls: Sequence[Callable[[], object]] = [
            lambda: store.read("m2"),
            lambda: commit_one(store, Append("m2", 0, self.log.events[:1])),
            lambda: commit_one(store, Update("m2", row(1))),
            lambda: store.subscribe("m2", lambda: None),
        ]
        for call in calls:
            with pytest.raises(NoMatch):
                call()

    def test_a_match_that_is_deleted_is_gone_and_may_begin_anew(self, store: Store, other: Store) -> None:
        self.begun(store, count=3)
        commit_one(store, Schedule("m1", 3, Due(5)))
        stored = self.begun(store, "m2", count=1)
        commit_one(store, Update("m1", row(1)))
        with pytest.raises(Conflict):
            commit_one(other, Delete("m1", 0))
        assert store.read("m1").count == 3
        commit_one(other, Delete("m1", 1))
        for call in (
            lambda: store.read("m1"),
            lambda: commit_one(other, Delete("m1", 1)),
            lambda: commit_one(store, Append("m1", 3, ())),
        ):
            with pytest.raises(NoMatch):
                call()
        assert [match for match, _ in store.list()] == ["m2"]
        assert store.read("m2") == stored
        assert store.earliest_due() is None
        assert self.begun(store, count=2).count == 2

    def test_what_follows_a_refused_change_of_a_match_is_refused_with_it(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=2)
        late, fits = Append("m1", 1, self.log.events[1:2]), Append("m1", 2, self.log.events[2:3])
        assert [type(failure) for failure in store.commit([late, fits])] == [Conflict, Conflict]
        assert other.read("m1") == stored

    def test_a_probe_changes_nothing(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=2)
        store.probe()
        assert other.read("m1") == stored
        assert list(other.list()) == [("m1", ROW)]
        store.close()
        with pytest.raises(StoreError):
            store.probe()

    def test_a_closed_store_raises(self, store: Store) -> None:
        self.begun(store)
        store.close()
        store.close()
        calls: Sequence[Callable[[], object]] = [
            lambda: commit_one(store, Create("m2", self.log.head, ROW)),
            lambda: commit_one(store, Append("m1", 0, self.log.events[:1])),
            lambda: commit_one(store, Update("m1", row(1))),
            lambda: store.read("m1"),
            lambda: list(store.list()),
            lambda: store.subscribe("m1", lambda: None),
        ]
        for call in calls:
            with pytest.raises(StoreError):
                call()

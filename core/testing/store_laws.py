"""The laws of a store but those of its logs: lists, callbacks, what is due, what lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest

from ..errors import Conflict, NoMatch, StoreError
from ..stores.store import (
    Append,
    Claim,
    Create,
    Due,
    MetadataRow,
    Query,
    Schedule,
    Store,
    Update,
    commit_one,
)
from . import store_case
from .store_case import ROW, StoreCase, row, together

WRITERS = 4


class ListLaws(StoreCase):
    """Metadata rows change one version at a time, and a query finds them."""

    def test_a_row_changes_one_version_at_a_time(self, store: Store, other: Store) -> None:
        stored = self.begun(store, count=3)
        for version in (0, 2, -1):
            with pytest.raises(Conflict):
                commit_one(other, Update("m1", row(version, data=b"lost")))
        assert store.read("m1") == stored
        commit_one(other, Update("m1", row(1, data=b"")))
        with pytest.raises(Conflict):
            commit_one(store, Update("m1", row(1, data=b"too late")))
        assert store.read("m1").row == row(1, data=b"")

    def test_a_row_holds_any_values(self, store: Store, other: Store) -> None:
        odd = row(game="棋譜 ' \" %s\\", status="☾", changed_at_ms=2**53, public=False, data=bytes(range(256)) * 4096)
        commit_one(store, Create("m1", self.log.head, odd))
        assert other.read("m1").row == odd
        assert list(other.list(Query(game=odd.game, status="☾", public=False))) == [("m1", odd)]

    def test_a_query_finds_the_rows_that_match_it(self, store: Store, other: Store) -> None:
        rows = {
            f"m{number}": row(game="ab"[number % 2], status=["open", "over", "going"][number % 3], public=number < 9)
            for number in range(12)
        }
        for match, each in rows.items():
            commit_one(store, Create(match, self.log.head, each))
        for game in (None, "a", "b", "c", "", "\0", "\ud800"):
            for status in (None, "open", "no'such"):
                for public in (None, True, False):
                    found = dict(other.list(Query(game=game, status=status, public=public)))
                    wanted = (game, status, public)
                    assert found == {match: each for match, each in rows.items() if matches(each, *wanted)}, wanted

    def test_the_newest_change_comes_first(self, store: Store, other: Store) -> None:
        for match, changed in (("b", 5), ("a", 5), ("B", 5), ("c", 9), ("d", -1)):
            commit_one(store, Create(match, b"", row(changed_at_ms=changed)))
        assert [match for match, _ in other.list()] == ["c", "B", "a", "b", "d"]
        commit_one(store, Update("a", row(1, changed_at_ms=10)))
        commit_one(store, Append("d", 0, (), header=self.log.head, row=row(1, changed_at_ms=11)))
        assert [match for match, _ in other.list()] == ["d", "a", "c", "B", "b"]

    def test_pages_follow_one_another(self, store: Store) -> None:
        for number in range(10):
            commit_one(store, Create(f"m{number}", b"", row(changed_at_ms=number // 4)))
        whole = list(store.list())
        assert len(whole) == 10
        for limit in (1, 3, 4, 10, 11):
            pages, before = [], None
            while page := list(store.list(Query(limit=limit, before=before))):
                assert len(page) <= limit
                pages += page
                assert len(pages) <= len(whole), f"pages of {limit} go on for ever: {pages}"
                match, last = page[-1]
                before = last.changed_at_ms, match
            assert pages == whole
        assert list(store.list(Query(limit=0))) == []

    def test_a_page_at_a_place_that_is_none(self, store: Store) -> None:
        self.begun(store)
        for before in ((2**70, ""), (-(2**70), "z"), (1000, "\0"), (1000, "\ud800")):
            assert len(list(store.list(Query(before=before, limit=2**70)))) <= 1

    def test_there_may_be_many_matches(self, store: Store, other: Store) -> None:
        def write(some: Sequence[int]) -> None:
            for number in some:
                commit_one(
                    store, Create(f"m{number}", self.log.head, row(changed_at_ms=number, public=number % 10 == 0))
                )
                commit_one(store, Append(f"m{number}", 0, self.log.events[:2]))

        together([lambda rest=rest: write(range(rest, self.many, WRITERS)) for rest in range(WRITERS)])  # type: ignore[misc]
        newest = [f"m{number}" for number in range(self.many)[::-1]]
        assert [match for match, _ in other.list(Query(limit=self.many + 1))] == newest
        public = [match for match in newest if match.endswith("0")]
        assert [match for match, _ in other.list(Query(public=True))] == public[:50]
        for number in (0, self.many // 2, self.many - 1):
            assert other.read(f"m{number}").events == self.log.events[:2]


def matches(each: MetadataRow, game: str | None, status: str | None, public: bool | None) -> bool:
    """Return True if a row has these values, of those that are not None."""
    return game in (None, each.game) and status in (None, each.status) and public in (None, each.public)


class SubscriptionLaws(StoreCase):
    """Callbacks are called when a match changes, by any process."""

    def test_a_callback_is_called_after_each_change(self, store: Store, other: Store) -> None:
        self.begun(store)
        notified = Event()
        end = store.subscribe("m1", notified.set)
        changes: Sequence[Callable[[], None]] = [
            lambda: commit_one(other, Append("m1", 0, self.log.events[:1])),
            lambda: commit_one(other, Update("m1", row(1))),
            lambda: commit_one(store, Append("m1", 1, self.log.events[1:3], row=row(2))),
            lambda: commit_one(store, Update("m1", row(3))),
            lambda: commit_one(other, Append("m1", 3, (), end=self.log.end)),
        ]
        for change in changes:
            before = store.read("m1")
            change()
            while store.read("m1") == before or not notified.is_set():
                assert notified.wait(store_case.TIMEOUT_S)
            notified.clear()
        end()
        end()

    def test_the_last_change_is_never_missed(self, store: Store, other: Store) -> None:
        self.begun(store)
        total, seen = 30, [0, 0]

        def watch(place: int, mine: Store) -> None:
            notified = Event()
            end = mine.subscribe("m1", notified.set)
            while seen[place] < total:
                seen[place] = mine.read("m1", seen[place]).count
                if seen[place] < total:
                    assert notified.wait(store_case.TIMEOUT_S), f"no call after event {seen[place]}"
                    notified.clear()
            end()

        def write() -> None:
            for seq in range(total):
                commit_one(store, Append("m1", seq, [self.log.events[seq]]))

        together([lambda: watch(0, store), lambda: watch(1, other), write])
        assert seen == [total, total]

    def test_a_callback_that_was_removed_is_not_called(self, store: Store) -> None:
        self.begun(store, "m1")
        self.begun(store, "m2")
        notified: list[str] = []
        store.subscribe("m2", lambda: notified.append("m2"))()
        commit_one(store, Append("m2", 0, self.log.events[:1]))
        done = Event()
        store.subscribe("m1", done.set)
        commit_one(store, Append("m1", 0, self.log.events[:1]))
        assert done.wait(store_case.TIMEOUT_S)
        assert notified == []

    def test_the_same_callback_twice_is_two(self, store: Store) -> None:
        self.begun(store)
        notified = Event()
        end = store.subscribe("m1", notified.set)
        store.subscribe("m1", notified.set)
        end()
        commit_one(store, Append("m1", 0, self.log.events[:1]))
        assert notified.wait(store_case.TIMEOUT_S)

    def test_a_callback_that_fails_harms_no_other(self, store: Store) -> None:
        self.begun(store)
        notified = Event()
        store.subscribe("m1", lambda: 1 // 0)  # type: ignore[arg-type]
        store.subscribe("m1", notified.set)
        commit_one(store, Append("m1", 0, self.log.events[:1]))
        assert notified.wait(store_case.TIMEOUT_S)
        assert store.read("m1").count == 1

    def test_a_callback_may_use_the_store(self, store: Store) -> None:
        self.begun(store)
        read: list[int] = []
        done = Event()

        def callback() -> None:
            read.append(store.read("m1").count)
            if read[-1] == 1:
                done.set()

        store.subscribe("m1", callback)
        commit_one(store, Append("m1", 0, self.log.events[:1]))
        assert done.wait(store_case.TIMEOUT_S)

    def test_a_callback_is_called_when_the_store_is_closed(self, store: Store) -> None:
        self.begun(store)
        notified = Event()
        store.subscribe("m1", notified.set)
        notified.clear()
        store.close()
        assert notified.wait(store_case.TIMEOUT_S)
        with pytest.raises(StoreError):
            store.read("m1")


class DueLaws(StoreCase):
    """What is due is claimed by one caller at a time, for a while; what changes a log changes when it is due."""

    def test_what_is_due_is_claimed_once_until_the_claim_lapses(self, store: Store, other: Store) -> None:
        for match, at_ms in (("m1", 700), ("m2", 500), ("m3", 1500), ("m4", None)):
            self.begun(store, match)
            commit_one(store, Append(match, 0, self.log.events[:1], due=Due(at_ms)))
        self.begun(store, "m5")
        assert other.earliest_due() == 500
        assert _matches(other.claim(499, 9000, 9, is_bot=False)) == []
        assert _matches(other.claim(1000, 2000, 9, is_bot=False)) == ["m2", "m1"], "the longest due first"
        assert _matches(store.claim(1999, 3000, 9, is_bot=False)) == ["m3"]
        assert store.earliest_due() == 2000
        assert sorted(_matches(store.claim(2000, 3000, 9, is_bot=False))) == ["m1", "m2"]

    def test_as_many_are_claimed_as_are_wanted(self, store: Store) -> None:
        for number in range(5):
            self.begun(store, f"m{number}")
            commit_one(store, Schedule(f"m{number}", 0, Due(number)))
        assert _matches(store.claim(10, 20, 2, is_bot=False)) == ["m0", "m1"]
        assert _matches(store.claim(10, 20, 0, is_bot=False)) == []
        assert _matches(store.claim(10, 20, 9, is_bot=False)) == ["m2", "m3", "m4"]

    def test_bots_are_claimed_apart(self, store: Store, other: Store) -> None:
        self.begun(store, "m1")
        commit_one(store, Schedule("m1", 0, Due(100, is_bot=True)))
        assert _matches(other.claim(1000, 2000, 9, is_bot=False)) == []
        assert other.earliest_due() == 100
        assert _matches(other.claim(1000, 2000, 9, is_bot=True)) == ["m1"]
        assert _matches(other.claim(2000, 3000, 9, is_bot=True)) == ["m1"], "it stays a bot's"

    def test_an_append_sets_when_it_is_due_or_leaves_it(self, store: Store, other: Store) -> None:
        self.begun(store, "m1")
        commit_one(store, Append("m1", 0, self.log.events[:1], due=Due(100)))
        commit_one(other, Append("m1", 1, self.log.events[1:2]))
        commit_one(other, Update("m1", row(1)))
        assert store.earliest_due() == 100
        commit_one(store, Append("m1", 2, self.log.events[2:3], row=row(2), due=Due(50)))
        assert other.earliest_due() == 50
        with pytest.raises(Conflict):
            commit_one(other, Append("m1", 2, self.log.events[2:3], due=Due(10)))
        assert _matches(store.claim(49, 200, 9, is_bot=False)) == []
        commit_one(store, Append("m1", 3, (), end=self.log.end, due=Due(None)))
        assert other.earliest_due() is None
        assert _matches(other.claim(1 << 40, 1 << 41, 9, is_bot=False)) == []

    def test_a_time_that_was_found_before_the_log_grew_is_not_set(self, store: Store, other: Store) -> None:
        self.begun(store, "m1", count=2)
        commit_one(store, Schedule("m1", 2, Due(100)))
        for count in (0, 1, 3):
            with pytest.raises(Conflict):
                commit_one(other, Schedule("m1", count, Due(None)))
        assert store.earliest_due() == 100
        with pytest.raises(NoMatch):
            commit_one(store, Schedule("m2", 0, Due(1)))
        commit_one(other, Schedule("m1", 2, Due(None)))
        assert store.earliest_due() is None

    def test_of_callers_that_race_each_gets_its_own(self, store: Store, other: Store) -> None:
        total = 24
        for number in range(total):
            self.begun(store, f"m{number}")
            commit_one(store, Schedule(f"m{number}", 0, Due(number)))
        claimed: list[str] = []

        def claim(mine: Store) -> None:
            while some := mine.claim(1000, 2000, 3, is_bot=False):
                claimed.extend(_matches(some))

        together([lambda: claim(store), lambda: claim(other)] * (WRITERS // 2))
        assert sorted(claimed) == sorted(f"m{number}" for number in range(total))

    def test_a_claim_says_how_many_events_it_was_made_at(self, store: Store, other: Store) -> None:
        self.begun(store, "m1", count=2)
        commit_one(store, Create("m2", b"", ROW))
        for match, count in (("m1", 2), ("m2", 0)):
            commit_one(store, Schedule(match, count, Due(100 + count)))
        assert list(other.claim(1000, 2000, 9, is_bot=False)) == [Claim("m2", 0), Claim("m1", 2)]

    def test_of_callers_that_race_with_a_writer_one_gets_the_match_at_each_event(
        self, store: Store, other: Store
    ) -> None:
        self.begun(store, "m1")
        claims: list[Claim] = []

        def claim(mine: Store) -> None:
            while all(each.count < len(self.log.events) for each in claims):
                claims.extend(mine.claim(1000, 2000, 9, is_bot=True))

        def write() -> None:
            for seq, event in enumerate(self.log.events):
                commit_one(store, Append("m1", seq, [event], due=Due(seq, is_bot=True)))

        together([write, *[lambda: claim(store), lambda: claim(other)] * (WRITERS // 2)])
        counts = [each.count for each in claims]
        assert len(counts) == len(set(counts)), "who adds an event makes the match due once"

    def test_a_closed_store_claims_nothing(self, store: Store) -> None:
        self.begun(store)
        store.close()
        calls: Sequence[Callable[[], object]] = [
            lambda: store.claim(0, 1, 1, is_bot=False),
            lambda: commit_one(store, Schedule("m1", 0, Due(1))),
            store.earliest_due,
        ]
        for call in calls:
            with pytest.raises(StoreError):
                call()


def _matches(claims: Sequence[Claim]) -> list[str]:
    """Return the claimed matches."""
    return [each.match for each in claims]


class DurabilityLaws(StoreCase):
    """What was acknowledged is there when the store is opened again."""

    def test_a_store_that_was_closed_is_opened_again(self, tmp_path: Path, store: Store) -> None:
        whole = self.begun(store, "whole", len(self.log.events))
        commit_one(store, Append("whole", whole.count, (), end=self.log.end, row=row(1)))
        commit_one(store, Create("begins-later", b"", row(status="open")))
        commit_one(store, Schedule("whole", whole.count, Due(70, is_bot=True)))
        stored = {match: store.read(match) for match in ("whole", "begins-later")}
        listed = list(store.list())
        store.close()
        again = self.open_again(tmp_path)
        try:
            assert {match: again.read(match) for match in stored} == stored
            assert list(again.list()) == listed
            assert again.earliest_due() == 70
            with pytest.raises(Conflict):
                commit_one(again, Create("begins-later", self.log.head, ROW))
            commit_one(again, Append("begins-later", 0, self.log.events[:1], header=self.log.head))
        finally:
            again.close()

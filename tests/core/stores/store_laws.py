"""The contract of a store, as test classes: `TestStore = store_contract(open_again)`.

A log is appended whole, read by any process, and never lost; rows, callbacks and what is due follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from attrs import evolve, frozen
from kifu.core.errors import Conflict, NoMatch, StoreError
from kifu.core.game import AnyGame
from kifu.core.log import log_bytes
from kifu.core.log.framing import ObjectStream
from kifu.core.match.registry import find
from kifu.core.stores.store import (
    Append,
    Claim,
    Create,
    Delete,
    Due,
    MetadataRow,
    Query,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
)
from kifu.core.testing.play import played

Calls = Sequence[Callable[[], object]]

WRITERS = 4
TIMEOUT_S = 120.0
"""How long to wait for what comes at once on a quiet machine."""


@frozen
class LogObjects:
    """The objects of a whole log."""

    head: bytes
    events: tuple[bytes, ...]
    end: bytes


def objects_of(game: AnyGame) -> LogObjects:
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
    log: LogObjects

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


HOSTILE = ["", "..", "a/b", "a\\b", "a\0b", "-a", "ä", "\ud800", "x" * 65, "%"]


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
        for match in ("m2", "m4"):
            self.begun(store, match)
        answers = store.commit(
            [
                Append("m1", 2, self.log.events[2:3]),
                Append("m2", 7, self.log.events[:1]),
                Append("none", 0),
                Update("m1", row(1), expected_events=3),
                Append("m2", 0, self.log.events[:1]),  # what follows a refused one is refused with it
                Update("m4", row(1), expected_events=1),
                Create("m3", self.log.head, ROW),
                Append("m3", 0, self.log.events[:2], row=row(1), expected_version=0),
                Create("m3", self.log.head, ROW),
            ]
        )
        kinds = [type(None), Conflict, NoMatch, type(None), Conflict, Conflict, type(None), type(None), Conflict]
        assert [type(each) for each in answers] == kinds
        assert other.read("m1") == StoredLog(self.log.head, 0, self.log.events[:3], None, row(1))
        assert other.read("m2") == other.read("m4") == StoredLog(self.log.head, 0, (), None, ROW)
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

    def test_writers_that_race_leave_no_gap_and_readers_see_all_of_a_change_or_nothing(
        self, store: Store, other: Store
    ) -> None:
        self.begun(store)
        total = 40
        won: list[int] = []
        torn: list[StoredLog] = []

        def write(mine: Store) -> None:
            while (count := mine.read("m1").count) < total:
                with suppress(Conflict):
                    commit_one(mine, Append("m1", count, [self.log.events[count]], row=row(count + 1)))
                    won.append(count)

        def read(mine: Store) -> None:
            while (stored := mine.read("m1")).count < total:
                if stored.events != self.log.events[: stored.count] or stored.row.version != stored.count:
                    torn.append(stored)

        reads = [lambda: read(store), lambda: read(other)]
        together([*[lambda: write(store), lambda: write(other)] * (WRITERS // 2), *reads])
        assert sorted(won) == list(range(total))
        assert torn == []
        assert store.read("m1").events == self.log.events[:total]

    @pytest.mark.parametrize("match", HOSTILE, ids=ascii)
    def test_an_id_that_is_none_is_no_match(self, store: Store, match: str) -> None:
        for call in self.calls(store, match):
            with pytest.raises(NoMatch):
                call()
        with pytest.raises(StoreError):
            commit_one(store, Create(match, self.log.head, ROW))
        assert list(store.list()) == []

    def test_a_match_that_is_deleted_is_gone_and_may_begin_anew(self, store: Store, other: Store) -> None:
        self.begun(store, count=3)
        commit_one(store, Schedule("m1", 3, Due(5)))
        stored = self.begun(store, "m2", count=1)
        commit_one(store, Update("m1", row(1)))
        with pytest.raises(Conflict):
            commit_one(other, Delete("m1", 0))
        assert store.read("m1").count == 3
        commit_one(other, Delete("m1", 1))
        for call in (lambda: commit_one(other, Delete("m1", 1)), *self.calls(store, "m1")):
            with pytest.raises(NoMatch):
                call()
        assert [match for match, _ in store.list()] == ["m2"]
        assert store.read("m2") == stored
        assert store.earliest_due() is None
        assert self.begun(store, count=2).count == 2

    def test_a_closed_store_raises(self, store: Store) -> None:
        self.begun(store)
        store.close()
        store.close()
        more: Calls = [
            lambda: commit_one(store, Create("m2", self.log.head, ROW)),
            lambda: list(store.list()),
            lambda: store.claim(0, 1, 1, is_bot=False),
            store.earliest_due,
            store.probe,
        ]
        for call in (*self.calls(store, "m1"), *more):
            with pytest.raises(StoreError):
                call()

    def calls(self, store: Store, match: str) -> Calls:
        """Return all that may be asked of a store about a match."""
        return [
            lambda: store.read(match),
            lambda: commit_one(store, Append(match, 0, self.log.events[:1])),
            lambda: commit_one(store, Update(match, row(1))),
            lambda: commit_one(store, Schedule(match, 0, Due(1))),
            lambda: store.subscribe(match, lambda: None),
        ]


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
                    wanted = {
                        match: each
                        for match, each in rows.items()
                        if game in (None, each.game) and status in (None, each.status) and public in (None, each.public)
                    }
                    assert found == wanted, (game, status, public)

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
                assert notified.wait(TIMEOUT_S)
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
                    assert notified.wait(TIMEOUT_S), f"no call after event {seen[place]}"
                    notified.clear()
            end()

        def write() -> None:
            for seq in range(total):
                commit_one(store, Append("m1", seq, [self.log.events[seq]]))

        together([lambda: watch(0, store), lambda: watch(1, other), write])
        assert seen == [total, total]

    def test_a_callback_may_use_the_store_beside_one_that_fails_and_one_that_was_removed(self, store: Store) -> None:
        self.begun(store)
        read: list[int] = []
        removed: list[int] = []
        done = Event()

        def callback() -> None:
            read.append(store.read("m1").count)
            if read[-1] == 1:
                done.set()

        store.subscribe("m1", lambda: removed.append(1))()
        store.subscribe("m1", lambda: 1 // 0)  # type: ignore[arg-type]
        store.subscribe("m1", callback)
        commit_one(store, Append("m1", 0, self.log.events[:1]))
        assert done.wait(TIMEOUT_S)
        assert removed == []

    def test_a_callback_is_called_when_the_store_is_closed(self, store: Store) -> None:
        self.begun(store)
        notified = Event()
        store.subscribe("m1", notified.set)
        notified.clear()
        store.close()
        assert notified.wait(TIMEOUT_S)
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
            self.begun(store, f"m{number}", number)
            commit_one(store, Schedule(f"m{number}", number, Due(number)))
        assert list(store.claim(10, 20, 2, is_bot=False)) == [Claim("m0", 0), Claim("m1", 1)], "with so many events"
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


def _matches(claims: Sequence[Claim]) -> list[str]:
    """Return the claimed matches."""
    return [each.match for each in claims]


def store_contract(open_again: Callable[[Path], Store], *, lasts: bool = True) -> type:
    """Return the test class of a store.

    `open_again(place)` opens the store in this folder, which is empty at first and each test's own. Called again, also
    while the first is open, it returns another connection to the same store; a store that does not last returns a new
    one. `lasts` is whether closed stores can be opened again.
    """
    game = find("take_and_share")
    known = {"open_again": staticmethod(open_again), "lasts": lasts, "log": objects_of(game)}
    laws = (LogLaws, ListLaws, SubscriptionLaws, DueLaws)
    return type("TestStore", laws, {**known, "__doc__": "The promises of `docs/stores.md`."})

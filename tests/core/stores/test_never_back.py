"""No store goes back: a log missing, shorter or other than acknowledged, or a file that was moved, is an error."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from kifu.core.errors import StoreError
from kifu.core.stores import Append, Create, MetadataRow, Store, commit_one, open_store
from kifu.games.take_and_share import GAME

from .store_laws import LogObjects, objects_of

ROW = MetadataRow("some_game", "going", True, 1000, b"")
LOG: LogObjects = objects_of(GAME)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a store with a match of six events that were acknowledged one by one."""
    address = f"sqlite:{tmp_path / 'kifu.db'}"
    opened = open_store(address)
    commit_one(opened, Create("m1", LOG.head, ROW))
    for seq in range(6):
        commit_one(opened, Append("m1", seq, LOG.events[seq : seq + 1]))
    opened.close()
    opened = open_store(address)
    yield opened
    opened.close()


def change(place: Path, statement: str) -> None:
    with sqlite3.connect(place / "kifu.db") as db:
        db.execute(statement)
    db.close()


HARMS = {
    "cut": "DELETE FROM events WHERE seq >= 3",
    "replaced": "UPDATE events SET body = CAST(body || x'00' AS BLOB) WHERE seq = 5",
    "removed": "DELETE FROM events",
    "one between removed": "DELETE FROM events WHERE seq = 3",
}


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("read_before", [False, True])
def test_a_log_that_was_acknowledged_is_there_or_it_is_an_error(
    tmp_path: Path, store: Store, harm: str, read_before: bool
) -> None:
    if read_before:
        assert store.read("m1").count == 6
    change(tmp_path, HARMS[harm])
    with pytest.raises(StoreError, match="m1"):
        store.read("m1")
    if harm in ("cut", "removed"):
        with pytest.raises(StoreError, match="m1"):
            commit_one(store, Append("m1", 3, LOG.events[3:4]))
    store.close()


@pytest.mark.parametrize("what", ["kifu.db", "kifu.db-wal"])
@pytest.mark.parametrize("moved", [False, True])
def test_a_file_that_was_moved_or_removed_takes_no_change(tmp_path: Path, what: str, moved: bool) -> None:
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    commit_one(store, Create("m1", LOG.head, ROW))
    if moved:
        (tmp_path / what).rename(tmp_path / "elsewhere")
        (tmp_path / what).write_bytes((tmp_path / "elsewhere").read_bytes())
    else:
        (tmp_path / what).unlink()
    for call in (lambda: commit_one(store, Append("m1", 0, LOG.events[:1])), lambda: store.read("m1"), store.list):
        with pytest.raises(StoreError, match="moved or removed"):
            call()
    store.close()


class Lock:
    """Another program's lock on a file, whose holder goes on while a change looks whether it is free."""

    def __init__(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.other = open_store(f"sqlite:{file}"), sqlite3.connect(file, isolation_level=None)
        self.now_s, self.looks, self.made = 1000.0, 0, 0
        monkeypatch.setattr("kifu.core.stores.sqlite.sleep", self._sleep)
        monkeypatch.setattr("kifu.core.stores.sqlite.monotonic", lambda: self.now_s)

    def _sleep(self, _: float) -> None:
        self.now_s, self.looks = self.now_s + 0.1, self.looks + 1
        if self.looks == self.ends_after:
            self.other.execute("ROLLBACK")

    def begin(self, ends_after: int) -> None:
        self.ends_after = ends_after
        self.other.execute("BEGIN IMMEDIATE")

    def looks_of_a_change(self) -> int:
        self.looks, self.made = 0, self.made + 1
        commit_one(self.store, Create(f"m{self.made}", LOG.head, ROW))
        return self.looks

    def looks_of_a_refusal(self) -> int:
        with pytest.raises(StoreError, match="locked"):
            self.looks_of_a_change()
        assert len(list(self.store.list())) == self.made - 1, "reading does not wait"
        self.made -= 1
        return self.looks


@pytest.mark.parametrize("is_free_meanwhile", [True, False])
def test_one_change_waits_for_a_long_lock_others_are_refused_at_once_and_no_other_lock_refuses_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_free_meanwhile: bool
) -> None:
    lock = Lock(tmp_path / "kifu.db", monkeypatch)
    lock.begin(ends_after=1 << 30)
    assert 14 <= lock.looks_of_a_refusal() <= 16
    assert (lock.looks_of_a_refusal(), lock.looks_of_a_refusal()) == (0, 0)
    lock.other.execute("ROLLBACK")
    if is_free_meanwhile:
        assert lock.looks_of_a_change() == 0
    else:
        lock.now_s += 60
    lock.begin(ends_after=5)
    assert lock.looks_of_a_change() == 5
    lock.other.close()
    lock.store.close()

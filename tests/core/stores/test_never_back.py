"""No store goes back: a log missing, shorter or other than acknowledged, or a file that was moved, is an error."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

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


@pytest.mark.ci
def test_a_lock_held_elsewhere_is_an_error_soon_and_stops_no_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kifu.core.stores import sqlite

    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT_S", 0.2)
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    commit_one(store, Create("m1", LOG.head, ROW))
    other = sqlite3.connect(tmp_path / "kifu.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for waits_s in (5.0, 5.0):
        began_s = monotonic()
        with pytest.raises(StoreError, match="locked"):
            commit_one(store, Append("m1", 0, LOG.events[:1]))
        assert monotonic() - began_s < waits_s
        assert store.read("m1").count == 0
    other.execute("ROLLBACK")
    commit_one(store, Append("m1", 0, LOG.events[:1]))
    assert store.read("m1").count == 1
    other.close()
    store.close()

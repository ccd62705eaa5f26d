"""No store goes back: a log missing, shorter or other than acknowledged, or a file that was moved, is an error."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from kifu.core.errors import StoreError
from kifu.core.stores import Append, Claim, Create, MetadataRow, Query, Store, commit_one, open_store
from kifu.core.stores.folders import clear_drafts, make_folder
from kifu.core.testing.store_case import LogObjects, objects_of
from kifu.games.take_and_share import GAME

ROW = MetadataRow("some_game", "going", True, 1000, b"")
LOG: LogObjects = objects_of(GAME)


@pytest.fixture(params=["files", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Open a store with a match of six events that were acknowledged one by one."""
    address = f"files:{tmp_path / 'matches'}" if request.param == "files" else f"sqlite:{tmp_path / 'kifu.db'}"
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


def log_of(place: Path) -> Path:
    return place / "matches" / "m1.log"


def cut(place: Path, events: int) -> None:
    """Leave only so many events, in whichever store this is."""
    if log_of(place).exists():
        os.truncate(log_of(place), len(LOG.head) + sum(map(len, LOG.events[:events])))
    else:
        change(place, f"DELETE FROM events WHERE seq >= {events}")


def replace(place: Path) -> None:
    """Put another log of the same length there."""
    if log_of(place).exists():
        raw = log_of(place).read_bytes()
        log_of(place).write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    else:
        change(place, "UPDATE events SET body = CAST(body || x'00' AS BLOB) WHERE seq = 5")


def remove(place: Path) -> None:
    if log_of(place).exists():
        log_of(place).unlink()
    else:
        change(place, "DELETE FROM events")


def remove_one_between(place: Path) -> None:
    if log_of(place).exists():
        cut(place, 2)
    else:
        change(place, "DELETE FROM events WHERE seq = 3")


@pytest.mark.parametrize("harm", [lambda place: cut(place, 3), replace, remove, remove_one_between])
@pytest.mark.parametrize("read_before", [False, True])
def test_a_log_that_was_acknowledged_is_there_or_it_is_an_error(
    tmp_path: Path, store: Store, harm: Callable[[Path], None], read_before: bool
) -> None:
    if read_before and harm is not replace:  # which changes nothing that is read again
        assert store.read("m1").count == 6
    harm(tmp_path)
    with pytest.raises(StoreError, match="m1"):
        store.read("m1")
    if harm is not replace and harm is not remove_one_between:
        with pytest.raises(StoreError, match="m1"):
            commit_one(store, Append("m1", 3, LOG.events[3:4]))
    store.close()


def test_metadata_that_is_missing_is_an_error(tmp_path: Path) -> None:
    store = open_store(f"files:{tmp_path}")
    commit_one(store, Create("m1", LOG.head, ROW))
    (tmp_path / "m1.meta").unlink()
    with pytest.raises(StoreError, match="metadata of match m1 is missing"):
        store.read("m1")


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


def test_a_match_locked_elsewhere_is_an_error_soon_and_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kifu.core.stores import files, metadata_file

    monkeypatch.setattr(files, "LOCK_TIMEOUT_S", 0.1)
    monkeypatch.setattr(metadata_file, "CLOCK_STEP_NS", -1)
    store = open_store(f"files:{tmp_path}")
    commit_one(store, Create("m1", LOG.head, ROW))
    assert store.read("m1").count == 0
    held = [os.open(path, os.O_RDWR) for path in (tmp_path / ".locks").iterdir()]
    for each in held:
        fcntl.flock(each, fcntl.LOCK_EX)
    with pytest.raises(StoreError, match="another program holds its lock"):
        commit_one(store, Append("m1", 0, LOG.events[:1]))
    assert store.read("m1").count == 0
    for each in held:
        os.close(each)
    commit_one(store, Append("m1", 0, LOG.events[:1]))


def test_drafts_of_the_dead_are_cleared_and_no_others(tmp_path: Path) -> None:
    dead, alive, fresh = 4_194_305, os.getpid(), 4_194_306  # above Linux's largest process number
    for process in (dead, alive, fresh):
        (tmp_path / f".m1.meta.{process}.draft").touch()
    for process in (dead, alive):
        os.utime(tmp_path / f".m1.meta.{process}.draft", (0, 0))
    (tmp_path / "m1.draft").touch()
    os.utime(tmp_path / "m1.draft", (0, 0))
    clear_drafts(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {f".m1.meta.{alive}.draft", f".m1.meta.{fresh}.draft", "m1.draft"}


def test_a_new_folder_is_synced_into_those_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kifu.core.stores import folders

    synced: list[Path] = []
    monkeypatch.setattr(folders, "sync_folder", synced.append)
    make_folder(tmp_path / "a" / "b")
    assert synced == [tmp_path, tmp_path / "a"]
    make_folder(tmp_path / "a" / "b")
    assert len(synced) == 2


def test_changes_behind_a_lock_that_is_held_for_long_do_not_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty writes of one client waited for six seconds, the last of them, each for a tenth after the one before."""
    from kifu.core.stores import patience, sqlite

    now = [0.0]
    for module in (patience, sqlite):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(sqlite, "sleep", lambda seconds: now.append(now.pop() + seconds))
    store = open_store(f"sqlite:{tmp_path / 'kifu.db'}")
    holder = sqlite3.connect(tmp_path / "kifu.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    took = []
    for number in range(60):
        began_s = now[0]
        with pytest.raises(StoreError):
            commit_one(store, Create(f"m{number}", LOG.head, ROW))
        took.append(now[0] - began_s)
    assert 1.5 <= took[0] < 1.6
    assert sum(took[1:]) < 0.3, "they look whether it is free, and are refused"
    now[0] += 0.2
    with pytest.raises(StoreError):
        commit_one(store, Create("m1", LOG.head, ROW))
    assert now[0] - began_s > 0.3, "one waits now and then, so that a lock that is free for moments is had"
    holder.execute("ROLLBACK")
    commit_one(store, Create("m1", LOG.head, ROW))
    holder.close()
    store.close()


def test_matches_of_an_older_folder_are_looked_at_once(tmp_path: Path) -> None:
    store = open_store(f"files:{tmp_path}")
    commit_one(store, Create("m1", LOG.head, ROW))
    store.close()
    (tmp_path / ".due").rmdir()
    again = open_store(f"files:{tmp_path}")
    assert list(again.claim(0, 1, 9, is_bot=False)) == [Claim("m1", 0)]
    assert [match for match, _ in again.list(Query())] == ["m1"]

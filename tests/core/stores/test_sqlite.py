"""The store in a SQLite file keeps the contract, migrates its schema, and survives what happens to files.

It never goes back: a log missing, shorter or other than acknowledged, or a file that was moved, is an error.
"""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from kifu.core.errors import StoreError
from kifu.core.host.scheduler import LEASE_MS
from kifu.core.stores import Append, Claim, Create, MetadataRow, Store, commit_one, open_store
from kifu.core.stores.sqlite import STEPS, SqliteStore
from kifu.games.take_and_share import GAME

from .killing import check, killed
from .migration_laws import migration_contract
from .store_laws import ROW, objects_of, store_contract

LOG = objects_of(GAME)


def open_again(place: Path) -> Store:
    return open_store(f"sqlite:{place / 'kifu.db'}")


TestSqlite = store_contract(open_again)

RENAMED = (
    tuple(each.replace(" matches", " logs").replace(" events", " lines") for step in STEPS for each in step),
    ("ALTER TABLE logs RENAME TO matches", "ALTER TABLE lines RENAME TO events"),
)
"""Other ones: the tables had other names."""


def open_renamed(place: Path) -> Store:
    return SqliteStore(place / "kifu.db", steps=RENAMED)


def change(place: Path, *statements: str) -> None:
    """Execute statements, as another program would."""
    with sqlite3.connect(place / "kifu.db") as db:
        for statement in statements:
            db.execute(statement)
    db.close()


def make_older(place: Path) -> None:
    change(
        place,
        "ALTER TABLE matches RENAME TO logs",
        "ALTER TABLE events RENAME TO lines",
        "PRAGMA user_version = 1",
    )


def make_newer(place: Path) -> Callable[[], None]:
    change(place, "PRAGMA user_version = 3")
    return lambda: change(place, "PRAGMA user_version = 2")


TestMigrationOfSqlite = migration_contract(open_renamed, make_older, make_newer)


def test_a_file_that_was_put_in_place_of_another_has_another_epoch(tmp_path: Path) -> None:
    file, backup = tmp_path / "kifu.db", tmp_path / "backup"
    first, second = SqliteStore(file), SqliteStore(file)
    assert first.epoch == second.epoch
    assert abs(first.now_ms() - second.now_ms()) < 1000
    with closing(sqlite3.connect(file)) as db, closing(sqlite3.connect(backup)) as copied:
        db.backup(copied)
    before = first.epoch
    first.close()
    second.close()
    for each in tmp_path.glob("kifu.db*"):
        each.unlink()
    backup.rename(file)
    restored = SqliteStore(file)
    assert restored.epoch != before
    restored.close()


def test_a_migration_that_fails_changes_nothing_and_a_newer_schema_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    SqliteStore(file, steps=STEPS[:2]).close()
    with pytest.raises(StoreError, match="no such table"):
        SqliteStore(file, steps=(*STEPS, ("DROP TABLE events", "DROP TABLE of_which_there_is_none")))
    SqliteStore(file, steps=STEPS[:2]).close()
    with closing(sqlite3.connect(file)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables == {"matches", "events", "places", "clocks"}
    SqliteStore(file, steps=(*STEPS, (), ())).close()
    with pytest.raises(StoreError, match="version 5, this kifu knows 3: use a newer one"):
        open_store(f"sqlite:{file}")


def test_a_full_file_leaves_the_log_as_it_was_and_a_probe_finds_it_and_bytes_that_are_others(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "kifu.db")
    commit_one(store, Create("m1", LOG.head, ROW))
    (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    for call in (store.probe, lambda: commit_one(store, Append("m1", 0, [b"a", bytes(100_000)]))):
        with pytest.raises(StoreError, match="full"):
            call()
    assert store.read("m1").count == 0
    store._writer.execute("PRAGMA max_page_count = 1000000")
    store.probe()
    commit_one(store, Append("m1", 0, [b"a"]))
    assert store.read("m1").events == (b"a",)
    change(tmp_path, "CREATE TRIGGER t AFTER INSERT ON probes BEGIN UPDATE probes SET content = x'00'; END")
    with pytest.raises(StoreError, match="other bytes"):
        store.probe()
    store.close()
    with closing(sqlite3.connect(tmp_path / "kifu.db")) as db:
        assert db.execute("SELECT * FROM probes").fetchall() == []


def test_another_program_s_file_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "theirs.db")
    db.execute("CREATE TABLE bookmarks (id)")
    db.close()
    (tmp_path / "text").write_text("no database at all, " * 100)
    (tmp_path / "folder").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    says = {
        "theirs.db": "another program",
        "text": "not a database",
        "folder": "unable to open",
        "no/x": "unable to open",
    }
    for name, why in says.items():
        with pytest.raises(StoreError, match=why):
            open_store(f"sqlite:{tmp_path / name}")
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_change_that_fails_spoils_no_other_of_its_transaction(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "kifu.db")
    changed = {"good": 1, "too-big": 2**70, "better": 2, "good-too": 3}
    answers = store.commit(
        [Create(match, b"head", MetadataRow("g", "going", True, at, b"")) for match, at in changed.items()]
    )
    assert [type(each) for each in answers] == [type(None), StoreError, type(None), type(None)]
    assert [match for match, _ in store.list()] == ["good-too", "better", "good"]
    store.close()


HARMS = {
    "cut": "DELETE FROM events WHERE seq >= 3",
    "replaced": "UPDATE events SET body = CAST(body || x'00' AS BLOB) WHERE seq = 5",
    "removed": "DELETE FROM events",
    "one between removed": "DELETE FROM events WHERE seq = 3",
}


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("read_before", [False, True])
def test_a_log_that_was_acknowledged_is_there_or_it_is_an_error(tmp_path: Path, harm: str, read_before: bool) -> None:
    store = open_again(tmp_path)
    commit_one(store, Create("m1", LOG.head, ROW))
    for seq in range(6):
        commit_one(store, Append("m1", seq, LOG.events[seq : seq + 1]))
    store.close()
    store = open_again(tmp_path)
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
    store = open_again(tmp_path)
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


@pytest.mark.parametrize(
    ("times", "enough"), [pytest.param(1, 300, marks=pytest.mark.ci), pytest.param(10, 1000, marks=pytest.mark.long)]
)
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path, times: int, enough: int) -> None:
    address = f"sqlite:{tmp_path / 'kifu.db'}"
    check(address, [each for _ in range(times) for each in killed(address, enough)])


HAMMER = """if True:
    import sys
    from time import monotonic
    from kifu.core.stores import Append, Create, MetadataRow, commit_one, open_store

    store = open_store(sys.argv[1])
    commit_one(store, Create(sys.argv[2], b"head", MetadataRow("g", "going", True, 0, b"")))
    end_s, longest_s, count = monotonic() + 1, 0.0, 0
    while monotonic() < end_s:
        began_s = monotonic()
        commit_one(store, Append(sys.argv[2], count, [b"event" * 1000]))
        count, longest_s = count + 1, max(longest_s, monotonic() - began_s)
    print(count, longest_s)
"""


@pytest.mark.ci
def test_processes_that_open_a_new_file_at_once_and_write_all_the_time_have_their_turns(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HAMMER, f"sqlite:{tmp_path / 'kifu.db'}"]
    both = [subprocess.Popen([*command, match], stdout=subprocess.PIPE, text=True) for match in ("m1", "m2")]
    counts, longest_s = zip(*[map(float, each.communicate()[0].split()) for each in both], strict=True)
    assert max(longest_s) < 1
    assert min(counts) > max(counts) / 20  # one may begin later, and the other write alone meanwhile


STOPPING = """
import os, signal, sys
from kifu.core.stores import Due, MetadataRow, Update, commit_one, open_store, sqlite
store = open_store(sys.argv[1])
def stop(*_):
    os.kill(os.getpid(), signal.SIGSTOP)
then, sqlite.astuple = sqlite.astuple, lambda row: (stop(), then(row))[1]
commit_one(store, Update("m1", MetadataRow("some_game", "going", True, 1000, b"", 1), due=Due(500)))
store.close()
"""


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_a_stopped_process_keeps_nobody_waiting_for_longer_than_its_lease(tmp_path: Path) -> None:
    """It was stopped in the middle of a change, by SIGSTOP."""
    address = f"sqlite:{tmp_path / 'store'}"
    store = open_store(address)
    commit_one(store, Create("m1", b"", ROW))
    process = subprocess.Popen([sys.executable, "-c", STOPPING, address])
    try:
        assert os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT) is not None
        began_s = monotonic()
        with pytest.raises(StoreError):
            commit_one(store, Append("m1", 0, []))
        assert monotonic() - began_s < LEASE_MS / 1000 + 0.3
        assert store.read("m1").row == ROW, "who reads does not wait"
    finally:
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 0
    assert store.read("m1").row.version == 1, "what it was writing is whole"
    assert Claim("m1", 0) in store.claim(500, 10_000, 9, is_bot=False)
    store.close()

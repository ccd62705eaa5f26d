"""The store in a folder keeps the contract; its logs are files for every tool, and no crash splits a change."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep, time_ns
from types import ModuleType
from typing import Any

import kifu
import msgpack
import pytest
from attrs import evolve
from kifu.core.errors import Conflict, StoreError
from kifu.core.log import read
from kifu.core.stores import (
    Append,
    Claim,
    Create,
    Due,
    MetadataRow,
    Schedule,
    Store,
    StoredLog,
    Update,
    commit_one,
    files,
    log_bytes_of,
    metadata_file,
    open_store,
)
from kifu.core.testing import migration_contract, store_contract

ROW = MetadataRow("some_game", "going", True, 1000, b"")


def open_again(place: Path) -> Store:
    return open_store(f"files:{place / 'matches'}")


TestFiles = store_contract(open_again)
TestManyFiles = pytest.mark.long(store_contract(open_again, many=3000))


def states_of(writing: ModuleType, log: Path) -> list[StoredLog]:
    """Return what a store has of a log after each of its changes."""
    states: list[StoredLog] = list(writing.plan_of(log.read_bytes()).states())
    return states


def write(store: Store, match: str, states: list[StoredLog]) -> None:
    """Bring a store from each of these states to the next."""
    commit_one(store, Create(match, states[0].header, states[0].row))
    for before, after in pairwise(states):
        step(store, match, before, after)


def step(store: Store, match: str, before: StoredLog, after: StoredLog) -> None:
    """Bring a store from one state of a match to the next."""
    head = after.header if not before.header else None
    row = after.row if after.row != before.row else None
    commit_one(store, Append(match, before.count, after.events[before.count :], header=head, end=after.end, row=row))


def test_a_log_is_a_file_that_every_tool_reads(tmp_path: Path, writing: ModuleType, log: Path) -> None:
    store, states = open_again(tmp_path), states_of(writing, log)
    for number in (1, 2, 9, len(states)):
        write(store, f"m{number}", states[:number])
    store.close()
    files = sorted(path.name for path in (tmp_path / "matches").iterdir() if path.name[0] != ".")
    names = ["m1.meta", *(f"m{number}.{kind}" for number in (2, 9, len(states)) for kind in ("log", "meta"))]
    assert files == sorted(names)
    for number in (2, 9, len(states)):
        path = tmp_path / "matches" / f"m{number}.log"
        assert path.read_bytes() == log_bytes_of(states[number - 1])
        assert read(path).ok
    assert kifu.load(path).result is not None


@pytest.mark.ci
def test_a_crash_between_any_two_writes_leaves_all_of_a_change_or_nothing(
    tmp_path: Path, writing: ModuleType, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a crash at each write, replace and sync of a change."""
    states = states_of(writing, log)
    for number in (1, 2, 3, 4, len(states) - 1):
        before, after = states[:number], states[: number + 1]
        template = tmp_path / f"before{number}"
        with_store(template, lambda store, before=before: write(store, "m1", before))
        found, last = [], None
        for stop in range(100):
            place = tmp_path / f"crash{number}-{stop}"
            shutil.copytree(template, place)
            crashed = change_until(monkeypatch, place, stop, lambda store, after=after: step(store, "m1", *after[-2:]))
            last = with_store(place, lambda store: store.read("m1"))
            assert last in (before[-1], after[-1])
            found.append(last)
            if last.header:
                assert read(place / "matches" / "m1.log").ok
            if not crashed:
                break
        assert last == after[-1]
        assert found == sorted(found, key=[before[-1], after[-1]].index)
        assert before[-1] in found
        assert len(found) >= 3


def with_store(place: Path, work: Callable[[Store], Any]) -> Any:
    place.mkdir(exist_ok=True)
    store = open_again(place)
    try:
        return work(store)
    finally:
        store.close()


class Stopped(BaseException):
    """Raised in the place of a crash."""


def change_until(monkeypatch: pytest.MonkeyPatch, place: Path, stop: int, work: Callable[[Store], None]) -> bool:
    """Run `work` with so many calls that change the disk and half of the next write; return True if it crashed."""
    left = stop
    real_write = os.write

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            nonlocal left
            if left == 0 and real is real_write:
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            if left <= 0:
                raise Stopped
            left -= 1
            return real(*args, **more)

        return call

    with monkeypatch.context() as patch:
        for name in ("write", "fsync", "replace", "ftruncate", "link", "unlink"):
            patch.setattr(os, name, counted(getattr(os, name)))
        try:
            with_store(place, work)
        except Stopped:
            return True
    return False


def test_a_torn_event_is_cut_off_and_kept_beside(tmp_path: Path, writing: ModuleType, log: Path) -> None:
    states = states_of(writing, log)
    with_store(tmp_path, lambda store: write(store, "m1", states[:10]))
    path = tmp_path / "matches" / "m1.log"
    torn = states[-1].events[states[9].count][:20]
    with path.open("ab") as file:
        file.write(torn)
    assert with_store(tmp_path, lambda store: store.read("m1")) == states[9]
    assert path.with_name("m1.log.torn").read_bytes() == torn
    with_store(tmp_path, lambda store: step(store, "m1", states[9], evolve(states[10], row=states[9].row)))
    assert read(path).ok


def test_a_damaged_log_is_refused_and_not_touched(tmp_path: Path, writing: ModuleType, log: Path) -> None:
    states = states_of(writing, log)
    path = tmp_path / "matches" / "m1.log"
    with_store(tmp_path, lambda store: write(store, "m1", states[:10]))
    whole = path.read_bytes()
    for damaged, why in (
        (whole + b"\xc1", "m1.log: byte 0xc1"),
        (whole + b"\x97\x00", "m1.log: torn.* not the beginning"),
        (whole + b"\x01", "event 12 is no array"),
        (whole[:50], "m1.log is shorter than it was"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(StoreError, match=why):
            with_store(tmp_path, lambda store: commit_one(store, Append("m1", states[9].count, [whole])))
        assert path.read_bytes() == damaged


def change_metadata(place: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change the values of each metadata file, as another program would."""
    for path in (place / "matches").glob("*.meta"):
        path.write_bytes(msgpack.packb(change(msgpack.unpackb(path.read_bytes()))))


def renamed(values: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if name == old else name: value for name, value in values.items()}


def make_older(place: Path) -> None:
    change_metadata(place, lambda values: {**renamed(values, "game", "name"), "kifu_metadata": 0})


def make_newer(place: Path) -> Callable[[], None]:
    change_metadata(place, lambda values: {**values, "kifu_metadata": 2})
    return lambda: change_metadata(place, lambda values: {**values, "kifu_metadata": 1})


class TestMigrationOfFiles(migration_contract(open_again, make_older, make_newer)):  # type: ignore[misc]
    @pytest.fixture(autouse=True)
    def upcast(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(metadata_file, "UPCASTS", {0: lambda values: renamed(values, "name", "game")})


def test_metadata_of_an_older_version_is_read_and_written_in_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_store(tmp_path, lambda store: commit_one(store, Create("m1", b"", ROW)))
    path = tmp_path / "matches" / "m1.meta"
    values = msgpack.unpackb(path.read_bytes())
    values["kifu_metadata"] = 0
    values["name"] = values.pop("game")
    path.write_bytes(msgpack.packb(values))

    def upcast(values: dict[str, Any]) -> dict[str, Any]:
        return {**{key: value for key, value in values.items() if key != "name"}, "game": values["name"]}

    monkeypatch.setattr(metadata_file, "UPCASTS", {0: upcast})
    assert with_store(tmp_path, lambda store: store.read("m1")).row == ROW
    with_store(tmp_path, lambda store: commit_one(store, Update("m1", evolve(ROW, version=1))))
    assert msgpack.unpackb(path.read_bytes())["kifu_metadata"] == 1


def test_metadata_that_is_newer_or_malformed_is_refused(tmp_path: Path) -> None:
    with_store(tmp_path, lambda store: commit_one(store, Create("m1", b"", ROW)))
    path = tmp_path / "matches" / "m1.meta"
    values = msgpack.unpackb(path.read_bytes())
    for raw, why in (
        (msgpack.packb({**values, "kifu_metadata": 2}), "m1.meta: it is of version 2, this kifu knows 1"),
        (b"", "m1.meta: this is no metadata"),
        (b"\xc1", "m1.meta: this is no metadata"),
        (msgpack.packb({"kifu_metadata": 1}), "m1.meta: this is no metadata"),
        (msgpack.packb({**values, "more": 1}), "m1.meta: this is no metadata"),
        (msgpack.packb({**values, "kifu_metadata": "1"}), "m1.meta: this is no metadata"),
        (msgpack.packb({**values, "size": "0"}), "m1.meta: this is no metadata"),
        (msgpack.packb({**values, "tail": None}), "m1.meta: this is no metadata"),
        (msgpack.packb({**values, "changed_at_ms": None}), "m1.meta: this is no metadata"),
    ):
        path.write_bytes(raw)
        with pytest.raises(StoreError, match=why):
            with_store(tmp_path, lambda store: store.read("m1"))


def test_one_unreadable_metadata_file_does_not_hide_the_others(tmp_path: Path) -> None:
    with_store(tmp_path, lambda store: commit_one(store, Create("m1", b"", ROW)))
    with_store(tmp_path, lambda store: commit_one(store, Create("m2", b"", ROW)))
    (tmp_path / "matches" / "m1.meta").write_bytes(b"")
    assert [match for match, _ in with_store(tmp_path, lambda store: list(store.list()))] == ["m2"]


def test_a_log_without_metadata_is_left_alone(tmp_path: Path, log: Path) -> None:
    store = open_again(tmp_path)
    foreign = tmp_path / "matches" / "m1.log"
    shutil.copy(log, foreign)
    with pytest.raises(StoreError, match="is there already"):
        commit_one(store, Create("m1", b"head", ROW))
    store.close()
    assert foreign.read_bytes() == log.read_bytes()


def test_what_is_no_object_of_a_log_is_refused(tmp_path: Path) -> None:
    store = open_again(tmp_path)
    commit_one(store, Create("m1", msgpack.packb({}), ROW))
    for events in ([b""], [b"\x80"], [b"\x90\x90"], [b"\xc1"], [b"\x91"]):
        with pytest.raises(StoreError, match="array"):
            commit_one(store, Append("m1", 0, events))
    assert store.read("m1").count == 0
    store.close()


def test_an_address_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "file/x", "a\0b"):
        with pytest.raises(StoreError):
            open_store(f"files:{tmp_path / name}")


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_again(tmp_path)
    commit_one(store, Create("m1", msgpack.packb({}), ROW))
    stored = store.read("m1")
    real = os.write

    def write(file: int, data: bytes) -> int:
        if len(data) < 10:
            raise OSError(28, "No space left on device")
        return real(file, bytes(data)[:10])

    event = msgpack.packb(["x" * 60])
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        for row in (None, evolve(ROW, version=1)):
            with pytest.raises(StoreError, match="No space left"):
                commit_one(store, Append("m1", 0, [event], row=row))
    assert store.read("m1") == stored
    commit_one(store, Append("m1", 0, [event]))
    assert store.read("m1").events == (event,)
    store.close()


def test_metadata_with_the_stamp_of_the_one_before_is_read_anew(tmp_path: Path) -> None:
    """A file system may give a new file the inode, the size and, within a tick, the time of the replaced one."""
    store = open_again(tmp_path)
    commit_one(store, Create("m1", b"", ROW))
    path = tmp_path / "matches" / "m1.meta"
    tick = time_ns() + 3600 * 10**9  # whenever this is run, it was just now
    for version in (1, 2):
        raw = path.read_bytes()
        os.utime(path, ns=(tick, tick))
        assert store.read("m1").row.version == version - 1
        with path.open("r+b") as file:
            file.write(metadata_file.pack(evolve(metadata_file.unpack(raw), row=evolve(ROW, version=version))))
        os.utime(path, ns=(tick, tick))
        assert [row.version for _, row in store.list()] == [version]
    store.close()


OTHER = """
import sys, msgpack
from kifu.core.stores import Append, commit_one, open_store
store = open_store(sys.argv[1])
for seq in range(5):
    commit_one(store, Append("m1", seq, [msgpack.packb([seq])]))
store.close()
"""


@pytest.mark.ci
def test_changes_of_another_process_are_notified(tmp_path: Path) -> None:
    store = open_again(tmp_path)
    commit_one(store, Create("m1", msgpack.packb({}), ROW))
    notified = Event()
    store.subscribe("m1", notified.set)
    other = subprocess.Popen([sys.executable, "-c", OTHER, f"files:{tmp_path / 'matches'}"])
    while store.read("m1").count < 5:
        assert notified.wait(60)
        notified.clear()
    assert other.wait() == 0
    with pytest.raises(Conflict):
        commit_one(store, Append("m1", 4, [msgpack.packb([4])]))
    store.close()


@pytest.mark.ci
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path, written: Callable[..., int]) -> None:
    assert written(f"files:{tmp_path / 'matches'}", 300) >= 300


@pytest.mark.long
def test_kill_9_during_ten_thousand(tmp_path: Path, written: Callable[..., int]) -> None:
    for enough in (3000, 7000):
        assert written(f"files:{tmp_path / str(enough)}", enough) >= enough


def test_a_disk_that_takes_no_bytes_is_found_by_the_probe(tmp_path):
    """A full disk may still take an empty file: a limit on the size of files is one that is full."""
    store = open_store(f"files:{tmp_path}")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(StoreError):
            store.probe()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    store.probe()
    assert not list(tmp_path.glob(".probe*"))


def held(place: Path, match: str, work: Callable[[], object], for_s: float) -> None:
    """Do work in a thread while another program holds the lock of a match; give it free after so long."""
    with open_again(place)._locked(match):
        thread = Thread(target=work)
        thread.start()
        sleep(for_s)
    thread.join()


def test_a_clock_put_back_is_put_back_in_a_match_that_is_being_written(tmp_path: Path) -> None:
    store, claimed = open_again(tmp_path), []
    commit_one(store, Create("m1", b"", ROW))
    commit_one(store, Schedule("m1", 0, Due(5000)))
    held(tmp_path, "m1", lambda: claimed.append(store.claim(1 << 52, 6000, 9, is_bot=False)), 0.03)
    held(tmp_path, "m1", lambda: claimed.append(store.claim(1 << 52, 1000, 9, is_bot=False)), 0.03)
    assert claimed == [[], [Claim("m1", 0)]], "who claims what is due passes it over"
    assert store.earliest_due() == 1000


@pytest.mark.ci
def test_a_lock_that_was_waited_for_in_vain_is_not_waited_for_as_long_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(files, "LOCK_TIMEOUT_S", 0.5)
    store, took_s = open_again(tmp_path), list[float]()
    commit_one(store, Create("m1", b"", ROW))

    def change() -> None:
        for _ in range(4):
            began_s = monotonic()
            with pytest.raises(StoreError, match="another program holds its lock"):
                commit_one(store, Schedule("m1", 0, Due(5000)))
            took_s.append(monotonic() - began_s)
            sleep(0.06)

    with open_again(tmp_path)._locked("m1"):
        change()
    assert took_s[0] >= 0.5
    assert 0.1 <= max(took_s[1:]) < 0.45
    commit_one(store, Schedule("m1", 0, Due(5000)))
    held(tmp_path, "m1", lambda: commit_one(store, Schedule("m1", 0, Due(6000))), 0.2)
    assert store.earliest_due() == 6000, "once it was free it is waited for as ever"


@pytest.mark.ci
def test_of_many_changes_none_waits_for_a_lock_longer_than_the_first(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(files, "LOCK_TIMEOUT_S", 0.3)
    store, took_s = open_again(tmp_path), list[float]()
    commit_one(store, Create("m1", b"", ROW))

    def change() -> None:
        began_s = monotonic()
        with pytest.raises(StoreError, match="another program holds its lock"):
            commit_one(store, Schedule("m1", 0, Due(5000)))
        took_s.append(monotonic() - began_s)

    def changes() -> None:
        threads = [Thread(target=change) for _ in range(3)]
        for each in threads:
            each.start()
            sleep(0.05)
        for each in threads:
            each.join()

    held(tmp_path, "m1", changes, 0.8)
    assert len(took_s) == 3
    assert max(took_s) < 0.45

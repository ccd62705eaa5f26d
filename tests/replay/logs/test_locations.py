"""Where logs are: paths, and addresses that fsspec knows."""

import os
import pickle
import re
import sys
from pathlib import Path

import pytest
from kifu.core.errors import LogError
from kifu.core.trace.golden import check
from kifu.replay.logs.locations import Address, SentFile, location, read_content, reading_of, write_file

FIXTURES = Path(__file__).parents[3] / "fixtures" / "take_and_share"
GOLDEN = min(FIXTURES.glob("*.log"))


@pytest.mark.parametrize("typed", ["logs", "a/b.log", "C:/logs", "a:b", ".", "3://x"])
def test_a_path_is_a_path(typed: str) -> None:
    assert location(typed) == Path(typed)


@pytest.mark.parametrize("typed", ["s3://bucket/logs", "memory://"])
def test_what_begins_with_a_protocol_is_an_address(typed: str) -> None:
    assert location(typed) == Address(typed)
    assert str(location(typed)) == typed


@pytest.mark.parametrize(
    ("folder", "log", "trace", "name"),
    [
        ("s3://b/logs", "s3://b/logs/x/a.log", "s3://b/logs/x/a.trace", "a.log"),
        ("s3://b/logs/", "s3://b/logs/x/a.log", "s3://b/logs/x/a.trace", "a.log"),
        ("memory://", "memory://x/a.log", "memory://x/a.trace", "a.log"),
    ],
)
def test_what_lies_below_and_beside_an_address_has_one(folder: str, log: str, trace: str, name: str) -> None:
    below = Address(folder) / "x/a.log"
    assert below == Address(log)
    assert below.with_suffix(".trace") == Address(trace)
    assert below.name == name


def test_a_sent_file_has_the_content_of_the_file_and_of_those_beside_it() -> None:
    sent_file = pickle.loads(pickle.dumps(SentFile.of(GOLDEN, (".trace", ".json"))))
    assert str(sent_file) == str(GOLDEN)
    assert sent_file.read_bytes() == GOLDEN.read_bytes()
    assert check(sent_file).ok
    assert check(sent_file).traced == check(GOLDEN).traced


@pytest.mark.parametrize("name", ["missing.log", "folder.log", "pipe.log"])
def test_a_sent_file_raises_what_reading_the_path_raises(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.log").mkdir()
    os.mkfifo(tmp_path / "pipe.log")
    path = tmp_path / name
    errors = []
    for each in (path, pickle.loads(pickle.dumps(SentFile.of(path)))):
        with pytest.raises(LogError) as raised:
            reading_of(each)
        errors.append((raised.value.kind, raised.value.message))
    assert errors[0] == errors[1]


ONE = {
    "show": ("show", "LOG"),
    "diff": ("diff", "LOG", GOLDEN.with_suffix(".trace")),
    "trace": ("trace", "LOG", "-o", "FILE"),
    "anonymous": ("export", "LOG", "--anonymous", "-o", "FILE"),
}
"""A call for each way in which verbs read one log."""


class TestFsspec:
    @pytest.fixture(autouse=True)
    def memory(self) -> None:
        memory = pytest.importorskip("fsspec.implementations.memory", reason="needs kifu[bulk]")
        memory.MemoryFileSystem.store.clear()
        memory.MemoryFileSystem.pseudo_dirs[:] = [""]
        for file in FIXTURES.iterdir():
            write_file(Address(f"memory://some/{file.name}"), file.read_bytes())

    def test_the_logs_of_a_folder_in_memory_are_audited_like_those_of_a_path(self, replay) -> None:
        here = replay("audit", FIXTURES, "--json", "--jobs", 1)
        there = replay("audit", "memory://some", "--json", "--jobs", 1)
        assert there.code == here.code
        assert there.out.replace("memory://some", str(FIXTURES)) == here.out

    @pytest.mark.parametrize("call", ONE.values(), ids=ONE.keys())
    def test_one_log_in_memory_is_read_like_that_of_a_path(self, replay, call: tuple, tmp_path: Path) -> None:
        def outcome(log: object, file: Path) -> tuple:
            called = replay(*({"LOG": log, "FILE": file}.get(each, each) for each in call))
            out = called.out.replace(str(log), "LOG").replace(str(file), "FILE")
            return called.code, out, called.err, file.exists() and file.read_bytes()

        assert outcome(f"memory://some/{GOLDEN.name}", tmp_path / "a.log") == outcome(GOLDEN, tmp_path / "b.log")

    def test_a_folder_in_memory_is_compared_by_two_engines_like_a_path(self, replay) -> None:
        write_file(Address("memory://few/a.log"), GOLDEN.read_bytes())
        called = replay("diff", "memory://few", "--engine", sys.executable, exits=0)
        assert re.search(r"memory://few/a\.log\nA: .*\n1 log", called.out)

    def test_a_folder_that_is_missing_is_made(self, replay, tmp_path: Path) -> None:
        there = f"file://{tmp_path}/new/run"
        replay("simulate", "take_and_share", "--bots", "random", "--games", 2, "-o", there, exits=0)
        assert len(list((tmp_path / "new/run").glob("*.log"))) == 2

    def test_who_reads_a_local_file_keeps_it_whole_while_it_is_written(self, tmp_path: Path) -> None:
        file = tmp_path / "a.log"
        file.write_bytes(b"old")
        with file.open("rb") as reader:
            write_file(Address(f"file://{file}"), b"new")
            assert (reader.read(), file.read_bytes()) == (b"old", b"new")

    def test_golden_logs_are_held_and_blessed_in_memory(self, replay) -> None:
        for suffix in (".log", ".json"):
            write_file(Address(f"memory://few/a{suffix}"), GOLDEN.with_suffix(suffix).read_bytes())
        trace = Address("memory://few/a.trace")
        write_file(trace, b"rubbish")
        assert replay("golden", "memory://few").code == 1
        assert replay("golden", "memory://few", "--bless").code == 0
        assert replay("golden", "memory://few").code == 0
        assert read_content(trace) != b"rubbish"

    @pytest.mark.parametrize(
        ("address", "expected"),
        [
            ("memory://some/none.log", "cannot be read: No such file or directory"),
            ("nowhere://logs", "Protocol not known: nowhere"),
            ("memory://empty", "no *.log in memory://empty"),
            ("s3://bucket/logs", "s3://bucket/logs: Install s3fs to access S3"),
        ],
    )
    def test_an_address_that_cannot_be_used_is_reported_in_one_line(
        self, replay, monkeypatch, address, expected
    ) -> None:
        monkeypatch.setitem(sys.modules, "s3fs", None)
        write_file(Address("memory://empty/readme"), b"")
        called = replay("audit", address, exits=2)
        assert expected in called.out + called.err
        assert (called.out + called.err).count("\n") <= 2

    def test_what_a_store_raises_is_reported_as_a_file_that_cannot_be_read(self, monkeypatch) -> None:
        from fsspec.implementations.memory import MemoryFileSystem

        def fail(*_: object, **__: object) -> bytes:
            raise RuntimeError("the store is\nclosed")

        monkeypatch.setattr(MemoryFileSystem, "cat_file", fail)
        with pytest.raises(LogError, match="cannot be read: the store is closed"):
            read_content(Address("memory://some/a.log"))
        monkeypatch.setattr(MemoryFileSystem, "pipe_file", fail)
        with pytest.raises(LogError, match="cannot be written: the store is closed"):
            write_file(Address("memory://some/a.log"), b"")

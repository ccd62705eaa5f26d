"""A record's file: each entry on disk before it is shown, nothing lost to a kill, evidence never dropped."""

from __future__ import annotations

from pathlib import Path

import msgpack
import pytest
from attrs import evolve
from kifu.core.errors import TrustError
from kifu.core.trust import records
from kifu.core.trust.records import RecordWriter

from .vectors import FILES

RECORD = records.read_bytes(FILES["seat0.seat"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.seat"


def written(path: Path) -> Path:
    with RecordWriter.create(path, RECORD.head()) as writer:
        for entry in RECORD.entries:
            writer.append(entry)
    return path


def test_what_is_written_is_read_again_byte_for_byte(path: Path) -> None:
    assert written(path).read_bytes() == FILES["seat0.seat"]
    read = records.read(path)
    assert (read.entries, read.findings, read.packed()) == (RECORD.entries, (), FILES["seat0.seat"])


def test_each_entry_is_in_the_file_when_append_returns(path: Path) -> None:
    with RecordWriter.create(path, RECORD.head()) as writer:
        for count, entry in enumerate(RECORD.entries, 1):
            writer.append(entry)
            assert records.read(path).entries == RECORD.entries[:count]


def test_the_same_again_is_written_once_and_another_mark_is_evidence(path: Path) -> None:
    unsigned = records.read_bytes(FILES["marks-only-seat2.seat"])
    first = unsigned.entries[0]
    with RecordWriter.create(path, unsigned.head()) as writer:
        writer.append(first)
        writer.append(first)
        writer.append(evolve(first, mark=bytes(32)))
    with RecordWriter.open(path) as writer:
        writer.append(first)
    assert [entry.mark for entry in records.read(path).entries] == [first.mark, bytes(32)]
    found = [(each.kind, each.seq) for each in records.verify(path.read_bytes()).findings]
    assert ("mark", 0) in found


@pytest.mark.ci
def test_a_writer_can_be_killed_at_any_byte(path: Path) -> None:
    whole = FILES["seat0.seat"]
    head = len(msgpack.packb(RECORD.head()))
    for size in range(head, len(whole), 197):
        path.write_bytes(whole[:size])
        with RecordWriter.open(path) as writer:
            for entry in RECORD.entries:
                if entry not in writer.record.entries:
                    writer.append(entry)
        assert path.read_bytes() == whole
        for torn in path.parent.glob("mine.seat.torn*"):
            assert whole[:size].endswith(torn.read_bytes())
            torn.unlink()


def test_a_record_that_is_there_is_never_begun_anew(path: Path) -> None:
    written(path)
    with pytest.raises(TrustError, match=r"File exists|is there already"):
        RecordWriter.create(path, RECORD.head())
    assert path.read_bytes() == FILES["seat0.seat"]


@pytest.mark.parametrize(
    "entry",
    [
        [9, 0, b"", None, bytes(32), None],
        [0, -1, RECORD.entries[0].told, bytes(16), bytes(32), None],
        [0, 0, b"\x93\xc0", bytes(16), bytes(32), None],
        [0, 0, RECORD.entries[0].told, None, bytes(32), None],
        [0, 0, RECORD.entries[0].told, bytes(16), bytes(31), None],
        [0, 0, RECORD.entries[0].told, bytes(16), bytes(32), bytes(63)],
        [1, 0, RECORD.entries[0].told, bytes(16), bytes(32), None],
        [],
    ],
)
def test_a_malformed_entry_is_refused_and_nothing_is_written(path: Path, entry: list[object]) -> None:
    with RecordWriter.create(path, RECORD.head()) as writer:
        before = path.read_bytes()
        with pytest.raises(TrustError):
            writer.append(entry)
        assert path.read_bytes() == before
        writer.append(RECORD.entries[0])


def test_an_entry_before_its_time_is_refused(path: Path) -> None:
    first, later = (each for each in RECORD.entries if each.kind == records.EVENT and each.number in (0, 5))
    with RecordWriter.create(path, RECORD.head()) as writer:
        writer.append(later)
        with pytest.raises(TrustError, match="after a later one"):
            writer.append(first)
    assert records.read(path).entries == (later,)


@pytest.mark.parametrize("head", [{}, {**RECORD.head(), "kifu_record": 2}, {**RECORD.head(), "roster": b""}])
def test_a_head_that_is_none_is_refused(path: Path, head: dict[str, object]) -> None:
    with pytest.raises(TrustError, match=r"no record|another format"):
        RecordWriter.create(path, head)
    assert not path.exists()


def test_a_damaged_record_is_not_written_to(path: Path) -> None:
    path.write_bytes(FILES["uncanonical.seat"])
    with pytest.raises(TrustError, match="malformed"):
        RecordWriter.open(path)
    assert path.read_bytes() == FILES["uncanonical.seat"]


@pytest.mark.parametrize("content", [b"", b"\xc1", b"\x80", b"{}", FILES["base.log"]])
def test_what_is_no_record_is_said_to_be_none(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read in (records.read, RecordWriter.open):
        with pytest.raises(TrustError, match="no record"):
            read(path)
    with pytest.raises(TrustError):
        records.public(content)


def test_a_file_that_is_not_there_is_one_error(path: Path) -> None:
    for read in (records.read, RecordWriter.open):
        with pytest.raises(TrustError, match="cannot be read"):
            read(path)


def test_another_program_that_writes_to_it_is_noticed(path: Path) -> None:
    with RecordWriter.create(path, RECORD.head()) as writer:
        with RecordWriter.open(path) as other:
            other.append(RECORD.entries[0])
        with pytest.raises(TrustError, match="written to it meanwhile"):
            writer.append(RECORD.entries[0])
        writer.close()
        with pytest.raises(TrustError, match="closed"):
            writer.append(RECORD.entries[1])

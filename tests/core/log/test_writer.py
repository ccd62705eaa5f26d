"""What was acknowledged is there when the log is opened again; only a torn last object is ever cut."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import kifu
import pytest
from kifu.core.log import LogWriter, files, log_bytes, read_bytes
from kifu.core.log.format import end_bytes
from kifu.core.log.recovery import is_torn_tail

from .conftest import play_on


def test_a_log_that_grows_with_its_match_is_the_log_of_the_match(begun: kifu.Match, tmp_path: Path) -> None:
    path = tmp_path / "new.log"
    with LogWriter.create(path, begun) as writer:
        while begun.to_act:
            play_on(begun, len(begun.events) + 1)
            writer.sync()
            assert path.read_bytes() == log_bytes(begun, ended=False)
        writer.end()
    assert path.read_bytes() == log_bytes(begun)


def test_an_end_that_the_match_has_not_is_not_written(begun: kifu.Match, tmp_path: Path) -> None:
    with LogWriter.create(tmp_path / "new.log", begun) as writer:
        with pytest.raises(kifu.LogError, match="the match goes on"):
            writer.end()
        begun.abandon()
        writer.end()
        writer.sync()
    assert read_bytes((tmp_path / "new.log").read_bytes()).ended == "abandoned"


def test_a_log_that_ends_as_abandoned_though_its_match_was_over_is_found(over: kifu.Match) -> None:
    events = log_bytes(over, ended=False)
    chain = read_bytes(events).chain
    reading = read_bytes(events + end_bytes(None, len(over.events), chain))
    assert [(each.kind, "abandoned" in each.message) for each in reading.findings] == [("result", True)]


def _no_links(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


@pytest.mark.parametrize("links", [_no_links, None], ids=["exFAT", "a browser"])
def test_a_log_is_begun_where_no_file_has_a_second_name_and_none_is_replaced(
    over: kifu.Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: object
) -> None:
    if links is None:
        monkeypatch.delattr(os, "link")
    else:
        monkeypatch.setattr(os, "link", links)
    path = tmp_path / "new.log"
    LogWriter.create(path, over).close()
    assert [each.name for each in tmp_path.iterdir()] == ["new.log"]
    begun = path.read_bytes()
    with pytest.raises(kifu.LogError, match="there already"):
        LogWriter.create(path, over)
    taken = tmp_path / "taken.log"

    def write() -> None:
        with files.whole_file(taken, new=True) as file:
            file.write(b"later")
            taken.write_bytes(b"mine")  # the name is taken after the writer looked

    with pytest.raises(kifu.LogError, match="File exists"):
        write()
    assert (path.read_bytes(), taken.read_bytes()) == (begun, b"mine")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new.log", "taken.log"]


def test_a_log_is_gone_on_with(going_log: Path, going: kifu.Match) -> None:
    with LogWriter.open(going_log) as writer:
        assert writer.match.states == going.states
        play_on(writer.match, 33)
        writer.sync()
    assert kifu.load(going_log).states == writer.match.states


METAS = (
    kifu.Meta(3, b"abc", "stand-in"),
    kifu.Meta(70000, more=(("更", ("x" * 40, {"a": None})), ("z", True))),
    kifu.Meta(by="棋譜さん" * 16),
    kifu.Meta(id=bytes(32)),
    kifu.Meta(5, bytes(16), more=(("sign", [300, bytes(64)]),)),
    kifu.Meta(by="seat 1", more=(("sign", [[0, b"\xc4" * 64], [1, bytes(64)]]),)),
)


@pytest.mark.parametrize("meta", METAS)
def test_a_writer_can_be_killed_while_it_writes_any_meta(going: kifu.Match, meta: kifu.Meta) -> None:
    kept = log_bytes(going)
    seat = min(going.to_act)
    going.play(seat, going.legal(seat)[0], meta)
    reading, whole = read_bytes(kept), log_bytes(going)
    for size in range(len(kept) + 1, len(whole)):
        assert is_torn_tail(whole[len(kept) : size], reading), size


@pytest.mark.ci
def test_a_writer_can_be_killed_at_any_byte(going: kifu.Match, tmp_path: Path) -> None:
    whole = log_bytes(going)
    header = len(log_bytes(kifu.Match(going.game, going.header)))
    path = tmp_path / "killed.log"
    torn = path.with_name("killed.log.torn")
    last = len(log_bytes(going)) - 120  # each byte of the last two events, and a sample of all before
    for size in [*range(header, last, 11), *range(last, len(whole))]:
        path.write_bytes(whole[:size])
        torn.unlink(missing_ok=True)
        writer = LogWriter.open(path)
        writer.close()
        kept = path.read_bytes()
        assert whole.startswith(kept)
        assert writer.match.events == going.events[: writer.events]
        assert kept + (torn.read_bytes() if torn.exists() else b"") == whole[:size]


@pytest.mark.ci
def test_a_torn_end_record_is_cut_off_too(over: kifu.Match, tmp_path: Path) -> None:
    whole, events = log_bytes(over), log_bytes(over, ended=False)
    path = tmp_path / "ended.log"
    for size in range(len(events) + 1, len(whole)):
        path.write_bytes(whole[:size])
        with LogWriter.open(path) as writer:
            writer.end()
        assert path.read_bytes() == whole


@pytest.mark.ci
def test_a_changed_byte_in_the_middle_is_never_taken_for_a_torn_tail(going: kifu.Match) -> None:
    for index, step in enumerate(going.steps):
        if index % 7 == 3:
            going.events[index] = kifu.Event(step.seq, step.seat, step.command, METAS[index // 7 % len(METAS)])
    data = log_bytes(going)
    looks_torn = 0
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        reading = read_bytes(bytes(changed))
        if reading.tail:
            looks_torn += 1
            whole_chain = [finding.kind for finding in reading.findings] == ["torn"]
            assert not (whole_chain and is_torn_tail(reading.tail, reading)), place
    assert looks_torn > 20  # the search does meet such logs


def test_a_log_with_other_damage_is_refused_and_unchanged(going_log: Path) -> None:
    good = going_log.read_bytes()
    for damaged in (good[:400] + bytes([good[400] ^ 1]) + good[401:], good + b"\xc1", good + b"\x97\x00", b"text"):
        going_log.write_bytes(damaged)
        with pytest.raises(kifu.LogError):
            LogWriter.open(going_log)
        assert going_log.read_bytes() == damaged
        assert [path.name for path in going_log.parent.iterdir()] == ["going.log"]


def test_an_ended_log_is_not_gone_on_with(over: kifu.Match, tmp_path: Path) -> None:
    over.save(tmp_path / "over.log")
    with pytest.raises(kifu.LogError, match="has ended"):
        LogWriter.open(tmp_path / "over.log")


def test_earlier_torn_tails_are_kept(going_log: Path, going_bytes: bytes) -> None:
    for _ in range(3):
        going_log.write_bytes(going_bytes[:-3])
        LogWriter.open(going_log).close()
    names = sorted(path.name for path in going_log.parent.iterdir())
    assert names == ["going.log", "going.log.torn", "going.log.torn2", "going.log.torn3"]


def test_two_writers_do_not_mix_their_events(going_log: Path) -> None:
    with LogWriter.open(going_log) as first, LogWriter.open(going_log) as second:
        play_on(first.match, 31)
        first.sync()
        play_on(second.match, 34, 2)
        with pytest.raises(kifu.LogError, match="another program"):
            second.sync()
        assert kifu.load(going_log).events == first.match.events


def _moved(log: Path) -> int:
    log.rename(log.with_name("moved.log"))
    return 0


def _removed(log: Path) -> int:
    log.unlink()
    return 0


def _copied_over(log: Path) -> int:
    copy = log.with_name("copy")
    copy.write_bytes(log.read_bytes())
    copy.replace(log)
    return 31


def _older_put_back(log: Path) -> int:
    older = log.with_name("older")
    LogWriter.create(older, kifu.Match(kifu.load(log).game, kifu.load(log).header)).close()
    older.replace(log)
    return 0


@pytest.mark.parametrize("displace", [_moved, _removed, _copied_over, _older_put_back])
def test_a_writer_stops_once_its_file_is_not_at_its_path(going_log: Path, displace: Callable[[Path], int]) -> None:
    with LogWriter.open(going_log) as writer:
        play_on(writer.match, 31)
        writer.sync()
        safe = displace(going_log)
        before = {path: path.read_bytes() for path in going_log.parent.iterdir()}
        play_on(writer.match, 32)
        for finish in (writer.sync, writer.sync):
            with pytest.raises(kifu.LogError, match=f"{safe} of the 31 events written are there"):
                finish()
    assert {path: path.read_bytes() for path in going_log.parent.iterdir()} == before


RACING = """
import sys, kifu
for _ in range(40):
    try:
        with kifu.LogWriter.open(sys.argv[1]) as writer:
            while True:
                writer.match.take_back(-1)
                writer.sync()
                print(writer.match.events[-1].seq)
                if writer.match.events[-1].seq % 3 == 0:
                    break
    except kifu.LogError as error:
        assert "another program" in str(error), error
"""


@pytest.mark.ci
def test_writers_that_race_spoil_nothing_that_was_acknowledged(going_log: Path) -> None:
    run = [sys.executable, "-c", RACING, str(going_log)]
    racers = [subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    output = [racer.communicate() for racer in racers]
    assert [err for _, err in output if err] == []
    acknowledged = [int(line) for out, _ in output for line in out.split()]
    assert sorted(acknowledged) == list(range(30, 30 + len(acknowledged)))
    assert read_bytes(going_log.read_bytes()).ok
    assert len(kifu.load(going_log).events) == 30 + len(acknowledged)


def test_a_closed_log_takes_no_more(going_log: Path) -> None:
    writer = LogWriter.open(going_log)
    writer.close()
    writer.sync()
    play_on(writer.match, 31)
    with pytest.raises(kifu.LogError, match="closed"):
        writer.sync()


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_an_append_that_fails_leaves_the_log_as_it_was(
    going_log: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    with LogWriter.open(going_log) as writer:
        before = going_log.read_bytes()
        play_on(writer.match, 33)

        def fsync(_: int) -> None:
            assert len(going_log.read_bytes()) > len(before)
            raise failure

        monkeypatch.setattr("kifu.core.log.files.os.fsync", fsync)
        with pytest.raises((kifu.LogError, KeyboardInterrupt)):
            writer.sync()
        assert going_log.read_bytes() == before
        monkeypatch.undo()
        writer.sync()
        assert kifu.load(going_log).state == writer.match.state


@pytest.mark.parametrize("name", ["no/such/folder/x.log", ".", "file/x.log", "a\0b"])
def test_a_file_that_cannot_be_written(going: kifu.Match, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(kifu.LogError) as caught:
        going.save(tmp_path / name)
    assert caught.value.kind == "file"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


KILLED = """
import sys, kifu
match = kifu.new("take_and_share", ["a", "b", "c"], {"long": True}, seed=bytes(32), match="m", started=0)
with kifu.LogWriter.create(sys.argv[1], match) as writer:
    while match.to_act:
        match.play(min(match.to_act), match.legal(min(match.to_act))[0])
        writer.sync()
        print(writer.events, flush=True)
"""


@pytest.mark.ci
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "killed.log"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = [process.stdout.readline() for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    output += process.communicate()[0].splitlines(keepends=True)
    acknowledged = max(int(line) for line in output if line.endswith("\n"))
    assert acknowledged >= 40
    with LogWriter.open(path) as writer:
        assert writer.events >= acknowledged
    assert read_bytes(path.read_bytes()).ok

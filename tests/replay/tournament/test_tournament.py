"""`replay simulate --bots`: the same seed, the same logs, in however many processes; no log is written over."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, stdev

import pytest
from kifu import load
from kifu.core.errors import BotError
from kifu.core.log import log_bytes, read
from kifu.core.match import registry
from kifu.core.match.bot import random_bot
from kifu.core.text.sanitize import width
from kifu.replay.tournament.tournament import Tournament

from ..conftest import SEED, runs

pytestmark = pytest.mark.ci

CALL = ("simulate", "take_and_share", "--bots", "greedy,random", "--seats", 3, "--games", 4, "--seed", SEED.hex())


def logs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.log"))}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The logs of the run, played one after the other."""
    tournament = Tournament("take_and_share", 3, {}, ("greedy", "random"), SEED)
    return {f"{match.header.match}.log": log_bytes(match) for match in map(tournament.play, range(4))}


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_number_of_processes_writes_the_same_bytes(replay, run, tmp_path, jobs):
    called = replay(*CALL, "--jobs", jobs, "-o", tmp_path, exits=0)
    assert logs(tmp_path) == run
    assert all(read(path).ok for path in tmp_path.glob("*.log"))
    assert "greedy" in called.out
    assert SEED.hex() in called.out


def test_the_seats_say_who_plays_and_every_event_who_acted(run, tmp_path):
    (tmp_path / "a.log").write_bytes(next(iter(run.values())))
    match = load(tmp_path / "a.log")
    assert match.header.seats == ("Aki (greedy)", "Ren (random)", "Mio (greedy)")
    names = ["greedy", "random", "greedy"]
    assert all(event.meta.by == names[event.seat] for event in match.events if event.seat >= 0)


def test_every_bot_sits_everywhere():
    tournament = Tournament("take_and_share", 4, {}, ("a", "b", "c"), SEED)
    assert tournament.seating(0) == ("a", "b", "c", "a")
    assert tournament.seating(1) == ("a", "a", "b", "c")
    for seat in range(4):
        assert sorted(tournament.seating(index)[seat] for index in range(4)) == ["a", "a", "b", "c"]


@pytest.mark.parametrize("content", [b"mine", b""])
def test_no_log_is_ever_written_over(refused, run, tmp_path, content):
    path = tmp_path / next(iter(run))
    path.write_bytes(content)
    assert "it exists already; give another folder" in refused(*CALL, "--jobs", 1, "-o", tmp_path)
    assert logs(tmp_path) == {path.name: content}


class OfAStranger(BaseException):
    pass


def fails(what):
    def make(seed):
        def choose(info_state):
            if len(info_state.history) % 3 == 0:
                raise what
            print("I think")
            return random_bot(seed)(info_state)

        return choose

    return make


def unmade(seed):
    raise BotError("not of this seed")


FAILING = {
    "throws": fails(ZeroDivisionError()),
    "ends the program": fails(SystemExit(0)),
    "throws what is no Exception": fails(OfAStranger()),
    "cannot be made": unmade,
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING.keys())
def test_a_bot_that_fails_loses_no_match_and_is_reported(replay, tmp_path, monkeypatch, failing):
    monkeypatch.setattr(registry, "find_bot", lambda name: failing if name == "weak" else random_bot)
    called = replay(*CALL, "--bots", "weak,random", "--games", 2, "--jobs", 1, "-o", tmp_path)
    assert called.code == 0, "the bot's own words are told as errors"
    failures = 0
    for path in tmp_path.glob("*.log"):
        reading = read(path)
        assert reading.ok
        assert reading.ended == "over"
        failures += sum(
            ((event.meta and event.meta.by) or "").startswith("stand-in for weak") for event in reading.match.events
        )
    head, *rows = called.out.splitlines()[1:4]
    assert head.endswith("stood in for")
    assert {row.split()[0]: row.split()[-1] for row in rows} == {"weak": str(failures), "random": "0"}
    assert "I think" not in called.out


@contextmanager
def at_work(folder: Path) -> Iterator[subprocess.Popen]:
    """Begin matches that take hours in two processes."""
    call = ("simulate", "palace", "--bots", "ismcts:1000000", "--games", "4", "--jobs", "2", "-o", str(folder))
    with subprocess.Popen([sys.executable, "-m", "kifu.replay", *call], stderr=subprocess.PIPE) as program:
        while not is_at_work(Path(f"/proc/{program.pid}")):
            assert program.poll() is None
            time.sleep(0.1)
        yield program


def is_at_work(process: Path) -> bool:
    """Tell whether both its processes were begun, and it hears Ctrl-C again."""
    begun = len((process / "task" / process.name / "children").read_text().split()) >= 2
    ignored = next(line for line in (process / "status").read_text().splitlines() if line.startswith("SigIgn"))
    return begun and not int(ignored.split()[1], 16) & 1 << signal.SIGINT - 1


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="its processes are counted in /proc")
def test_ctrl_c_does_not_wait_for_a_match_that_takes_hours(tmp_path):
    with at_work(tmp_path) as program:
        program.send_signal(signal.SIGINT)
        assert program.wait(120) == 130
        said = program.stderr.read().decode()
    assert re.fullmatch(r"replay: interrupted; the same matches again: --seed [0-9a-f]{64}\n", said)
    assert logs(tmp_path) == {}


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="its processes are counted in /proc")
def test_processes_end_with_the_one_that_was_killed(tmp_path):
    with at_work(tmp_path) as program:
        process = Path(f"/proc/{program.pid}")
        begun = (process / "task" / process.name / "children").read_text().split()
        program.kill()
    deadline = time.monotonic() + 60
    while any(runs(int(each)) for each in begun):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_summary_is_what_the_logs_say(replay, run, tmp_path):
    *_, last = replay(*CALL, "--jobs", 1, "-o", tmp_path, "--json").out.splitlines()
    summary = json.loads(last)["summary"]
    matches = [load(path) for path in tmp_path.glob("*.log")]
    won = [sum("greedy" in m.header.seats[s] for s in m.result.winners) / len(m.result.winners) for m in matches]
    assert summary["bots"]["greedy"]["won"] == round(sum(won) / 4, 4)
    low, high = summary["bots"]["greedy"]["interval"]
    assert low <= summary["bots"]["greedy"]["won"] <= high
    assert summary["bots"]["greedy"]["fair"] == pytest.approx(2 / 3, abs=1e-3)


def test_what_the_points_may_be_off_is_counted_over_matches(replay, tmp_path):
    """Partners of `gosne` have the same points: two seats of a match are one number, not two."""
    call = ("simulate", "gosne", "--bots", "random", "--seed", SEED.hex(), "--jobs", 1)
    *_, last = replay(*call, "--json", "-o", tmp_path / "one").out.splitlines()
    assert json.loads(last)["summary"]["bots"]["random"]["points_off"] is None  # nobody knows, of one
    assert "± ?" in replay(*call, "-o", tmp_path / "again").out
    *matches, last = replay(*call, "--json", "--games", 3, "-o", tmp_path / "three").out.splitlines()
    means = [fmean(json.loads(match)["points"]) for match in matches]
    off = json.loads(last)["summary"]["bots"]["random"]["points_off"]
    assert off == round(4.3027 * stdev(means) / 3**0.5, 3)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_full_disk_is_reported_with_what_to_do(refused, tmp_path, monkeypatch, lang):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    said = refused(*CALL, "--jobs", 1, "--lang", lang, "-o", tmp_path / "new")
    assert {"en": "No space left on device; make room", "ja": "ディスクに空きがない。空きを作って"}[lang] in said
    assert list((tmp_path / "new").iterdir()) == []


def test_japanese_speaks_of_it_too(replay, tmp_path):
    called = replay(*CALL, "--games", 1, "--jobs", 1, "--lang", "ja", "-o", tmp_path)
    head, *lines = called.out.splitlines()[1:-1]
    assert "勝率" in head
    assert len(lines) == 2
    assert len({width(line) for line in (head, *lines)}) == 1

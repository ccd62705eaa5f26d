"""`replay simulate --bots`: the same seed, the same logs, in however many processes, however often it was stopped."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import fmean, stdev

import pytest
from kifu import games, load
from kifu.core.errors import BotError
from kifu.core.log import log_bytes, read
from kifu.core.match import registry
from kifu.core.match.bot import random_bot
from kifu.core.text.sanitize import width
from kifu.replay.tournament import tournament
from kifu.replay.tournament.time_limit import with_time_limit
from kifu.replay.tournament.tournament import RECORD, Tournament, start_or_resume

from ..conftest import SEED

pytestmark = pytest.mark.ci

CALL = ("simulate", "take_and_share", "--bots", "greedy,random", "--seats", 3, "--games", 4, "--seed", SEED.hex())


def logs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.log"))}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The logs of the run, played one after the other."""
    tournament = Tournament("take_and_share", 3, {}, ("greedy", "random"), SEED, 60)
    return {f"{match.header.match}.log": log_bytes(match) for match in map(tournament.play, range(4))}


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_number_of_processes_writes_the_same_bytes(replay, run, tmp_path, jobs):
    called = replay(*CALL, "--jobs", jobs, "-o", tmp_path)
    assert called.code == 0
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
    tournament = Tournament("take_and_share", 4, {}, ("a", "b", "c"), SEED, 60)
    assert tournament.seating(0) == ("a", "b", "c", "a")
    assert tournament.seating(1) == ("a", "a", "b", "c")
    for seat in range(4):
        assert sorted(tournament.seating(index)[seat] for index in range(4)) == ["a", "a", "b", "c"]


def test_a_stopped_run_goes_on_where_it_was(replay, run, tmp_path, monkeypatch):
    replay(*CALL, "--jobs", 1, "-o", tmp_path)
    whole, half, begun, gone = (tmp_path / name for name in run)
    kept = whole.stat().st_mtime_ns
    half.write_bytes(half.read_bytes()[:-200])
    begun.write_bytes(begun.read_bytes()[:10])
    gone.unlink()
    played = []
    play = Tournament.play
    monkeypatch.setattr(Tournament, "play", lambda self, index, counts=None: played.append(index) or play(self, index))
    called = replay(*CALL[:-2], "--jobs", 1, "-o", tmp_path, "--json")  # nor need the seed be told again
    assert called.code == 0
    assert logs(tmp_path) == run
    assert whole.stat().st_mtime_ns == kept
    assert len(played) == 3
    *matches, summary = map(json.loads, called.out.splitlines())
    assert [each["events"] for each in matches] == [len(load(each["log"]).events) for each in matches]
    assert summary["summary"]["matches"] == 4


def test_more_matches_of_the_same_run_can_follow(replay, run, tmp_path):
    replay(*CALL[:6], "--games", 2, "--seed", SEED.hex(), "--jobs", 1, "-o", tmp_path)
    replay(*CALL, "--jobs", 1, "-o", tmp_path)
    assert logs(tmp_path).keys() == run.keys()


OTHER = {
    "other bots": ("--bots", "random"),
    "another seed": ("--seed", "00" * 32),
    "other options": ("--option", "long=true"),
    "other seats": ("--seats", 4),
}


@pytest.mark.parametrize("other", OTHER.values(), ids=OTHER.keys())
def test_another_run_does_not_mix_with_it(replay, run, tmp_path, other):
    replay(*CALL, "--games", 1, "--jobs", 1, "-o", tmp_path)
    before = logs(tmp_path)
    called = replay(*CALL, *other, "--jobs", 1, "-o", tmp_path)
    assert called.code == 2
    assert called.err.count("\n") == 1
    assert "give another folder" in called.err
    assert logs(tmp_path) == before


@pytest.mark.parametrize("content", [b"mine", b""])
def test_what_is_no_log_of_the_run_is_never_written_over(replay, run, tmp_path, content):
    path = tmp_path / next(iter(run))
    path.write_bytes(content)
    called = replay(*CALL, "--jobs", 1, "-o", tmp_path)
    if content:
        assert called.code == 2
        assert path.read_bytes() == content
    else:  # an empty file is a log of which nothing was written yet
        assert logs(tmp_path) == run


def test_a_log_of_another_run_is_never_written_over(replay, run, tmp_path):
    match = Tournament("take_and_share", 3, {}, ("random",), SEED, 60).play(0)
    path = tmp_path / f"{match.header.match}.log"
    match.save(path)
    before = path.read_bytes()
    assert replay(*CALL, "--jobs", 1, "-o", tmp_path).code == 2
    assert path.read_bytes() == before


BAD = {
    "a bot that is not there": ("--bots", "deep", "not installed"),
    "no budget": ("--bots", "ismcts:x", "give iterations"),
    "no bot": ("--bots", "", "not installed"),
    "more bots than can be": ("--bots", ",".join(["random"] * 101), "101 bots; 100 at most"),
    "an option that is not there": ("--option", "x=1", "option 'x'"),
    "no time": ("--bot-timeout", "0", "0.001"),
    "all the time there is": ("--bot-timeout", "inf", "give a number from 0.001 to 86400"),
    "more matches than can be counted": ("--games", 10**20, "1000000000"),
    "less than no seat": ("--seats", -1, "3 to 4 seats, not -1"),
    "a name that is no text": ("--bots", "random:\udcff", "cannot be printed"),
    "a name that paints": ("--bots", "random:\x1b[31m", "cannot be printed"),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_bad_call_is_reported_in_one_line(replay, tmp_path, bad):
    *more, why = bad
    called = replay(*CALL, *more, "-o", tmp_path / "new")
    assert called.code == 2
    assert called.err.count("\n") == 1
    assert why in called.err
    assert not (tmp_path / "new").exists()


def test_without_bots_there_is_none_to_wait_for(replay, tmp_path):
    assert replay("simulate", "take_and_share", "--bot-timeout", 1, "-o", tmp_path).code == 2


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


def never_made(seed):
    while True:
        pass


FAILING = {
    "throws": fails(ZeroDivisionError()),
    "ends the program": fails(SystemExit(0)),
    "throws what is no Exception": fails(OfAStranger()),
    "cannot be made": unmade,
    "is never made": never_made,
}


@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING.keys())
def test_a_bot_that_fails_loses_no_match_and_is_reported(replay, tmp_path, monkeypatch, failing):
    monkeypatch.setattr(registry, "find_bot", lambda name: failing if name == "weak" else random_bot)
    monkeypatch.setattr(tournament, "START_TIMEOUT_S", 0.05)
    call = (*CALL, "--bots", "weak,random", "--games", 2, "--jobs", 1, "-o", tmp_path)
    called = replay(*call, "--bot-timeout", 0.05) if failing is never_made else replay(*call)
    assert called.code == 0
    failures = 0
    for path in tmp_path.glob("*.log"):
        reading = read(path)
        assert reading.ok
        assert reading.ended == "over"
        failures += sum(
            ((event.meta and event.meta.by) or "").startswith("stand-in for weak") for event in reading.match.events
        )
    assert f"weak failed and was stood in for: {failures} times" in called.out
    assert "I think" not in called.out


def is_at_work(process: Path) -> bool:
    """Tell whether both its processes were begun, and it hears Ctrl-C again."""
    begun = len((process / "task" / process.name / "children").read_text().split()) >= 2
    ignored = next(line for line in (process / "status").read_text().splitlines() if line.startswith("SigIgn"))
    return begun and not int(ignored.split()[1], 16) & 1 << signal.SIGINT - 1


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="its processes are counted in /proc")
def test_ctrl_c_does_not_wait_for_a_match_that_takes_hours(tmp_path):
    call = ("simulate", "palace", "--bots", "ismcts:1000000", "--games", "4", "--jobs", "2", "-o", str(tmp_path))
    with subprocess.Popen([sys.executable, "-m", "kifu.replay", *call], stderr=subprocess.PIPE) as program:
        while not is_at_work(Path(f"/proc/{program.pid}")):
            assert program.poll() is None
            time.sleep(0.1)
        program.send_signal(signal.SIGINT)
        assert program.wait(120) == 130
        said = program.stderr.read().decode()
    assert re.fullmatch(r"replay: interrupted; the same matches again: --seed [0-9a-f]{64}\n", said)
    assert logs(tmp_path) == {}


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="its processes are counted in /proc")
def test_processes_end_with_the_one_that_was_killed(tmp_path):
    call = ("simulate", "palace", "--bots", "ismcts:1000000", "--games", "4", "--jobs", "2", "-o", str(tmp_path))
    with subprocess.Popen([sys.executable, "-m", "kifu.replay", *call], stderr=subprocess.PIPE) as program:
        process = Path(f"/proc/{program.pid}")
        while not is_at_work(process):
            assert program.poll() is None
            time.sleep(0.1)
        begun = [Path("/proc") / each for each in (process / "task" / process.name / "children").read_text().split()]
        program.kill()
    deadline = time.monotonic() + 60
    while any(is_alive(each) for each in begun):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_alive(process: Path) -> bool:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def of_its_own(answer):
    """Do this in a thread of its own, as a worker of a cluster does."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(answer()))
    thread.start()
    thread.join()
    return answers[0]


def refused(bot, seconds):
    with pytest.raises(BotError, match=r"thought longer than 0\.\d+ s") as caught:
        with_time_limit(bot, seconds)(None)
    return caught.value


THREADS = {"on the main thread": lambda answer: answer(), "on another": of_its_own}


@pytest.mark.parametrize("on", THREADS.values(), ids=THREADS.keys())
def test_a_bot_that_stalls_is_stopped_even_if_it_survives_every_exception(on):
    def stalls(info_state):
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue

    assert on(lambda: refused(stalls, 0.02))
    assert on(lambda: with_time_limit(lambda info_state: info_state, 60)(5)) == 5


@pytest.mark.parametrize("on", THREADS.values(), ids=THREADS.keys())
def test_a_bot_that_is_late_is_not_heard_though_it_caught_the_alarm(on):
    def late(info_state):
        try:
            while True:
                pass
        except BaseException:
            return 5

    assert on(lambda: refused(late, 0.02))


@pytest.mark.parametrize("on", THREADS.values(), ids=THREADS.keys())
def test_an_alarm_rings_for_nobody_else(on):
    """Stopped just as the bot answers, again and again, it must not ring after that."""

    def just_in_time(info_state):
        end = time.perf_counter() + 0.001
        while time.perf_counter() < end:
            pass

    def many():
        for _ in range(100):
            with suppress(BotError):
                with_time_limit(just_in_time, 0.001)(None)
        return True

    assert on(many)


def test_the_record_holds_what_the_logs_follow_from_and_no_time_limit(tmp_path):
    start_or_resume(Tournament("cake", 3, {"elder_votes": False}, ("greedy",), bytes(32), 7), tmp_path, bytes(32))
    assert json.loads((tmp_path / RECORD).read_bytes()) == {
        "game": "cake",
        "seats": 3,
        "options": {"elder_votes": False},
        "bots": ["greedy"],
        "seed": "00" * 32,
    }


def test_a_broken_record_is_reported(replay, tmp_path):
    short = Tournament("take_and_share", 3, {}, ("greedy", "random"), b"", 60)
    start_or_resume(short, tmp_path, b"")
    for text in ("{", "[]", '{"seed": 5}', "[" * 100_000, (tmp_path / RECORD).read_text()):
        (tmp_path / RECORD).write_text(text)
        called = replay(*CALL[:-2], "-o", tmp_path)
        assert called.code == 2
        assert "no record of a run" in called.err


def test_the_summary_is_what_the_logs_say(replay, run, tmp_path):
    *_, last = replay(*CALL, "--jobs", 1, "-o", tmp_path, "--json").out.splitlines()
    summary = json.loads(last)["summary"]
    matches = [load(path) for path in tmp_path.glob("*.log")]
    won = [sum("greedy" in m.header.seats[s] for s in m.result.winners) / len(m.result.winners) for m in matches]
    assert summary["bots"]["greedy"]["won"] == round(sum(won) / 4, 4)
    low, high = summary["bots"]["greedy"]["interval"]
    assert low <= summary["bots"]["greedy"]["won"] <= high
    assert summary["bots"]["greedy"]["fair"] == pytest.approx(2 / 3, abs=1e-3)
    assert [seat["points"] for seat in summary["seats"]] == [
        round(sum(match.result.points[seat] for match in matches) / 4, 3) for seat in range(3)
    ]


def test_what_the_points_may_be_off_is_counted_over_matches(replay, tmp_path):
    """Partners of `gosne` have the same points: two seats of a match are one number, not two."""
    call = ("simulate", "gosne", "--bots", "random", "--seed", SEED.hex(), "--jobs", 1, "--json", "-o", tmp_path)
    *_, last = replay(*call).out.splitlines()
    assert json.loads(last)["summary"]["bots"]["random"]["points_off"] is None  # nobody knows, of one
    assert "± ?" in replay(*call[:-3], "-o", tmp_path).out
    *matches, last = replay(*call, "--games", 3).out.splitlines()
    means = [fmean(json.loads(match)["points"]) for match in matches]
    off = json.loads(last)["summary"]["bots"]["random"]["points_off"]
    assert off == round(4.3027 * stdev(means) / 3**0.5, 3)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_full_disk_is_reported_with_what_to_do(replay, tmp_path, monkeypatch, lang):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    called = replay(*CALL, "--jobs", 1, "--lang", lang, "-o", tmp_path / "new")
    assert called.code == 2
    assert {"en": "No space left on device; make room", "ja": "ディスクに空きがない。空きを作って"}[lang] in called.err
    assert list((tmp_path / "new").iterdir()) == []


def test_japanese_speaks_of_it_too(replay, tmp_path):
    called = replay(*CALL, "--games", 1, "--jobs", 1, "--lang", "ja", "-o", tmp_path)
    lines = [line for line in called.out.splitlines() if "勝率" in line]
    assert len(lines) == 5
    assert len({width(line.partition("勝率")[0]) for line in lines}) == 1


def test_every_game_can_be_a_tournament():
    for name in set(games.names()) - {"mabr"}:
        tournament = Tournament(name, games.find(name).seats[0], {}, ("random",), SEED, 60)
        assert tournament.play(0).result is not None

"""`replay trace` and `replay diff`: where two replays part, told in a few lines, as JSON and by the exit code."""

import json
import re
from pathlib import Path

import pytest
from kifu.core.game import Meta
from kifu.core.log import load, save
from kifu.core.match import Match
from kifu.core.trace import Change, compare, read_trace, trace_log

from ..conftest import LATEST_WINS, SERVE, played


@pytest.fixture
def other(engine) -> Path:
    return engine(LATEST_WINS + SERVE)


@pytest.fixture
def trace(replay, log: Path, tmp_path: Path) -> Path:
    path = tmp_path / "whole.trace"
    assert replay("trace", log, "-o", path).code == 0
    return path


def test_a_trace_is_written_as_this_engine_makes_it(log: Path, trace: Path) -> None:
    assert trace.read_bytes() == trace_log(log.read_bytes(), named=True)


@pytest.mark.ci
def test_a_trace_of_another_engine_is_written(replay, tied: Path, other: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.trace"
    assert replay("trace", tied, "-o", path, "--engine", other).code == 0
    comparison = compare(read_trace(trace_log(tied.read_bytes())), read_trace(path.read_bytes()))
    assert comparison.change is Change.ILLEGAL


@pytest.mark.ci
def test_no_difference_is_reported_as_such(replay, log: Path, trace: Path, engine) -> None:
    for call in ((log, trace), (trace, log), (trace, trace), (log, log), (log, "--engine", engine(SERVE))):
        called = replay("diff", *call, exits=0)
        assert called.out.splitlines()[-1].startswith("no difference: 71 ")


@pytest.mark.ci
def test_the_first_step_is_shown_with_the_rules_of_both_sides_behind_three_others(replay, tied, other) -> None:
    called = replay("diff", tied, "--engine", other, exits=1)
    a, b, *more, then = called.out.splitlines()
    place = next(place for place, line in enumerate(more) if line.startswith("step "))
    for line, engine in ((a, "this engine"), (b, other)):
        version = r"[AB]: kifu [0-9][^ ]*\+[0-9a-f]{8}, take_and_share rules [0-9], "
        assert re.fullmatch(f"{version}{re.escape(f'{tied} run by {engine}')}", line)
    seq = int(more[place].split()[1])
    assert more[place].startswith(f"step {seq} differs: ")
    assert [line[:11] for line in more if " by TS-6: " in line] == ["  A by TS-6", "  B by TS-6"]
    assert f"B refuses event {seq + 1} by TURN: " in then
    assert [line.split(":")[0] for line in more[:place]] == [f"  step {seq - back}" for back in (3, 2, 1)]
    match = load(tied)
    assert more[place - 1].endswith(match.game.face(match.events[seq - 1].command.card).text)


SEES_ONE_HAND = """
import kifu
from kifu.core.game import evolve
game = kifu.games.find("take_and_share")
view = game.view
def leak(state, viewer):
    seen = view(state, viewer)
    show = viewer == 0 and state.hands[1]
    return evolve(seen, hands=(seen.hands[0], state.hands[1], *seen.hands[2:])) if show else seen
game.__dict__["view"] = leak
"""


@pytest.mark.ci
def test_what_a_view_shows_is_shown_and_not_that_it_is_another(replay, log: Path, match, engine) -> None:
    call, hand = ("diff", log, "--engine", engine(SEES_ONE_HAND + SERVE)), match.states[1].hands[1]
    (line,) = (line for line in replay(*call).out.splitlines() if line.startswith("  view(0).hands[1]"))
    assert line.split("  ")[2:] == ["A none", f"B [{' '.join(match.game.face(card).text for card in hand)}]"]
    (part,) = json.loads(replay(*call, "--json").out.splitlines()[0])["differs"]
    assert (part["path"], part["a"], part["b"]) == ("view(0).hands[1]", None, list(hand))


@pytest.mark.ci
def test_json_has_the_steps_and_then_the_whole(replay, tied: Path, other: Path) -> None:
    called = replay("diff", tied, "--engine", other, "--all", "--json", exits=1)
    *steps, whole = called.lines
    assert whole["differ"] == len(steps) > 1
    assert whole["first"] == steps[0]["step"]
    assert whole["kind"] == "illegal"
    assert whole["b"]["refused"] == {"seq": steps[-1]["step"], "rule": "TURN"}
    assert [note["rule"] for note in steps[0]["notes"]["b"]] == ["TS-6"]
    assert steps[-1]["refused"]["a"] is None
    assert steps[-1]["refused"]["b"]["rule"] == "TURN"
    assert len(replay("diff", tied, "--engine", other, "--json").out.splitlines()) == 2


@pytest.mark.ci
def test_two_other_engines_are_compared_with_each_other(replay, log: Path, other: Path, tmp_path: Path) -> None:
    called = replay("diff", log, "--engine", other, "--engine", other, exits=0)
    assert "this engine" not in called.out


@pytest.mark.ci
def test_a_divergence_is_shown_in_japanese_too(replay, tied: Path, other: Path) -> None:
    a, b, *lines, then = replay("diff", tied, "--engine", other, "--lang", "ja").out.splitlines()
    step = next(line for line in lines if "手目に相違" in line)
    assert a.endswith(f"{tied}（このエンジンで再生）")
    assert b.endswith(f"{tied}（{other} で再生）")
    assert re.match("[0-9]+手目に相違：", step)
    assert then.startswith("違反になる。")
    assert not re.search("differs|refuses|accepts|won by|event", f"{step}{then}")


def test_two_logs_part_at_their_first_event_that_differs(replay, log: Path, match, tmp_path: Path) -> None:
    shorter = tmp_path / "shorter.log"
    part = played("Aki", "Ren", "Mio", "Zoe", most=40, goes_on=True)
    save(part, shorter)
    called = replay("diff", log, shorter, exits=1)
    assert called.out.splitlines()[2:] == [
        "header seats: A ['Aki', 'Ren', 'Mio', 'Sou']  B ['Aki', 'Ren', 'Mio', 'Zoe']",
        "event 40 differs",
        *called.out.splitlines()[4:5],
        "  B has no such event",
        "then: 30 events more differ",
        "end: A over  B none",
    ]
    *events, whole = replay("diff", log, shorter, "--all", "--json").lines
    assert [event["event"] for event in events] == list(range(40, 71))
    assert events[0]["b"] is None
    assert whole == {
        "header": {"seats": {"a": ["Aki", "Ren", "Mio", "Sou"], "b": ["Aki", "Ren", "Mio", "Zoe"]}},
        "differ": 31,
        "first": 40,
        "end": {"a": "over", "b": None},
    }


def test_an_event_with_another_command_is_shown_for_both(replay, log: Path, match, tmp_path: Path) -> None:
    other = played("Aki", "Ren", "Mio", "Sou", most=1, goes_on=True)
    (seat,) = other.to_act
    chosen = next(each for each in other.legal(seat) if each != match.events[1].command)
    other.play(seat, chosen)
    path = tmp_path / "other.log"
    save(other, path)
    a, b = replay("diff", log, path).out.splitlines()[3:5]
    face = match.game.face
    assert a.endswith(f"{face(match.events[1].command.card).text}  TS-2")
    assert b.endswith(f"{face(chosen.card).text}  TS-2")


@pytest.mark.ci
def test_a_folder_is_compared_log_by_log_and_a_bad_log_does_not_stop_it(replay, tied, other, tmp_path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.log").write_bytes(b"no log")
    (folder / "b.log").write_bytes(tied.read_bytes())
    save(played("Aki", "Ren", "Mio", most=3), folder / "c.log")
    called = replay("diff", folder, "--engine", other)
    assert (called.code, called.err) == (2, "")
    lines = called.out.splitlines()
    assert lines[0].startswith(f"unread       {folder / 'a.log'}: header: ")
    assert lines[1] == f"illegal      {folder / 'b.log'}"
    assert f"same         {folder / 'c.log'}" in lines
    assert re.fullmatch(r"A: kifu [0-9][^ ]*\+[0-9a-f]{8}  B: kifu [0-9][^ ]*\+[0-9a-f]{8}", lines[-2])
    assert lines[-1] == "3 logs: 1 unread, 1 illegal, 1 same"
    (folder / "a.log").unlink()
    assert replay("diff", folder, "--engine", other).code == 1
    (folder / "b.log").unlink()
    assert replay("diff", folder, "--engine", other).code == 0
    lines = replay("diff", folder, "--engine", other, "--json").lines
    assert [(each["log"], each["kind"]) for each in lines] == [(str(folder / "c.log"), "same")]


@pytest.mark.ci
def test_an_engine_that_fails_at_one_log_does_not_stop_the_others(replay, engine, tmp_path: Path) -> None:
    for name, seats in (("a", ("x", "y", "z")), ("b", ("w", "x", "y", "z")), ("c", ("x", "y", "z"))):
        save(played(*seats, most=3), tmp_path / f"{name}.log")
    code = "import os, kifu\ngame = kifu.games.find('take_and_share')\nold = game.apply\n"
    code += "fails = lambda s, *rest: old(s, *rest) if s.seats == 3 else os.write(2, b'four?') and os._exit(1)\n"
    code += "game.__dict__['apply'] = fails\n"
    called = replay("diff", tmp_path, "--engine", engine(code + SERVE), exits=1)
    assert [line.split()[0] for line in called.out.splitlines()][:-2] == ["same", "failed", "same"]
    assert "four?" in called.out


def test_times_and_ids_are_no_difference_between_logs(replay, log: Path, match, tmp_path: Path) -> None:
    timed: Match = Match(match.game, match.header)
    for event in match.events:
        timed.apply(event.seat, event.command, Meta(at=event.seq, by="stand-in"))
    save(timed, tmp_path / "timed.log")
    assert replay("diff", log, tmp_path / "timed.log").code == 0

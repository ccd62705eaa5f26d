"""`replay seek`: play finds the match in which two engines part, or `seek` says what it never reached."""

import sys
from pathlib import Path

import attrs
import pytest
from kifu import games
from kifu.core.log import Reading, load
from kifu.core.testing.play import played
from kifu.core.trace import Comparison, compare, read_trace
from kifu.core.trace.sketch import Looks
from kifu.core.trace.write import log_chain, outcome
from kifu.replay.analysis.engine import AlternativeEngine
from kifu.replay.analysis.seek import _Seen, headers_of, seek
from kifu.replay.analysis.what_if import Alternative, compared_match

from ..conftest import SERVE

pytestmark = pytest.mark.ci

STRONG = """
import kifu.games.palace.rules as rules
falls = rules.falls
rules.falls = lambda palace, colour: falls(palace, colour) and len(palace.cards) < 3
"""
"""An engine in which an earthquake spares a palace of three cards (PAL-16)."""

OTHER_DEFAULT = """
from kifu.games.take_and_share.model import Options
Options.__init__.__defaults__ = (0, True, 1)
"""
"""An engine whose games are long unless an option says otherwise."""

EXACT = """
import kifu.games.take_and_share.rules as rules
rules.LONG_GOAL = {seats: goal - 1 for seats, goal in rules.LONG_GOAL.items()}
"""
"""An engine in which a long game ends as soon as somebody has the goal (TS-14)."""

HANGING = """
import kifu.games.palace.rules as rules
falls = rules.falls
def hang(palace, colour):
    while palace.verified:
        pass
    return falls(palace, colour)
rules.falls = hang
"""
"""An engine that does not return from an earthquake."""


def test_a_planted_change_is_found_and_the_log_shows_it(replay, tmp_path: Path, engine, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    other, file = engine(STRONG + SERVE), Path("parted.log")
    called = replay("seek", "palace", "--engine", other, "-o", file, "--seed", 3, exits=1)
    lines = called.out.splitlines()
    assert lines[0].startswith("the engines part in match ")
    assert lines[1].endswith(", this engine")
    assert lines[2].endswith(f", {other}")
    assert any("PAL-16" in line for line in lines)
    assert lines[-1] == f"the match: {file}"
    with AlternativeEngine(str(other), 20.0) as alternative:
        assert compared_match(alternative, load(file)).steps


def test_two_engines_are_compared_with_each_other(replay, engine) -> None:
    two = ("--engine", engine(OTHER_DEFAULT + SERVE), "--engine", sys.executable)
    called = replay("seek", "take_and_share", *two, "--json", exits=1)
    step, whole = called.lines
    assert (whole["ended"], whole["first"]) == ("parted", step["step"])


def test_another_default_of_an_option_is_a_difference(replay, tmp_path: Path, engine) -> None:
    other, file = engine(OTHER_DEFAULT + SERVE), tmp_path / "parted.log"
    step, whole = replay("seek", "take_and_share", "--engine", other, "--json", "-o", file).lines
    assert [each["path"] for each in step["differs"] if not each["path"].startswith("scene")] == ["options.long"]
    assert (step["step"], whole["kind"], whole["matches"]) == (-1, "other states", 1)
    (log, _) = replay("impact", file, "--engine", other, "--json").lines
    assert log["kind"] == "other states"


def test_an_engine_that_hangs_is_a_difference(replay, tmp_path: Path, engine) -> None:
    call = ("seek", "palace", "--engine", engine(HANGING + SERVE), "--timeout", 2)
    called = replay(*call, "--json", "-o", tmp_path / "parted.log")
    (whole,) = called.lines
    assert (called.code, whole["kind"], whole["ended"]) == (1, "failed", "parted")
    assert "hangs" in whole["failed"]
    assert load(tmp_path / "parted.log").events
    assert "failed: it hangs" in replay(*call).out


def test_a_rule_of_other_options_that_needs_luck_is_found(replay, engine) -> None:
    called = replay("seek", "take_and_share", "--engine", engine(EXACT + SERVE), "--seed", 4, "--json")
    _, *_, whole = called.lines
    assert (called.code, whole["ended"]) == (1, "parted")


def test_every_other_match_goes_on_from_an_earlier_one() -> None:
    game, played = games.find("palace"), []

    class Same(Alternative):
        def sketched(self, log: bytes, reading: Reading, looks: Looks | None) -> Comparison:
            played.append(reading.match)
            trace = read_trace(outcome(reading, log_chain(log)))
            return compare(trace, trace)

    result = seek(game, headers_of(game, None, {}, bytes(32)), Same(), 12, 60)
    assert (result.found, result.matches, result.why) == (None, 12, "tries")
    _, *whole = played  # the start of the first comes before it
    begun = {match.header.seed: match for match in whole[::2]}
    assert len(begun) == 6
    for match in whole[1::2]:
        before = begun[match.header.seed]
        assert match.header.match != before.header.match
        assert match.events[0].command == before.events[0].command


def test_what_is_rare_is_played_under_other_options_too() -> None:
    game, seen, lengths = games.find("palace"), _Seen(), {True: set(), False: set()}
    before = played(game, 4, game.options(), 0)
    seen.add(before)
    other = game.options(open_colour="table")
    for number in range(20):
        begun = seen.begun(game, attrs.evolve(before.header, options=other, seed=bytes([number]) * 32))
        assert begun.events == before.events[: len(begun.events)]
        lengths[begun.header.options == other].add(len(begun.events))
    assert all(lengths.values())
    assert lengths[True] <= {seq + 1 for _, seq in seen._places.values()}


def test_equal_engines_never_part_and_what_was_not_reached_is_named(replay) -> None:
    call = ("seek", "take_and_share", "--engine", sys.executable, "--tries", 1)
    called = replay(*call, exits=0)
    assert called.out.startswith("no difference in 1 match:")
    assert "rules that no match reached: " in called.out
    (whole,) = replay(*call, "--json").lines
    assert (whole["matches"], whole["ended"]) == (1, "tries")
    assert replay(*call, "--json").lines == [whole]
    (late,) = replay(*call, "--seconds", 0, "--json").lines
    assert (late["matches"], late["ended"]) == (0, "seconds")


def test_seats_and_options_are_those_of_the_call_or_change_in_turn() -> None:
    game = games.find("take_and_share")
    headers = headers_of(game, None, {}, bytes(32))
    some = [next(headers) for _ in range(6)]
    assert {len(header.seats) for header in some} == {3, 4}
    assert {header.options.long for header in some} == {False, True}
    headers = headers_of(game, 3, {"long": True}, bytes(32))
    some = [next(headers) for _ in range(6)]
    assert {(len(header.seats), header.options.long) for header in some} == {(3, True)}

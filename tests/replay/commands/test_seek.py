"""`replay seek`: directed play finds the match in which two engines part, or says what it never reached."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kifu import games
from kifu.core.game.shuffle import Shuffler
from kifu.core.log import load
from kifu.replay.analysis.directed import DirectedPlay
from kifu.replay.analysis.seek import headers_of
from kifu.replay.analysis.what_if import AlternativeEngine

pytestmark = pytest.mark.ci

STRONG = """
import kifu.games.palace.rules as rules
falls = rules.falls
rules.falls = lambda palace, colour: falls(palace, colour) and len(palace.cards) < 3
from kifu.core.trace.__main__ import main
main()
"""
"""An engine in which an earthquake spares a palace of three cards (PAL-16)."""

STRICT = """
import kifu.games.take_and_share as game
import kifu.games.take_and_share.rules as rules
import attrs, kifu.core.match.registry as registry
legal = rules.legal
def few(state, seat):
    commands = list(legal(state, seat))
    return iter(commands[1:] if len(commands) == 5 else commands)
changed = attrs.evolve(game.GAME, legal=few)
registry.find.cache_clear() if hasattr(registry.find, "cache_clear") else None
game.GAME = changed
from kifu.core.trace.__main__ import main
main()
"""
"""An engine that does not list one of five legal commands: no state, note or result ever differs."""


def json_lines(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_planted_change_is_found_and_the_log_shows_it(
    replay, tmp_path: Path, engine: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other, file = engine(STRONG), Path("parted.log")
    called = replay("seek", "palace", "--engine", other, "-o", file)
    assert called.code == 1
    lines = called.out.splitlines()
    assert lines[0].startswith("the engines part in match ")
    assert lines[1].endswith(", this engine")
    assert lines[2].endswith(f", {other}")
    assert any("PAL-16" in line for line in lines)
    assert lines[-1] == f"the match: {file}"
    with AlternativeEngine(str(other), 20.0) as alternative:
        assert alternative.divergence(load(file)) is not None


def test_two_engines_are_compared_with_each_other(replay, engine: Callable[[str], Path]) -> None:
    called = replay("seek", "palace", "--engine", engine(STRONG), "--engine", sys.executable, "--json")
    assert called.code == 1
    step, whole = json_lines(called.out)
    assert (whole["ended"], whole["first"]) == ("parted", step["step"])


def test_a_legal_command_that_is_not_listed_is_a_difference(replay, engine: Callable[[str], Path]) -> None:
    called = replay("seek", "take_and_share", "--engine", engine(STRICT), "--json")
    assert called.code == 1
    step, whole = json_lines(called.out)
    assert {each["path"].partition("(")[0] for each in step["differs"]} == {"legal"}
    assert whole["change"] == "noise"


def test_equal_engines_never_part_and_what_was_not_reached_is_named(replay) -> None:
    call = ("seek", "take_and_share", "--engine", sys.executable, "--tries", 1)
    called = replay(*call)
    assert called.code == 0
    assert called.out.startswith("no difference in 1 match:")
    assert "rules that no match reached: " in called.out
    (whole,) = json_lines(replay(*call, "--json").out)
    assert (whole["matches"], whole["ended"], whole["targets"]) == (1, "tries", [])
    assert json_lines(replay(*call, "--json").out) == [whole]
    (late,) = json_lines(replay(*call, "--seconds", 0, "--json").out)
    assert (late["matches"], late["ended"]) == (0, "seconds")


@pytest.mark.parametrize("name", games.names())
def test_directed_play_reaches_no_fewer_rules_than_random_play(name: str) -> None:
    game = games.find(name)
    from kifu.core.testing.play import played

    drawn = [played(game, game.seats[0], game.options(), number) for number in range(3)]
    reached = {note.rule.number for match in drawn for step in match.steps for note in step.notes if note.rule}
    director = DirectedPlay(game)
    headers = headers_of(game, game.seats[0], {}, bytes(32))
    for _ in range(3):
        header = next(headers)
        match = director.play(header, Shuffler(header.seed), 400)
        assert all(event.command is not None for event in match.events)
    assert len(game.book) - len(director.unreached) >= len({*reached} & {rule.number for rule in game.book}) - 2


def test_seats_and_options_are_those_of_the_call_or_change_in_turn() -> None:
    game = games.find("take_and_share")
    headers = headers_of(game, None, {}, bytes(32))
    some = [next(headers) for _ in range(6)]
    assert {len(header.seats) for header in some} == {3, 4}
    assert {header.options.long for header in some} == {False, True}
    headers = headers_of(game, 3, {"long": True}, bytes(32))
    some = [next(headers) for _ in range(6)]
    assert {(len(header.seats), header.options.long) for header in some} == {(3, True)}


def test_what_cannot_be_sought_is_one_line(replay, log: Path, tmp_path: Path) -> None:
    for call, expected in (
        (("chess", "--engine", sys.executable), "not installed"),
        (("cake",), "give one --engine PYTHON"),
        (("cake", *("--engine", sys.executable) * 3), "give one --engine PYTHON"),
        (("cake", "--engine", tmp_path / "none"), "cannot be started"),
        (("cake", "--engine", sys.executable, "-o", log), "it exists already"),
        (("cake", "--engine", sys.executable, "--seats", 9), "3 to 5"),
        (("cake", "--engine", sys.executable, "--option", "hats=1"), "there is none of this name"),
        (("cake", "--engine", sys.executable, "--seed", "12"), "64 hex digits"),
        (("cake", "--engine", sys.executable, "--tries", 0), "--tries"),
    ):
        called = replay("seek", *call)
        assert (called.code, called.out, called.err.count("\n")) == (2, "", 1), call
        assert expected in called.err, called.err

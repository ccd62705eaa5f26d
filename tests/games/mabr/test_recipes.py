"""The golden matches of MABR: they are legal, they show what they are for, and together every rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kifu
import pytest
from kifu.core.game import Note
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.core.testing.laws_of_hints import hints_hold_throughout
from kifu.core.testing.laws_of_record import golden_matches
from kifu.core.wire import wire_of
from kifu.games.mabr import GAME
from kifu.games.mabr.model import Rule

FIXTURES = Path(__file__).parents[3] / "fixtures/mabr"
RECIPES = json.loads((FIXTURES / "golden.json").read_text("utf-8"))
BY_NAME = {recipe["name"]: recipe for recipe in RECIPES}
PROHIBITIONS = {Rule.MABR_4, Rule.MABR_5, Rule.MABR_R1, Rule.MABR_R2}


def played(recipe: dict[str, Any]) -> Match[Any, Any, Any]:
    """Return the match of a recipe: the log of an older version, or its commands folded, which no rule may forbid."""
    if recipe.get("rules", GAME.rules) < GAME.rules:
        return kifu.load(FIXTURES / f"{recipe['name']}.log")
    names = tuple(f"seat {seat}" for seat in range(recipe["seats"]))
    header = new_header(GAME, names, recipe["options"], None, match=recipe["name"], started=None, engine="kifu")
    match: Match[Any, Any, Any] = Match(GAME, header)
    for seat, tag, fields in recipe["commands"]:
        match.play(seat, wire_of(GAME).decode(tag, fields))
    return match


def notes(recipe: dict[str, Any]) -> Iterator[Note]:
    return (note for step in played(recipe).steps for note in step.notes)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_match_shows_what_it_is_for(name: str) -> None:
    noted = list(notes(BY_NAME[name]))
    assert set(BY_NAME[name]["shows"]) <= {note.key for note in noted} | {
        note.rule.number for note in noted if note.rule
    }


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != "while_looking"])
def test_a_match_comes_to_its_end(name: str) -> None:
    assert played(BY_NAME[name]).result is not None


def test_the_worked_example_scores_five() -> None:
    assert played(BY_NAME["worked_example"]).result.points == (5, 0)


def test_every_rule_that_is_not_only_a_prohibition_is_shown() -> None:
    noted = [note for recipe in RECIPES for note in notes(recipe)]
    assert set(Rule) - {note.rule for note in noted} == PROHIBITIONS


def test_every_number_of_seats_and_every_option_has_a_match() -> None:
    assert {recipe["seats"] for recipe in RECIPES} == set(GAME.seats)
    for option in ("first", "judge", "lexicon", "min_word"):
        assert any(option in recipe["options"] for recipe in RECIPES)


@pytest.mark.parametrize("name", [recipe["name"] for recipe in RECIPES if recipe.get("rules") == 1])
def test_a_log_of_version_1_is_read_with_its_first_lexicon_and_without_leave_to_pass(name: str) -> None:
    options = played(BY_NAME[name]).header.options
    assert options.lexicon == BY_NAME[name]["options"].get("lexicon", "kifu-ja-1")
    assert options.pass_after_void is False


@pytest.mark.ci
def test_hints_hold_throughout() -> None:
    for match in golden_matches(GAME, FIXTURES):
        hints_hold_throughout(match)

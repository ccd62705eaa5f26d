"""The golden matches of MABR and Palace that are written out: they are legal, and show what they are for."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kifu
import pytest
from kifu.core.game import Note
from kifu.core.match import Match
from kifu.core.match.header import new_header
from kifu.core.testing.laws_of_draws import hints_hold_throughout
from kifu.core.testing.laws_of_record import golden_matches
from kifu.core.wire import wire_of
from kifu.games import mabr, palace
from kifu.games.mabr.model import Rule
from kifu.games.palace.rules import CHARGES, END

FIXTURES = Path(__file__).parents[2] / "fixtures"
GAMES = {"mabr": mabr.GAME, "palace": palace.GAME}
RECIPES: dict[tuple[str, str], dict[str, Any]] = {
    (name, recipe["name"]): recipe
    for name in GAMES
    for recipe in json.loads((FIXTURES / name / "golden.json").read_text("utf-8"))
}


def chosen(name: str, below: int) -> list[str]:
    """Return the recipes of a game of rules before a version."""
    return [each for (game, each), recipe in RECIPES.items() if game == name and recipe.get("rules", below) < below]


@cache
def played(name: str, recipe: str) -> Match[Any, Any, Any]:
    """Return the match of a recipe: the log of an older version, or its commands folded, which no rule may forbid."""
    game, given = GAMES[name], RECIPES[name, recipe]
    if given.get("rules", game.version) < game.version or "commands" not in given:
        return kifu.load(FIXTURES / name / f"{recipe}.log")
    names = tuple(f"seat {seat}" for seat in range(given["seats"]))
    header = new_header(game, names, given["options"], None, match=recipe, started=None, engine="kifu")
    match: Match[Any, Any, Any] = Match(game, header)
    for seat, tag, fields in given["commands"]:
        match.play(seat, wire_of(game).decode(tag, fields))
    return match


def notes(name: str, recipe: str) -> Iterator[Note]:
    return (note for step in played(name, recipe).steps for note in step.notes)


@pytest.mark.parametrize(("name", "recipe"), [each for each, recipe in RECIPES.items() if "commands" in recipe])
def test_a_written_match_shows_what_it_is_for(name: str, recipe: str) -> None:
    noted = list(notes(name, recipe))
    shown = {note.key for note in noted} | {note.rule.number for note in noted if note.rule}
    assert set(RECIPES[name, recipe]["shows"]) <= shown
    assert name == "mabr" or played(name, recipe).result is not None


def test_the_worked_example_of_mabr_scores_five() -> None:
    assert played("mabr", "worked_example").result.points == (5, 0)


def test_every_rule_of_mabr_that_is_not_only_a_prohibition_is_shown() -> None:
    noted = [note for name, recipe in RECIPES if name == "mabr" for note in notes(name, recipe)]
    assert set(Rule) - {note.rule for note in noted} == {Rule.MABR_4, Rule.MABR_5, Rule.MABR_R1, Rule.MABR_R2}


@pytest.mark.ci
def test_hints_of_mabr_hold_throughout() -> None:
    for match in golden_matches(mabr.GAME, FIXTURES / "mabr"):
        hints_hold_throughout(match)


@pytest.mark.parametrize("recipe", chosen("mabr", 2))
def test_a_log_of_version_1_is_read_with_its_first_lexicon_and_without_leave_to_pass(recipe: str) -> None:
    options = played("mabr", recipe).header.options
    assert options.lexicon == RECIPES["mabr", recipe]["options"].get("lexicon", "kifu-ja-1")
    assert options.pass_after_void is False


@pytest.mark.parametrize("recipe", chosen("mabr", 3))
def test_in_a_log_before_version_3_passing_is_free_and_swaps_go_on(recipe: str) -> None:
    options = played("mabr", recipe).header.options
    assert (options.pass_, options.idle_rounds) == ("free", 0)


def test_all_six_charges_hold_and_fail() -> None:
    judged = {
        (note.key, dict(note.values)["charge"]) for note in notes("palace", "charges") if note.key.startswith("charge-")
    }
    assert judged == {(key, charge) for key in ("charge-holds", "charge-fails") for charge in CHARGES}


@pytest.mark.parametrize("recipe", chosen("palace", 2))
def test_pal_r1_a_log_of_version_1_is_read_as_one_with_exactly_45_cards_above_end(recipe: str) -> None:
    match = played("palace", recipe)
    assert match.header.rules == 1
    assert match.header.options.end_place == "exact"
    assert match.result is not None
    if len(match.header.seats) == 3:
        assert match.events[0].command.cards.index(END) == 9 + 45

"""The golden matches of Palace that are written out: they are legal, come to their end and show what they are for."""

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
from kifu.core.wire import wire_of
from kifu.games.palace import GAME
from kifu.games.palace.model import CHARGES, END, Build, Rule

RECIPES = json.loads((Path(__file__).parents[3] / "fixtures/palace/golden.json").read_text("utf-8"))
WRITTEN = {recipe["name"]: recipe for recipe in RECIPES if "commands" in recipe}


def played(recipe: dict[str, Any]) -> Match[Any, Any, Any]:
    """Fold the commands of a recipe; raises if a rule forbids one."""
    names = tuple(f"seat {seat}" for seat in range(recipe["seats"]))
    header = new_header(GAME, names, recipe["options"], None, match=recipe["name"], started=None, engine="kifu")
    match: Match[Any, Any, Any] = Match(GAME, header)
    for seat, tag, fields in recipe["commands"]:
        match.play(seat, wire_of(GAME).decode(tag, fields))
    return match


def notes(name: str) -> Iterator[Note]:
    return (note for step in played(WRITTEN[name]).steps for note in step.notes)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_written_match_comes_to_its_end_and_shows_what_it_says(name: str) -> None:
    assert played(WRITTEN[name]).result is not None
    noted = list(notes(name))
    shown = {note.key for note in noted} | {note.rule.number for note in noted if note.rule}
    assert set(WRITTEN[name]["shows"]) <= shown


def test_all_six_charges_hold_and_fail() -> None:
    judged = {(note.key, dict(note.values)["charge"]) for note in notes("charges") if note.key.startswith("charge-")}
    assert judged == {(key, charge) for key in ("charge-holds", "charge-fails") for charge in CHARGES}


def test_every_number_of_seats_and_every_option_has_a_recipe() -> None:
    assert {recipe["seats"] for recipe in RECIPES} == set(GAME.seats)
    assert {recipe["options"].get("open_colour", "seen") for recipe in RECIPES} == {"seen", "table"}
    assert {recipe["options"].get("end_place", "about") for recipe in RECIPES} == {"about", "exact"}
    assert any(recipe["options"].get("first") for recipe in RECIPES)


def test_every_rule_is_shown_by_a_recipe() -> None:
    noted = {note.rule for name in WRITTEN for note in notes(name)}
    recipe_rules = {number for recipe in RECIPES for number in recipe["shows"]}
    assert not [rule for rule in Rule if rule not in noted and rule.number not in recipe_rules]


OLD = [recipe["name"] for recipe in RECIPES if recipe.get("rules") == 1]
FIXTURES = Path(__file__).parents[3] / "fixtures/palace"


@pytest.mark.parametrize("name", OLD)
def test_pal_r1_a_log_of_version_1_is_read_as_one_with_exactly_45_cards_above_end(name: str) -> None:
    match = kifu.load(FIXTURES / f"{name}.log")
    assert match.header.rules == 1
    assert match.header.options.end_place == "exact"
    assert match.result is not None
    if len(match.header.seats) == 3:
        assert match.events[0].command.cards.index(END) == 9 + 45


def test_golden_logs_of_today_have_two_palaces_in_either_order() -> None:
    orders = set()
    for recipe in RECIPES:
        for event in kifu.load(FIXTURES / f"{recipe['name']}.log").events:
            if isinstance(event.command, Build) and len(event.command.palaces) == 2:
                orders.add((recipe.get("rules", 2), event.command.palaces[0] > event.command.palaces[1]))
    assert orders == {(1, False), (2, False), (2, True)}

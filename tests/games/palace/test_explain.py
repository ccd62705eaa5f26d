"""The notes of rare turns of Palace, each with its rule."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.game import Note, Seat, SectionKind
from kifu.games.palace import GAME
from kifu.games.palace.model import Draw, Inspect, Options, Palace, Quake, Rule, State
from kifu.games.palace.rules import COLOUR_SIZES, END

from ..at_table import AtTable

RED = 0
QUAKE_SIZE = Quake(RED)


def table(
    hands: Any, palaces: Any, *, red_out: int = 0, pile: tuple[int, ...] = (1, END), open_colour: Any = "seen"
) -> State:
    """Set a table for three with these hands and palaces, whose cards are ints, and `True` last if verified."""
    built_palaces = tuple(
        tuple(
            Palace(number, tuple(card for card in each if card is not True), each[-1] is True)
            for number, each in enumerate(of_seat)
        )
        for of_seat in palaces
    )
    built = tuple(map(len, built_palaces))
    return State(Options(open_colour=open_colour), Seat(0), hands, pile, built_palaces, built, (RED,) * red_out)


def notes(state: State, command: Any) -> list[Note]:
    return list(AtTable(GAME).told(state, 0, command))


def rules(state: State, command: Any) -> dict[str, Any]:
    return {note.key: note.rule for note in notes(state, command)}


def all_but(gone: int, *more: Any) -> tuple[Any, ...]:
    """Return one palace with every red card except so many."""
    return (RED,) * (COLOUR_SIZES[RED] - gone) + more


@pytest.mark.parametrize("open_colour", ["seen", "table"])
def test_pal_13_the_last_card_of_a_colour_is_verified(open_colour: str) -> None:
    state = table(((), (), ()), ((), (all_but(0),), ()), open_colour=open_colour)
    assert rules(state, Inspect("no_red", ((Seat(1), 0),)))["all-open"] is Rule.PAL_13


def test_pal_r2_cards_that_are_out_count_where_all_that_was_seen_counts() -> None:
    inspect = Inspect("no_red", ((Seat(1), 0),))
    seen = table(((), (), ()), ((), (all_but(4),), ()), red_out=4)
    assert rules(seen, inspect)["all-seen"] is Rule.PAL_R2
    on_table = table(((), (), ()), ((), (all_but(4),), ()), red_out=4, open_colour="table")
    assert rules(on_table, inspect)["seen-not-lying"] is Rule.PAL_R2


def test_pal_r2_the_last_red_cards_go_out_by_the_earthquake_itself() -> None:
    state = table(((RED,) * 4, (), ()), ((), (all_but(4, True),), ()))
    assert rules(state, QUAKE_SIZE)["all-seen"] is Rule.PAL_R2


def test_pal_13_on_the_table_a_fallen_palace_makes_its_colours_free_again() -> None:
    state = table(((1,) * 4, (), ()), ((), (all_but(0, 1, True),), ()), open_colour="table")
    assert rules(state, Quake(1))["open-no-more"] is Rule.PAL_13
    seen = table(((1,) * 4, (), ()), ((), (all_but(0, 1, True),), ()))
    assert "open-no-more" not in rules(seen, Quake(1))


def test_a_colour_that_was_open_before_is_not_told_again() -> None:
    state = table(((), (), ()), ((), (all_but(0, True), (2, 2)), ()))
    assert "all-open" not in rules(state, Inspect("no_pair", ((Seat(1), 1),)))
    on_table = table(((), (), ()), ((), (all_but(4, True), (2, 2)), ()), red_out=4, open_colour="table")
    assert "seen-not-lying" not in rules(on_table, Inspect("no_pair", ((Seat(1), 1),)))


def test_pal_r4_and_17_nothing_falls_and_the_four_cards_are_out() -> None:
    noted = notes(table(((RED,) * 4, (), ()), ((), ((RED,),), ((1, True),))), QUAKE_SIZE)
    assert [note.key for note in noted] == ["quaked", "nothing-fell", "removed", "turn"]
    assert dict(noted[2].values)["cards"] == (RED,) * 4


def test_pal_16_each_palace_that_falls_is_told_own_ones_too() -> None:
    noted = notes(table(((RED,) * 4, (), ()), (((RED, True),), ((1, True), (RED, 2, True)), ())), QUAKE_SIZE)
    fallen = [dict(note.values) for note in noted if note.key == "fell"]
    assert [(each["owner"], each["palace"], each["cards"]) for each in fallen] == [(0, 0, (RED,)), (1, 1, (RED, 2))]


@pytest.mark.parametrize(
    ("hands", "palaces", "key"),
    [
        (((), (1,), (1,)), (((2,), (2,)), ((3,),), ()), "won"),
        (((1, 1), (1,), (1, 1, 1)), (((2,),), ((3,),), ()), "won-by-hand"),
        (((1,), (1,), (1, 1, 1)), (((2,),), ((3,),), ()), "victory-shared"),
        (((1,), (1,), ()), (((2,),), ((3,),), ((3,),)), "victory-shared"),
    ],
)
def test_pal_18_how_the_game_was_won(hands: Any, palaces: Any, key: str) -> None:
    noted = notes(table(hands, palaces, pile=(END,)), Draw())
    assert [(note.key, note.rule) for note in noted] == [("end-drawn", Rule.PAL_7), (key, Rule.PAL_18)]


def test_pal_4_and_5_the_next_turn_and_when_it_may_only_be_a_building() -> None:
    assert rules(table(((), (1,) * 5, ()), ((), (), ())), Draw())["must-build"] is Rule.PAL_5
    last = notes(table(((), (1,) * 4, ()), ((), (), ())), Draw())[-1]
    assert (last.key, last.rule, dict(last.values)["seat"]) == ("turn", Rule.PAL_4, 1)


@pytest.mark.parametrize("command", [Draw(), Inspect("no_pair", ((Seat(1), 0),)), QUAKE_SIZE])
def test_every_action_begins_a_turn(command: Any) -> None:
    noted = notes(table(((RED,) * 4, (), ()), ((), ((1,),), ())), command)
    assert [note.begins for note in noted] == [SectionKind.TURN, *[None] * (len(noted) - 1)]

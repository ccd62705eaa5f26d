"""Correct games of all kinds are green, whatever the seed: boards, bids, dice, hands, draws, teams, co-operation …

Under one seed in `.ci/run`, under twenty with `-m long`.
"""

from typing import Any

import attrs
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from high_card import GAME as HIGH_CARD
from hypothesis import seed
from kifu.core.game import TABLE, Card, RuleViolation, Seat, TableRule
from kifu.core.testing import Case, game_laws
from kifu.core.testing.laws_of_play import no_card_is_lost
from kifu.core.testing.play import played
from kifu.core.text.texts import Texts
from reversi import GAME as REVERSI

from . import bids, caves, dice, floes, heap, mole, pits, race

GAMES: dict[str, tuple[Any, dict[str, Any]]] = {
    "pits": (pits.GAME, {}),
    "bids": (bids.GAME, {}),
    "dice": (dice.GAME, {"dice": 1}),
    "mole": (mole.GAME, {}),
    "race": (race.GAME, {}),
    "floes": (floes.GAME, {}),
    "caves": (caves.GAME, {}),
    **{f"heap {kind}": (heap.GAME, {"kind": kind}) for kind in heap.KINDS},
    "reversi": (REVERSI, {"size": 4}),
    "goofspiel": (GOOFSPIEL, {"size": 4}),
    "fireworks": (FIREWORKS, {"colours": 2}),
    "high card": (HIGH_CARD, {"hand": 1}),
}
NOT_HERE = ("test_6_whatever_the_hash_seed", "test_7_", "test_10_")
"""A process of its own finds no game of a test; rules that random play seldom meets have golden logs elsewhere."""
LAWS = [name for name in dir(game_laws(pits.GAME)) if name.startswith("test_") and not name.startswith(NOT_HERE)]


def green(name: str, number: int) -> None:
    game, options = GAMES[name]
    laws = game_laws(game, options=options, examples=4)
    for law in LAWS:
        test = getattr(laws, law)
        skipped = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "skipif" and mark.args[0]]
        if skipped:
            continue
        try:
            (seed(number)(test) if hasattr(test, "hypothesis") else test)(laws())
        except pytest.skip.Exception:
            continue


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
def test_it_is_green(name: str) -> None:
    green(name, 0)


@pytest.mark.long
@pytest.mark.parametrize("number", range(1, 20))
@pytest.mark.parametrize("name", GAMES)
def test_it_is_green_under_every_seed(name: str, number: int) -> None:
    green(name, number)


START = heap.start(heap.Options(), 2)
HEAP_CASES = [
    Case(TableRule.FORM, "three", START, Seat(0), heap.Take(3)),
    Case(TableRule.TURN, "out of turn", START, Seat(1), heap.Take(1)),
    Case("H-2", "back, where nothing goes back", START, Seat(0), heap.Take(-1)),
]


@pytest.mark.ci
@pytest.mark.parametrize("kind", heap.KINDS)
def test_no_mutant_of_a_heap_survives(kind: str) -> None:
    game_laws(heap.GAME, options={"kind": kind}, cases=HEAP_CASES, examples=8)().test_10_every_mutant_is_caught()


ROLLED = dice.apply(dice.start(dice.Options(), 2), TABLE, dice.Roll((Card(1), Card(2), Card(3), Card(4))))
BID = dice.apply(ROLLED, Seat(0), dice.Bid(2, Card(3)))
DICE_CASES = [
    Case(TableRule.FORM, "a face that there is not", ROLLED, Seat(0), dice.Bid(1, Card(7))),
    Case(TableRule.FORM, "too many dice", dice.start(dice.Options(), 2), TABLE, dice.Roll((Card(1),) * 5)),
    Case(TableRule.TURN, "a bid of another", ROLLED, Seat(1), dice.Bid(1, Card(1))),
    Case(TableRule.TURN, "a second roll", ROLLED, TABLE, dice.Roll((Card(1),) * 4)),
    Case("DICE-2", "a lower bid", BID, Seat(1), dice.Bid(2, Card(2))),
    Case("DICE-2", "more than there are", BID, Seat(1), dice.Bid(5, Card(2))),
    Case("DICE-2", "no dice", ROLLED, Seat(0), dice.Bid(0, Card(2))),
    Case("DICE-3", "a call without a bid", ROLLED, Seat(0), dice.Call()),
]


@pytest.mark.ci
def test_no_mutant_of_dice_survives() -> None:
    game_laws(dice.GAME, cases=DICE_CASES, examples=8)().test_10_every_mutant_is_caught()


def test_where_nothing_stays_the_fourth_law_says_that_it_has_nothing_to_judge() -> None:
    law = game_laws(dice.GAME).test_4_no_card_is_lost
    assert [mark.kwargs["reason"] for mark in law.pytestmark if mark.args == (True,)] == [
        "nothing to judge: this game has no cards that stay"
    ]
    none = attrs.evolve(dice.GAME, cards=lambda state: ())
    with pytest.raises(AssertionError, match="or leave it out"):
        no_card_is_lost(played(none, 2, none.options(), 0))


def test_one_message_serves_all_numbers_of_a_part() -> None:
    texts = Texts("en")
    assert [texts.label(f"part-count-{number}", dice.GAME) for number in (1, 15)] == ["1", "15"]
    assert texts.label("part-call-call", dice.GAME) == "call"
    assert texts.command(dice.Bid(3, Card(6)), dice.GAME) == "bid 3 dice of 6"


def test_a_seat_that_is_out_acts_no_more() -> None:
    state = heap.start(heap.Options("out"), 3)
    while not (done := heap.result(state)):
        (seat,) = heap.to_act(state)
        assert not state.out[seat]
        with pytest.raises(RuleViolation):
            heap.apply(state, Seat((seat + 1) % 3), heap.Take(1))
        state = heap.apply(state, seat, max(heap.legal(state, seat), key=lambda take: take.count))
    assert sum(state.out) == 2
    assert done.winners == (state.turn,)

"""Ten correct games of all kinds are green, whatever the seed: boards, bids, hidden hands, draws, teams, co-operation …

Under one seed in the short tests, under twenty with `-m long`.
"""

from typing import Any

import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from high_card import GAME as HIGH_CARD
from hypothesis import seed
from kifu.core.game import RuleViolation, Seat, TableRule
from kifu.core.testing import Case, game_laws
from reversi import GAME as REVERSI

from . import bids, heap, pits

GAMES: dict[str, tuple[Any, dict[str, Any]]] = {
    "pits": (pits.GAME, {}),
    "bids": (bids.GAME, {}),
    **{f"heap {kind}": (heap.GAME, {"kind": kind}) for kind in heap.KINDS},
    "reversi": (REVERSI, {"size": 4}),
    "goofspiel": (GOOFSPIEL, {"size": 4}),
    "fireworks": (FIREWORKS, {"colours": 2}),
    "high card": (HIGH_CARD, {"hand": 1}),
}
NOT_HERE = ("test_6_whatever_the_hash_seed", "test_7_", "test_10_")
"""A process of its own finds no game of a test; rules that random play seldom meets have golden logs elsewhere."""
LAWS = [name for name in vars(game_laws(pits.GAME)) if name.startswith("test_") and not name.startswith(NOT_HERE)]


def green(name: str, number: int) -> None:
    game, options = GAMES[name]
    laws = game_laws(game, options=options, examples=4)
    for law in LAWS:
        test = vars(laws)[law]
        skipped = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "skipif" and mark.args[0]]
        if skipped:
            continue
        try:
            (seed(number)(test) if hasattr(test, "hypothesis") else test)(laws())
        except pytest.skip.Exception:
            continue


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


@pytest.mark.parametrize("kind", heap.KINDS)
def test_no_mutant_of_a_heap_survives(kind: str) -> None:
    game_laws(heap.GAME, options={"kind": kind}, cases=HEAP_CASES, examples=8)().test_10_every_mutant_is_caught()


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

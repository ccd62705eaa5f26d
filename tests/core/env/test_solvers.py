"""OpenSpiel's solvers take our games: published values of Kuhn's poker, and bids that nobody sees before the end."""

import pytest
from goofspiel import GAME as GOOFSPIEL
from kifu.core.env import openspiel_game
from kifu.core.game import TABLE, Card, Seat
from kifu.core.testing import Case, game_laws
from small_poker import GAME as POKER
from small_poker import Deal, Fold, Options, Raise

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `env`")

from open_spiel.python.algorithms.cfr import CFRPlusSolver  # noqa: E402
from open_spiel.python.algorithms.expected_game_score import policy_value  # noqa: E402
from open_spiel.python.algorithms.exploitability import nash_conv  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

DEALT = POKER.apply(POKER.start(Options("leduc"), 2), TABLE, Deal(tuple(map(Card, (0, 1, 2, 0, 1, 2)))))
RAISED = POKER.apply(POKER.apply(DEALT, Seat(0), Raise()), Seat(1), Raise())
START = POKER.start(Options("kuhn"), 2)
CASES = [
    Case("DEAL", "a card twice", START, TABLE, Deal((Card(0), Card(0), Card(1)))),
    Case("FORM", "a card that there is not", START, TABLE, Deal((Card(0), Card(1), Card(7)))),
    Case("POK-3", "a fold before any raise", DEALT, Seat(0), Fold()),
    Case("POK-4", "a third raise", RAISED, Seat(0), Raise()),
]
TestLaws = pytest.mark.long(game_laws(POKER, cases=CASES, options={"variant": "leduc"}))


def solved(game, iterations):
    """Return how far the average policy of CFR+ is from an equilibrium, and what it is worth to each seat."""
    solver = CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    return nash_conv(game, policy), policy_value(game.new_initial_state(), [policy] * 2)


@pytest.mark.ci
def test_published_values_are_ours():
    """Kuhn's poker is worth -1/18 to who begins; OpenSpiel's own game says the same of random play."""
    game, theirs = openspiel_game(POKER, options={"variant": "kuhn"}, reward="points"), pyspiel.load_game("kuhn_poker")
    far, values = solved(game, 100)
    assert far < 0.01
    assert values == pytest.approx((-1 / 18, 1 / 18), abs=1e-3)
    uniform = (nash_conv(each, UniformRandomPolicy(each)) for each in (game, theirs))
    assert next(uniform) == pytest.approx(next(uniform), abs=1e-9)


@pytest.mark.long
def test_simultaneous_bids_are_hidden_from_each_other():
    """Goofspiel with four cards is even; who saw the other's bid would win it."""
    game = openspiel_game(GOOFSPIEL, 2, {"size": 4, "order": "descending"}, reward="points")
    far, values = solved(game, 60)
    assert far < 0.02
    assert values == pytest.approx((0, 0), abs=0.01)

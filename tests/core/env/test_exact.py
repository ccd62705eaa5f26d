"""Games and endings written out whole: published values of Kuhn's and Leduc poker, and endings of matches."""

import kifu
import pytest
from goofspiel import GAME as GOOFSPIEL
from kifu.core.env import exact_ending, exact_game, solve
from kifu.core.errors import MatchError
from kifu.core.game import TABLE, Card, Seat
from kifu.core.match import registry
from kifu.core.testing import Case, game_laws
from kifu_poker import GAME as POKER
from kifu_poker import Deal, Fold, Options, Raise

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `env`")

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


def uniform(exact):
    return pyspiel.nash_conv(exact.spiel, pyspiel.UniformRandomPolicy(exact.spiel))


@pytest.mark.parametrize(
    ("variant", "sets", "iterations", "value"), [("kuhn", 6, 500, -1 / 18), ("leduc", 144, 200, -0.0856)]
)
def test_published_values_are_ours(variant, sets, iterations, value):
    """Kuhn's poker is worth -1/18 to who begins, Leduc -0.0856; OpenSpiel's own games say the same of random play."""
    exact = exact_game(POKER, options={"variant": variant}, reward="points")
    assert exact.information_sets == (sets, sets)
    solution = solve(exact, iterations)
    assert solution.values[0] == pytest.approx(value, abs=1e-3)
    assert sum(solution.values) == pytest.approx(0, abs=1e-9)
    assert solution.nash_conv < 0.02
    theirs = pyspiel.load_game(f"{variant}_poker")
    assert uniform(exact) == pytest.approx(pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs)), abs=1e-6)


def test_simultaneous_bids_are_hidden_from_each_other():
    """Goofspiel with four cards is even; who saw the other's bid would win it."""
    exact = exact_game(GOOFSPIEL, 2, {"size": 4, "order": "descending"}, reward="points")
    solution = solve(exact, 300)
    assert solution.values == pytest.approx((0, 0), abs=0.01)
    assert solution.nash_conv < 0.01 < uniform(exact)


def ending(name, seats, back, seed=3):
    """Return a match of first and last commands by turns, so many events before its end."""
    whole = play(name, seats, seed, 10**6)
    return play(name, seats, seed, len(whole.events) - back)


def play(name, seats, seed, events):
    match = kifu.new(name, [f"seat {seat}" for seat in range(seats)], seed=bytes([seed]) * 32)
    match.deal()
    while match.to_act and len(match.events) < events:
        seat = min(match.to_act)
        legal = match.legal(seat)
        match.play(seat, legal[(7 * len(match.events)) % len(legal)])
        match.deal()
    return match


LONG = {"gosne", "palace"}
ENDINGS = [
    pytest.param(name, small, id=name, marks=[pytest.mark.long] if name in LONG else [])
    for name in kifu.games.names()
    for small in registry.find(name).small_worlds
]


@pytest.mark.parametrize(("game", "small"), ENDINGS)
def test_small_worlds_are_solved(game, small):
    match = ending(game, small.seats, small.last_events)
    exact = exact_ending(match, worlds=4, reward="points", longest=small.longest)
    solution = solve(exact, 60)
    assert 1 <= exact.worlds <= 4
    assert -1e-9 <= solution.nash_conv < 0.2
    assert solution.nash_conv < uniform(exact) or uniform(exact) < 1e-9
    assert sum(solution.values) == pytest.approx(0, abs=1e-6)


def test_the_games_name_their_small_worlds():
    assert {name for name in kifu.games.names() if registry.find(name).small_worlds} >= {"cake", "palace", "gosne"}
    assert [dict(small.options) for small in POKER.small_worlds] == [{"variant": "kuhn"}, {"variant": "leduc"}]
    assert all(small.last_events is None for small in POKER.small_worlds)


def test_a_seat_that_has_seen_more_has_more_information_sets():
    match = ending("take_and_share", 3, 7)
    few, many = (exact_ending(match, worlds=count, reward="points") for count in (1, 8))
    assert few.worlds == 1 < many.worlds
    assert sum(few.information_sets) < sum(many.information_sets)


def test_what_is_too_large_is_refused():
    with pytest.raises(MatchError, match="more than 50000 deals"):
        exact_game("cake")
    with pytest.raises(MatchError, match="more than 100 nodes"):
        exact_ending(ending("take_and_share", 3, 7), most=100)
    with pytest.raises(MatchError, match="the match is over"):
        exact_ending(play("take_and_share", 3, 3, 10**6))
    with pytest.raises(MatchError, match="zero_sum"):
        exact_game(POKER, reward="victory")


def test_a_line_that_is_broken_off_has_no_result():
    exact = exact_game(POKER, options={"variant": "leduc"}, reward="points", longest=2)
    assert solve(exact, 5).values == (0, 0)

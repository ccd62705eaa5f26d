"""Rollouts: a command takes the place of the most promising one where playouts show beyond doubt that it is better."""

import attrs
import pytest
from kifu import games
from kifu.core.game import hints_of
from kifu.core.match.registry import find_bot
from kifu.core.testing.laws_of_draws import hints_hold_throughout
from kifu.core.testing.play import played
from kifu.games.bots.rollouts import _sure_gain, best_by_rollouts
from kifu.games.palace.model import Build, Draw, State

from .conftest import SEED, first_choice, with_hints


def test_a_gain_counts_only_beyond_doubt() -> None:
    assert _sure_gain([0.5, 0.5, 0.5]) == 0.5
    assert _sure_gain([0.4, 0.6, 0.5, 0.3]) == pytest.approx(0.45)
    assert _sure_gain([0.9, -0.8, 0.7, -0.6]) == 0, "more luck than gain"
    assert _sure_gain([-0.5, -0.5]) == 0
    assert _sure_gain([0.5]) == _sure_gain([]) == 0, "once is no proof"


@pytest.mark.parametrize(("counted", "kind"), [("hands", Draw), ("palaces", Build)])
def test_what_is_better_in_every_playout_is_played_whatever_the_priors_say(counted: str, kind: type) -> None:
    def evaluate(state: State) -> list[int]:
        return [len(each) for each in getattr(state, counted)]

    given = with_hints(first_choice("palace", 3), evaluate=evaluate, playout_depth=0)
    assert isinstance(best_by_rollouts(given, SEED, "strong", lambda number: number < 3), kind)


def test_a_strong_bot_compares_by_as_many_playouts_as_its_game_says_and_repeats_itself() -> None:
    info_state, ends = first_choice("palace", 3), []
    real = hints_of(info_state.game).evaluate

    def counted(state):
        ends.append(state)
        return real(state)

    for rollouts in (2, 5):
        ends.clear()
        given = with_hints(info_state, evaluate=counted, rollouts=rollouts)
        command = find_bot("strong")(SEED)(given)
        assert len(ends) % rollouts == 0
        assert 2 <= len(ends) // rollouts <= 6
        assert find_bot("strong")(SEED)(given) == command


@pytest.mark.parametrize(("name", "seats"), [("palace", 3), ("gosne", 4)])
def test_in_rollouts_a_seat_knows_no_more_than_it_may_see(name: str, seats: int) -> None:
    """The law sees it if it does: with the priors of who sees all in their place."""
    game = games.find(name)
    hints_hold_throughout(played(game, seats, game.options(), 1))
    seeing = attrs.evolve(hints_of(game), playout_priors=hints_of(game).priors)
    with pytest.raises(AssertionError, match="two states that it cannot tell apart"):
        hints_hold_throughout(played(game.altered(extras=(seeing,)), seats, game.options(), 1))


def test_rollouts_are_of_the_likelier_states() -> None:
    """Of two kinds of states only one is likely: the weights in it decide, and it is played on in all playouts."""
    info_state = first_choice("gosne")
    few, ends = info_state.legal[:2], []

    def is_likely(state: object) -> bool:
        return sum(hand.count(0) for hand in state.hands[1::2]) > 2

    def evaluate(state: object) -> list[int]:
        ends.append(is_likely(state))
        return [0] * 4

    weighed = with_hints(
        info_state,
        priors=lambda state, seat: zip(few, (1.0, 2.0) if is_likely(state) else (2.0, 1.0), strict=True),
        evaluate=evaluate,
        playout_depth=0,
    )
    for likelihood, command in (
        (lambda view, seen: lambda state: 1.0 if is_likely(state) else 1e-9, few[1]),
        (None, few[0]),
    ):
        ends.clear()
        given = with_hints(weighed, likelihood=likelihood)
        assert best_by_rollouts(given, SEED, "strong", lambda number: number < 20) == command
        assert all(ends) is (likelihood is not None)

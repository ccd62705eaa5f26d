"""Law 9 holds `Game.scores` to the first facts of the scene."""

import attrs
import pytest
from kifu import games
from kifu.core.testing.laws_of_scenes import scores_come_first
from kifu.core.testing.play import played


@pytest.mark.parametrize("name", games.names())
def test_the_scores_of_each_game_are_the_first_facts(name: str) -> None:
    game = games.find(name)
    assert game.scores is not None
    scores_come_first(played(game, game.seats[0], game.options(), 1))


def test_scores_that_count_otherwise_are_caught() -> None:
    game = games.find("take_and_share")
    match = played(attrs.evolve(game, scores=lambda state: (9,) * len(state.totals)), 3, game.options(), 1)
    with pytest.raises(AssertionError, match="`scores` counts"):
        scores_come_first(match)

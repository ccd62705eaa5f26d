"""Law 9 holds `Game.scores` to the first facts of the scene."""

from typing import Any

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


def test_a_fact_above_the_greatest_possible_is_caught() -> None:
    """Whoever adds an option that lets a brother eat three cards is told that the scene still says "of 2"."""
    game = games.find("cake")

    def scene(view: Any) -> Any:
        found = game.scene(view)
        less = [
            attrs.evolve(place, facts=(place.facts[0], attrs.evolve(place.facts[1], of=1))) for place in found.places
        ]
        return attrs.evolve(found, places=tuple(less))

    match = played(attrs.evolve(game, scene=scene), 3, game.options(), 1)
    with pytest.raises(AssertionError, match="fact-eaten is 2 of 1"):
        scores_come_first(match)

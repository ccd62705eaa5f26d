"""Law 9 holds `Game.scores` to the first facts of the scene, and laws name what no frontend can draw."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from kifu import games
from kifu.core.testing.laws_of_scenes import scores_come_first
from kifu.core.testing.laws_of_texts import needed_in
from kifu.core.testing.play import played


def test_scores_that_count_otherwise_are_caught() -> None:
    game = games.find("take_and_share")
    match = played(game.altered(scores=lambda state: (9,) * len(state.totals)), 3, game.options(), 1)
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

    match = played(game.altered(scene=scene), 3, game.options(), 1)
    with pytest.raises(AssertionError, match="fact-eaten is 2 of 1"):
        scores_come_first(match)


@pytest.mark.parametrize("law", [scores_come_first, lambda match: needed_in(match.game, [match], ())], ids=["9", "8"])
def test_what_is_no_thing_in_a_zone_is_named(law: Callable[[Any], Any]) -> None:
    """Whoever forgets that `card_bundle` gives a tuple, and puts that among the things, is told so."""
    game = games.find("cake")

    def scene(view: Any) -> Any:
        found = game.scene(view)
        first, *rest = (attrs.evolve(zone, things=(zone.things, *zone.things)) for zone in found.table.zones)
        return attrs.evolve(found, table=attrs.evolve(found.table, zones=(first, *rest)))

    match = played(game.altered(scene=scene), 3, game.options(), 1)
    with pytest.raises(AssertionError, match=r"the things of zone-[a-z-]+ are `Thing`s, one after the other, and not "):
        law(match)

"""The cards of a trick in the middle are shown as those of the seats that laid them."""

from pathlib import Path

import pytest
from kifu import load

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("game", ["take_and_share", "gosne"])
def test_a_card_of_the_trick_is_of_the_seat_that_laid_it(game: str) -> None:
    match = load(sorted((FIXTURES / game).glob("*.log"))[0])
    laid: list[int] = []
    tricks = 0
    for step in match.steps:
        scene = match.game.scene(match.game.view(step.after, None))
        trick = next(zone.things for zone in scene.table.zones if zone.label == "zone-trick")
        if len(trick) > len(laid):
            laid.append(step.seat)
        elif not trick:
            tricks += bool(laid)
            laid = []
        assert [thing.seat for thing in trick] == laid
    assert tricks > 3

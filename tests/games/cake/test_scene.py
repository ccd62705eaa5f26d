"""Marie's cake on the table: what can be clicked."""

from __future__ import annotations

import pytest
from kifu.core.game import evolve
from kifu.games.cake import GAME
from kifu.games.cake.model import Options, State


def test_a_hand_and_an_acquired_pair_lie_before_the_seat_whose_choice_it_is() -> None:
    handed = evolve(GAME.start(Options(), 3), hand=(1, 4, 5, 6), pairs=((2, 3), (), ()))
    assert shown(handed, 1) == {(0, "zone-pair"): ((), 2), (1, "zone-hand"): (("1", "4", "5", "6"), 4)}
    assert shown(handed, 2) == {(0, "zone-pair"): ((), 2), (1, "zone-hand"): ((), 4)}
    acquired = evolve(GAME.start(Options(), 3), pairs=((2, 3), (1, 4), ()), votes=(True,) * 3, acquired=(5, 6))
    assert shown(acquired, None) == {
        (0, "zone-pair"): (("2", "3"), 2),
        (1, "zone-pair"): (("1", "4"), 2),
        (2, "zone-acquired"): (("5", "6"), 2),
    }


@pytest.mark.parametrize(
    ("viewer", "marks"),
    [
        (0, [("mark-elder", "mark-discontent"), ("mark-voted",), ()]),
        (1, [("mark-elder", "mark-voted"), ("mark-content",), ()]),
        (None, [("mark-elder", "mark-voted"), ("mark-voted",), ()]),
    ],
)
def test_marks_tell_who_has_voted_but_not_what(viewer: int | None, marks: list[tuple[str, ...]]) -> None:
    state = evolve(GAME.start(Options(), 3), pairs=((1, 2), (3, 4), (5, 6)), votes=(False, True, None))
    assert [place.marks for place in GAME.scene(GAME.view(state, viewer)).places] == marks


def shown(state: State, viewer: int | None) -> dict[tuple[int | None, str], tuple[tuple[str, ...], int]]:
    """Return the texts of the faces and the number of cards of each zone that is not empty."""
    return {
        (place.seat, zone.label): (
            tuple(face.text for thing in zone.things for face in thing.faces),
            sum(thing.count for thing in zone.things),
        )
        for place in GAME.scene(GAME.view(state, viewer)).places
        for zone in place.zones
        if zone.things
    }

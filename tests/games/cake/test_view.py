"""The view of each seat of Marie's cake, where a function of the state says who sees what."""

from typing import Any

import pytest
from kifu.core.game import evolve
from kifu.games.cake import GAME
from kifu.games.cake.model import Options

PILE = (1, 2, 3, 4, 5, 6)
NO_VOTES = (None,) * 3
OPENED = evolve(GAME.start(Options(), 3), piles=(PILE, (), PILE, PILE, PILE, PILE), hand=PILE)
HANDED_ON = evolve(OPENED, hand=(1, 4, 5, 6), pairs=((2, 3), (), ()))
LAID = evolve(OPENED, hand=(), pairs=((2, 3), (1, 4), (5, 6)))
VOTED = evolve(LAID, votes=(False, None, True))
COUNTED = evolve(LAID, votes=(False, False, True))


@pytest.mark.parametrize(
    ("state", "field", "shown", "others", "known"),
    [
        pytest.param(OPENED, "hand", {0: PILE}, None, {"hand_size": 6}, id="CAKE-4 the elder looks at his pile"),
        pytest.param(HANDED_ON, "hand", {1: (1, 4, 5, 6)}, None, {"hand_size": 4}, id="CAKE-5 who chooses"),
        pytest.param(
            HANDED_ON,
            "pairs",
            {0: ((2, 3), None, None), 1: (None, (), None), 2: (None, None, ())},
            (None,) * 3,
            {"pair_sizes": (2, 0, 0)},
            id="CAKE-5 one's own pair",
        ),
        pytest.param(LAID, "pairs", {}, LAID.pairs, {}, id="CAKE-7 all see all pairs once all are laid"),
        pytest.param(
            VOTED,
            "votes",
            {0: (False, None, None), 1: NO_VOTES, 2: (None, None, True)},
            NO_VOTES,
            {"voted": (True, False, True)},
            id="CAKE-8 one's own vote before all are in",
        ),
        pytest.param(COUNTED, "votes", {}, COUNTED.votes, {}, id="CAKE-8 all votes once they are in"),
    ],
)
def test_who_sees_what(state: Any, field: str, shown: dict[int, Any], others: Any, known: dict[str, Any]) -> None:
    for viewer in (0, 1, 2, None):
        view = GAME.view(state, viewer)
        assert getattr(view, field) == shown.get(viewer, others), viewer
        assert {name: getattr(view, name) for name in known} == known

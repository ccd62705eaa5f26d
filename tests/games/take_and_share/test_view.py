"""The view of each seat of Take & Share."""

from pathlib import Path

from hypothesis import given
from kifu.core.log import load
from kifu.core.testing import matches
from kifu.games.take_and_share import GAME


@given(match=matches(GAME))
def test_ts_9_a_pile_is_its_owners_until_the_deal_is_scored(match) -> None:
    for state in match.states[1:]:
        scored = not state.trick and not any(state.hands)
        for viewer in (0, 1, 2, None):
            for seat, pile in enumerate(GAME.view(state, viewer).piles):
                assert pile == (state.piles[seat] if scored or seat == viewer else None)


LONG = Path(__file__).parents[3] / "fixtures" / "take_and_share" / "long_game_of_three.log"


def test_ts_12_every_deal_ends_with_all_piles_open_to_everybody() -> None:
    """In a long game the next deal follows at once: the piles are told while the deal is scored."""
    match = load(LONG)
    scored = [step for step in match.steps if any(note.key == "scored" for note in step.notes)]
    assert len(scored) > 1
    for step in scored:
        piles = tuple(tuple(sorted(pile)) for pile in step.after.piles)
        for viewer in (None, 0, 1, 2):
            opened = [dict(note.values) for note in step.notes_for(viewer) if note.key == "pile-open"]
            assert tuple(note["cards"] for note in opened) == piles
            assert [note["seat"] for note in opened] == [0, 1, 2]

"""A match in a list says how it ended: who has won, that nobody has, or that all are level."""

from types import SimpleNamespace

import pytest
from high_card import GAME
from kifu.core.game import Result
from kifu.core.testing.play import played
from kifu.core.text.texts import Texts
from kifu.replay.stepper.matches import match_cells


@pytest.mark.parametrize(
    ("result", "lang", "said"),
    [
        (Result((3, 1), (0,)), "en", "★ seat 0"),
        (Result((2, 2), (0, 1)), "en", "a draw"),
        (Result((2, 2), (0, 1)), "ja", "引き分け"),
        (Result((2, 2), (0, 1), (0, 0)), "en", "★ seat 0, ★ seat 1"),
        (Result((0, 0), ()), "en", "all lose"),
    ],
)
def test_the_end_in_a_list(result: Result, lang: str, said: str) -> None:
    match = played(GAME, 2, GAME.options(), 1)
    shown = SimpleNamespace(game=match.game, header=match.header, events=match.events, result=result)
    assert match_cells(shown, Texts(lang, "kifu.replay"))[2] == said

"""A section that begins between the notes of a step has its heading there: what ended before stands above it."""

from typing import Any

import attrs
import pytest
from high_card import GAME
from kifu.core.game import Note, SectionKind
from kifu.core.page.export import export
from kifu.core.testing.play import played
from kifu.core.text.texts import Texts
from kifu.replay.render.transcript import Transcript


def explain(step: Any, viewer: Any) -> Any:
    """Tell the round that ends, and then the one that begins, in the step of its last card."""
    for note in GAME.explain(step, viewer):
        yield attrs.evolve(note, begins=None) if note.begins is SectionKind.TURN else note
        if note.key == "turned-up":
            yield attrs.evolve(Note.of("laid", None, begins=SectionKind.ROUND, seat=0))


@pytest.fixture
def match() -> Any:
    game = GAME.altered(explain=explain)
    return played(game, 2, game.options(3), 1)


def test_the_terminal_shows_its_heading_between_the_notes(match: Any) -> None:
    lines = [line.plain for line in Transcript(match, None, Texts("en")).steps(range(len(match.events)))]
    ends = next(at for at, line in enumerate(lines) if "turned up" in line)
    heading = next(at for at, line in enumerate(lines) if line.startswith("Round 1"))
    begins = next(at for at, line in enumerate(lines) if at > heading and "lays a card" in line)
    assert ends < heading < begins


def test_an_export_says_with_which_note_it_begins(match: Any) -> None:
    (viewer,) = export(match, [None])["viewers"]
    begun = [each for each in viewer["begins"].values() if each[0] == "round"]
    assert begun[0] == ["round", 1, 2], "after the laid card and the cards turned up"

"""Which notes of two steps differ."""

import pytest
from attrs import evolve
from kifu.core.game import Note, Step
from kifu.replay.analysis.divergence import step_divergence

from ..conftest import played


@pytest.mark.parametrize(
    ("ours", "theirs", "differ"),
    [
        ("ab", "ab", None),
        ("ab", "a", "b"),
        ("a", "ab", "b"),
        ("abc", "adc", "bd"),
        ("abc", "bac", ""),
        ("aba", "abb", ""),
        ("ab", "", "ab"),
    ],
)
def test_notes_differ_that_the_other_step_has_nowhere(ours: str, theirs: str, differ: str | None) -> None:
    first = played("a", "b", "c", most=1).steps[0]
    game = evolve(first.game, explain=lambda *_: map(Note.of, theirs))
    found = step_divergence(first.after, tuple(map(Note.of, ours)), Step(first.event, first.before, first.after, game))
    assert (None if found is None else found.notes) == (None if differ is None else {*differ})

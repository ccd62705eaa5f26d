"""What becomes public in a step is told: a game that keeps silent about it breaks law 5.

What no view shows is in the notes of its step alone; each silence is planted in a game, and its golden logs show it.
"""

from pathlib import Path

import pytest
from kifu.core.match import registry
from kifu.core.testing.laws_of_record import golden_matches
from kifu.core.testing.laws_of_sight import a_history_suffices
from kifu.core.testing.mutants import rebased

FIXTURES = Path(__file__).parents[3] / "fixtures"
SILENCES = [
    ("cake", "turned-up", a_history_suffices),
    ("mabr", "looks", a_history_suffices),
    ("palace", "charge-fails", a_history_suffices),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "key", "law"), SILENCES, ids=lambda each: getattr(each, "__name__", each))
def test_a_planted_silence_is_caught(name, key, law):
    game = registry.find(name)
    silent = game.altered(explain=lambda step, viewer: (note for note in game.explain(step, viewer) if note.key != key))
    caught = []
    for match in golden_matches(game, FIXTURES / name):
        law(match)
        try:
            law(rebased(match, silent))
        except AssertionError as found:
            caught.append(str(found))
            break
    assert caught, f"{law.__name__} is green, though {key} is told to nobody"

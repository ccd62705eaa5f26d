"""The law of hints catches a game that hints at what its rules refuse, or recalls what is not so."""

from functools import partial

import attrs
import pytest
from high_card import GAME, Lay, determinize, legal
from kifu.core.game import Hints
from kifu.core.testing import game_laws


def even(state, seat):
    return ((command, 1.0) for command in legal(state, seat))


def standing(state):
    return [0] * len(state.hands)


def recall(view, redact):
    return partial(determinize, view)


HINTS = Hints(priors=even, evaluate=standing, determinize_history=recall)


def twice(state, seat):
    return (*even(state, seat), *even(state, seat))


def weightless(state, seat):
    return ((command, 0.0) for command, _ in even(state, seat))


def of_another(state, seat):
    return ((Lay(card), 1.0) for hand in state.hands for card in hand)


def another_view(view, redact):
    return lambda shuffler: GAME.start(GAME.options(), len(view.hands))


BROKEN = {
    "no prior": ({"priors": lambda state, seat: ()}, "there is no prior"),
    "a prior twice": ({"priors": twice}, "comes twice"),
    "no weight": ({"priors": weightless}, "above 0"),
    "no number": ({"priors": lambda state, seat: ((c, float("nan")) for c, _ in even(state, seat))}, "is nan"),
    "an illegal prior": ({"priors": of_another}, "is refused"),
    "a seat too few": ({"evaluate": lambda state: [0]}, "for every seat"),
    "another view": ({"determinize_history": another_view}, "gives another view"),
}


def test_hints_that_hold_pass():
    game_laws(attrs.evolve(GAME, hints=HINTS), examples=5)().test_5_hints_hold()
    game_laws(GAME, examples=5)().test_5_hints_hold()


@pytest.mark.parametrize(("change", "says"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_hints_are_caught(fails, change, says):
    fails("test_5_hints_hold", attrs.evolve(GAME, hints=attrs.evolve(HINTS, **change)), says)

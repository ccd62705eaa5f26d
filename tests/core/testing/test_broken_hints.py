"""The law of hints catches a game that hints at what its rules refuse, or recalls what is not so."""

from functools import partial

import attrs
import pytest
from high_card import GAME, Lay
from kifu.core.game import Hints
from kifu.core.log import load, log_bytes
from kifu.core.testing import game_laws
from kifu.core.testing.play import played


def even(state, seat):
    return ((command, 1.0) for command in GAME.legal(state, seat))


def standing(state):
    return [0] * len(state.hands)


def recall(view, redact):
    return partial(GAME.determinize, view)


HINTS = Hints(priors=even, evaluate=standing, determinize_history=recall)


def with_hints(**changes):
    return GAME.altered(extras=(attrs.evolve(HINTS, **changes),))


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
    "an impossible state": ({"likelihood": lambda view, seen: lambda state: 0.0}, "the likelihood .* above 0"),
    "no likelihood": ({"likelihood": lambda view, seen: lambda state: float("nan")}, "the likelihood .* is nan"),
    "another view": ({"determinize_history": another_view}, "gives another view"),
}


def test_hints_that_hold_pass():
    game_laws(with_hints(), examples=5)().test_5_hints_hold()
    game_laws(GAME, examples=5)().test_5_hints_hold()


@pytest.mark.parametrize(("change", "says"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_hints_are_caught(fails, change, says):
    fails("test_5_hints_hold", with_hints(**change), says)


@pytest.fixture
def golden(tmp_path):
    """Return a folder of one golden log, and the state of it that comes but once."""
    match = played(GAME, 4, GAME.options(), 0)
    (tmp_path / "one.log").write_bytes(log_bytes(match))
    return tmp_path, match.states[-3]


RARE = {
    "raises": (lambda state, seat: 1 / 0, "before event 11: a hint raised ZeroDivisionError"),
    "names what is illegal": (
        lambda state, seat: [(Lay(99), 1.0)],
        r"before event 11: the prior Lay\(card=99\) .* is refused",
    ),
}


@pytest.mark.parametrize(("answer", "says"), RARE.values(), ids=RARE.keys())
def test_hints_are_asked_after_every_event_of_golden_logs(fails, golden, answer, says):
    folder, rare = golden

    def priors(state, seat):
        return answer(state, seat) if state == rare else even(state, seat)

    law = "test_5_hints_hold_throughout_golden_logs"
    getattr(game_laws(with_hints(), golden=folder)(), law)()
    fails(law, with_hints(priors=priors), says, golden=folder)


def test_hints_are_asked_in_drawn_states_as_bots_ask_them(fails, golden):
    folder, _ = golden
    true = [state for each in folder.glob("*.log") for state in load(each, lambda _: GAME).states]

    def priors(state, seat):
        return even(state, seat) if state in true else []

    fails("test_5_hints_hold_throughout_golden_logs", with_hints(priors=priors), "no prior", golden=folder)


def test_a_folder_without_golden_logs_is_no_proof(fails, tmp_path):
    fails("test_9_golden_logs_are_shown", GAME, "there are no golden logs in", golden=tmp_path)

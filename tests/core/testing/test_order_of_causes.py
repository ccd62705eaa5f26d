"""A bug that breaks several laws is told by the first that fails: it is the cause, and the others follow from it."""

import re

import high_card
import pytest
from high_card import GAME, Lay
from kifu.core.game import evolve
from kifu.core.testing import game_laws

from .judging import failures, nothing_to_judge
from .test_broken_play import leaves_one_out, remembers

pytestmark = pytest.mark.ci  # some seconds

SLOW = ("test_6_whatever", "test_7_", "test_10_")


def starts_without_seats(options, seats):
    return high_card.State(options, (), (), (), ())


def deals_too_few(state, shuffler):
    return high_card.Deal(GAME.deal(state, shuffler).cards[1:])


def takes_back_the_last_card(state, seat, command):
    """Give the card back that would be the last one of a hand."""
    after = GAME.apply(state, seat, command)
    return state if isinstance(command, Lay) and not after.hands[seat] else after


def fails_at_the_highest_card(state, seat, command):
    if isinstance(command, Lay) and command.card == 30:
        raise ZeroDivisionError
    return GAME.apply(state, seat, command)


def loses_a_card(state, seat, command):
    after = GAME.apply(state, seat, command)
    return evolve(after, rest=after.rest[1:] or after.rest) if isinstance(command, Lay) else after


def shows_the_hands(state, viewer):
    return evolve(GAME.view(state, viewer), hands=state.hands)


BUGS = {
    "nobody has a seat": ({"start": starts_without_seats}, "test_0_a_match_begins", "does not begin"),
    "a deal that is refused": ({"deal": deals_too_few}, "test_0_a_match_begins", "does not begin.*DEAL"),
    "an exception": (
        {"apply": fails_at_the_highest_card},
        "test_0_everything_answers",
        r"(?s)after event \d+ of match random-\d+ of \d seats with Options\(hand=\d\), .*: the game fails: "
        r".*ZeroDivisionError.*test_order_of_causes.py, line \d+.*play it again: python -m",
    ),
    "two answers": ({"apply": remembers}, "test_1_apply_is_pure", "in two ways"),
    "a command left out": (
        {"legal": leaves_one_out},
        "test_2_legal_and_apply_agree",
        "accepts .*, but legal does not yield it",
    ),
    "a lost card": ({"apply": loses_a_card}, "test_4_no_card_is_lost", "cards are missing"),
    "a leak": ({"view": shows_the_hands}, "test_5_nothing_leaks", "shows something new that neither the observed"),
}


@pytest.mark.parametrize(("changes", "law", "says"), BUGS.values(), ids=BUGS)
def test_the_first_law_that_fails_names_the_cause(unshrunk, changes, law, says):
    found = failures(GAME.altered(**changes), without=SLOW, examples=12)
    first, said = next(found)
    assert first == law, said
    assert re.search(says, str(said))
    assert next(found, None) is not None, "this bug breaks one law alone"


def test_a_match_that_does_not_end_is_found_before_all_that_takes_a_whole_one(unshrunk):
    law, said = next(failures(GAME.altered(apply=takes_back_the_last_card), without=SLOW, examples=12))
    assert law == "test_0_a_match_ends"
    assert re.match(r"no match of \d seats has ended, played at random, within 200\d events: let it end", str(said))


def test_the_tests_stand_in_the_order_of_the_laws():
    laws = game_laws(GAME)
    numbers = [int(name.split("_")[1]) for name in vars(laws) if name.startswith("test_")]
    assert numbers == sorted(numbers)
    assert laws.__bases__ == (object,), "pytest collects the tests of bases in an order of its own"


def test_a_game_may_have_no_end():
    assert nothing_to_judge(GAME, "test_0_a_match_ends", endless=True) == "matches of this game need not end"

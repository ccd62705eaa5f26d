"""Who wins a trick: truth or lie, guns or none, Hyoju's gun, X and CEO, ties; with each seat as Gosne."""

import attrs
import pytest
from kifu.core.game import Seat
from kifu.games.gosne.model import CEO, GOSNE, Declare, Options, Play, Rule, X
from kifu.games.gosne.rules import apply, contenders, start

GOSNE_, LEFT, HYOJU, RIGHT = range(4)
"""The places of a trick in the order of play."""


def gun(card):
    return Play(card, gun=True)


def nut(card):
    return Play(card, gun=False)


TRICKS = [
    # truth: the highest chestnut wins, guns lose
    (Rule.GOS_7, "four chestnuts", 9, (nut(9), nut(5), nut(7), nut(8)), GOSNE_),
    (Rule.GOS_7, "a higher chestnut of Hyoju", 5, (nut(5), nut(2), nut(7), nut(6)), HYOJU),
    (Rule.GOS_7, "a higher chestnut of a prosecutor", 5, (nut(5), nut(9), nut(7), nut(6)), LEFT),
    (Rule.GOS_7, "higher guns of both prosecutors", 1, (nut(1), gun(12), nut(2), gun(11)), HYOJU),
    (Rule.GOS_7, "a gun of one prosecutor, a chestnut of the other", 3, (nut(3), gun(12), nut(2), nut(4)), RIGHT),
    (Rule.GOS_7, "an equal chestnut of Hyoju", 8, (nut(8), gun(12), nut(8), nut(7)), HYOJU),
    (Rule.GOS_7, "equal chestnuts of the prosecutors", 5, (nut(5), nut(9), nut(7), nut(9)), RIGHT),
    (Rule.GOS_7, "an X as a chestnut", 9, (nut(9), nut(X), nut(12), gun(12)), LEFT),
    (Rule.GOS_7, "an X as a chestnut before the Gosne card", 9, (nut(9), nut(X), nut(12), nut(GOSNE)), LEFT),
    (Rule.GOS_7, "three X as chestnuts", 9, (nut(9), nut(X), nut(X), nut(X)), RIGHT),
    (Rule.GOS_7, "an X before CEO", 9, (nut(9), nut(X), nut(12), nut(CEO)), RIGHT),
    (Rule.GOS_7, "CEO before an X", 9, (nut(9), nut(CEO), nut(X), nut(8)), HYOJU),
    (Rule.GOS_7, "an X as a gun", 9, (nut(9), gun(X), nut(2), gun(12)), GOSNE_),
    # lie: the highest gun wins, chestnuts lose
    (Rule.GOS_8, "one low gun", 4, (nut(9), gun(1), nut(12), nut(X)), LEFT),
    (Rule.GOS_8, "guns of all three", 4, (nut(9), gun(3), gun(10), gun(7)), HYOJU),
    (Rule.GOS_8, "a gun of Hyoju alone", 4, (nut(9), nut(11), gun(2), nut(12)), HYOJU),
    (Rule.GOS_8, "equal guns", 4, (nut(9), gun(7), gun(3), gun(7)), RIGHT),
    (Rule.GOS_8, "a forced lie", 5, (nut(10), gun(1), nut(12), nut(12)), LEFT),
    (Rule.GOS_8, "a forced lie of the Gosne card", 6, (nut(GOSNE), gun(1), nut(12), nut(12)), LEFT),
    (Rule.GOS_8, "the Gosne card as a gun", 4, (nut(8), gun(12), nut(2), gun(GOSNE)), RIGHT),
    (Rule.GOS_8, "an X as the only gun", 4, (nut(9), nut(12), nut(12), gun(X)), RIGHT),
    (Rule.GOS_8, "an X as a gun against a 1", 4, (nut(9), gun(1), nut(12), gun(X)), LEFT),
    (Rule.GOS_8, "X and CEO as the only guns", 4, (nut(9), gun(CEO), gun(X), nut(2)), HYOJU),
    (Rule.GOS_8, "CEO after X as the only guns", 4, (nut(9), gun(X), gun(CEO), nut(2)), HYOJU),
    # lie without a gun: the highest card wins
    (Rule.GOS_8, "a lie that nobody shoots at", 5, (nut(11), nut(10), nut(9), nut(8)), GOSNE_),
    (Rule.GOS_8, "a lie that is not the highest", 4, (nut(8), nut(9), nut(3), nut(12)), RIGHT),
    (Rule.GOS_8, "a lie with an equal later card", 5, (nut(11), nut(10), nut(11), nut(8)), HYOJU),
    (Rule.GOS_8, "an X declared, no gun", 7, (nut(X), nut(12), nut(12), nut(11)), GOSNE_),
    (Rule.GOS_8, "an X declared, a later X", 7, (nut(X), nut(12), nut(X), nut(11)), HYOJU),
    (Rule.GOS_8, "CEO declared, a later X", 7, (nut(CEO), nut(12), nut(4), nut(X)), RIGHT),
    # an X declared is always a lie
    (Rule.GOS_8, "an X declared, one gun", 1, (nut(X), nut(12), nut(12), gun(1)), RIGHT),
    (Rule.GOS_8, "CEO declared, one gun", 9, (nut(CEO), nut(12), gun(2), nut(1)), HYOJU),
    # truth, and Hyoju shoots: the prosecutors' higher chestnut, else their higher gun
    (Rule.GOS_9, "chestnuts of both prosecutors", 9, (nut(9), nut(3), gun(12), nut(2)), LEFT),
    (Rule.GOS_9, "a chestnut of one prosecutor", 9, (nut(9), gun(11), gun(12), nut(1)), RIGHT),
    (Rule.GOS_9, "guns of both prosecutors", 9, (nut(9), gun(11), gun(12), gun(2)), LEFT),
    (Rule.GOS_9, "equal chestnuts of the prosecutors", 9, (nut(9), nut(3), gun(12), nut(3)), RIGHT),
    (Rule.GOS_9, "equal guns of the prosecutors", 9, (nut(9), gun(3), gun(12), gun(3)), RIGHT),
    (Rule.GOS_9, "an X as a chestnut", 9, (nut(9), nut(X), gun(12), nut(12)), LEFT),
    (Rule.GOS_9, "an X as the only chestnut", 9, (nut(9), gun(12), gun(12), nut(X)), RIGHT),
    (Rule.GOS_9, "an X as a gun", 9, (nut(9), gun(1), gun(12), gun(X)), LEFT),
    (Rule.GOS_9, "X and CEO as chestnuts", 9, (nut(9), nut(X), gun(12), nut(CEO)), RIGHT),
    (Rule.GOS_9, "X and CEO as guns", 9, (nut(9), gun(CEO), gun(12), gun(X)), RIGHT),
    (Rule.GOS_9, "Hyoju's gun an X", 9, (nut(9), nut(2), gun(X), nut(1)), LEFT),
]


@pytest.mark.parametrize("gosne", range(4))
def test_the_trick_goes_to(gosne):
    """GOS-7 to GOS-12, GOS-R5, GOS-R6."""
    for rule, what, number, trick, place in TRICKS:
        goes_to(gosne, rule, what, number, trick, place)


def goes_to(gosne, rule, what, number, trick, place):
    """Play a trick, and hold that it goes to the seat in this place after Gosne, by this rule."""
    seats = [Seat((gosne + at) % 4) for at in range(4)]
    hands = [()] * 4
    for seat, play in zip(seats, trick, strict=True):
        hands[seat] = (1, play.card)  # the 1 is for a next trick
    state = attrs.evolve(start(Options(whistleblower=True), 4), gosne=seats[0], hands=tuple(hands))

    state = apply(state, seats[0], Declare(trick[0].card, number))
    for seat, play in zip(seats[1:], trick[1:], strict=True):
        state = apply(state, seat, play)
    assert state.gosne == seats[place], what
    assert sorted(state.taken[seats[place]]) == sorted(play.card for play in trick), what
    assert contenders(trick, number)[0] is rule, what

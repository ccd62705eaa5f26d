"""What a lead, and a trick that lies so far, are worth to a bot that plays Gosne."""

from __future__ import annotations

from ...core.game import evolve
from .model import Declare, Play, is_x
from .rules import strength

HIGHEST = 12
HYOJU = 2
"""The place of Hyoju's card in a trick."""
TRUTH, LIE, X_LEAD = 3.0, 0.8, 0.2
"""What a lead is worth: a truth of the highest number, a lie of the lowest, and an X, which is always a lie."""
WON, LEADS, LEAD_HOLDS, X_STRENGTH = 8.0, 3.0, 3.0, 13
"""The value of a trick won, of one that the side leads, and what that gains if nothing is higher; X is next to 12."""
BEHIND = 0.5
"""The value of a trick that the other side leads or has won."""
BELIEF = 8.0
"""How many times likelier than by the cards alone Hyoju takes it that his partner told the truth."""


def lead(declare: Declare) -> float:
    """Weigh Gosne's card by who is likely to win the trick, and by what it gives away.

    A truth is won by the highest chestnut, if Hyoju believes it; a lie by the highest gun, and guns are the rivals'
    as likely as Hyoju's. An X wins nothing where it is laid, and the trick in which it is a chestnut later.
    """
    card = declare.card
    if is_x(card):
        return X_LEAD
    if card == declare.number:
        return TRUTH * card / HIGHEST
    return LIE * (1 - card / (2 * HIGHEST))  # what wins later is not led away


def worth(chance: float, height: int, *, last: bool) -> float:
    """Weigh a trick that the side leads with this chance, by a card so high; after the last card it is won."""
    ahead = WON if last else LEADS + LEAD_HOLDS * (height / X_STRENGTH)
    return chance * ahead + (1 - chance) * BEHIND


def height(play: Play) -> int:
    """Return how high a card is, X being next to 12 where it is a chestnut."""
    return min(strength(play), X_STRENGTH)


def thrift(play: Play) -> float:
    """Return the factor by which a dear card is worth less to play: the dearest is an X, which may be a chestnut."""
    return 1 - strength(evolve(play, gun=False)) / 200

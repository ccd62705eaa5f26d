"""The data of High Card: rules by number, cards, options, commands, state. All of it is immutable."""

from typing import Literal

from attrs import frozen
from kifu.core.game import Card, Face, RuleBook


class Rule(RuleBook):
    """The rulebook, a sentence a member: `HC_1` is rule HC-1. A ruling of your own is `HC_R1`."""

    HC_1 = "Every seat gets a hand; the rest of the thirty cards stays face down."
    HC_2 = "Everybody lays one card of the hand face down, in any order."
    HC_3 = "When all have laid a card, all are turned up, and the highest scores one point."
    HC_4 = "When the hands are empty the most points win; ties share the victory."


Cards = tuple[Card, ...]
DECK: Cards = tuple(Card(number) for number in range(1, 31))


def face(card: Card) -> Face:
    """Return how a card looks."""
    return Face(str(card))


@frozen
class Options:
    """The options of the game; each has a default."""

    hand: Literal[1, 3, 5] = 3
    """How many cards each seat is dealt."""


@frozen(slots=False)
class Deal:
    """The shuffled deck: each seat's hand in turn, then the rest."""

    cards: Cards


@frozen(slots=False)
class Lay:
    """A card of the hand, face down."""

    card: Card


Command = Deal | Lay


@frozen(slots=False)
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    hands: tuple[Cards, ...]
    laid: tuple[Card | None, ...]
    turned: tuple[Cards, ...]
    """Each seat's cards that were turned up, round by round."""
    rest: Cards
    """The cards that nobody has; before the deal there are none."""

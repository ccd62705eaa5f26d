"""The data of Goofspiel: rules by number, cards, options, commands, state. All of it is immutable."""

from typing import Literal

from attrs import frozen
from kifu.core.game import Card, Face, RuleBook


class Rule(RuleBook):
    """The rulebook, a sentence a member: `GOO_1` is rule GOO-1. A ruling of your own is `GOO_R1`."""

    GOO_1 = "The prizes lie in a row, shuffled or in order, and the first is turned up; each seat has the same bids."
    GOO_2 = "For each prize everybody bids one card of the hand, face down, in any order."
    GOO_3 = "When all have bid, the bids are turned up, and the highest takes the prize, if nobody else bid as much."
    GOO_4 = "After the last prize the most points win; ties share the victory, or are a draw."


Cards = tuple[Card, ...]


@frozen
class Options:
    """The options of the game; each has a default."""

    size: Literal[4, 7, 10, 13] = 13
    """How many prizes there are, and bids in each hand."""
    order: Literal["shuffled", "ascending", "descending"] = "shuffled"
    """In which order the prizes come; nothing is dealt where it is known."""


@frozen(slots=False)
class Deal:
    """The shuffled prizes, the first one to be bid for first."""

    prizes: Cards


@frozen(slots=False)
class Bid:
    """A card of the hand, face down."""

    card: Card


Command = Deal | Bid


@frozen(slots=False)
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    prizes: Cards
    """All prizes in their order; before the deal there are none."""
    hands: tuple[Cards, ...]
    bids: tuple[Card | None, ...]
    """The bids that lie face down."""
    shown: tuple[Cards, ...]
    """Each seat's bids that were turned up, round by round."""


def deck(options: Options) -> Cards:
    """Return the prizes, ascending; each hand is the same."""
    return tuple(Card(number) for number in range(1, options.size + 1))


def face(card: Card) -> Face:
    """Return how a card looks."""
    return Face(str(card))

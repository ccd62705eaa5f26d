"""The data of Hearts: rules by number, cards, options, commands, state. All of it is immutable."""

from typing import Literal

from attrs import frozen
from kifu.core.game import Card, Face, RuleBook, Seat
from kifu.core.game import Message as BaseMessage


class Message(BaseMessage):
    """A message of Hearts."""

    __slots__ = ()
    package = __package__


class Rule(RuleBook):
    """The rulebook, a sentence a member."""

    HEARTS_1 = "Each of four seats gets thirteen of the fifty-two cards."
    HEARTS_2 = "Every seat passes three cards: in the first deal to the left, then to the right, across, not at all."
    HEARTS_3 = "Who holds ♣2 leads it to the first trick."
    HEARTS_4 = "In turn every seat plays one card of its hand."
    HEARTS_5 = "A seat that has a card of the led suit follows suit."
    HEARTS_6 = "In the first trick nobody plays a heart or ♠Q, unless the hand has nothing else."
    HEARTS_7 = "Hearts are led only once one has been played, unless the hand has nothing else."
    HEARTS_8 = "The highest card of the led suit takes the trick, and its seat leads the next."
    HEARTS_9 = "Each heart that a seat has taken is one point, ♠Q is thirteen."
    HEARTS_10 = "A seat that has taken all of them has no points for it, and every other seat has twenty-six."
    HEARTS_11 = "After the last deal the fewest points win; ties share the victory."


SEATS, PASSED = 4, 3
SUITS, RANKS = "♣♦♠♥", ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPADES, HEARTS = 2, 3

Cards = tuple[Card, ...]
DECK: Cards = tuple(Card(number) for number in range(52))
"""A card is its suit times thirteen, and its rank."""
CLUBS_2, SPADES_Q = Card(0), Card(13 * SPADES + 10)


def suit(card: Card) -> int:
    """Return the number of a card's suit."""
    return card // 13


def face(card: Card) -> Face:
    """Return how a card looks."""
    return Face(SUITS[suit(card)] + RANKS[card % 13], "red" if suit(card) in (1, HEARTS) else "ink")


@frozen
class Options:
    """The options of the game; each has a default."""

    deals: Literal[1, 2, 3, 4] = 1
    """How many deals are played."""
    first_points: bool = False
    """Points may be played to the first trick: HEARTS-6 does not hold. So it was in version 1 of these rules."""


@frozen(slots=False)
class Deal:
    """The shuffled deck: each seat's hand in turn."""

    cards: Cards


@frozen(slots=False)
class Pass:
    """Three cards of the hand, ascending."""

    cards: Cards


@frozen(slots=False)
class Play:
    """A card of the hand."""

    card: Card


Command = Deal | Pass | Play


@frozen(slots=False)
class State:
    """The whole table. What can be derived is not stored."""

    options: Options
    dealt: int
    """The number of deals so far."""
    totals: tuple[int, ...]
    """The points of the deals before this one."""
    hands: tuple[Cards, ...]
    passed: tuple[Cards | None, ...]
    """What each seat passes, until all have; None: nothing yet, or no longer."""
    passing: bool
    leader: Seat
    trick: Cards
    """From the leader on."""
    taken: tuple[Cards, ...]
    """What each seat has taken in this deal."""

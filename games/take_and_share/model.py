"""Options, commands and state of Take & Share: data only."""

from __future__ import annotations

from attrs import frozen

from ...core.game import Card, RuleBook, Seat, seat_option


class Rule(RuleBook):
    """The rulebook (001, Take & Share) and our rulings, by number."""

    TS_1 = (
        "With 4 seats 14 cards each and 4 share cards face up; with 3 seats 15 each and 3 share cards. Nobody shows "
        "the hand."
    )
    TS_2 = "A card played is of the hand, face up; the lead may play any."
    TS_3 = "Who holds a card of the led suit must play that suit; who holds none may play any card."
    TS_4 = "If all cards are of the led suit, the highest number wins the trick."
    TS_5 = "If at least one card is of another suit, the lowest number wins, whatever its suit."
    TS_6 = "Of equal lowest numbers the earliest played wins."
    TS_7 = "The winner swaps the trick for the share cards: the cards just played are the next share cards."
    TS_8 = "The winner gives the old share cards away, exactly one to every seat, himself included."
    TS_9 = "Only the owner may look at his pile of received cards, at any time."
    TS_10 = "The winner leads the next trick; tricks go on until the hands are empty."
    TS_11 = "The last trick too is followed by a share; its own cards are never shared."
    TS_12 = "In each suit every seat with the highest sum of numbers scores the number of its cards in that suit."
    TS_13 = "The highest total wins; ties share the victory."
    TS_14 = "A long game ends with the deal after which some total is more than 20 (4 seats) or 30 (3 seats)."
    TS_R1 = "The six suits are spades, hearts, diamonds, clubs, stars and moons, in this order."
    TS_R2 = "In a long game the first lead moves one seat to the left with every deal."


@frozen
class Options:
    """The options of a match, fixed before the first deal."""

    first: int = seat_option()
    """The seat that leads the first trick."""
    long: bool = False
    """True if deals are played until some total is high enough (TS-14)."""


@frozen(slots=False)
class Deal:
    """The table deals the shuffled deck: each seat's slice in turn, the last cards are the share cards."""

    cards: tuple[Card, ...]


@frozen(slots=False)
class Play:
    """A card to the trick."""

    card: Card


@frozen(slots=False)
class Share:
    """The old share cards, the one for seat 0 first."""

    cards: tuple[Card, ...]


Command = Deal | Play | Share

Cards = tuple[Card, ...]


@frozen(slots=False)
class State:
    """The whole table."""

    options: Options
    deals: int
    """How many deals were dealt."""
    totals: tuple[int, ...]
    """Each seat's points of all finished deals."""
    lead: Seat
    """Who leads the trick; the first lead of the next deal while none is dealt."""
    hands: tuple[Cards, ...]
    shares: Cards
    """The share cards on the table, face up; after the last trick of a deal the cards of that trick."""
    trick: Cards
    """The cards played to the trick, the lead's first."""
    piles: tuple[Cards, ...]
    """The cards that each seat received, in order."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.totals)

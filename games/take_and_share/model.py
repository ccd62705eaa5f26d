"""Options, commands and state of Take & Share: data only."""

from __future__ import annotations

from ...core import game as k


class Message(k.Message):
    """Why an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(k.RuleBook):
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
    TS_10 = "The winner leads the next trick; the hands are empty after 14 tricks (4 seats) or 15 (3 seats)."
    TS_11 = "The last trick too is followed by a share; its own cards are never shared."
    TS_12 = "In each suit every seat with the highest sum of numbers scores the number of its cards in that suit."
    TS_13 = "The highest total wins; ties share the victory."
    TS_14 = (
        "A long game (the option `long`) ends with the deal after which some total is more than 20 (4 seats) or 30 "
        "(3 seats); the highest total wins."
    )
    TS_R1 = "The six suits are spades, hearts, diamonds, clubs, stars and moons, in this order."
    TS_R2 = "If there is more than one deal, the first lead moves one seat to the left with every deal."
    TS_R3 = "So many deals as `deals` says are played, and their totals add up."


@k.options
class Options:
    """The options of a match, fixed before the first deal."""

    first: int = k.seat_option(default=0)
    """The seat that leads the first trick."""
    long: bool = False
    """True if deals are played until some total is high enough (TS-14)."""
    deals: int = 1
    """How many deals are played, unless the game is long (TS-R3)."""


@k.command("deal")
class Deal:
    """The table deals the shuffled deck: each seat's slice in turn, the last cards are the share cards."""

    cards: tuple[k.Card, ...] = k.secret()


@k.command("play")
class Play:
    """A card to the trick."""

    card: k.Card = k.public()


@k.command("share")
class Share:
    """The old share cards, the one for seat 0 first."""

    cards: tuple[k.Card, ...] = k.public(thing="share")


Command = Deal | Play | Share

Cards = tuple[k.Card, ...]


def is_scored(state: State) -> bool:
    """Return True if the deal is over, and with it all piles public."""
    return state.deals > 0 and not state.trick and not any(state.hands)


def open_piles(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Its owner (TS-9), and everybody once the deal is over."""
    return is_scored(state) or tuple([seat == viewer for seat in range(state.seats)])


@k.state
class State:
    """The whole table."""

    options: Options
    deals: int = k.public()
    """How many deals were dealt."""
    totals: tuple[int, ...] = k.public()
    """Each seat's points of all finished deals."""
    lead: k.Seat = k.public()
    """Who leads the trick; the first lead of the next deal while none is dealt."""
    hands: tuple[Cards, ...] = k.own()
    shares: Cards = k.public()
    """The share cards on the table, face up; after the last trick of a deal the cards of that trick."""
    trick: Cards = k.public()
    """The cards played to the trick, the lead's first."""
    piles: tuple[Cards, ...] = k.seen_by(open_piles, in_order=True)
    """The cards that each seat received, in order."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.totals)

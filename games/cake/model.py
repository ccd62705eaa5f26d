"""Options, commands and state of Marie's Cake: data only."""

from __future__ import annotations

from ...core import game as k


class Message(k.Message):
    """Why a command or an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(k.RuleBook):
    """The rulebook (000, Marie's Cake) and our rulings, by number."""

    CAKE_1 = "3 seats play with 6 piles of 6 cards, 4 with 5 of 8, 5 with 5 of 10; the rest is out, unseen."
    CAKE_2 = "There are as many rounds as piles."
    CAKE_3 = "The option names the first elder; brothers go clockwise from him, his right neighbour is youngest."
    CAKE_4 = "The elder chooses any unopened pile and looks at it."
    CAKE_5 = (
        "From the elder on, each takes two of the cards handed to him, face down, and hands the rest on to the left."
    )
    CAKE_6 = "The youngest chooses nothing: the last two cards are his."
    CAKE_7 = "When all have two cards, all are turned face up."
    CAKE_8 = "All vote at the same time, content or discontent; nobody sees a vote before all are in."
    CAKE_9 = (
        "Two or more discontent: from the youngest counter-clockwise to the elder, each acquires the pair in front of "
        "another brother; a pair is acquired once."
    )
    CAKE_10 = "The elder acquires his own pair if it is the only one left; else nobody claims his own."
    CAKE_11 = "Fewer than two discontent: each acquires the pair in front of himself."
    CAKE_12 = (
        "Each card of an acquired pair is kept, face up for good, or eaten: all see which, then it lies face down."
    )
    CAKE_13 = "A seat eats at most two cards in the whole game."
    CAKE_14 = "The next elder is this round's youngest."
    CAKE_15 = (
        "After the last pile each eaten card scores 1, and the kept cards of a rank score together: one -3, two -1, "
        "three 1, four 3, five 5, six 6, seven 7, eight 8; none 0."
    )
    CAKE_16 = "The highest total wins; ties go to more kept 7s, then 6s, and so on to the 1s."
    CAKE_R1 = "Under CAKE-11 too the youngest settles first, counter-clockwise, and the elder last."
    CAKE_R2 = "Seats still tied after CAKE-16 share the victory."
    CAKE_R3 = "The elder votes like every brother, unless the option takes his vote away."
    CAKE_R4 = "A seat may look at its own eaten cards again; the others see their number."


Cards = tuple[k.Card, ...]


@k.options
class Options:
    """The options of a match, fixed before the first round."""

    first: int = k.seat_option(default=0)
    """The elder of the first round."""
    elder_votes: bool = True
    """True if the elder votes like his brothers (CAKE-R3)."""


@k.command("deal")
class Deal:
    """The table deals the shuffled deck: pile after pile; the cards left over are out of the game."""

    cards: Cards = k.secret()


@k.command("open")
class Open:
    """The elder opens a pile."""

    pile: k.Index = k.public(thing="pile")


@k.command("take")
class Take:
    """A brother takes two of the cards handed to him and hands the rest on."""

    cards: Cards = k.secret()


@k.command("vote")
class Vote:
    """A vote on the pairs that lie face up."""

    content: bool = k.secret()


@k.command("claim")
class Claim:
    """A brother acquires the pair before the owner."""

    owner: k.Seat = k.public()


@k.command("settle")
class Settle:
    """Of the pair just acquired the seat eats these cards and keeps the others."""

    eat: Cards = k.public()


Command = Deal | Open | Take | Vote | Claim | Settle


def is_taker(state: State, viewer: int | None) -> bool:
    """The brother who chooses (CAKE-4, CAKE-5)."""
    return bool(state.hand) and viewer == state.taker


def turned_up(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Its owner, and everybody once all have two cards (CAKE-7)."""
    return not state.hand or tuple([seat == viewer for seat in range(state.seats)])


def counted(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """Its owner, and everybody once all votes are in (CAKE-8)."""
    return all_voted(state) or tuple([seat == viewer for seat in range(state.seats)])


@k.state
class State:
    """The whole table. The cards of each place are in ascending order."""

    options: Options
    elder: k.Seat = k.public()
    """The elder of this round, or between two rounds of the next."""
    piles: tuple[Cards, ...] = k.nobody(in_order=False)
    """The piles by index, an opened one empty; none before the deal."""
    out: Cards = k.nobody(in_order=False)
    """The cards that are out of the game."""
    hand: Cards = k.seen_by(is_taker)
    """The cards being handed on from brother to brother."""
    pairs: tuple[Cards, ...] = k.seen_by(turned_up)
    """The two cards before each seat, if they are there."""
    votes: tuple[bool | None, ...] = k.seen_by(counted, sizes="voted")
    """The vote of each seat on this round's pairs: True is content, None is no vote."""
    acquired: Cards = k.public()
    """The pair that a seat has acquired and not yet settled."""
    kept: tuple[Cards, ...] = k.public()
    eaten: tuple[Cards, ...] = k.own()

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.pairs)

    @property
    def taker(self) -> int:
        """Return the brother who holds the hand: the elder, then clockwise who has no pair yet (CAKE-5)."""
        return k.Seat((self.elder - self.pairs.count(())) % len(self.pairs))


def all_voted(state: State) -> bool:
    """Return True if every vote is in, so that all may be seen (CAKE-8)."""
    return state.votes.count(None) == (0 if state.options.elder_votes else 1)

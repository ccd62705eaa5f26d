"""Cards, options, commands and state of Gosne is Gone: data only."""

from __future__ import annotations

from typing import Any, Literal

from attrs import field, frozen

from ...core import game as k


class Message(k.Message):
    """Why a command or an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(k.RuleBook):
    """The rulebook (003, Gosne is Gone) and our rulings, by number."""

    GOS_1 = (
        "Seats 0 and 2 are partners, and 1 and 3; seven cards each. "
        "Nobody shows the hand or speaks of it, not even to the partner."
    )
    GOS_2 = (
        "The dealer gives the partner two cards of the hand and gets two back; then the left neighbour's pair does so."
    )
    GOS_3 = (
        "Seven tricks; the dealer's left neighbour is the first Gosne; opposite sits Hyoju, the other two are "
        "prosecutors."
    )
    GOS_4 = (
        "Gosne plays a card from the hand face down and declares its number, which is the truth, or half of it, "
        "rounded down, which is a lie."
    )
    GOS_5 = "The declared number is 1 to 9."
    GOS_6 = "The others follow clockwise with any card of the hand, face up (a gun) or face down (a chestnut)."
    GOS_7 = "Truth: the highest chestnut wins, guns lose."
    GOS_8 = "Lie: the highest gun wins, chestnuts lose; with no gun at all the highest card wins."
    GOS_9 = (
        "Truth, and Hyoju played a gun: Gosne and Hyoju lose, and the higher of the prosecutors' chestnuts wins, or of "
        "their guns if there is none."
    )
    GOS_10 = "Of equal highest cards the later played wins."
    GOS_11 = "X is the highest of chestnuts and the lowest of guns."
    GOS_12 = "Gosne may declare an X as any number 1 to 9; it is always a lie."
    GOS_13 = "The winner takes the four cards face down and is the next Gosne."
    GOS_14 = "When the hands are empty each pair counts the chestnuts on its cards; more chestnuts win."
    GOS_15 = "Several hands (`hands`): chestnuts are noted as points, the deal goes round until all four have dealt."
    GOS_16 = (
        "Whistleblower (the option `whistleblower`): 30 cards, seven each; two stay unseen and go to the winner of the "
        "last trick."
    )
    GOS_17 = "Whistleblower: the holder of the Gosne card shows it and is the first Gosne; else a new deal."
    GOS_18 = (
        "Whistleblower: who were dealt Gosne and CEO are a pair. The holder of CEO keeps silent. There is no exchange."
    )
    GOS_19 = "Whistleblower: Gosne's number is 13, CEO is an X; Hyoju still sits opposite Gosne."
    GOS_R1 = "The option `chestnuts` says how many each card shows: 1 unless told, which we assume."
    GOS_R2 = "With equal chestnuts all seats tied share the victory."
    GOS_R3 = (
        "Who was dealt both cards, or Gosne while CEO is unseen, is alone against three, or by the option `alone` the "
        "same dealer deals again."
    )
    GOS_R4 = "A seat scores its side's chestnuts; over several hands the seats with the most points win."
    GOS_R5 = "Of two equal cards of the prosecutors under GOS-9 the later played wins."
    GOS_R6 = "X and CEO are of equal rank: the later played is higher."
    GOS_R7 = (
        "All may look at the last trick until the next is won, a pair at its own gifts until the hand is counted, "
        "and then all at every pile."
    )

    @property
    def ruling(self) -> bool:
        """True if the rulebook leaves the question open; of equal cards it says itself which wins, in every case."""
        return super().ruling and self not in (Rule.GOS_R5, Rule.GOS_R6)


X = k.Card(0)
GOSNE = k.Card(13)
CEO = k.Card(14)

SEATS = 4
HAND = 7
"""How many cards a hand has, which are also the tricks of a hand (GOS-1, GOS-3)."""

NUMBERS = range(1, 10)
"""The numbers that may be declared (GOS-5)."""


def is_x(card: k.Card) -> bool:
    """Return True if the card is an X, as the CEO card is too (GOS-19)."""
    return card in (X, CEO)


def chestnuts_on(options: Options, card: k.Card) -> int:
    """Return the number of chestnuts that are drawn on a card (GOS-R1)."""
    return dict(options.chestnuts).get(card, 1) if options.chestnuts else 1


@k.options
class Options:
    """The options of a match, fixed before the first deal."""

    dealer: int = k.seat_option(default=0)
    """The seat that deals first."""
    whistleblower: bool = False
    """True if the Gosne and the CEO card are shuffled in and make the pairs (GOS-16 to GOS-19)."""
    alone: Literal["three", "redeal"] = "three"
    """Whether the Gosne card's holder plays without a partner, one against `three`, or there is a new deal (GOS-R3)."""
    hands: int = field(default=1, metadata={"suggested": 4})
    """How many hands are played: 1, or 4, so that all have dealt once (GOS-15), as the publisher sells the game."""
    chestnuts: tuple[tuple[int, int], ...] = k.mapping(default=(), pairs=True)
    """How many chestnuts are drawn on the cards of each rank (X: 0, Gosne: 13, CEO: 14).

    The rulebook does not print them. That a rank not named here shows 1 is an assumption of ours (GOS-R1).
    """


@k.command("deal")
class Deal:
    """The table deals the shuffled deck: each seat's seven in turn, the last two of 30 stay unseen."""

    cards: tuple[k.Card, ...] = k.secret()


def is_partner(step: k.Step[Any, Any], viewer: int | None) -> bool:
    """Both of the pair (GOS-2)."""
    return viewer is not None and viewer == partner(step.seat)


def is_gun(step: k.Step[Any, Any], viewer: int | None) -> bool:
    """Everybody if it is a gun, which lies face up (GOS-6)."""
    return isinstance(step.command, Play) and step.command.gun


@k.command("give")
class Give:
    """Two cards to the partner, ascending."""

    cards: tuple[k.Card, ...] = k.seen_by(is_partner)


@k.command("declare")
class Declare:
    """Gosne's card, face down, and the number he says it has."""

    card: k.Card = k.secret()
    number: int = k.public()


@k.command("play")
class Play:
    """A card to the trick: face up as a gun, or face down as a chestnut."""

    card: k.Card = k.seen_by(is_gun)
    gun: bool = k.public()


Command = Deal | Give | Declare | Play

Cards = tuple[k.Card, ...]
Trick = tuple[Play, ...]
"""The cards laid, Gosne's first, which is a chestnut."""


@frozen(slots=False)
class LastTrick:
    """The last trick that was won in this hand."""

    gosne: k.Seat
    """The seat that opened it."""
    declared: int
    plays: Trick

    @property
    def cards(self) -> Cards:
        """Return its cards, seat 0's first."""
        return tuple([self.plays[(seat - self.gosne) % len(self.plays)].card for seat in range(len(self.plays))])


def is_ceo_known(state: State, viewer: int | None) -> bool:
    """Its holder, and everybody once the card was seen or the hand is counted (GOS-18).

    Without a Gosne card there are no pairs to know.
    """
    if not state.options.whistleblower or state.gosne_card is None:
        return False
    if viewer == k.TABLE or (viewer is not None and viewer == state.ceo_card):
        return True
    return any(CEO in pile for pile in state.taken) or any(play.gun and play.card == CEO for play in state.trick)


def of_pair(state: State, viewer: int | None) -> bool | tuple[bool, ...]:
    """The giver and his partner (GOS-2)."""
    if viewer is None or not state.gifts:
        return False
    is_dealers = (viewer - dealer(state.options, state.finished)) % 2 == 0
    return tuple([is_dealers == (place < 2) for place in range(len(state.gifts))])


def face_up(state: State, viewer: int | None) -> tuple[bool, ...]:
    """Everybody if it is a gun, else who laid it; all see which it is (GOS-6)."""
    laid = enumerate(state.trick)
    return tuple([play.gun or viewer == (state.gosne + place) % len(state.hands) for place, play in laid])


def after_the_count(state: State, viewer: int | None) -> bool:
    """Everybody once the hand is counted (GOS-R7)."""
    return is_counted(state)


@k.state
class State:
    """The whole table."""

    options: Options
    finished: int = k.public()
    """How many hands were played to their end."""
    points: tuple[int, ...] = k.public()
    """Each seat's points of all finished hands."""
    gosne: k.Seat = k.public()
    """Who opens the trick: Gosne."""
    gosne_card: k.Seat | None = k.public()
    """Who was dealt the Gosne card; None also if it is among the unseen."""
    ceo_card: k.Seat | None = k.seen_by(is_ceo_known, sizes="")
    """Who was dealt the CEO card; None also where nobody was dealt the Gosne card."""
    hands: tuple[Cards, ...] = k.own()
    unseen: Cards = k.nobody()
    """The two cards of 30 that nobody was dealt, until the last trick is won."""
    gifts: tuple[Cards, ...] = k.seen_by(of_pair, sizes="")
    """The gifts of this hand's exchange, in order."""
    declared: int | None = k.public()
    """The number that Gosne declared."""
    trick: Trick = k.seen_by(face_up)
    taken: tuple[Cards, ...] = k.seen_by(after_the_count, in_order=True)
    """The cards that each seat took; those of a trick stand together, seat 0's first."""
    last: LastTrick | None = k.public()
    """The last trick won in this hand, which all may look at again (GOS-R7)."""


def dealer(options: Options, finished: int) -> int:
    """Return the seat that deals the hand after so many finished ones (GOS-15)."""
    return k.Seat((options.dealer + finished) % SEATS)


def giver(options: Options, finished: int, gift: int) -> int:
    """Return the seat that gives in the exchange: the dealer, his partner, the dealer's left, his partner (GOS-2)."""
    return k.Seat((dealer(options, finished) + (0, 2, 1, 3)[gift]) % SEATS)


def partner(seat: int) -> int:
    """Return the partner where the pairs are those of the table (GOS-1)."""
    return k.Seat((seat + 2) % SEATS)


def is_counted(state: State) -> bool:
    """Return True if a hand was played to its end, and the next is not yet dealt: then all piles lie open (GOS-R7)."""
    return any(state.taken) and not state.trick and not any(state.hands)

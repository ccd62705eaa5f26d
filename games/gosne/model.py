"""Cards, options, commands and state of Gosne is Gone: data only."""

from __future__ import annotations

from attrs import frozen

from ...core.game import Card, Face, RuleBook, Seat, mapping, seat_option
from ...core.game import Message as BaseMessage


class Message(BaseMessage):
    """Why a command or an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(RuleBook):
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
    GOS_15 = "Several hands: chestnuts are noted as points, the deal goes round until all four have dealt."
    GOS_16 = "Whistleblower: 30 cards, seven each; two stay unseen and go to the winner of the last trick."
    GOS_17 = "Whistleblower: the holder of the Gosne card shows it and is the first Gosne; else a new deal."
    GOS_18 = (
        "Whistleblower: who were dealt Gosne and CEO are a pair. The holder of CEO keeps silent. There is no exchange."
    )
    GOS_19 = "Whistleblower: Gosne's number is 13, CEO is an X; Hyoju still sits opposite Gosne."
    GOS_R1 = "The option `chestnuts` says how many each card shows: 1 unless told, which we assume."
    GOS_R2 = "With equal chestnuts all seats tied share the victory."
    GOS_R3 = "Who was dealt both cards, or Gosne while CEO is unseen, is alone against three."
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


X = Card(0)
GOSNE = Card(13)
CEO = Card(14)

TINTS = {X: "purple", GOSNE: "orange", CEO: "blue"}
TEXTS = {X: "X", GOSNE: "G13", CEO: "CEO"}

HAND = 7
"""How many cards a hand has, which are also the tricks of a hand (GOS-1, GOS-3)."""

NUMBERS = range(1, 10)
"""The numbers that may be declared (GOS-5)."""


def is_x(card: Card) -> bool:
    """Return True if the card is an X, as the CEO card is too (GOS-19)."""
    return card in (X, CEO)


def face(card: Card) -> Face:
    """Return how a card looks where its chestnuts are not known."""
    return Face(TEXTS.get(card, str(card)), TINTS.get(card, "ink"))


SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def printed_face(options: Options, card: Card) -> Face:
    """Return how a card looks in a match: with the number of its chestnuts, raised, if the option names any."""
    plain = face(card)
    if not options.chestnuts:
        return plain
    return Face(plain.text + str(chestnuts_on(options, card)).translate(SUPERSCRIPT), plain.tint)


def chestnuts_on(options: Options, card: Card) -> int:
    """Return the number of chestnuts that are drawn on a card (GOS-R1)."""
    return dict(options.chestnuts).get(card, 1) if options.chestnuts else 1


def deck(*, whistleblower: bool) -> tuple[Card, ...]:
    """List the cards in ascending order: four X, 1-12 twice; Gosne and CEO too under the whistleblower rules."""
    ranks = [X, X, X, X, *(rank for rank in range(1, 13) for _ in range(2))]
    return tuple(Card(rank) for rank in (*ranks, *((GOSNE, CEO) if whistleblower else ())))


@frozen
class Options:
    """The options of a match, fixed before the first deal."""

    dealer: int = seat_option()
    """The seat that deals first."""
    whistleblower: bool = False
    """True if the Gosne and the CEO card are shuffled in and make the pairs (GOS-16 to GOS-19)."""
    hands: int = 1
    """How many hands are played: 1, or 4, so that all have dealt once (GOS-15)."""
    chestnuts: tuple[tuple[int, int], ...] = mapping(())
    """How many chestnuts are drawn on the cards of each rank (X: 0, Gosne: 13, CEO: 14).

    The rulebook does not print them. That a rank not named here shows 1 is an assumption of ours (GOS-R1).
    """


@frozen(slots=False)
class Deal:
    """The table deals the shuffled deck: each seat's seven in turn, the last two of 30 stay unseen."""

    cards: tuple[Card, ...]


@frozen(slots=False)
class Give:
    """Two cards to the partner, ascending."""

    cards: tuple[Card, ...]


@frozen(slots=False)
class Declare:
    """Gosne's card, face down, and the number he says it has."""

    card: Card
    number: int


@frozen(slots=False)
class Play:
    """A card to the trick: face up as a gun, or face down as a chestnut."""

    card: Card
    gun: bool


Command = Deal | Give | Declare | Play

Cards = tuple[Card, ...]
Trick = tuple[Play, ...]
"""The cards laid, Gosne's first, which is a chestnut."""


@frozen(slots=False)
class LastTrick:
    """The last trick that was won in this hand."""

    gosne: Seat
    """The seat that opened it."""
    declared: int
    plays: Trick
    """The cards laid, Gosne's first."""

    @property
    def cards(self) -> Cards:
        """Return its cards, seat 0's first."""
        return tuple([self.plays[(seat - self.gosne) % len(self.plays)].card for seat in range(len(self.plays))])


@frozen(slots=False)
class State:
    """The whole table."""

    options: Options
    finished: int
    """How many hands were played to their end."""
    points: tuple[int, ...]
    """Each seat's points of all finished hands."""
    gosne: Seat
    """Who opens the trick: Gosne."""
    gosne_card: Seat | None
    """Who was dealt the Gosne card; None also in a deal that is to be made again."""
    ceo_card: Seat | None
    """Who was dealt the CEO card; None also where nobody was, or the deal is to be made again."""
    hands: tuple[Cards, ...]
    unseen: Cards
    """The two cards of 30 that nobody was dealt, until the last trick is won."""
    gifts: tuple[Cards, ...]
    """The gifts of this hand's exchange, in order."""
    declared: int | None
    """The number that Gosne declared."""
    trick: Trick
    taken: tuple[Cards, ...]
    """The cards that each seat took; those of a trick stand together, seat 0's first."""
    last: LastTrick | None
    """The last trick won in this hand, which all may look at again (GOS-R7)."""

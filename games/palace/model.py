"""Options, commands and state of Palace: data only."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from ...core import game as k


class Message(k.Message):
    """Why a command or an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(k.RuleBook):
    """The rulebook (002, Palace) and our rulings, by number."""

    PAL_1 = "Each seat is dealt three cards; every card but END is a pillar."
    PAL_2 = "With 4-6 seats END is shuffled among the last ten pillars of the draw pile."
    PAL_3 = "With 3 seats the pile is split about evenly into A, B and C, and END lies between B and C."
    PAL_4 = "A turn is exactly one action: draw, build, inspect or earthquake; then the left neighbour's."
    PAL_5 = "A seat that starts its turn with five or more cards in hand may only build."
    PAL_6 = "The top card of the pile is drawn to the hand."
    PAL_7 = "When END is drawn the game ends at once; END is not a hand card."
    PAL_8 = "One or more cards of the hand, face down as one bundle, are one new palace; its size is public."
    PAL_9 = "Two palaces may be built at once only by a seat with fewer palaces than every other seat."
    PAL_10 = (
        "One or two standing, face-down palaces of other seats are inspected; one that the charge does not hold "
        "against is safe and stays, face up and verified."
    )
    PAL_11 = "A palace that the charge holds against is pulled down: its cards go to the inspector's hand."
    PAL_12 = "The charge of a missing colour holds against a palace without it; one or two palaces."
    PAL_13 = "A colour whose every card lies open may not be named."
    PAL_14 = "The charge of no pair holds against a palace without two cards of one colour; one palace only."
    PAL_15 = "The charge of all colours holds against a palace with all four; one palace only."
    PAL_16 = "Four cards of one colour from the hand make every verified palace with that colour fall."
    PAL_17 = "The four cards and the cards of fallen palaces are out of the game."
    PAL_18 = "Most palaces win, of equals more cards in hand; who is still tied shares the victory."
    PAL_R1 = (
        "With 3 seats A, B and C have 20 to 25 cards each: END has 42 to 47 above it, and nobody knows how many; with "
        "`end_place` exact it has 45."
    )
    PAL_R2 = (
        "Cards in verified palaces and cards out of the game count as open, since all have seen them; with "
        "`open_colour` table the latter do not."
    )
    PAL_R3 = "The owner may look at his own face-down palaces."
    PAL_R4 = "An earthquake may be caused even if no palace falls."
    PAL_R5 = "Two palaces of one inspection are judged each for itself; in the end all that fell go to the hand."


Charge = Literal["no_red", "no_yellow", "no_green", "no_blue", "no_pair", "all_colours"]

Cards = tuple[k.Card, ...]
Target = tuple[k.Seat, k.Index]
"""A palace: its owner and its number."""


@k.options
class Options:
    """The options of a match, fixed before the deal."""

    first: int = k.seat_option(default=0)
    """The seat that has the first turn."""
    open_colour: Literal["seen", "table"] = "seen"
    """Which cards count as open when a colour is named: all "seen" (PAL-R2), or only those on the "table"."""
    end_place: Literal["about", "exact"] = "about"
    """Where END lies with 3 seats: "about" a third from the bottom (PAL-R1), or "exact", below 45 cards."""


@k.command("deal")
class Deal:
    """The table deals: seat i gets the i-th three cards; the rest is the draw pile, top first, END in its place."""

    cards: Cards = k.secret()


@k.command("draw")
class Draw:
    """The top card of the pile to the hand."""


@k.command("build")
class Build:
    """One or two new palaces from the hand, in the order in which they are laid."""

    palaces: tuple[Cards, ...] = k.secret(sizes="sizes")


@k.command("inspect")
class Inspect:
    """One charge against one or two palaces of other seats."""

    charge: Charge = k.public()
    targets: tuple[Target, ...] = k.public()


@k.command("quake")
class Quake:
    """An earthquake: four cards of this colour from the hand."""

    colour: k.Card = k.public()


Command = Deal | Draw | Build | Inspect | Quake


@frozen(slots=False)
class Palace:
    """A palace that stands."""

    number: k.Index
    """How many palaces its seat had built before it, those that are gone included."""
    cards: Cards
    """Ascending."""
    verified: bool = False
    """True if it was inspected and found safe; it lies face up since."""


def verified(state: State, viewer: int | None) -> tuple[tuple[bool, ...], ...]:
    """Its owner (PAL-R3), and everybody once it is verified; all see how many cards it has."""
    rows = enumerate(state.palaces)
    return tuple([tuple([seat == viewer or palace.verified for palace in palaces]) for seat, palaces in rows])


@k.state
class State:
    """The whole table."""

    options: Options
    turn: k.Seat = k.public()
    hands: tuple[Cards, ...] = k.own()
    """Each ascending."""
    pile: Cards = k.nobody()
    """The draw pile, top first."""
    palaces: tuple[tuple[Palace, ...], ...] = k.seen_by(verified)
    """The palaces that stand before each seat, in the order built."""
    built: tuple[int, ...] = k.public()
    """How many palaces each seat has built so far, which is the number of its next."""
    out: Cards = k.public()
    """The cards out of the game, ascending; END is among them once it is drawn."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

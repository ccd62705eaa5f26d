"""What the table looks like to one seat: zones of cards, made from a view, drawn by any renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")

Part = tuple[str | int, ...]
"""The name of a thing of a scene, or of a button, that a command names.

The first element is its kind, e.g. `("card", 110)`, `("palace", 2, 0)`, `("vote", "content")`. A part that is on no
thing of the scene is a button (its label is the message `part-KIND-…`), or, if the second element is missing, a field
to type into.
"""


@frozen
class Face:
    """What is printed on a card: a short text, and the tint in which it is drawn.

    `tint` is one of `ink`, `red`, `orange`, `yellow`, `green`, `blue`, `purple`.
    """

    text: str
    tint: str = "ink"


@frozen
class Thing:
    """One card, palace, pile or token of a zone.

    `faces` are the cards that show (one for a card, several for a bundle; of a stack the top one), and `count` how many
    cards lie there: without faces they lie face down. `part` is the name by which a command names it. `marks` are
    message keys of short labels, e.g. `mark-verified`.
    """

    faces: tuple[Face, ...] = ()
    count: int = 1
    part: Part | None = None
    marks: tuple[str, ...] = ()


@frozen
class Fact:
    """One value beside the cards, e.g. a score: the message key of its label, and the value.

    `of` is the most it can be, where that is known: trick 3 of 14.
    """

    label: str
    value: int | str
    of: int | None = None


@frozen
class Zone:
    """A place where things lie: the message key of its label, and its things in their order."""

    label: str
    things: tuple[Thing, ...]


@frozen
class Place:
    """All that lies before one seat, or (seat None) in the middle of the table.

    The first fact before a seat is its score so far: when the game is over, its points.
    """

    seat: int | None
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    marks: tuple[str, ...] = ()

    @property
    def score(self) -> int | None:
        """The score so far; None where the place shows none."""
        value = self.facts[0].value if self.facts and self.seat is not None else None
        return value if isinstance(value, int) else None


@frozen
class Scene:
    """The table as one seat sees it: the middle, then every seat in clockwise order.

    `viewer` is the seat whose view was drawn (None: a spectator, -1: the whole table).
    """

    viewer: int | None
    table: Place
    places: tuple[Place, ...]


def card_parts(cards: Iterable[int | str], kind: str = "card") -> tuple[Part, ...]:
    """Name cards, each by its kind and itself."""
    return tuple([(kind, card) for card in cards])


def card_things(
    cards: Sequence[T] | None, face: Callable[[T], Face], size: int = 0, kind: str | None = None
) -> tuple[Thing, ...]:
    """Lay cards out one by one, named by `kind` if a command can name them; hidden ones as one stack of this size."""
    if cards is None:
        return (Thing(count=size),) if size else ()
    return tuple([Thing((face(card),), part=(kind, card) if kind else None) for card in cards])  # type: ignore[arg-type]


def card_bundle(
    cards: Sequence[T] | None, face: Callable[[T], Face], size: int, part: Part | None = None
) -> tuple[Thing, ...]:
    """Lay cards out as one thing, which a command names as a whole; face down if they are hidden, nothing if none."""
    return (Thing(tuple(map(face, cards or ())), size, part),) if size else ()

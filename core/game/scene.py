"""Scenes: a view as zones of cards and pieces, and boards, for any renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from attrs import evolve, frozen

from .board import Board

T = TypeVar("T")

Shape = Literal["card", "piece", "die"]
"""What a thing is drawn as: a card, a round piece (pawn, stone, seed), or a die."""

Part = tuple[str | int, ...]
"""The name of a thing of a scene, or of a button, that a command names.

The first element is its kind, e.g. `("card", 110)`, `("palace", 2, 0)`, `("vote", "content")`. A part that no thing of
the scene has is a button, labelled by the message `part-KIND-…`; without a second element it is a text field.
"""


@frozen(slots=False)
class Face:
    """The front of a card, a piece or a die: a short text, and its tint.

    - `tint` is one of `ink`, `red`, `orange`, `yellow`, `green`, `blue`, `purple`, `white`.
    - `caption` is a few words more, in small print at the foot of a card.
    """

    text: str
    tint: str = "ink"
    shape: Shape = "card"
    caption: str = ""


@frozen(slots=False)
class Thing:
    """One card, palace, pile or piece of a zone.

    - `faces`: the cards that show: one for a card, several for a bundle, the top one of a stack; none if face down.
    - `count`: the number of cards or pieces that lie there; 0 for an empty place, e.g. a space of a board.
    - `part`: the name that a command uses for it; None if no command names it.
    - `marks`: message keys of short labels, e.g. `mark-verified`.
    - `number`: the number, from 1, by which texts call it; printed at it. None if it has none.
    - `seat`: who laid it, where that is not said by its place, e.g. a card of a trick in the middle.
    - `back`: what it is drawn as while no face shows.
    - `ground`: the tint of its space of a board, for terrain (marks say it in words); or `fog`.
    """

    faces: tuple[Face, ...] = ()
    count: int = 1
    part: Part | None = None
    marks: tuple[str, ...] = ()
    number: int | None = None
    seat: int | None = None
    back: Shape = "card"
    ground: str = ""

    @property
    def is_empty(self) -> bool:
        """True for a place where nothing lies."""
        return not self.count and not self.faces


@frozen(slots=False)
class Fact:
    """One value beside the cards, e.g. a score: the message key of its label, and the value.

    `of` is the greatest possible value, if there is one: trick 3 of 14; or of a score, the one that is played for.
    """

    label: str
    value: int | str
    of: int | None = None


@frozen(slots=False)
class Zone:
    """A place where things lie: the message key of its label, and its things in order.

    With a `board`, there is one thing for each of its spaces, in the order of `Board.spaces`.
    """

    label: str
    things: tuple[Thing, ...]
    board: Board | None = None


@frozen(slots=False)
class Place:
    """All that lies before one seat, or (seat None) in the middle of the table.

    The first fact of a seat is its score so far, or its points once the game is over.
    """

    seat: int | None
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    marks: tuple[str, ...] = ()

    @property
    def score(self) -> int | None:
        """The score of the seat so far; None if the place shows none."""
        value = self.facts[0].value if self.facts and self.seat is not None else None
        return value if isinstance(value, int) else None


@frozen(slots=False)
class Scene:
    """The table as one seat sees it: the middle, then every seat in clockwise order.

    `viewer` is the seat whose view was drawn (None: a spectator, -1: the whole table).
    """

    viewer: int | None
    table: Place
    places: tuple[Place, ...]

    @property
    def all_places(self) -> tuple[Place, ...]:
        """The middle, then the place of every seat."""
        return (self.table, *self.places)

    def things(self) -> Iterator[Thing]:
        """Yield all that lies on the table, place by place."""
        return (thing for place in self.all_places for zone in place.zones for thing in zone.things)

    def labels(self) -> Iterator[str]:
        """Yield the message keys of all that is labelled: marks, facts and zones."""
        for place in self.all_places:
            yield from place.marks
            yield from (fact.label for fact in place.facts)
            for zone in place.zones:
                yield zone.label
                yield from (mark for thing in zone.things for mark in thing.marks)


def card_parts(cards: Iterable[int | str], kind: str = "card") -> tuple[Part, ...]:
    """Return the parts of some cards: `(kind, card)` for each."""
    return tuple([(kind, card) for card in cards])


def card_things(
    cards: Sequence[T] | None,
    face: Callable[[T], Face],
    size: int = 0,
    kind: str | None = None,
    back: Shape = "card",
) -> tuple[Thing, ...]:
    """Return a thing for each card, or for hidden cards (None) one stack of `size`, drawn as `back`.

    With `kind`, a command can name each card, by the part `(kind, card)`.
    """
    if cards is None:
        return (Thing(count=size, back=back),) if size else ()
    return tuple([Thing((face(card),), part=(kind, card) if kind else None) for card in cards])  # type: ignore[arg-type]


def trick_things(things: Iterable[Thing], lead: int, seats: int) -> tuple[Thing, ...]:
    """Return the things of a trick as laid by one seat of `seats` after the other, from `lead` on."""
    return tuple([evolve(thing, seat=(lead + place) % seats) for place, thing in enumerate(things)])


def card_bundle(
    cards: Sequence[T] | None,
    face: Callable[[T], Face],
    size: int,
    part: Part | None = None,
    number: int | None = None,
) -> tuple[Thing, ...]:
    """Return `size` cards as one thing, face down if they are hidden (None); nothing if `size` is 0."""
    return (Thing(tuple(map(face, cards or ())), size, part, number=number),) if size else ()

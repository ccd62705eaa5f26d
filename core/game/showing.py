"""Scenes and parts derived from a game's data: a zone for each row of cards, a fact for each other value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import attrs

from .declarations import tag_of
from .marks import MarkedField, marked_fields
from .scene import Face, Fact, Part, Place, Scene, Thing, Zone, card_things
from .secrets import sizes_of
from .shapes import ROWS, choices_of, depth_of, flat, is_number, is_row_of_choices, row_of, without_none

FaceOf = Callable[[Any], Face]


def plain_face(card: Any) -> Face:
    """Return the face of a card: its number, or its text."""
    return Face(str(card.value if isinstance(card, Enum) else card))


class Drawn:
    """A field of the state as a scene draws it."""

    def __init__(self, field: MarkedField, face: FaceOf, *, by_seat: bool) -> None:
        mark, depth = field.mark, depth_of(field.kind)
        self.name, self.face, self.by_seat, self.board = field.name, face, by_seat, mark.board
        self.depth = depth if depth is None or not by_seat else depth - 1
        sized = sizes_of(field)
        self.sizes = None if sized is None else sized.name
        self.is_seen_in_part = mark.sees == "some" and without_none(row_of(field.kind)) is None
        """Whether None stands for what is not seen, and never for nothing."""
        self.part = mark.thing if mark.sees in ("owner", "everybody", "some") else None
        if is_row_of_choices(row_of(field.kind) if by_seat else field.kind) and mark.board is None:
            self.depth, self.face, self.part = 1, plain_face, None if mark.thing == "card" else self.part

    @property
    def is_zone(self) -> bool:
        """True for cards, dice and the like, and boards; anything else is a fact."""
        return self.depth is not None or self.board is not None

    def zone(self, view: Any, seat: int | None) -> Zone:
        """Return the zone of the field, or of its row for a seat."""
        value = getattr(view, self.name)
        size = None if self.sizes is None else getattr(view, self.sizes)
        if seat is not None:
            value = None if value is None else value[seat]
            size = size[seat] if isinstance(size, tuple) else size
        if self.board is not None:
            return Zone(f"zone-{self.name}", self._spaces(value), self.board)
        if value is None:
            many = sum(map(int, size)) if isinstance(size, tuple) else int(size or 0)
            return Zone(f"zone-{self.name}", card_things(None, self.face, many))
        return Zone(f"zone-{self.name}", self._things(value))

    def _things(self, value: Any) -> tuple[Thing, ...]:
        """Return a thing for each card; of rows the first thing of each has its number, from 1."""
        if self.depth != ROWS:
            return card_things(flat(value, self.depth or 0), self.face, kind=self.part)
        things: list[Thing] = []
        for number, row in enumerate(value, start=1):
            first, *others = card_things(flat(row, 1), self.face, kind=self.part) or (Thing(count=0),)
            things += [attrs.evolve(first, number=number), *others]
        return tuple(things)

    def _spaces(self, value: Any) -> tuple[Thing, ...]:
        """Return a thing for each space of the board, named by its number; where a face has no text nothing lies."""
        laid = value if value is not None else (None,) * len(self.board.spaces if self.board else ())
        things = []
        for place, each in enumerate(laid):
            faces = tuple([face for face in [self.face(each)] if face != Face("")]) if _lies(each) else ()
            ground = "fog" if each is None and self.is_seen_in_part else ""
            things.append(Thing(faces, count=len(faces), part=(self.name, place), ground=ground))
        return tuple(things)

    def fact(self, view: Any, seat: int | None) -> Fact | None:
        """Return the fact of the field, or of its row for a seat; None for what is not there, or not seen."""
        value = getattr(view, self.name)
        value = value if seat is None or value is None else value[seat]
        if isinstance(value, bool) and seat is not None:
            return None  # it is a mark of the seat
        if isinstance(value, bool):
            return Fact(f"fact-{self.name}", 1) if value else None
        if isinstance(value, int | str):
            return Fact(f"fact-{self.name}", value)
        if isinstance(value, Enum) and isinstance(value.value, int | str):
            return Fact(f"fact-{self.name}", value.value)
        return None

    def mark(self, view: Any, seat: int | None) -> str | None:
        """Return the mark of a seat of which the field says yes: that it is out, that it has passed."""
        value = getattr(view, self.name)
        is_so = seat is not None and value is not None and value[seat] is True
        return f"mark-{self.name}" if is_so else None


def _lies(item: Any) -> bool:
    return item is not None and item != "" and item is not False


def scene_function(state: type, by_seat: frozenset[str], face: FaceOf) -> Callable[[Any], Scene]:
    """Return the function that draws a derived view: the middle, then every seat, its score first."""
    held = [each for each in marked_fields(state) if each.name != "options"]
    fields = [Drawn(each, face, by_seat=each.name in by_seat) for each in held]
    middle = [each for each in fields if not each.by_seat]
    rows = [each for each in fields if each.by_seat]

    def place(view: Any, seat: int | None, drawn: list[Drawn], first: tuple[Fact, ...]) -> Place:
        zones = tuple([each.zone(view, seat) for each in drawn if each.is_zone])
        facts = [fact for each in drawn if not each.is_zone and (fact := each.fact(view, seat)) is not None]
        marks = [mark for each in drawn if not each.is_zone and (mark := each.mark(view, seat)) is not None]
        return Place(seat, zones, (*first, *facts), tuple(marks))

    def scene(view: Any) -> Scene:
        places = [place(view, seat, rows, (Fact("fact-points", points),)) for seat, points in enumerate(view.points)]
        return Scene(view.viewer, place(view, None, middle, ()), tuple(places))

    return scene


def parts_function(commands: tuple[type, ...]) -> Callable[[Any], tuple[Part, ...]]:
    """Return the function that returns the things or buttons that a command names."""
    plans = {kind: list(_plan(kind)) for kind in commands}

    def parts(command: Any) -> tuple[Part, ...]:
        named = [part for name, parts_of in plans[type(command)] for part in parts_of(getattr(command, name))]
        return tuple(named) or (("do", tag_of(type(command))),)

    return parts


def _plan(kind: type) -> Iterator[tuple[str, Callable[[Any], list[Part]]]]:
    """Yield each field of a command with what makes parts of its value."""
    for each in marked_fields(kind):
        yield each.name, _parts_of(each.mark.thing, each.kind, f"{tag_of(kind)}-{each.name}")


def _parts_of(thing: str, kind: Any, button: str) -> Callable[[Any], list[Part]]:
    """Return what makes parts of the values of a field: its cards, a thing with its number, or buttons."""
    depth, choices = depth_of(kind), choices_of(kind)
    if depth is not None:
        return lambda value: [(thing, card) for card in flat(value, depth)]
    if thing != "card" and (is_number(kind) or {type(each) for each in choices or ()} == {int}):
        return lambda value: [(thing, value)]
    return lambda value: [(button, _word(each)) for each in (value if isinstance(value, tuple) else (value,))]


def _word(value: Any) -> int | str:
    """Return a value as the name of a button."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return value if isinstance(value, int | str) else str(value)

"""A scene in lines of text; every thing that a command can name is drawn with its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...game import AnyGame, Fact, Part, Place, Scene, Thing, Zone
from ...text.board_lines import EMPTY, board_lines
from ...text.sanitize import card_face, plain_value
from ...text.texts import Texts

HIDDEN = "×"
"""What stands before the number of cards that the seat does not see."""


class SceneText:
    """Draws the scenes of a game in one language: a line for the middle of the table, and one for each seat.

    Each board has lines of its own below: `·` is an empty space, and coordinates stand at its edges where they can.

    `[5 7]` are cards that lie together, `×6` is six cards face down, `K×5` is five of which the top shows K. A name
    before a colon, as in `3:[5 7]`, is the number or place by which words name the thing.
    """

    def __init__(self, game: AnyGame, texts: Texts, seats: Sequence[str]) -> None:
        self._game, self._texts, self._seats = game, texts, seats
        self._labels: dict[str, str] = {}

    def draw(self, scene: Scene, you: str) -> list[str]:
        """Return the lines; `you` marks the seat of the viewer."""
        colon, semicolon = self._texts.colon, self._texts.semicolon
        middle = semicolon.join(self._inside(scene.table))
        boards = list(self._boards(scene.table))
        lines = [f"{self._texts.seat(-1)}{colon}{middle}".rstrip()] if middle or boards else []
        lines += boards
        for place in scene.places:
            notes = [you] if place.seat == scene.viewer else []
            notes += [self._label(mark) for mark in place.marks]
            head = self._texts.seat(-1) if place.seat is None else self._seats[place.seat]
            head += self._texts.bracketed(self._texts.comma.join(notes)) if notes else ""
            lines.append(f"{head}{colon}" + semicolon.join(self._inside(place)))
            lines += self._boards(place)
        return lines

    def _boards(self, place: Place) -> Iterator[str]:
        for zone in place.zones:
            if zone.board is not None and zone.things:
                yield f"  {self._label(zone.label)}"
                for line in board_lines(zone, lambda thing: self._name(thing, place.seat), self._label):
                    yield "    " + "".join(cell.text for cell in line).rstrip()

    def _inside(self, place: Place) -> Iterator[str]:
        if place.seat is None:
            yield from map(self._label, place.marks)
        yield from map(self._fact, place.facts)
        yield from (self._zone(zone, place.seat) for zone in place.zones if zone.things and zone.board is None)

    def _fact(self, fact: Fact) -> str:
        value = plain_value(fact.value)
        return f"{self._label(fact.label)} {value}" + ("" if fact.of is None else f"/{fact.of}")

    def _zone(self, zone: Zone, seat: int | None) -> str:
        drawn = [self._thing(thing, seat) for thing in zone.things]
        if len(drawn) == 1 and self._name(zone.things[0], seat) == "0":  # the only one: the zone's label names it
            drawn = [drawn[0].removeprefix("0:")]
        return f"{self._label(zone.label)} " + " ".join(drawn)

    def _thing(self, thing: Thing, seat: int | None) -> str:
        faces = " ".join(plain_value(face.text) for face in thing.faces)
        if thing.is_empty:
            drawn = EMPTY
        elif not thing.faces:
            drawn = f"{HIDDEN}{thing.count}"
        elif len(thing.faces) == thing.count == 1:
            drawn = faces
        elif len(thing.faces) == 1:
            drawn = f"{faces}{HIDDEN}{thing.count}"
        else:
            drawn = f"[{faces}]"
        if thing.marks:
            drawn += self._texts.bracketed(self._texts.comma.join(map(self._label, thing.marks))).lstrip()
        name = self._name(thing, seat)
        return f"{name}:{drawn}" if name else drawn

    def _name(self, thing: Thing, seat: int | None) -> str:
        return part_name(self._game, thing, seat) if thing.number is None else str(thing.number)

    def _label(self, key: str) -> str:
        if key not in self._labels:
            self._labels[key] = self._texts.label(key, self._game)
        return self._labels[key]


def part_name(game: AnyGame, thing: Thing, seat: int | None) -> str:
    """Return the name by which a command names a thing before this seat; "" if its face is that name, or it has none.

    The seat itself is left out: its line says it.
    """
    named: Part = () if thing.part is None else thing.part[1:]
    if named and named[0] == seat:
        named = named[1:]
    if len(named) == 1 and len(thing.faces) == 1 and card_face(game, named[0]) == plain_value(thing.faces[0].text):
        return ""
    return ".".join(map(plain_value, named))

"""Tables of the faces, things, zones, places and notes of many scenes, each kept once: a long match is a small file."""

from __future__ import annotations

import json
from typing import Any

from ..game import Board, Face, Fact, Place, Scene, Thing, Zone
from ..text.sanitize import sanitize

FACE_CELLS, CAPTION_CELLS = 12, 24
TABLES = ("facts", "faces", "things", "boards", "zones", "places", "notes")
"""The keys of the tables in an export, besides that of the labels."""


class ExportTables:
    """The tables of an export. A thing refers to another by its place in the table of that kind."""

    def __init__(self) -> None:
        self._labels = _Table()
        self._tables = {name: _Table() for name in TABLES}
        self._known: dict[Any, int] = {}

    def scene(self, scene: Scene) -> list[int]:
        """Add a scene; return the middle and each seat by their places in the table of places."""
        return [self._place(place) for place in scene.all_places]

    def note(self, rule: str | None, texts: list[Any]) -> int:
        """Add a note, its text in each language; return its place in the table of notes."""
        return self._tables["notes"].place([rule, *texts])

    @property
    def labels(self) -> list[str]:
        """The message keys of all labels, in the order of their table."""
        return self._labels.rows

    def data(self) -> dict[str, Any]:
        """Return the rows of every table but the labels', by the table's key in an export."""
        return {name: table.rows for name, table in self._tables.items()}

    def _place(self, place: Place) -> int:
        known = self._known.get(place)
        if known is None:
            zones = [self._zone(zone) for zone in place.zones]
            facts = list(map(self._fact, place.facts))
            known = self._tables["places"].place([place.seat, zones, facts, list(map(self._label, place.marks))])
            self._known[place] = known
        return known

    def _zone(self, zone: Zone) -> int:
        things = [self._thing(thing) for thing in zone.things]
        board = None if zone.board is None else self._board(zone.board)
        return self._tables["zones"].place([self._label(zone.label), things, board])

    def _board(self, board: Board) -> int:
        rows = [[sanitize(name, FACE_CELLS) for name in row] for row in board.rows]
        return self._tables["boards"].place(
            [board.kind, rows, [board.indent(row) for row in range(len(rows))], board.winding]
        )

    def _thing(self, thing: Thing) -> int:
        faces = [self._face(face) for face in thing.faces]
        row = [faces, thing.count, list(map(self._label, thing.marks)), thing.number, thing.seat, thing.back]
        return self._tables["things"].place([*row, thing.ground] if thing.ground else row)

    def _face(self, face: Face) -> int:
        row = [sanitize(face.text, FACE_CELLS), face.tint, face.shape]
        return self._tables["faces"].place([*row, sanitize(face.caption, CAPTION_CELLS)] if face.caption else row)

    def _fact(self, fact: Fact) -> int:
        value = fact.value if isinstance(fact.value, int) else sanitize(fact.value)
        return self._tables["facts"].place([self._label(fact.label), value, fact.of])

    def _label(self, key: str) -> int:
        return self._labels.place(key)


class _Table:
    """Rows, each kept once."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, row: Any) -> int:
        """Return the place of a row, which is added if it is new."""
        place = self._places.setdefault(json.dumps(row), len(self.rows))
        if place == len(self.rows):
            self.rows.append(row)
        return place

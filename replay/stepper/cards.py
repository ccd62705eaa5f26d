"""A scene of any game drawn with cards: the middle of the table on felt, a board for every seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import Face, Fact, Game, Place, Scene, Shape, Thing
from ...core.text.board_lines import EMPTY, Cell, board_lines
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.table import MAX_FACES
from .palette import DARK

SYMBOLS = "°*'†‡§¶¤"
"""Symbols for the marks of things, in the order of their first use."""
GAP = 2
EDGE = 2
NAME_CELLS = 14
FACE_CELLS = 12


class Drawing:
    """The scenes of one match; the marks of cards are symbols that the last line explains."""

    def __init__(self, texts: Texts, game: Game[Any, Any, Any], names: Sequence[str]) -> None:
        self.texts = texts
        self.game = game
        self.symbols: dict[str, str] = {}
        self.seats = [texts.seat(seat, names) for seat in range(len(names))]
        self.tints: dict[str, set[str]] = {}
        """The faces drawn so far, by tint, to be coloured in sentences too."""

    def draw(self, scene: Scene, width: int, to_act: Collection[int], actor: int | None) -> list[Text]:
        """Return the lines of the middle of the table, then of the board of every seat.

        The seats that are to act, and the one that acted last, are marked.
        """
        heads = [self._head(place) for place in scene.places]
        widest = max((sum(map(_cells, head)) for head in heads), default=0)
        drawn = self._middle(scene.table, width)
        for place, head in zip(scene.places, heads, strict=True):
            has_acted = actor is not None and place.seat == actor
            drawn += self._board(place, head, width, widest, is_asked=place.seat in to_act, has_acted=has_acted)
        return drawn + self._legend(width)

    def tinted(self, sentence: str) -> Text:
        """Return a sentence with its cards coloured: those drawn so far that are no words."""
        text = Text(sentence)
        for tint, faces in self.tints.items():
            text.highlight_words(faces, Style(color=DARK.inline[tint], bold=True))
        return text

    def _middle(self, place: Place, width: int) -> list[Text]:
        ink, quiet, ground = DARK.felt_ink, DARK.felt_quiet, DARK.felt
        blocks = [*self._facts(place, quiet, ink), *self._zones(place, quiet, ink), *self._marks(place, ink)]
        empty = [Text()] if place.zones else []  # else nothing can come to lie there
        lines = _flow(blocks, width - 2 * EDGE) or empty
        lines += self._boards(place, quiet, ink)
        return [_on(Text.assemble(" " * EDGE, line), width, ground) for line in lines]

    def _head(self, place: Place) -> list[Text]:
        """Return what stands beside a seat's name: its facts and marks."""
        return [*self._facts(place, DARK.quiet, DARK.ink), *self._marks(place, DARK.seat(place.seat))]

    def _board(
        self, place: Place, head: list[Text], width: int, widest: int, *, is_asked: bool, has_acted: bool
    ) -> list[Text]:
        """Draw the board of a seat: its head, and its zones beside it."""
        colour = DARK.seat(place.seat)
        ground = DARK.now if has_acted else DARK.board
        zones = self._zones(place, DARK.quiet, DARK.ink)
        name = self._name(place.seat, colour, ground, is_asked)
        cells = min(max(map(cell_len, self.seats)), NAME_CELLS) + 4
        name.append(" " * (cells - cell_len(name.plain)))
        if widest <= width // 3:
            head = [*head, Text(" " * (widest - sum(map(_cells, head))))]
        lines = _flow([*head, *zones], width - EDGE - cells)
        lines = [Text.assemble(name if not at else " " * cells, line) for at, line in enumerate(lines or [Text()])]
        lines += [Text.assemble(" " * cells, line) for line in self._boards(place, DARK.quiet, DARK.ink)]
        return [_on(Text.assemble(("▎", colour), line), width, ground) for line in lines]

    def _name(self, seat: int | None, colour: str, ground: str, to_act: bool) -> Text:
        """Return a seat's name as a link that shows the match as this seat saw it; reversed if the seat is to act."""
        name = Text("" if seat is None else sanitize(self.seats[seat], NAME_CELLS))
        link = Style(meta={"@click": f"app.see({seat})"})
        style = Style(color=ground, bgcolor=colour, bold=True) if to_act else Style(color=colour, bold=True)
        return Text.assemble(Text("▶ " if to_act else "  ", style=colour), Text(f" {name.plain} ", style=style + link))

    def _facts(self, place: Place, quiet: str, ink: str) -> list[Text]:
        return [self._fact(fact, quiet, ink) for fact in place.facts]

    def _fact(self, fact: Fact, quiet: str, ink: str) -> Text:
        value = sanitize(str(fact.value))
        text = value if fact.of is None else self.texts.format("fact-of", value=value, most=fact.of)
        return Text.assemble((self._label(fact.label), quiet), " ", (text, f"bold {ink}"), " " * GAP)

    def _marks(self, place: Place, colour: str) -> list[Text]:
        return [Text(f"◂ {self._label(mark)}  ", style=colour) for mark in place.marks]

    def _zones(self, place: Place, quiet: str, ink: str) -> list[Text]:
        """Return the zones that are not empty: each a label joined to its first thing, then the others."""
        blocks = []
        for zone in place.zones:
            things = [self._thing(thing, quiet, ink) for thing in zone.things]
            if things and zone.board is None:
                things[0] = Text.assemble((f"{self._label(zone.label)} ", quiet), things[0])
                things[-1] = Text.assemble(things[-1], " " * GAP)
                blocks += things
        return blocks

    def _boards(self, place: Place, quiet: str, ink: str) -> list[Text]:
        """Return the lines of the boards of a place: the label of each, then its rows."""
        lines = []
        for zone in place.zones:
            if zone.board is not None and zone.things:
                lines.append(Text(self._label(zone.label), style=quiet))
                drawn = board_lines(zone, lambda _: "", self._label)
                lines += [Text.assemble("  ", *(self._cell(cell, quiet, ink) for cell in line)) for line in drawn]
        return lines

    def _cell(self, cell: Cell, quiet: str, ink: str) -> Text:
        if cell.thing is None or cell.thing.is_empty:
            return Text(cell.text, style=quiet)
        tint = cell.thing.faces[0].tint if cell.thing.faces else "ink"
        return Text(cell.text, style=f"bold {ink if tint == 'ink' else DARK.inline.get(tint, ink)}")

    def _thing(self, thing: Thing, quiet: str, ink: str) -> Text:
        faces = thing.faces[:MAX_FACES]
        parts = [] if thing.number is None else [Text(f"{thing.number}:", style=quiet)]
        empty = Text(f"{EMPTY} ", style=quiet)
        parts.append(empty if thing.is_empty else self._up(faces) if faces else self._down(thing.back))
        if len(thing.faces) > MAX_FACES:
            parts.append(Text(f" … {self.texts.format('in-all', count=len(thing.faces))}", style=quiet))
        elif thing.count > max(len(faces), 1):
            parts.append(Text(f"×{thing.count} ", style=ink))
        if thing.marks:
            parts.append(Text("".join(map(self._sign, thing.marks)), style=f"bold {quiet}"))
        return Text.assemble(*parts)

    def _up(self, faces: Sequence[Face]) -> Text:
        card = DARK.card
        return _card(Text(" ", style=f"on {card}").join(map(self._face, faces)), card)

    def _face(self, face: Face) -> Text:
        text = sanitize(face.text, FACE_CELLS)
        if face.tint in DARK.tints and face.tint != "ink" and not text[:1].isalnum():  # it is no word
            self.tints.setdefault(face.tint, set()).add(text)
        tint = DARK.tints.get(face.tint, DARK.tints["ink"])
        return Text(text, style=f"bold {tint} on {DARK.card}")

    def _down(self, back: Shape) -> Text:
        return _card(Text("▚▚" if back == "card" else "?", f"{DARK.back_line} on {DARK.back}"), DARK.back)

    def _sign(self, mark: str) -> str:
        """Return the symbol of a mark, or its words once the symbols run out."""
        if len(self.symbols) < len(SYMBOLS):
            self.symbols.setdefault(mark, SYMBOLS[len(self.symbols)])
        return self.symbols.get(mark) or f" {self._label(mark)} "

    def _legend(self, width: int) -> list[Text]:
        """Return the lines that explain the symbols."""
        blocks = [Text(f"{sign} {self._label(mark)}  ", DARK.quiet) for mark, sign in self.symbols.items()]
        return [Text.assemble(" " * EDGE, line) for line in _flow(blocks, width - EDGE)]

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def _card(text: Text, ground: str) -> Text:
    return Text.assemble(("▐", ground), text, ("▌", ground))


def _cells(text: Text) -> int:
    return cell_len(text.plain)


def _flow(blocks: Iterable[Text], width: int) -> list[Text]:
    """Place blocks side by side, in as many lines as needed."""
    lines: list[list[Text]] = []
    used = 0
    for block in blocks:
        if not lines or (lines[-1] and used + cell_len(block.plain.rstrip()) > width):
            lines.append([])
            used = 0
        lines[-1].append(block)
        used += _cells(block)
    return [Text.assemble(*line) for line in lines]


def _on(line: Text, width: int, ground: str) -> Text:
    """Pad a line to a width and give it a background colour."""
    line = line.copy()
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    line.append(" " * (width - cell_len(line.plain)))
    line.stylize_before(f"on {ground}")
    return line

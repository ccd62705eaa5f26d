"""A scene of any game drawn with cards: the middle of the table on felt, a board for every seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from attrs import evolve, frozen
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import Face, Fact, Game, Place, Scene, Shape, Thing
from ...core.text.board_lines import EMPTY, Cell, board_lines
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.table import MAX_FACES
from .palette import Palette

LOW, TALL = 1, 3
"""The height of a card, in lines."""
SYMBOLS = "°*'†‡§¶¤"
"""Symbols for the marks of things if there is no room for words, in the order of their first use."""
GAP = 2
EDGE = 2
BOARD, NARROW_BOARD = 72, 46
"""The minimum width of each of two boards side by side: normally, and if one below the other does not fit."""
NAME_CELLS = 14
FACE_CELLS = 12

Block = tuple[Text, ...]
"""Lines of equal width, to be placed beside blocks of the same height."""


@frozen
class CardStyle:
    """How a table is drawn."""

    lines: int
    """The height of a card."""
    stacked: bool = False
    """True: a seat's name is above its cards; False: before them."""
    columns: int = 1
    """The number of boards side by side."""
    symbols: bool = False
    """True: the marks of cards are symbols that the last line explains; False: words."""


PLAIN = CardStyle(LOW)


def card_styles(width: int) -> list[CardStyle]:
    """Return the styles in which a table of this width can be drawn, the largest first."""
    beside = 2 if width >= 2 * BOARD else 1
    tall = [CardStyle(TALL, stacked=True, columns=beside)]
    if 2 * BOARD > width >= 2 * NARROW_BOARD:
        tall.append(CardStyle(TALL, stacked=True, columns=2))
    tall += [evolve(style, symbols=True) for style in tall]
    return [*tall, CardStyle(LOW, stacked=True, columns=beside), PLAIN, CardStyle(LOW, symbols=True)]


@frozen
class Turn:
    """The seats that are to act, and the seat that acted last."""

    to_act: frozenset[int]
    actor: int | None


class Drawing:
    """The scenes of one match in one palette and style."""

    def __init__(
        self, texts: Texts, game: Game[Any, Any, Any], names: Sequence[str], palette: Palette, style: CardStyle
    ) -> None:
        self.texts = texts
        self.game = game
        self.palette = palette
        self.style = style
        self.lines = style.lines
        self.symbols: dict[str, str] | None = {} if style.symbols else None
        self.seats = [texts.seat(seat, names) for seat in range(len(names))]
        self._things: dict[tuple[object, ...], Block] = {}
        self.tints: dict[str, set[str]] = {}
        """The faces drawn so far, by tint, to be coloured in sentences too."""

    def draw(self, scene: Scene, width: int, turn: Turn) -> list[Text]:
        """Return the lines of the middle of the table, then of the board of every seat."""
        columns = self.style.columns
        each = (width - (columns - 1)) // columns
        heads = [self._head(place) for place in scene.places]
        widest = max((sum(_width(block) for block in head) for head in heads), default=0)
        boards = [self._board(place, head, each, widest, turn) for place, head in zip(scene.places, heads, strict=True)]
        drawn = self._middle(scene.table, width)
        for first in range(0, len(boards), columns):
            drawn += [Text()] if self.style.stacked else []
            drawn += _side_by_side(boards[first : first + columns], each)
        return drawn + self._legend(width)

    def tinted(self, sentence: str) -> Text:
        """Return a sentence with its cards coloured: those drawn so far that are no words."""
        text = Text(sentence)
        for tint, faces in self.tints.items():
            text.highlight_words(faces, Style(color=self.palette.inline[tint], bold=True))
        return text

    def _middle(self, place: Place, width: int) -> list[Text]:
        ink, quiet, ground = self.palette.felt_ink, self.palette.felt_quiet, self.palette.felt
        blocks = [*self._facts(place, quiet, ink), *self._zones(place, quiet, ink), *self._marks(place, ink)]
        lines = _flow(blocks, width - 2 * EDGE) or (
            [Text()] if place.zones else []
        )  # else nothing can come to lie there
        lines += self._boards(place, quiet, ink)
        return [_on(Text.assemble(" " * EDGE, line), width, ground) for line in lines]

    def _head(self, place: Place) -> list[Block]:
        """Return what stands beside a seat's name: its facts and marks."""
        palette = self.palette
        return [*self._facts(place, palette.quiet, palette.ink), *self._marks(place, palette.seat(place.seat))]

    def _board(self, place: Place, head: list[Block], width: int, widest: int, turn: Turn) -> list[Text]:
        """Draw the board of a seat: its head above its zones or, with low cards, beside them."""
        palette = self.palette
        colour = palette.seat(place.seat)
        ground = palette.now if place.seat is not None and place.seat == turn.actor else palette.board
        zones = self._zones(place, palette.quiet, palette.ink)
        to_act = place.seat in turn.to_act
        name = self._name(place.seat, colour, ground, to_act)
        if self.style.stacked:
            head_lines = _flow(
                [(name + Text(" " * GAP),), *((block[len(block) // 2],) for block in head)], width - EDGE
            )
            lines = head_lines + [Text.assemble(" " * GAP, line) for line in _flow(zones, width - EDGE - GAP)]
            lines += [Text.assemble(" " * GAP, line) for line in self._boards(place, palette.quiet, palette.ink)]
        else:
            cells = min(max(map(cell_len, self.seats)), NAME_CELLS) + 4
            name.append(" " * (cells - cell_len(name.plain)))
            if widest <= width // 3:
                head = [*head, self._block(Text(" " * (widest - sum(map(_width, head)))))]
            lines = _flow([*head, *zones], width - EDGE - cells)
            lines = [Text.assemble(name if not at else " " * cells, line) for at, line in enumerate(lines or [Text()])]
            lines += [Text.assemble(" " * cells, line) for line in self._boards(place, palette.quiet, palette.ink)]
        return [_on(Text.assemble(("▎", colour), line), width, ground) for line in lines]

    def _name(self, seat: int | None, colour: str, ground: str, to_act: bool) -> Text:
        """Return a seat's name as a link that shows the match as this seat saw it; reversed if the seat is to act."""
        name = Text("" if seat is None else sanitize(self.seats[seat], NAME_CELLS))
        link = Style(meta={"@click": f"app.see({seat})"})
        style = Style(color=ground, bgcolor=colour, bold=True) if to_act else Style(color=colour, bold=True)
        return Text.assemble(Text("▶ " if to_act else "  ", style=colour), Text(f" {name.plain} ", style=style + link))

    def _facts(self, place: Place, quiet: str, ink: str) -> list[Block]:
        return [self._block(self._fact(fact, quiet, ink)) for fact in place.facts]

    def _fact(self, fact: Fact, quiet: str, ink: str) -> Text:
        value = sanitize(str(fact.value))
        text = value if fact.of is None else self.texts.format("fact-of", value=value, most=fact.of)
        return Text.assemble((self._label(fact.label), quiet), " ", (text, f"bold {ink}"), " " * GAP)

    def _marks(self, place: Place, colour: str) -> list[Block]:
        return [self._block(Text(f"◂ {self._label(mark)}  ", style=colour)) for mark in place.marks]

    def _zones(self, place: Place, quiet: str, ink: str) -> list[Block]:
        """Return the zones that are not empty: each a label joined to its first thing, then the others."""
        blocks = []
        for zone in place.zones:
            things = [self._known_thing(thing, quiet, ink) for thing in zone.things]
            if things and zone.board is None:
                label = self._block(Text(f"{self._label(zone.label)} ", style=quiet))
                things[0] = _beside([label, things[0]])
                things[-1] = _beside([things[-1], self._block(Text(" " * GAP))])
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
        return Text(cell.text, style=f"bold {ink if tint == 'ink' else self.palette.inline.get(tint, ink)}")

    def _known_thing(self, thing: Thing, quiet: str, ink: str) -> Block:
        """Draw a thing, or reuse its drawing: most things stay the same from step to step."""
        key = (thing.faces, thing.count, thing.marks, thing.number, thing.back, ink)
        if key not in self._things:
            self._things[key] = self._thing(thing, quiet, ink)
        return self._things[key]

    def _thing(self, thing: Thing, quiet: str, ink: str) -> Block:
        faces = thing.faces[:MAX_FACES]
        blocks = [] if thing.number is None else [self._block(Text(f"{thing.number}:", style=quiet))]
        empty = self._block(Text(f"{EMPTY} ", style=quiet))
        blocks.append(empty if thing.is_empty else self._up(faces) if faces else self._down(thing.back))
        if len(thing.faces) > MAX_FACES:
            blocks.append(self._block(Text(f" … {self.texts.format('in-all', count=len(thing.faces))}", style=quiet)))
        elif thing.count > max(len(faces), 1):
            blocks.append(self._block(Text(f"×{thing.count} ", style=ink)))
        if thing.marks and self.symbols is not None:
            blocks.append(self._block(Text("".join(map(self._sign, thing.marks)), style=f"bold {quiet}")))
        elif thing.marks:
            text = self.texts.comma.join(map(self._label, thing.marks))
            blocks.append(self._block(Text(f" {text} ", style=quiet)))
        return _beside(blocks)

    def _up(self, faces: Sequence[Face]) -> Block:
        card = self.palette.card
        text = Text(" ", style=f"on {card}").join(map(self._face, faces))
        return self._card(text, card)

    def _face(self, face: Face) -> Text:
        text = sanitize(face.text, FACE_CELLS)
        if face.tint in self.palette.tints and face.tint != "ink" and not text[:1].isalnum():  # it is no word
            self.tints.setdefault(face.tint, set()).add(text)
        tint = self.palette.tints.get(face.tint, self.palette.tints["ink"])
        if self.lines == TALL and cell_len(text) == 1:
            text = f" {text} "
        return Text(text, style=f"bold {tint} on {self.palette.card}")

    def _down(self, back: Shape) -> Block:
        return self._card(
            Text("▚▚" if back == "card" else "?", style=f"{self.palette.back_line} on {self.palette.back}"),
            self.palette.back,
        )

    def _card(self, text: Text, ground: str) -> Block:
        cells = cell_len(text.plain)
        middle = Text.assemble(("▐", ground), text, ("▌", ground))
        if self.lines == LOW:
            return (middle,)
        return (Text(f"▗{'▄' * cells}▖", style=ground), middle, Text(f"▝{'▀' * cells}▘", style=ground))

    def _block(self, text: Text) -> Block:
        """Return a block with a text in its middle line."""
        blank = (Text(" " * cell_len(text.plain)),) * (self.lines // 2)
        return (*blank, text, *blank)

    def _sign(self, mark: str) -> str:
        """Return the symbol of a mark, or its words once the symbols run out."""
        assert self.symbols is not None
        if len(self.symbols) < len(SYMBOLS):
            self.symbols.setdefault(mark, SYMBOLS[len(self.symbols)])
        return self.symbols.get(mark) or f" {self._label(mark)} "

    def _legend(self, width: int) -> list[Text]:
        """Return the lines that explain the symbols."""
        symbols = (self.symbols or {}).items()
        blocks = [(Text(f"{sign} {self._label(mark)}  ", style=self.palette.quiet),) for mark, sign in symbols]
        return [Text.assemble(" " * EDGE, line) for line in _flow(blocks, width - EDGE)]

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def _width(block: Block) -> int:
    return cell_len(block[0].plain)


def _beside(blocks: Sequence[Block]) -> Block:
    return tuple(Text.assemble(*lines) for lines in zip(*blocks, strict=True))


def _side_by_side(boards: Sequence[list[Text]], width: int) -> list[Text]:
    """Join boards of equal width in a row, with empty lines below the shorter ones."""
    lines = zip_longest(*boards, fillvalue=Text(" " * width))
    return [Text(" ").join(each) for each in lines]


def _flow(blocks: Iterable[Block], width: int) -> list[Text]:
    """Place blocks side by side, in as many rows as needed."""
    return [line for row in _rows(blocks, width) for line in _beside(row)]


def _rows(blocks: Iterable[Block], width: int) -> Iterator[list[Block]]:
    row: list[Block] = []
    used = 0
    for block in blocks:
        least = max(cell_len(line.plain.rstrip()) for line in block)
        if row and used + least > width:
            yield row
            row, used = [], 0
        row.append(block)
        used += _width(block)
    if row:
        yield row


def _on(line: Text, width: int, ground: str) -> Text:
    """Pad a line to a width and give it a background colour."""
    line = line.copy()
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    line.append(" " * (width - cell_len(line.plain)))
    line.stylize_before(f"on {ground}")
    return line

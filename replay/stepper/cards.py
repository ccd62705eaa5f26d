"""A scene drawn with cards: the middle on felt, a board before every seat, whatever the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from attrs import evolve, frozen
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ...core.game import Game
from ...core.scene import Face, Fact, Place, Scene, Thing
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..render.table import MAX_FACES
from .palette import Palette

LOW, TALL = 1, 3
"""How many lines a card takes."""
SIGNS = "°*'†‡§¶¤"
"""What stands for the marks of things where there is no room for words, in the order of their coming."""
GAP = 2
EDGE = 2
BOARD, NARROW_BOARD = 72, 46
"""How wide a board is where two stand side by side: of itself, and where there is no room for one below the other."""
NAME_CELLS = 14
FACE_CELLS = 12

Block = tuple[Text, ...]
"""Lines of one width, to be set beside others of as many lines."""


@frozen
class CardStyle:
    """How a table is drawn."""

    lines: int
    """How tall a card is."""
    stacked: bool = False
    """Whether a seat's name stands over its cards, else before them."""
    columns: int = 1
    """How many boards stand side by side."""
    signs: bool = False
    """Whether the marks of cards are signs that the last line explains, else words."""


PLAIN = CardStyle(LOW)


def manners(width: int) -> list[CardStyle]:
    """List how a table of this width can be drawn, what takes the most room first."""
    beside = 2 if width >= 2 * BOARD else 1
    tall = [CardStyle(TALL, stacked=True, columns=beside)]
    if 2 * BOARD > width >= 2 * NARROW_BOARD:
        tall.append(CardStyle(TALL, stacked=True, columns=2))
    tall += [evolve(style, signs=True) for style in tall]
    return [*tall, CardStyle(LOW, stacked=True, columns=beside), PLAIN, CardStyle(LOW, signs=True)]


@frozen
class Turn:
    """Who is asked to act, and who acted last."""

    asked: frozenset[int]
    actor: int | None


class Drawing:
    """Draw the scenes of one match in one palette and manner."""

    def __init__(
        self, texts: Texts, game: Game[Any, Any, Any], names: Sequence[str], palette: Palette, style: CardStyle
    ) -> None:
        self.texts = texts
        self.game = game
        self.palette = palette
        self.style = style
        self.lines = style.lines
        self.signs: dict[str, str] | None = {} if style.signs else None
        self.seats = [texts.seat(seat, names) for seat in range(len(names))]
        self._things: dict[tuple[object, ...], Block] = {}
        self.tints: dict[str, set[str]] = {}
        """The faces drawn so far by their tints, to be coloured in sentences too."""

    def draw(self, scene: Scene, width: int, turn: Turn) -> list[Text]:
        """Set the middle of the table, then the board of every seat."""
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

    def tinted(self, said: str) -> Text:
        """Give a sentence with the cards drawn so far in their tints, where they cannot be words."""
        text = Text(said)
        for tint, faces in self.tints.items():
            text.highlight_words(faces, Style(color=self.palette.inline[tint], bold=True))
        return text

    def _middle(self, place: Place, width: int) -> list[Text]:
        ink, quiet, ground = self.palette.felt_ink, self.palette.felt_quiet, self.palette.felt
        blocks = [*self._facts(place, quiet, ink), *self._zones(place, quiet, ink), *self._marks(place, ink)]
        lines = _flow(blocks, width - 2 * EDGE) or [Text()]
        return [_on(Text.assemble(" " * EDGE, line), width, ground) for line in lines]

    def _head(self, place: Place) -> list[Block]:
        """Set what is said of a seat beside its name."""
        palette = self.palette
        return [*self._facts(place, palette.quiet, palette.ink), *self._marks(place, palette.seat(place.seat))]

    def _board(self, place: Place, head: list[Block], width: int, widest: int, turn: Turn) -> list[Text]:
        """Draw what lies before a seat: its head over its zones or, with low cards, beside them."""
        palette = self.palette
        colour = palette.seat(place.seat)
        ground = palette.now if place.seat is not None and place.seat == turn.actor else palette.board
        zones = self._zones(place, palette.quiet, palette.ink)
        asked = place.seat in turn.asked
        name = self._name(place.seat, colour, ground, asked)
        if self.style.stacked:
            said = _flow([(name + Text(" " * GAP),), *((block[len(block) // 2],) for block in head)], width - EDGE)
            lines = said + [Text.assemble(" " * GAP, line) for line in _flow(zones, width - EDGE - GAP)]
        else:
            wide = min(max(map(cell_len, self.seats)), NAME_CELLS) + 4
            name.append(" " * (wide - cell_len(name.plain)))
            if widest <= width // 3:
                head = [*head, self._block(Text(" " * (widest - sum(map(_width, head)))))]
            lines = _flow([*head, *zones], width - EDGE - wide)
            lines = [Text.assemble(name if not at else " " * wide, line) for at, line in enumerate(lines or [Text()])]
        return [_on(Text.assemble(("▎", colour), line), width, ground) for line in lines]

    def _name(self, seat: int | None, colour: str, ground: str, asked: bool) -> Text:
        """Write a seat's name, a link to its eyes; of a seat that is asked to act reversed."""
        name = Text("" if seat is None else sanitize(self.seats[seat], NAME_CELLS))
        link = Style(meta={"@click": f"app.see({seat})"})
        style = Style(color=ground, bgcolor=colour, bold=True) if asked else Style(color=colour, bold=True)
        return Text.assemble(Text("▶ " if asked else "  ", style=colour), Text(f" {name.plain} ", style=style + link))

    def _facts(self, place: Place, quiet: str, ink: str) -> list[Block]:
        return [self._block(self._fact(fact, quiet, ink)) for fact in place.facts]

    def _fact(self, fact: Fact, quiet: str, ink: str) -> Text:
        value = sanitize(str(fact.value))
        said = value if fact.of is None else self.texts.format("fact-of", value=value, most=fact.of)
        return Text.assemble((self._label(fact.label), quiet), " ", (said, f"bold {ink}"), " " * GAP)

    def _marks(self, place: Place, colour: str) -> list[Block]:
        return [self._block(Text(f"◂ {self._label(mark)}  ", style=colour)) for mark in place.marks]

    def _zones(self, place: Place, quiet: str, ink: str) -> list[Block]:
        """Set the zones where something lies: a label that stays with the first thing, then the others."""
        blocks = []
        for zone in place.zones:
            things = [self._known_thing(thing, quiet, ink) for thing in zone.things]
            if things:
                label = self._block(Text(f"{self._label(zone.label)} ", style=quiet))
                things[0] = _beside([label, things[0]])
                things[-1] = _beside([things[-1], self._block(Text(" " * GAP))])
                blocks += things
        return blocks

    def _known_thing(self, thing: Thing, quiet: str, ink: str) -> Block:
        """Draw a thing once: the same lie there step after step."""
        key = (thing.faces, thing.count, thing.marks, ink)
        if key not in self._things:
            self._things[key] = self._thing(thing, quiet, ink)
        return self._things[key]

    def _thing(self, thing: Thing, quiet: str, ink: str) -> Block:
        faces = thing.faces[:MAX_FACES]
        blocks = [self._up(faces) if faces else self._down()]
        if len(thing.faces) > MAX_FACES:
            blocks.append(self._block(Text(f" … {self.texts.format('in-all', count=len(thing.faces))}", style=quiet)))
        elif thing.count > max(len(faces), 1):
            blocks.append(self._block(Text(f"×{thing.count} ", style=ink)))
        if thing.marks and self.signs is not None:
            blocks.append(self._block(Text("".join(map(self._sign, thing.marks)), style=f"bold {quiet}")))
        elif thing.marks:
            said = ", ".join(map(self._label, thing.marks))
            blocks.append(self._block(Text(f" {said} ", style=quiet)))
        return _beside(blocks)

    def _up(self, faces: Sequence[Face]) -> Block:
        card = self.palette.card
        said = Text(" ", style=f"on {card}").join(map(self._face, faces))
        return self._card(said, card)

    def _face(self, face: Face) -> Text:
        said = sanitize(face.text, FACE_CELLS)
        if face.tint in self.palette.tints and face.tint != "ink" and not said[:1].isalnum():  # no word looks so
            self.tints.setdefault(face.tint, set()).add(said)
        tint = self.palette.tints.get(face.tint, self.palette.tints["ink"])
        if self.lines == TALL and cell_len(said) == 1:
            said = f" {said} "
        return Text(said, style=f"bold {tint} on {self.palette.card}")

    def _down(self) -> Block:
        return self._card(Text("▚▚", style=f"{self.palette.back_line} on {self.palette.back}"), self.palette.back)

    def _card(self, said: Text, ground: str) -> Block:
        wide = cell_len(said.plain)
        middle = Text.assemble(("▐", ground), said, ("▌", ground))
        if self.lines == LOW:
            return (middle,)
        return (Text(f"▗{'▄' * wide}▖", style=ground), middle, Text(f"▝{'▀' * wide}▘", style=ground))

    def _block(self, text: Text) -> Block:
        """Set words in the middle line of a block."""
        blank = (Text(" " * cell_len(text.plain)),) * (self.lines // 2)
        return (*blank, text, *blank)

    def _sign(self, mark: str) -> str:
        """Give the sign of a mark; its words once the signs run out."""
        assert self.signs is not None
        if len(self.signs) < len(SIGNS):
            self.signs.setdefault(mark, SIGNS[len(self.signs)])
        return self.signs.get(mark) or f" {self._label(mark)} "

    def _legend(self, width: int) -> list[Text]:
        """Say what the signs mean."""
        signs = (self.signs or {}).items()
        blocks = [(Text(f"{sign} {self._label(mark)}  ", style=self.palette.quiet),) for mark, sign in signs]
        return [Text.assemble(" " * EDGE, line) for line in _flow(blocks, width - EDGE)]

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def _width(block: Block) -> int:
    return cell_len(block[0].plain)


def _beside(blocks: Sequence[Block]) -> Block:
    return tuple(Text.assemble(*lines) for lines in zip(*blocks, strict=True))


def _side_by_side(boards: Sequence[list[Text]], width: int) -> list[Text]:
    """Set boards of one width in a row, the shorter ones filled up."""
    lines = zip_longest(*boards, fillvalue=Text(" " * width))
    return [Text(" ").join(each) for each in lines]


def _flow(blocks: Iterable[Block], width: int) -> list[Text]:
    """Set blocks side by side, in as many rows as it takes."""
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
    """Fill a line up to its width, and lay it on a ground."""
    line = line.copy()
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    line.append(" " * (width - cell_len(line.plain)))
    line.stylize_before(f"on {ground}")
    return line

"""The table of any game as text: a scene in a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from ...core.game import AnyGame, Face, Fact, Place, Scene, Thing, Zone
from ...core.text.board_lines import EMPTY, board_lines
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from .typeset import block, padded

STYLES = {
    "ink": "",
    "red": "red",
    "orange": "dark_orange",
    "yellow": "yellow",
    "green": "green",
    "blue": "bright_blue",
    "purple": "magenta",
    "white": "bold",
}
MAX_FACES = 12
"""The number of cards that are named of one bundle, e.g. of a draw pile."""

QUIET = "dim"
LABEL = "italic dim"
MARGIN = 2
GAP = Text("   ")


class SceneRenderer:
    """Scenes of one match as lines of text."""

    def __init__(self, texts: Texts, game: AnyGame, names: Sequence[str], width: int) -> None:
        self.texts = texts
        self.game = game
        self.width = width
        self.seats = [texts.seat(seat, names) for seat in range(len(names))]
        self.indent = MARGIN + max(map(cell_len, self.seats)) + 2
        self._tints: dict[str, set[str]] = {}

    def draw(self, scene: Scene) -> Iterator[Text]:
        """Yield the lines of the middle of the table, then of every seat: its name, facts, zones and marks."""
        middle = (*map(self._fact, scene.table.facts), *self._zones(scene.table), *self._marks(scene.table))
        if middle or scene.table.zones:  # else nothing can come to lie there
            yield from block(Text(), MARGIN, GAP.join(middle), self.width)
        yield from self._boards(scene.table, MARGIN)
        facts = [GAP.join(map(self._fact, place.facts)) for place in scene.places]
        widest = max((cell_len(each.plain) for each in facts), default=0)
        for place, fact in zip(scene.places, facts, strict=True):
            name = Text("" if place.seat is None else " " * MARGIN + self.seats[place.seat], style="bold")
            rest = (*self._zones(place), *self._marks(place))
            content = GAP.join((padded(fact, widest), *rest) if widest else rest)
            yield from block(name, self.indent, content, self.width)
            yield from self._boards(place, self.indent)

    def tinted(self, sentence: str) -> Text:
        """Return a sentence with its cards coloured: those of the scenes drawn so far that are no words."""
        text = Text(sentence)
        for tint, faces in self._tints.items():
            text.highlight_words(faces, STYLES[tint])
        return text

    def _fact(self, fact: Fact) -> Text:
        value = sanitize(str(fact.value))
        text = value if fact.of is None else self.texts.format("fact-of", value=value, most=fact.of)
        return Text.assemble((self._label(fact.label), LABEL), " ", text)

    def _zones(self, place: Place) -> Iterator[Text]:
        return (self._zone(zone) for zone in place.zones if zone.things and zone.board is None)

    def _boards(self, place: Place, indent: int) -> Iterator[Text]:
        """Yield the lines of each board of a place: its label, then its rows."""
        for zone in place.zones:
            if zone.board is not None and zone.things:
                yield Text(" " * indent + self._label(zone.label), style=LABEL)
                for line in board_lines(zone, lambda _: "", self._label):
                    cells = [(cell.text, _style(cell.thing)) for cell in line]
                    yield Text.assemble(" " * (indent + MARGIN), *cells)

    def _zone(self, zone: Zone) -> Text:
        things = Text(" ").join(map(self._thing, zone.things))
        return Text.assemble((self._label(zone.label), LABEL), " ", things)

    def _marks(self, place: Place) -> Iterator[Text]:
        return (Text(f"◂ {self._label(mark)}", style="bold") for mark in place.marks)

    def _thing(self, thing: Thing) -> Text:
        drawn = self._faces(thing) if thing.faces else self._face_down(thing)
        if thing.is_empty:
            drawn = Text(EMPTY, style=QUIET)
        if thing.number is not None:
            drawn = Text.assemble((f"{thing.number}:", LABEL), drawn)
        for mark in thing.marks:
            drawn.append(" ").append(self._label(mark), style=QUIET)
        return drawn

    def _face_down(self, thing: Thing) -> Text:
        if thing.part is not None:
            return Text(f"[{thing.count}]", style=QUIET)
        message = "face-down" if thing.back == "card" else "face-down-pieces"
        return Text(self.texts.format(message, count=thing.count), style=QUIET)

    def _faces(self, thing: Thing) -> Text:
        faces = _joined(map(self._face, thing.faces[:MAX_FACES]))
        if len(thing.faces) > MAX_FACES:
            message = "in-all" if thing.faces[0].shape == "card" else "in-all-pieces"
            faces.append(f" … {self.texts.format(message, count=len(thing.faces))}", style=QUIET)
        if thing.count > len(thing.faces) > 0:
            faces.append(f"×{thing.count}", style=QUIET)
        alone = len(thing.faces) == 1 and not thing.marks
        return faces if alone else Text.assemble("[", faces, "]")

    def _face(self, face: Face) -> Text:
        text = sanitize(face.text)
        if STYLES.get(face.tint) and not text[:1].isalnum():
            self._tints.setdefault(face.tint, set()).add(text)
        return Text(text, style=STYLES.get(face.tint, ""))

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def _style(thing: Thing | None) -> str:
    """Return the style of a thing on a board: the tint of its top face; quiet for coordinates and empty spaces."""
    return STYLES.get(thing.faces[0].tint, "") if thing is not None and thing.faces else QUIET


def _joined(faces: Iterable[Text]) -> Text:
    return Text(" ").join(faces)

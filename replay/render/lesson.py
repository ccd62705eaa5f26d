"""A lesson as text: what somebody reads who does not know a game, with its cards and tables drawn."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...core.game import AnyGame
from ...core.page.lesson import Block, Cards, Example, ExampleNote, Items, Lesson, Paragraph, Table, Title
from ...core.text.texts import Texts
from .table import MARGIN, STYLES, SceneRenderer
from .transcript import RULE_WIDTH
from .typeset import block, section


class LessonRenderer:
    """Lessons of one game as lines of `width` cells."""

    def __init__(self, texts: Texts, game: AnyGame, lesson: Lesson, width: int) -> None:
        self._texts, self._game, self._lesson, self._width = texts, game, lesson, width
        self._scenes = SceneRenderer(texts, game, lesson.seats, width)

    def draw(self) -> Iterator[Text]:
        """Yield the lines: the title, what the game is, and block by block how it is played."""
        yield section(self._texts.title(self._game), self._width, "━")
        yield from self._text(self._lesson.about)
        least, most = self._lesson.minutes
        fewest, largest = min(self._game.seats), max(self._game.seats)
        key = "seats-exactly" if fewest == largest else "seats-from-to"
        facts = self._texts.format(
            "lesson-facts",
            seats=self._texts.format(key, least=fewest, most=largest),
            minutes=str(most) if least == most else f"{least}–{most}",
            difficulty=self._texts.format(f"lesson-difficulty-{self._lesson.difficulty}"),
        )
        yield from block(Text(), MARGIN, Text(facts, style="dim"), self._width)
        explained = False
        for each in self._lesson.blocks:
            yield Text()
            if isinstance(each, Example) and not explained:
                explained = True
                legend = Text(self._texts.format("lesson-example-key"), style="dim")
                yield from block(Text(), MARGIN, legend, self._width)
            yield from self._block(each)

    def _block(self, each: Block) -> Iterator[Text]:
        match each:
            case Title(text):
                yield section(text, self._width)
            case Paragraph(text):
                yield from self._text(text)
            case Items(items, ordered):
                for number, item in enumerate(items, 1):
                    head = Text(f"{'':{MARGIN}}{number}." if ordered else f"{'':{MARGIN}}•", style="dim")
                    yield from block(head, MARGIN + 3, Text(item), self._width)
            case Cards(faces):
                drawn = [Text(f"[{face.text}]", style=STYLES.get(face.tint, "")) for face in faces]
                yield from block(Text(), MARGIN, Text(" ").join(drawn), self._width)
            case Table(scene):
                yield from self._scenes.draw(scene)
            case Example(notes):
                yield from self._example(notes)

    def _example(self, notes: tuple[ExampleNote, ...]) -> Iterator[Text]:
        before = None
        for note in notes:
            head = Text(f"{note.seq:>4}" if note.seq != before else "", style="dim")
            rule = Text(note.rule or "", style="cyan")
            yield from block(head, 6, self._scenes.tinted(note.text), self._width, rule, RULE_WIDTH)
            before = note.seq

    def _text(self, text: str) -> list[Text]:
        return block(Text(), MARGIN, Text(text), self._width)

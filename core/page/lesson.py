"""A lesson: what somebody reads who does not know a game, from `texts/learn.LANG.md` and `learn.log` of its package.

The file begins with `minutes: 20-30`, `difficulty: 2` (1 to 3), `cards:` (some cards, as the game's picture) and
`about:` (two sentences), then an empty line. What follows are headings (`##`), paragraphs, lists (`-` or `1.`), each
set off by an empty line, and lines that show the game itself:

    !cards 103 110      these cards
    !table 33 as 0      the table after event 33 of the log, as seat 0 sees it (without `as`: all open)
    !steps 31 35        what happens in these events, all cards open
    !steps 70 70 TS-12  of that only the notes of these rules
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import evolve, frozen

from ..errors import KifuError
from ..game import TABLE, AnyGame, Face, Scene, Seat
from ..log import load
from ..match import AnyMatch
from ..text.texts import FALLBACK, Texts
from ..wire import plain


@frozen
class Title:
    """A heading."""

    text: str


@frozen
class Paragraph:
    """A paragraph."""

    text: str


@frozen
class Items:
    """A list; `ordered` ones are numbered from 1."""

    items: tuple[str, ...]
    ordered: bool = False


@frozen
class Cards:
    """Some cards, face up."""

    faces: tuple[Face, ...]


@frozen
class Table:
    """The table at one moment of the example match."""

    scene: Scene


@frozen
class ExampleNote:
    """What happened, and by which rule; `seq` is the number of its event."""

    seq: int
    rule: str | None
    text: str


@frozen
class Example:
    """What happened in some events of the example match."""

    notes: tuple[ExampleNote, ...]


Block = Title | Paragraph | Items | Cards | Table | Example


@frozen
class Lesson:
    """The lesson of a game in one language."""

    minutes: tuple[int, int]
    """How long a match takes, least and most."""
    difficulty: int
    """1: easy to learn, 2: some rules to remember, 3: many."""
    cards: tuple[Face, ...]
    about: str
    seats: tuple[str, ...]
    """The names of the seats of the example match."""
    blocks: tuple[Block, ...]


@cache
def lesson(game: AnyGame, lang: str = FALLBACK) -> Lesson | None:
    """Return the lesson of a game, in English if there is none in this language; None if there is none at all.

    Raises `KifuError` if its file or its log is no lesson.
    """
    source = _read(game, f"texts/learn.{lang}.md") if lang.isidentifier() else None
    if source is None and lang != FALLBACK:
        return lesson(game, FALLBACK)
    return None if source is None else _Parser(game, lang).parse(source)


def deck(lesson: Lesson) -> str:
    """Return the paragraph behind the first cards that the lesson shows: which cards there are; "" if it has none."""
    shown = False
    for block in lesson.blocks:
        shown = shown or isinstance(block, Cards)
        if shown and isinstance(block, Paragraph):
            return block.text
    return ""


def _read(game: AnyGame, name: str) -> str | None:
    if not isinstance(game.texts, str) or not game.texts:
        return None
    try:
        return files(game.texts).joinpath(name).read_text(encoding="utf-8")
    except (ImportError, OSError, ValueError):  # no such package, no such file, not UTF-8
        return None


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as plain data; each block is a map with its `kind`, e.g. `{"kind": "heading", "text": …}`."""
    blocks = [{"kind": type(each).__name__.lower(), **plain(each)} for each in lesson.blocks]
    return {**plain(evolve(lesson, blocks=())), "blocks": blocks}


@cache
def _example(game: AnyGame) -> AnyMatch:
    return load(str(files(str(game.texts)).joinpath("learn.log")), lambda _: game)


class _Parser:
    def __init__(self, game: AnyGame, lang: str) -> None:
        self._game, self._texts, self._match = game, Texts(lang), _example(game)

    def parse(self, source: str) -> Lesson:
        head, _, body = source.partition("\n\n")
        try:
            values = dict(line.split(": ", 1) for line in head.splitlines())
            least, _, most = values["minutes"].partition("-")
            return Lesson(
                minutes=(int(least), int(most or least)),
                difficulty=int(values["difficulty"]),
                cards=self._faces(values["cards"].split()),
                about=values["about"],
                seats=tuple(self._match.header.seats),
                blocks=tuple(self._blocks(body)),
            )
        except (KeyError, ValueError, IndexError) as error:
            raise KifuError(f"the lesson of {self._game.name} in {self._texts.lang}: {error}") from error

    def _blocks(self, body: str) -> Iterator[Block]:
        for chunk in body.strip().split("\n\n"):
            lines = chunk.splitlines()
            if chunk.startswith("## "):
                yield Title(lines[0].removeprefix("## "))
            elif chunk.startswith("!"):
                yield from (self._shown(*line.removeprefix("!").split()) for line in lines)
            elif chunk.startswith(("- ", "1. ")):
                items = re.split(r"^(?:- |\d+\. )", chunk, flags=re.MULTILINE)[1:]
                yield Items(
                    tuple(" ".join(map(str.strip, item.splitlines())) for item in items), ordered=chunk.startswith("1")
                )
            else:
                yield Paragraph(("" if self._texts.lang == "ja" else " ").join(lines))

    def _shown(self, kind: str, *args: str) -> Block:
        match kind:
            case "cards":
                return Cards(self._faces(args))
            case "table":
                viewer = Seat(int(args[2])) if args[1:2] == ("as",) else TABLE
                state = self._match.steps[int(args[0])].after
                return Table(self._game.scene(self._game.view(state, viewer)))
            case "steps":
                return Example(tuple(self._notes(int(args[0]), int(args[1]), args[2:])))
            case _:
                raise ValueError(f"!{kind} shows nothing")

    def _notes(self, first: int, last: int, rules: tuple[str, ...]) -> Iterator[ExampleNote]:
        for seq in range(first, last + 1):
            for note in self._match.steps[seq].notes_for(TABLE):
                number = note.rule.number if note.rule is not None else None
                if not rules or number in rules:
                    text = self._texts.note(note, self._game, self._match.header.seats)
                    yield ExampleNote(seq, number, text)

    def _faces(self, cards: Iterable[str]) -> tuple[Face, ...]:
        return tuple(self._game.face(int(card) if card.isdigit() else card) for card in cards)

"""A match as text: a head, some lines for each step, headings where sections begin, and the table now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from ...core.game import TABLE, AnyStep, Note, Scene, SectionKind
from ...core.log import Finding
from ...core.log.findings import finding_message
from ...core.match import AnyMatch
from ...core.text.sections import Section, SectionCounter
from ...core.text.texts import Line, Texts
from ...core.wire import wire_of
from ..option_parsing import format_value
from .table import MARGIN, SceneRenderer
from .typeset import block, padded, section

WITH_HEADING = frozenset({SectionKind.DEAL, SectionKind.ROUND, SectionKind.TRICK})
"""The sections that begin with a heading."""
WITH_TABLE = frozenset({SectionKind.DEAL, SectionKind.ROUND})
"""The sections at whose beginning the table is drawn."""

INDENT = 6
RULE_WIDTH = 9


class Transcript:
    """A match in one language, as one viewer saw it (`TABLE`: everything), in lines of `width` cells."""

    def __init__(self, match: AnyMatch, viewer: int | None, texts: Texts, *, width: int = 80) -> None:
        self.match = match
        self.viewer = viewer
        self.texts = texts
        self.width = width
        self.names = match.header.seats
        self.renderer = SceneRenderer(texts, match.game, self.names, width)
        self._shown_notes: set[str] = set()
        self._drawn: Scene | None = None
        self._gap = False

    def head(self) -> Iterator[Text]:
        """Yield the head: the game, its options, the seats, the points and the winners."""
        header, texts, game = self.match.header, self.texts, self.match.game
        yield section(texts.title(game), self.width, "━")
        yield from self._seats()
        options = wire_of(game).plain_options(header.options)
        chosen = " ".join(f"{name}={format_value(each)}" for name, each in options.items())
        if chosen:
            yield from self._aside("options", chosen=Line(chosen))
        if self.viewer != TABLE:  # not the match id: it may be the beginning of the seed
            yield from self._aside("seen-by", viewer=texts.seat(self.viewer, self.names))
            return
        started = "" if header.started is None else f"{_date(header.started)}{texts.comma}"
        recorded = {"match": header.match, "started": started, "engine": header.engine, "rules": header.rules}
        yield from self._aside("recorded", **recorded)

    def steps(self, wanted: range) -> Iterator[Text]:
        """Yield the lines of the wanted steps; the numbers in headings count from the first step of the match."""
        sections = SectionCounter()
        for step in self.match.steps:
            if step.seq >= wanted.stop:
                return
            notes = self.match.notes(step.seq, self.viewer)
            begins = sections.count(step, notes)
            if step.seq in wanted:
                yield from self._step_lines(step, notes, begins)

    def one(self, step: AnyStep) -> Iterator[Text]:
        """Yield the lines of one step: its command, its notes, and the table after it."""
        yield section(self.texts.format("step", seq=step.seq, of=len(self.match.events) - 1), self.width)
        yield from self._row("", self.doing(step.seat, self.command_text(step)))
        for note in self.match.notes(step.seq, self.viewer):
            yield from self._note("", note)
        yield Text()
        yield from self.renderer.draw(self._scene(step.seq))

    def end(self, findings: Iterable[Finding]) -> Iterator[Text]:
        """Yield the end: whether the match is over, and what is wrong with its log."""
        match, texts = self.match, self.texts
        text = None
        if match.abandoned:
            text = texts.format("abandoned")
        elif match.result is None:
            text = texts.find("goes-on", match.game, self.names, seats=tuple(sorted(match.to_act)))
        if text is not None:
            yield from (Text(), *block(Text(), MARGIN, Text(text, style="italic"), self.width))
        if match.looked_again:
            text = texts.find("looked-again", match.game, self.names, seats=match.looked_again) or ""
            yield from (Text(), *block(Text(), MARGIN, Text(text, style="italic"), self.width))
        for finding in findings:
            yield Text()
            yield from block(
                Text("✗", style="bold red"), MARGIN, Text(self.finding_text(finding), style="red"), self.width
            )

    def doing(self, seat: int, what: str) -> Text:
        """Return what a seat does, its name in bold."""
        return Text.assemble((self.texts.seat(seat, self.names), "bold"), self.texts.colon, what)

    def command_text(self, step: AnyStep) -> str:
        """Format a step's command as the viewer saw it."""
        return self.texts.observed(step.command_for(self.viewer), self.match.game, self.names)

    def finding_text(self, finding: Finding) -> str:
        """Format a finding, without what the viewer may not know."""
        return finding_message(finding, self.match, self.viewer, self.texts)

    def _seats(self) -> Iterator[Text]:
        result, texts, game = self.match.result, self.texts, self.match.game
        points = [texts.points(each, game) for each in result.points] if result is not None else []
        widest = max(map(cell_len, points), default=0)
        for seat in range(len(self.names)):
            row = Text.assemble(
                (f"  {seat}  ", "dim"), (padded(Text(texts.seat(seat, self.names)), self.renderer.indent))
            )
            row.stylize("bold", 5)
            if result is not None:
                row.append(" " * (widest - cell_len(points[seat])) + points[seat])
                row.append(f"   {texts.won(result, seat)}", style="bold green")
            row.rstrip()
            yield row

    def _step_lines(self, step: AnyStep, notes: tuple[Note, ...], begins: Section | None) -> Iterator[Text]:
        headed = begins if begins is not None and begins.kind in WITH_HEADING else None
        first = 0 if headed is None else headed.note  # what happened before the section began stands above its heading
        if first:
            yield from self._lines(step, notes[:first])
        if headed is not None or self._gap:
            yield Text()
            self._gap = False
        if headed is not None:
            yield section(self.texts.section(headed.kind.value, headed.number, self.match.game), self.width)
        drawn = begins is not None and begins.kind in WITH_TABLE
        if drawn and not first and step.seat != TABLE and (table := self._table(step.seq - 1)):
            yield from (*table, Text())
        yield from self._lines(step, notes[first:], numbered=not first)
        if (drawn and step.seat == TABLE) or step.seq == len(self.match.events) - 1:
            yield from (Text(), *self._table(step.seq))
            self._gap = True

    def _lines(self, step: AnyStep, notes: tuple[Note, ...], *, numbered: bool = True) -> Iterator[Text]:
        """Yield some notes of a step, the first with its number; one without values is shown only once."""
        shown = []
        for note in notes:
            if note.values or note.key not in self._shown_notes:
                self._shown_notes.add(note.key)
                shown.append(note)
        number = str(step.seq) if numbered else ""
        if number and not shown:
            who = self.texts.seat(step.seat, self.names)
            yield from self._row(number, Text(f"{who}{self.texts.colon}{self.command_text(step)}"))
            number = ""
        for note in shown:
            yield from self._note(number, note)
            number = ""

    def _note(self, number: str, note: Note) -> Iterator[Text]:
        text = self.texts.note(note, self.match.game, self.names)
        return self._row(number, self.renderer.tinted(text), note.rule.number if note.rule is not None else "")

    def _row(self, number: str, text: Text, rule: str = "") -> Iterator[Text]:
        head, tail = Text(f"{number:>4}", style="dim"), Text(rule, style="cyan")
        yield from block(head, INDENT, text, self.width, tail, RULE_WIDTH)

    def _table(self, seq: int) -> list[Text]:
        """Draw the table after an event, unless it was last drawn so."""
        scene = self._scene(seq)
        if scene == self._drawn:
            return []
        self._drawn = scene
        return list(self.renderer.draw(scene))

    def _scene(self, seq: int) -> Scene:
        game = self.match.game
        return game.scene(game.view(self.match.shown(seq, self.viewer), self.viewer))

    def _aside(self, key: str, **values: Any) -> Iterator[Text]:
        yield from block(Text(), MARGIN, Text(self.texts.format(key, **values), style="dim"), self.width)


def _date(started: int) -> str:
    try:
        return datetime.fromtimestamp(started / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):  # beyond the calendar
        return str(started)

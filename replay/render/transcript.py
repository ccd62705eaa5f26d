"""A match as text: a head, some lines for each step, headings where sections begin, and the table now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from ...core.game import TABLE, AnyStep, Note, RedactedCommand, Scene, Seat, SectionKind
from ...core.log import Finding
from ...core.log.finding_text import finding_message
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
"""The sections at whose beginning the table is drawn without `tables`."""

INDENT = 6
RULE_WIDTH = 9


class Transcript:
    """A match in one language, as one viewer saw it (`TABLE`: everything), in lines of `width` cells.

    `tables`: draw the table at the beginning of every trick and turn too.
    """

    def __init__(
        self,
        match: AnyMatch,
        viewer: Seat | None,
        texts: Texts,
        *,
        width: int = 80,
        tables: bool = False,
    ) -> None:
        self.match = match
        self.viewer = viewer
        self.texts = texts
        self.width = width
        self.tables = tables
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
            notes = step.notes_for(self.viewer)
            begins = sections.count(step, notes)
            if step.seq in wanted:
                yield from self._step_lines(step, notes, begins)

    def one(self, step: AnyStep) -> Iterator[Text]:
        """Yield the lines of one step: its command, its notes, and the table after it."""
        yield section(self.texts.format("step", seq=step.seq, of=len(self.match.events) - 1), self.width)
        who = self.texts.seat(step.seat, self.names)
        yield from self._row("", Text.assemble((who, "bold"), self.texts.colon, self.command_text(step)))
        for note in step.notes_for(self.viewer):
            yield from self._note("", note)
        yield Text()
        yield from self.renderer.draw(self._scene(step.after))

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
        for finding in findings:
            yield Text()
            yield from block(
                Text("✗", style="bold red"), MARGIN, Text(self.finding_text(finding), style="red"), self.width
            )

    def command_text(self, step: AnyStep) -> str:
        """Format a step's command as the viewer saw it."""
        observed = step.command_for(self.viewer)
        text = self.texts.command(observed, self.match.game, self.names)
        return self.texts.format("unseen", what=text) if isinstance(observed, RedactedCommand) else text

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
        drawn = begins is not None and (begins.kind in WITH_TABLE or self.tables)
        if drawn and not first and step.seat != TABLE and (table := self._table(step.before)):
            yield from (*table, Text())
        yield from self._lines(step, notes[first:], numbered=not first)
        if (drawn and step.seat == TABLE) or step.seq == len(self.match.events) - 1:
            yield from (Text(), *self._table(step.after))
            self._gap = True

    def _lines(self, step: AnyStep, notes: tuple[Note, ...], *, numbered: bool = True) -> Iterator[Text]:
        """Yield some notes of a step, the first with its number; one without values is shown only once."""
        number = str(step.seq) if numbered else ""
        for note in notes:
            if not note.values and note.key in self._shown_notes:
                continue
            self._shown_notes.add(note.key)
            yield from self._note(number, note)
            number = ""
        if number:
            who = self.texts.seat(step.seat, self.names)
            yield from self._row(number, Text(f"{who}{self.texts.colon}{self.command_text(step)}"))

    def _note(self, number: str, note: Note) -> Iterator[Text]:
        text = self.texts.note(note, self.match.game, self.names)
        return self._row(number, self.renderer.tinted(text), note.rule.number if note.rule is not None else "")

    def _row(self, number: str, text: Text, rule: str = "") -> Iterator[Text]:
        head, tail = Text(f"{number:>4}", style="dim"), Text(rule, style="cyan")
        yield from block(head, INDENT, text, self.width, tail, RULE_WIDTH)

    def _table(self, state: Any) -> list[Text]:
        """Draw the table, unless it was last drawn in the same state."""
        scene = self._scene(state)
        if scene == self._drawn:
            return []
        self._drawn = scene
        return list(self.renderer.draw(scene))

    def _scene(self, state: Any) -> Scene:
        game = self.match.game
        return game.scene(game.view(state, self.viewer))

    def _aside(self, key: str, **values: Any) -> Iterator[Text]:
        yield from block(Text(), MARGIN, Text(self.texts.format(key, **values), style="dim"), self.width)


def _date(started: int) -> str:
    try:
        return datetime.fromtimestamp(started / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, ValueError, OSError):  # beyond the calendar
        return str(started)

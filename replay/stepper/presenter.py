"""A record as text for one viewer, in one language, step by step on demand; and the place at which one stands in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Note, Scene, Seat, SectionKind
from ...core.log import Reading
from ...core.log.findings import finding_message
from ...core.text.sanitize import sanitize
from ...core.text.sections import Section, SectionCounter
from ...core.text.texts import Texts
from ..render.transcript import WITH_HEADING
from .record import START, Record

WRONG = "✗"
"""The sign before such places in the list, which works without colours too."""
MAX_CELLS = 2000
"""The maximum width of a sentence, in cells."""
PACKAGES = ("kifu.replay", "kifu.core.page")
"""The packages whose catalogues have the stepper's messages, besides the game's."""


@frozen
class NoteText:
    """A note or finding as text, and the number of its rule."""

    text: str
    rule: str = ""


@frozen
class Row:
    """A row of the list: a place, or the heading of a section before it."""

    at: int
    section: Section | None = None


class StepPresenter:
    """A record as text for one viewer (`TABLE`: everything), in one language, and the rows of its list."""

    def __init__(self, record: Record, viewer: int | None, texts: Texts) -> None:
        self.record, self.viewer, self.texts = record, viewer, texts
        self.game = record.match.game
        self.names = record.match.header.seats
        self.rows = [Row(START)]
        self._row_of = {START: 0}
        self._notes = [record.match.notes(seq, viewer) for seq in range(record.count)]
        self._sections = SectionCounter()
        for step, notes in zip(record.match.steps, self._notes, strict=True):
            begins = self._sections.count(step, notes)
            if begins is not None and begins.kind in WITH_HEADING:
                self.rows.append(Row(step.seq, begins))
            self._add_row(step.seq)
        if record.last == record.count:
            self._add_row(record.count)

    def _add_row(self, at: int) -> None:
        self._row_of[at] = len(self.rows)
        self.rows.append(Row(at))

    # The list.

    def row(self, place: int) -> Row | None:
        """Return a row of the list, or None beyond its end."""
        return self.rows[place] if place < len(self.rows) else None

    def row_of(self, at: int) -> int:
        """Return the row of a place."""
        return self._row_of[at]

    def has_heading(self, at: int) -> bool:
        """Return True if a section with a heading begins with a step."""
        return any(note.begins in WITH_HEADING for note in self._notes_at(at))

    def sections(self, at: int) -> str:
        """Format the sections of a place: `Deal 1 · Trick 7`; of the deal only a heading that has its number."""
        last = min(at, self.record.count - 1)
        begun = [each for each in self._sections.at(last) if each.kind in WITH_HEADING] if last >= 0 else []
        names = [(each, self.texts.section(each.kind.value, each.number, self.game)) for each in begun]
        shown = [
            name
            for each, name in names
            if len(begun) == 1 or each.kind is not SectionKind.DEAL or str(each.number) in name
        ]
        return sanitize(" · ".join(shown), MAX_CELLS)

    # A place in words.

    def notes(self, at: int) -> Iterator[NoteText]:
        """Yield the notes and findings of a place."""
        for note in self._notes_at(at):
            text = self.texts.note(note, self.game, self.names)
            yield NoteText(text, note.rule.number if note.rule is not None else "")
        for finding in self.record.wrong(at):
            text = finding_message(finding, self.record.match, self.viewer, self.texts)
            yield NoteText(f"{WRONG} {text}", finding.rule or "")

    def line(self, at: int) -> str:
        """Format a place in one line."""
        if at == START:
            return self.texts.format("stepper-start")
        if self.record.is_step(at):
            wrong = f"{WRONG} " if self.record.wrong(at) else ""
            notes = self._notes_at(at)
            return wrong + (self.texts.note(notes[0], self.game, self.names) if notes else self.command_text(at))
        return next((note.text for note in self.notes(at)), "")

    def command_text(self, at: int) -> str:
        """Format the seat and command of a step, as the viewer saw it; "" at any other place."""
        if not self.record.is_step(at):
            return ""
        step = self.record.match.steps[at]
        text = self.texts.observed(step.command_for(self.viewer), self.game, self.names)
        return f"{self.texts.seat(step.seat, self.names)}{self.texts.colon}{text}"

    def contains(self, at: int, text: str) -> bool:
        """Return True if a case-folded text occurs in the notes, findings or command of a place."""
        if at == START:
            return False
        texts = (*(note.text for note in self.notes(at)), self.command_text(at))
        return any(text in each.casefold() for each in texts)

    # The table.

    def scene(self, at: int) -> Scene:
        """Return the viewer's scene at a place."""
        match = self.record.match
        return self.game.scene(self.game.view(match.shown(min(at, self.record.count - 1), self.viewer), self.viewer))

    def actor(self, at: int) -> int | None:
        """Return the seat that acted in a step, else None."""
        return self.record.match.events[at].seat if self.record.is_step(at) else None

    def _notes_at(self, at: int) -> tuple[Note, ...]:
        """Return the notes of a step; none at any other place."""
        return self._notes[at] if self.record.is_step(at) else ()


class Navigation:
    """The place in a record, and how it is shown."""

    def __init__(self, reading: Reading, viewer: int | None, lang: str) -> None:
        self.record = Record.of(reading)
        self.names = self.record.match.header.seats
        self.viewer = viewer
        self.sealed = viewer != TABLE
        """True if the call (`--as`) allows only one viewer."""
        self.viewers: list[int | None] = [viewer] if self.sealed else [TABLE, *map(Seat, range(len(self.names))), None]
        """The viewers that can be chosen; `TABLE` sees everything, None is a spectator."""
        self.texts = Texts(lang, *PACKAGES)
        self.at = START
        self.search_text = ""
        """The searched text, case-folded."""
        self._presenters: dict[int | None, StepPresenter] = {}

    @property
    def presenter(self) -> StepPresenter:
        """The presenter for the present viewer."""
        if self.viewer not in self._presenters:
            self._presenters[self.viewer] = StepPresenter(self.record, self.viewer, self.texts)
        return self._presenters[self.viewer]

    def go(self, at: int) -> None:
        """Go to a place, or as far towards it as there are any."""
        self.at = min(max(at, START), self.record.last)

    def next_places(self, forward: bool) -> range:
        """Return the places in a direction, the nearest first."""
        return range(self.at + 1, self.record.last + 1) if forward else range(self.at - 1, START - 1, -1)

    def format_message(self, key: str, **values: Any) -> str:
        """Format a message in which seats have their names."""
        return self.texts.find(key, None, self.names, **values) or key

    @property
    def viewer_label(self) -> int | str:
        """The viewer as a value for a message."""
        return "spectator" if self.viewer is None else self.viewer

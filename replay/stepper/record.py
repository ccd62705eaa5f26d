"""What the stepper shows: the match of a log with the findings, and its list of steps for one viewer."""

from __future__ import annotations

from attrs import frozen

from ...core.game import Note, SectionKind
from ...core.log import Finding, Reading
from ...core.match import AnyMatch, AnyPosition
from ...core.text.sections import Section, SectionCounter
from ..render.transcript import WITH_HEADING

START = -1
"""The place before the first step."""


@frozen(eq=False)
class Record:
    """A match with its findings. Its places are `START`, the number of every step, and one for findings at the end."""

    match: AnyMatch
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, reading: Reading) -> Record:
        """Return the record of a log."""
        assert reading.match is not None
        return cls(reading.match, tuple(reading.findings))

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.match.events)

    @property
    def last(self) -> int:
        """The last place."""
        return self.count if any(self._place(finding) == self.count for finding in self.findings) else self.count - 1

    def position(self, at: int) -> AnyPosition:
        """Return the match's position at a place."""
        return self.match.at(min(at, self.count - 1))

    def is_step(self, at: int) -> bool:
        """Return True if a place is a step."""
        return 0 <= at < self.count

    def wrong(self, at: int) -> list[Finding]:
        """Return the findings at a place."""
        return [finding for finding in self.findings if self._place(finding) == at]

    def wrong_places(self) -> list[int]:
        """Return the places with findings, in order."""
        return sorted({self._place(finding) for finding in self.findings})

    def _place(self, finding: Finding) -> int:
        return self.count if finding.seq is None else min(finding.seq, self.count)


@frozen
class Row:
    """A row of the list: a place, or the heading of a section before it."""

    at: int
    section: Section | None = None


class Index:
    """The notes of a record for one viewer, the rows of its list, and the row of each place."""

    def __init__(self, record: Record, viewer: int | None) -> None:
        self.record = record
        self.viewer = viewer
        self.rows = [Row(START)]
        self._row_of = {START: 0}
        self._notes = [record.match.notes(seq, viewer) for seq in range(record.count)]
        self._sections = SectionCounter()
        for step, notes in zip(record.match.steps, self._notes, strict=True):
            begins = self._sections.count(step, notes)
            if begins is not None and begins.kind in WITH_HEADING:
                self.rows.append(Row(step.seq, begins))
            self._add(step.seq)
        if record.last == record.count:
            self._add(record.count)

    def _add(self, at: int) -> None:
        self._row_of[at] = len(self.rows)
        self.rows.append(Row(at))

    def notes(self, at: int) -> tuple[Note, ...]:
        """Return the notes of a step; none at any other place."""
        return self._notes[at] if self.record.is_step(at) else ()

    def begins(self, at: int) -> frozenset[SectionKind]:
        """Return the kinds of sections that begin with a step."""
        return frozenset(note.begins for note in self.notes(at) if note.begins is not None)

    def current_sections(self, at: int) -> tuple[Section, ...]:
        """Return the deal, round, trick and turn of a place."""
        at = min(at, self.record.count - 1)
        return self._sections.at(at) if at >= 0 else ()

    def row(self, place: int) -> Row | None:
        """Return a row of the list, or None beyond its end."""
        return self.rows[place] if place < len(self.rows) else None

    def row_of(self, at: int) -> int:
        """Return the row of a place."""
        return self._row_of[at]

"""The index of a record for one viewer: its notes, sections and list rows, counted from the first step on demand."""

from __future__ import annotations

from attrs import frozen

from ...core.game import Note, Seat, SectionKind
from ...core.text.sections import Section, SectionCounter
from .record import START, Record

WITH_HEADING = frozenset({SectionKind.DEAL, SectionKind.ROUND, SectionKind.TRICK})
"""The sections that begin with a heading in the list of steps."""


@frozen
class Row:
    """A row of the list: a place, or the heading of a section before it."""

    at: int
    section: Section | None = None


class Index:
    """The notes of a record for one viewer, the rows of its list, and the row of each place."""

    def __init__(self, record: Record, viewer: Seat | None) -> None:
        self.record = record
        self.viewer = viewer
        self._notes: list[tuple[Note, ...]] = []
        self._sections = SectionCounter()
        self._rows = [Row(START)]
        self._row_of: list[int] = []
        self._headings: list[Row] = []

    def extended(self, record: Record, shared: int) -> Index:
        """Return the index of a record whose first `shared` steps are the same; they are not counted again."""
        index = Index(record, self.viewer)
        shared = min(shared, self.known)
        index._notes = self._notes[:shared]
        index._sections = self._sections.prefix(shared)
        index._row_of = self._row_of[:shared]
        index._rows = self._rows[: self._row_of[shared - 1] + 1] if shared else index._rows
        index._headings = [row for row in self._headings if row.at < shared]
        return index

    @property
    def known(self) -> int:
        """The number of steps that are counted."""
        return len(self._notes)

    def count(self, until: int) -> None:
        """Count the sections and rows up to a step."""
        for seq in range(self.known, min(until + 1, self.record.count)):
            step = self.record.match.steps[seq]
            notes = step.notes_for(self.viewer)
            begins = self._sections.count(step, notes)
            self._notes.append(notes)
            if begins is not None and begins.kind in WITH_HEADING:
                self._headings.append(Row(seq, begins))
                self._rows.append(self._headings[-1])
            self._row_of.append(len(self._rows))
            self._rows.append(Row(seq))

    def notes(self, at: int) -> tuple[Note, ...]:
        """Return the notes of a step; none at any other place."""
        if not self.record.is_step(at):
            return ()
        self.count(at)
        return self._notes[at]

    def begins(self, at: int) -> frozenset[SectionKind]:
        """Return the kinds of sections that begin with a step."""
        return frozenset(note.begins for note in self.notes(at) if note.begins is not None)

    def kinds(self) -> frozenset[SectionKind]:
        """Return the kinds of sections that the record has."""
        self.count(self.record.count)
        return frozenset(note.begins for notes in self._notes for note in notes if note.begins is not None)

    def current_sections(self, at: int) -> tuple[Section, ...]:
        """Return the deal, round, trick and turn of a place."""
        at = min(at, self.record.count - 1)
        self.count(at)
        return self._sections.at(at) if at >= 0 else ()

    def sections(self, *kinds: SectionKind) -> tuple[int, ...]:
        """Return the places where sections of these kinds begin, as far as they are counted."""
        return tuple(row.at for row in self._headings if row.section is not None and row.section.kind in kinds)

    @property
    def height(self) -> int:
        """The number of rows, as far as it is known."""
        return len(self._rows) + self.record.last - self.known + 1

    def row(self, place: int) -> Row | None:
        """Return a row of the list, or None beyond its end."""
        while place >= len(self._rows) and self.known < self.record.count:
            self.count(self.known + place - len(self._rows) + 1)
        if place < len(self._rows):
            return self._rows[place]
        at = self.record.count + place - len(self._rows)
        return Row(at) if at <= self.record.last else None

    def row_of(self, at: int) -> int:
        """Return the row of a place."""
        self.count(at)
        if at == START:
            return 0
        return self._row_of[at] if at < self.known else len(self._rows) + at - self.record.count

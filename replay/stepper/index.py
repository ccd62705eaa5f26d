"""What begins where in a record, as one viewer is told it: counted from the first step, as far as it was asked for."""

from __future__ import annotations

from attrs import frozen

from ...core.game import Mark, Note, Seat
from ...core.text.sections import Section, SectionCounter
from .record import START, Record

HEADED = frozenset({Mark.DEAL, Mark.ROUND, Mark.TRICK})
"""What begins with a heading in the list of steps."""


@frozen
class Row:
    """A line of the list: a place, or the heading before it."""

    at: int
    section: Section | None = None


class Index:
    """The notes of a record for one viewer, the rows of its list, and where each place stands in it."""

    def __init__(self, record: Record, viewer: Seat | None) -> None:
        self.record = record
        self.viewer = viewer
        self._told: list[tuple[Note, ...]] = []
        self._sections = SectionCounter()
        self._rows = [Row(START)]
        self._row_of: list[int] = []
        self._headed: list[Row] = []

    def gone_on(self, record: Record, shared: int) -> Index:
        """Give the index of a record whose first `shared` steps are these: they are not counted again."""
        index = Index(record, self.viewer)
        shared = min(shared, self.known)
        index._told = self._told[:shared]
        index._sections = self._sections.prefix(shared)
        index._row_of = self._row_of[:shared]
        index._rows = self._rows[: self._row_of[shared - 1] + 1] if shared else index._rows
        index._headed = [row for row in self._headed if row.at < shared]
        return index

    @property
    def known(self) -> int:
        """How many steps are counted."""
        return len(self._told)

    def count(self, until: int) -> None:
        """Count all that begins up to a step."""
        for seq in range(self.known, min(until + 1, self.record.count)):
            step = self.record.match.steps[seq]
            notes = step.notes_for(self.viewer)
            begins = self._sections.count(step, notes)
            self._told.append(notes)
            if begins is not None and begins.mark in HEADED:
                self._headed.append(Row(seq, begins))
                self._rows.append(self._headed[-1])
            self._row_of.append(len(self._rows))
            self._rows.append(Row(seq))

    def told(self, at: int) -> tuple[Note, ...]:
        """Give the notes of a step; at any other place there are none."""
        if not self.record.is_step(at):
            return ()
        self.count(at)
        return self._told[at]

    def begins(self, at: int) -> frozenset[Mark]:
        return frozenset(note.begins for note in self.told(at) if note.begins is not None)

    def going_on(self, at: int) -> tuple[Section, ...]:
        """Name the deal, round, trick and turn of a place."""
        at = min(at, self.record.count - 1)
        self.count(at)
        return self._sections.at(at) if at >= 0 else ()

    def sections(self, *marks: Mark) -> tuple[int, ...]:
        """List the places where one of these begins, as far as they are counted."""
        return tuple(row.at for row in self._headed if row.section is not None and row.section.mark in marks)

    @property
    def height(self) -> int:
        """How many rows the list has, as far as is known."""
        return len(self._rows) + self.record.last - self.known + 1

    def row(self, place: int) -> Row | None:
        """Give a row of the list."""
        while place >= len(self._rows) and self.known < self.record.count:
            self.count(self.known + place - len(self._rows) + 1)
        if place < len(self._rows):
            return self._rows[place]
        at = self.record.count + place - len(self._rows)
        return Row(at) if at <= self.record.last else None

    def row_of(self, at: int) -> int:
        """Find the row of a place."""
        self.count(at)
        if at == START:
            return 0
        return self._row_of[at] if at < self.known else len(self._rows) + at - self.record.count

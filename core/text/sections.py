"""The sections of a match: its deals, rounds, tricks and turns, numbered by its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from ..game import AnyStep, Note, SectionKind
from ..game.timeline import base

ORDER = (SectionKind.DEAL, SectionKind.ROUND, SectionKind.TRICK, SectionKind.TURN)
"""The larger first: where a section begins, the numbers of the smaller ones start again."""


@frozen
class Section:
    """A deal, round, trick or turn, and its number: 1, 2, …"""

    kind: SectionKind
    number: int
    note: int = 0
    """The place, among the notes of its step, of the note with which it begins."""


class SectionCounter:
    """Numbers the sections of one match, step by step from the first."""

    def __init__(self) -> None:
        self._counts: list[Counter[SectionKind]] = []

    def count(self, step: AnyStep, notes: Sequence[Note]) -> Section | None:
        """Count the next step, which has these notes; return the largest section that it begins, if any."""
        begun = {note.begins: dict(note.values).get(note.begins.value) for note in notes if note.begins is not None}
        counts = _count(self._before(step), begun)
        self._counts.append(counts)
        kind = next((kind for kind in ORDER if kind in begun), None)
        return None if kind is None else Section(kind, counts[kind], [note.begins for note in notes].index(kind))

    def at(self, seq: int) -> tuple[Section, ...]:
        """Return the sections that a counted step lies in: its deal, round, trick and turn, the larger first."""
        counts = self._counts[seq]
        return tuple(Section(kind, counts[kind]) for kind in ORDER if counts[kind])

    def prefix(self, count: int) -> SectionCounter:
        """Return a counter of the first `count` steps alone, from which another match may continue."""
        sections = SectionCounter()
        sections._counts = self._counts[:count]
        return sections

    def _before(self, step: AnyStep) -> Counter[SectionKind]:
        """Return the numbers in the state that a step starts from."""
        before = base(step.event)
        return self._counts[before] if before >= 0 else Counter()


def _count(counts: Counter[SectionKind], begun: Mapping[SectionKind, int | None]) -> Counter[SectionKind]:
    """Return the numbers after these sections have begun; a number given by a note (`round=3`) wins over the count."""
    if not begun:
        return counts
    new = Counter(counts)
    for place, kind in enumerate(ORDER):
        if kind in begun:
            new[kind] = begun[kind] or new[kind] + 1
            for lesser in ORDER[place + 1 :]:
                new[lesser] = 0
    return new

"""The sections of a match: its deals, rounds, tricks and turns, numbered by its steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ..game import Mark, Note, Step
from ..timeline import base

ORDER = (Mark.DEAL, Mark.ROUND, Mark.TRICK, Mark.TURN)
"""The larger first: where a section begins, the numbers of the smaller ones start again."""


@frozen
class Section:
    """A deal, round, trick or turn, and its number: 1, 2, …"""

    mark: Mark
    number: int


class SectionCounter:
    """Numbers the sections of one match, step by step from the first."""

    def __init__(self) -> None:
        self._counts: list[Counter[Mark]] = []

    def count(self, step: Step[Any, Any], notes: Iterable[Note]) -> Section | None:
        """Count the next step, which has these notes; return the largest section that it begins, if any."""
        begun = {note.begins: dict(note.values).get(note.begins.value) for note in notes if note.begins is not None}
        counts = _count(self._before(step), begun)
        self._counts.append(counts)
        mark = next((mark for mark in ORDER if mark in begun), None)
        return None if mark is None else Section(mark, counts[mark])

    def at(self, seq: int) -> tuple[Section, ...]:
        """Return the sections that a counted step lies in: its deal, round, trick and turn, the larger first."""
        counts = self._counts[seq]
        return tuple(Section(mark, counts[mark]) for mark in ORDER if counts[mark])

    def prefix(self, count: int) -> SectionCounter:
        """Return a counter of the first `count` steps alone, from which another match may continue."""
        sections = SectionCounter()
        sections._counts = self._counts[:count]
        return sections

    def _before(self, step: Step[Any, Any]) -> Counter[Mark]:
        """Return the numbers in the state that a step starts from."""
        before = base(step.event)
        return self._counts[before] if before >= 0 else Counter()


def _count(counts: Counter[Mark], begun: Mapping[Mark, int | None]) -> Counter[Mark]:
    """Return the numbers after these sections have begun; a number given by a note (`round=3`) wins over the count."""
    if not begun:
        return counts
    new = Counter(counts)
    for place, mark in enumerate(ORDER):
        if mark in begun:
            new[mark] = begun[mark] or new[mark] + 1
            for lesser in ORDER[place + 1 :]:
                new[lesser] = 0
    return new

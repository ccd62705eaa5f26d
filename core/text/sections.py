"""What a step begins, and its number: the deals, rounds, tricks and turns of a match, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ..game import Mark, Note, Step
from ..timeline import base

ORDER = (Mark.DEAL, Mark.ROUND, Mark.TRICK, Mark.TURN)
"""The greater first: where one begins, the lesser are counted anew."""


@frozen
class Section:
    """The greatest that a step begins, and which of its kind it is: 1, 2, …"""

    mark: Mark
    number: int


class SectionCounter:
    """Count what the steps of one match begin, asked step by step from the first."""

    def __init__(self) -> None:
        self._counted: list[Counter[Mark]] = []

    def count(self, step: Step[Any, Any], notes: Iterable[Note]) -> Section | None:
        """Give the heading of the next step, whose notes these are."""
        begun = {note.begins: dict(note.values).get(note.begins.value) for note in notes if note.begins is not None}
        counts = _count(self._before(step), begun)
        self._counted.append(counts)
        mark = next((mark for mark in ORDER if mark in begun), None)
        return None if mark is None else Section(mark, counts[mark])

    def at(self, seq: int) -> tuple[Section, ...]:
        """Give what goes on after a step that was asked for: its deal, round, trick and turn, the greater first."""
        counts = self._counted[seq]
        return tuple(Section(mark, counts[mark]) for mark in ORDER if counts[mark])

    def prefix(self, count: int) -> SectionCounter:
        """Begin anew after the first steps that were asked for: another record may go on from there."""
        sections = SectionCounter()
        sections._counted = self._counted[:count]
        return sections

    def _before(self, step: Step[Any, Any]) -> Counter[Mark]:
        """Return what had begun in the state that a step starts from."""
        before = base(step.event)
        return self._counted[before] if before >= 0 else Counter()


def _count(counts: Counter[Mark], begun: Mapping[Mark, int | None]) -> Counter[Mark]:
    """Count what begins, the greater first; a note whose values have the number itself (`round=3`) is believed."""
    if not begun:
        return counts
    new = Counter(counts)
    for place, mark in enumerate(ORDER):
        if mark in begun:
            new[mark] = begun[mark] or new[mark] + 1
            for lesser in ORDER[place + 1 :]:
                new[lesser] = 0
    return new

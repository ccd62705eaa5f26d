"""The sections of a match, its deals, rounds, tricks and turns, numbered by its steps; the rows of its score sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..game import AnyGame, AnyStep, Note, ScoreRows, SectionKind
from ..game.timeline import base
from .texts import Texts

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


@frozen
class ScoreRow:
    """A row of a score sheet: a number for each seat, from a number of events on."""

    at: int
    labels: tuple[str, ...]
    """What it is called, in each language."""
    values: tuple[int | None, ...]
    best: tuple[int, ...] = ()
    """The seats that lead in it."""


def score_rows(game: AnyGame, steps: Sequence[AnyStep], seats: int, languages: Sequence[Texts]) -> list[ScoreRow]:
    """Return the rows of a score sheet, of what a spectator is told.

    They are those that the game names, else the first fact of each seat: a row for each part that changes one.
    """
    named, counter = game.extra(ScoreRows), SectionCounter()
    for step in steps:
        counter.count(step, step.notes_for(None))
    if named is None:
        return _fact_rows(game, steps, counter, seats, languages)
    rows: list[tuple[int, ScoreRow]] = []
    for step in steps:
        made = dict[tuple[str, ...], ScoreRow]()
        deal = next((each.number for each in counter.at(step.seq) if each.kind is SectionKind.DEAL), 0)
        for note in step.notes_for(None):
            if note.key in named.rows:
                row = _score_row(note, named.rows[note.key], step.seq + 1, seats, game, languages)
                made[row.labels] = _joined(made[row.labels], row) if row.labels in made else row
        rows += [(deal, row) for row in made.values()]
    many = Counter(row.labels for _, row in rows)
    return [_of_deal(row, deal, game, languages) if many[row.labels] > 1 else row for deal, row in rows]


def _score_row(note: Note, name: str, at: int, seats: int, game: AnyGame, languages: Sequence[Texts]) -> ScoreRow:
    values = dict(note.values)
    given = values[name]
    shown = given if isinstance(given, tuple) else [given if seat == values["seat"] else None for seat in range(seats)]
    labels = [texts.find(f"row-{note.key}", game, **values) or note.key for texts in languages]
    return ScoreRow(at, tuple(labels), tuple(shown), tuple(values.get("seats", ())))


def _joined(one: ScoreRow, other: ScoreRow) -> ScoreRow:
    """Return the row of two notes that each tell of one seat."""
    pairs = zip(one.values, other.values, strict=True)
    return evolve(one, values=tuple([first if second is None else second for first, second in pairs]))


def _of_deal(row: ScoreRow, deal: int, game: AnyGame, languages: Sequence[Texts]) -> ScoreRow:
    labels = [
        f"{texts.section('deal', deal, game)} · {label}" for texts, label in zip(languages, row.labels, strict=True)
    ]
    return evolve(row, labels=tuple(labels))


def _fact_rows(
    game: AnyGame, steps: Sequence[AnyStep], counter: SectionCounter, seats: int, languages: Sequence[Texts]
) -> list[ScoreRow]:
    every = {each for step in steps for each in counter.at(step.seq)}
    told = {each.kind for each in every} & {SectionKind.ROUND, SectionKind.TRICK} or {SectionKind.TURN}
    if Section(SectionKind.DEAL, 2) in every:
        told.add(SectionKind.DEAL)
    rows: dict[tuple[str, ...], ScoreRow] = {}
    before = _first_facts(game, steps[0].before) if steps else ()
    for step in steps:
        now, parts = _first_facts(game, step.after), [each for each in counter.at(step.seq) if each.kind in told]
        if now != before and parts:
            labels = tuple([" · ".join(_part(each, seats, game, texts) for each in parts) for texts in languages])
            rows[labels] = ScoreRow(step.seq + 1, labels, now)
        before = now
    return list(rows.values())


def _part(section: Section, seats: int, game: AnyGame, texts: Texts) -> str:
    """Return what a part is called; as many turns as there are seats share a row."""
    kind, number = section.kind, section.number
    if kind is not SectionKind.TURN:
        return texts.section(kind.value, number, game)
    last = -(-number // seats) * seats
    return texts.section(kind.value, texts.format("turns", first=last - seats + 1, last=last), game)


def _first_facts(game: AnyGame, state: Any) -> tuple[int | None, ...]:
    facts = [place.facts[0].value if place.facts else None for place in game.scene(game.view(state, None)).places]
    return tuple([value if isinstance(value, int) else None for value in facts])

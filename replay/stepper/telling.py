"""A record as one viewer is told it: each step as it is asked for, and what begins where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from ...core.game import TABLE, Hidden, Mark, Note, Seat, Step
from ...core.headings import Heading, Headings
from ...core.legible import legible
from ...core.log.words import finding_in_words
from ...core.scene import Place, Scene
from ...core.texts import Texts
from .record import START, Record

HEADED = frozenset({Mark.DEAL, Mark.ROUND, Mark.TRICK})
"""What begins with a heading in the list."""
NOT_IN_LOG, WRONG = "≠", "✗"
"""What stands before such a place in the list, whatever the colours."""
LONGEST = 2000
"""The widest that a sentence is told, in cells."""


@frozen
class Row:
    """A line of the list: a place, or the heading before it."""

    at: int
    heading: Heading | None = None


@frozen
class Said:
    """A note in words, and the number of its rule."""

    words: str
    rule: str = ""


class Telling:
    """Tell a record to one viewer (`TABLE`: everything) in one language."""

    def __init__(self, record: Record, viewer: Seat | None, texts: Texts, *, sealed: bool = False) -> None:
        self.record = record
        self.viewer = viewer
        self.texts = texts
        self.sealed = sealed
        self.game = record.match.game
        self.names = record.match.header.seats
        self._told: list[tuple[Note, ...]] = []
        self._begun: list[tuple[Heading, ...]] = []
        self._headings = Headings()
        self._rows = [Row(START)]
        self._row_of = {START: 0}

    def gone_on(self, record: Record) -> Telling:
        """Tell a record that begins with this one: what is counted stays so."""
        told = Telling(record, self.viewer, self.texts, sealed=self.sealed)
        if record.match.events[: self.known] == self.record.match.events[: self.known]:
            for name in ("_told", "_begun", "_headings", "_rows", "_row_of"):
                setattr(told, name, getattr(self, name))
        return told

    # The index: what begins where, counted from the first step as far as it was asked for.

    @property
    def known(self) -> int:
        """How many steps are counted."""
        return len(self._told)

    def count(self, until: int) -> None:
        """Count all that begins up to a step."""
        for seq in range(self.known, min(until + 1, self.record.count)):
            step = self._step(seq)
            notes = step.told(self.viewer)
            begins = self._headings.of(step, notes)
            self._told.append(notes)
            self._begun.append(self._headings.at(seq))
            if begins is not None and begins.mark in HEADED:
                self._rows.append(Row(seq, begins))
            self._row_of[seq] = len(self._rows)
            self._rows.append(Row(seq))

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
        return self._row_of[at] if at in self._row_of else len(self._rows) + at - self.record.count

    def going_on(self, at: int) -> tuple[Heading, ...]:
        """Name the deal, round, trick and turn of a place."""
        at = min(at, self.record.count - 1)
        self.count(at)
        return self._begun[at] if at >= 0 else ()

    def sections(self, *marks: Mark) -> tuple[int, ...]:
        """List the places where one of these begins, as far as is known."""
        return tuple(row.at for row in self._rows if row.heading is not None and row.heading.mark in marks)

    def begins(self, at: int) -> frozenset[Mark]:
        return frozenset(note.begins for note in self.told(at) if note.begins is not None)

    # A step in words.

    def told(self, at: int) -> tuple[Note, ...]:
        if not self.record.is_step(at):
            return ()
        self.count(at)
        return self._told[at]

    def said(self, at: int) -> Iterator[Said]:
        """Put a place into words: its notes, and what is wrong there."""
        for note in self.told(at):
            words = self.texts.note(note, self.game, self.names)
            yield Said(words, note.rule.number if note.rule is not None else "")
        for finding in self.record.wrong(at):
            words = finding_in_words(finding, self.record.match, self.viewer, self.texts)
            yield Said(f"{WRONG} {words}", finding.rule or "")

    def line(self, at: int) -> str:
        """Tell a place in one line."""
        if at == START:
            return self.texts.say("stepper-start")
        if self.record.is_step(at):
            wrong = f"{WRONG} " if self.record.wrong(at) else ""
            notes = self.told(at)
            return wrong + (self.texts.note(notes[0], self.game, self.names) if notes else self.doing(at))
        return next((said.words for said in self.said(at)), "")

    def doing(self, at: int) -> str:
        """Say who gave which command, as this viewer sees it."""
        if not self.record.is_step(at):
            return ""
        step = self._step(at)
        sighting = step.sighting(self.viewer)
        said = self.texts.command(sighting, self.game, self.names)
        said = self.texts.say("unseen", what=said) if isinstance(sighting, Hidden) else said
        return f"{self.texts.seat(step.seat, self.names)}: {said}"

    def command(self, seat: Seat, command: Any) -> str:
        """Say a command that is not in the log."""
        return f"{self.texts.seat(seat, self.names)}: {self.texts.command(command, self.game, self.names)}"

    # The table.

    def scene(self, at: int) -> Scene:
        return self.record.position(at).scene(self.viewer)

    def actor(self, at: int) -> Seat | None:
        return self.record.match.events[at].seat if self.record.is_step(at) else None

    def narrower(self, at: int) -> bool:
        """Tell whether the viewer knows less at this place than the table does."""
        if self.sealed:  # to be told when a seat knows all would be to know more
            return True
        if self.viewer == TABLE:
            return False
        apart = _looks(self.scene(at)) != _looks(self.record.position(at).scene(TABLE))
        return apart or (self.record.is_step(at) and self.told(at) != self._step(at).told(TABLE))

    def speaks_of(self, at: int, words: str) -> bool:
        """Tell whether the words stand in what is told of a place."""
        if at == START:
            return False
        spoken = (*(said.words for said in self.said(at)), self.doing(at))
        return any(words in each.casefold() for each in spoken)

    def _step(self, seq: int) -> Step[Any, Any]:
        return self.record.match.steps[seq]


def going_on(told: Telling, at: int) -> str:
    """Say where in the match a place is: deal 1, trick 7."""
    begun = (each for each in told.going_on(at) if each.mark in HEADED)
    said = (told.texts.say(f"begins-{each.mark.value}", number=each.number) for each in begun)
    return legible(" · ".join(said), LONGEST)


def _looks(scene: Scene) -> Scene:
    """Give a scene without what nobody sees of it: whose it is, and the names that commands use."""
    return evolve(scene, viewer=None, table=_unnamed(scene.table), places=tuple(map(_unnamed, scene.places)))


def _unnamed(place: Place) -> Place:
    zones = tuple(evolve(zone, things=tuple(evolve(each, part=None) for each in zone.things)) for zone in place.zones)
    return evolve(place, zones=zones)

"""A record as one viewer is told it, in one language: each step as it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from ...core.game import TABLE, RedactedCommand, Seat, Step
from ...core.log.messages import finding_message
from ...core.scene import Place, Scene
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from .index import HEADED, Index
from .record import START

NOT_IN_LOG, WRONG = "≠", "✗"
"""What stands before such a place in the list, whatever the colours."""
LONGEST = 2000
"""The widest that a sentence is told, in cells."""


@frozen
class NoteText:
    """A note in words, and the number of its rule."""

    words: str
    rule: str = ""


class StepPresenter:
    """Tell a record to one viewer (`TABLE`: everything) in one language."""

    def __init__(self, index: Index, texts: Texts, *, sealed: bool = False) -> None:
        self.index = index
        self.record = index.record
        self.viewer = index.viewer
        self.texts = texts
        self.sealed = sealed
        self.game = self.record.match.game
        self.names = self.record.match.header.seats

    def said(self, at: int) -> Iterator[NoteText]:
        """Put a place into words: its notes, and what is wrong there."""
        for note in self.index.told(at):
            words = self.texts.note(note, self.game, self.names)
            yield NoteText(words, note.rule.number if note.rule is not None else "")
        for finding in self.record.wrong(at):
            words = finding_message(finding, self.record.match, self.viewer, self.texts)
            yield NoteText(f"{WRONG} {words}", finding.rule or "")

    def line(self, at: int) -> str:
        """Tell a place in one line."""
        if at == START:
            return self.texts.format("stepper-start")
        if self.record.is_step(at):
            wrong = f"{WRONG} " if self.record.wrong(at) else ""
            notes = self.index.told(at)
            return wrong + (self.texts.note(notes[0], self.game, self.names) if notes else self.doing(at))
        return next((said.words for said in self.said(at)), "")

    def doing(self, at: int) -> str:
        """Say who gave which command, as this viewer sees it."""
        if not self.record.is_step(at):
            return ""
        step = self._step(at)
        observed = step.command_for(self.viewer)
        said = self.texts.command(observed, self.game, self.names)
        said = self.texts.format("unseen", what=said) if isinstance(observed, RedactedCommand) else said
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
        return apart or (self.record.is_step(at) and self.index.told(at) != self._step(at).notes_for(TABLE))

    def speaks_of(self, at: int, words: str) -> bool:
        """Tell whether the words stand in what is told of a place."""
        if at == START:
            return False
        spoken = (*(said.words for said in self.said(at)), self.doing(at))
        return any(words in each.casefold() for each in spoken)

    def _step(self, seq: int) -> Step[Any, Any]:
        return self.record.match.steps[seq]


def going_on(told: StepPresenter, at: int) -> str:
    """Say where in the match a place is: deal 1, trick 7."""
    begun = (each for each in told.index.going_on(at) if each.mark in HEADED)
    said = (told.texts.format(f"begins-{each.mark.value}", number=each.number) for each in begun)
    return sanitize(" · ".join(said), LONGEST)


def _looks(scene: Scene) -> Scene:
    """Give a scene without what nobody sees of it: whose it is, and the names that commands use."""
    return evolve(scene, viewer=None, table=_unnamed(scene.table), places=tuple(map(_unnamed, scene.places)))


def _unnamed(place: Place) -> Place:
    zones = tuple(evolve(zone, things=tuple(evolve(each, part=None) for each in zone.things)) for zone in place.zones)
    return evolve(place, zones=zones)

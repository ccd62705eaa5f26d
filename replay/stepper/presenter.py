"""A record as text for one viewer, in one language; each step is formatted on demand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from ...core.game import TABLE, Place, RedactedCommand, Scene, Seat, SectionKind, Step
from ...core.log.finding_text import finding_message
from ...core.text.sanitize import sanitize
from ...core.text.sections import Section
from ...core.text.texts import Texts
from .index import WITH_HEADING, Index
from .record import START

NOT_IN_LOG, WRONG = "≠", "✗"
"""Signs before such places in the list, which work without colours too."""
MAX_CELLS = 2000
"""The maximum width of a sentence, in cells."""


@frozen
class NoteText:
    """A note or finding as text, and the number of its rule."""

    text: str
    rule: str = ""


class StepPresenter:
    """A record as text for one viewer (`TABLE`: everything), in one language."""

    def __init__(self, index: Index, texts: Texts, *, sealed: bool = False) -> None:
        self.index = index
        self.record = index.record
        self.viewer = index.viewer
        self.texts = texts
        self.sealed = sealed
        self.game = self.record.match.game
        self.names = self.record.match.header.seats

    def notes(self, at: int) -> Iterator[NoteText]:
        """Yield the notes and findings of a place."""
        for note in self.index.notes(at):
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
            notes = self.index.notes(at)
            return wrong + (self.texts.note(notes[0], self.game, self.names) if notes else self.command_text(at))
        return next((note.text for note in self.notes(at)), "")

    def command_text(self, at: int) -> str:
        """Format the seat and command of a step, as the viewer saw it; "" at any other place."""
        if not self.record.is_step(at):
            return ""
        step = self._step(at)
        observed = step.command_for(self.viewer)
        text = self.texts.command(observed, self.game, self.names)
        text = self.texts.format("unseen", what=text) if isinstance(observed, RedactedCommand) else text
        return f"{self.texts.seat(step.seat, self.names)}{self.texts.colon}{text}"

    def command(self, seat: Seat, command: Any) -> str:
        """Format a command that is not in the log."""
        what = self.texts.command(command, self.game, self.names)
        return f"{self.texts.seat(seat, self.names)}{self.texts.colon}{what}"

    # The table.

    def scene(self, at: int) -> Scene:
        """Return the viewer's scene at a place."""
        return self.record.position(at).scene(self.viewer)

    def actor(self, at: int) -> Seat | None:
        """Return the seat that acted in a step, else None."""
        return self.record.match.events[at].seat if self.record.is_step(at) else None

    def sees_less(self, at: int) -> bool:
        """Return True if the viewer sees less at this place than the table does."""
        if self.sealed:  # whether a seat sees everything is not the seat's to know
            return True
        if self.viewer == TABLE:
            return False
        scenes_differ = _visible(self.scene(at)) != _visible(self.record.position(at).scene(TABLE))
        return scenes_differ or (self.record.is_step(at) and self.index.notes(at) != self._step(at).notes_for(TABLE))

    def contains(self, at: int, text: str) -> bool:
        """Return True if a case-folded text occurs in the notes, findings or command of a place."""
        if at == START:
            return False
        texts = (*(note.text for note in self.notes(at)), self.command_text(at))
        return any(text in each.casefold() for each in texts)

    def _step(self, seq: int) -> Step[Any, Any]:
        return self.record.match.steps[seq]


def current_sections(presenter: StepPresenter, at: int) -> str:
    """Format the sections of a place: `Deal 1 · Trick 7`; of the deal only a heading that has its number."""
    begun = [each for each in presenter.index.current_sections(at) if each.kind in WITH_HEADING]
    shown = [
        each for each in begun if len(begun) == 1 or each.kind is not SectionKind.DEAL or _is_numbered(presenter, each)
    ]
    names = (presenter.texts.section(each.kind.value, each.number, presenter.game) for each in shown)
    return sanitize(" · ".join(names), MAX_CELLS)


def _is_numbered(presenter: StepPresenter, each: Section) -> bool:
    return str(each.number) in presenter.texts.section(each.kind.value, each.number, presenter.game)


def _visible(scene: Scene) -> Scene:
    """Return a scene without its invisible parts: its viewer, and the names that commands use."""
    return evolve(scene, viewer=None, table=_unnamed(scene.table), places=tuple(map(_unnamed, scene.places)))


def _unnamed(place: Place) -> Place:
    zones = tuple(evolve(zone, things=tuple(evolve(each, part=None) for each in zone.things)) for zone in place.zones)
    return evolve(place, zones=zones)

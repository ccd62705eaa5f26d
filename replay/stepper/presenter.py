"""A record as text for one viewer, in one language, step by step on demand; and the place at which one stands in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Scene, Seat, SectionKind, Step
from ...core.log import Reading
from ...core.log.findings import finding_message
from ...core.text.sanitize import sanitize
from ...core.text.sections import Section
from ...core.text.texts import Texts
from ..render.transcript import WITH_HEADING
from .record import START, Index, Record

WRONG = "✗"
"""The sign before such places in the list, which works without colours too."""
MAX_CELLS = 2000
"""The maximum width of a sentence, in cells."""
PACKAGES = ("kifu.replay", "kifu.core.page")
"""The packages whose catalogues have the stepper's messages, besides the game's."""


@frozen
class NoteText:
    """A note or finding as text, and the number of its rule."""

    text: str
    rule: str = ""


class StepPresenter:
    """A record as text for one viewer (`TABLE`: everything), in one language."""

    def __init__(self, index: Index, texts: Texts) -> None:
        self.index = index
        self.record = index.record
        self.viewer = index.viewer
        self.texts = texts
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
        text = self.texts.observed(step.command_for(self.viewer), self.game, self.names)
        return f"{self.texts.seat(step.seat, self.names)}{self.texts.colon}{text}"

    # The table.

    def scene(self, at: int) -> Scene:
        """Return the viewer's scene at a place."""
        match = self.record.match
        return self.game.scene(self.game.view(match.shown(min(at, self.record.count - 1), self.viewer), self.viewer))

    def actor(self, at: int) -> int | None:
        """Return the seat that acted in a step, else None."""
        return self.record.match.events[at].seat if self.record.is_step(at) else None

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


class Navigation:
    """The place in a record, and how it is shown."""

    def __init__(self, reading: Reading, viewer: int | None, lang: str) -> None:
        self.record = Record.of(reading)
        self.viewer = viewer
        self.sealed = viewer != TABLE
        """True if the call (`--as`) allows only one viewer."""
        self.texts = Texts(lang, *PACKAGES)
        self.at = START
        self.search_text = ""
        """The searched text, case-folded."""
        self._indexes: dict[int | None, Index] = {}

    @property
    def presenter(self) -> StepPresenter:
        """The presenter for the present record, viewer and language."""
        if self.viewer not in self._indexes:
            self._indexes[self.viewer] = Index(self.record, self.viewer)
        return StepPresenter(self._indexes[self.viewer], self.texts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.record.match.header.seats

    @property
    def viewers(self) -> list[int | None]:
        """The viewers that can be chosen; `TABLE` sees everything, None is a spectator."""
        return [self.viewer] if self.sealed else [TABLE, *map(Seat, range(len(self.names))), None]

    def go(self, at: int) -> None:
        """Go to a place, or as far towards it as there are any."""
        self.at = min(max(at, START), self.record.last)

    def next_places(self, forward: bool) -> range:
        """Return the places in a direction, the nearest first."""
        return range(self.at + 1, self.record.last + 1) if forward else range(self.at - 1, START - 1, -1)

    def format_message(self, key: str, **values: Any) -> str:
        """Format a message in which seats have their names."""
        return self.texts.find(key, None, self.names, **values) or key

    @property
    def viewer_label(self) -> int | str:
        """The viewer as a value for a message."""
        return "spectator" if self.viewer is None else self.viewer

"""One event of a match, with the state before and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import field, frozen

from ..errors import MatchError, Message
from .events import FORMAT_COMMANDS, C, Event, FormatCommand, Note, RedactedCommand
from .seats import TABLE

if TYPE_CHECKING:
    from .game import Game

S = TypeVar("S")


@frozen(slots=False)
class Step(Generic[S, C]):
    """One event with the state before and after it."""

    event: Event[C]
    before: S
    after: S
    game: Game[S, C, Any] = field(repr=False, eq=False)
    seats: int | None = field(default=None, repr=False, eq=False)
    """How many seats the match has; None where only the game is known, and then any seat of it may look."""

    @property
    def seq(self) -> int:
        """The number of the event in its match, from 0."""
        return self.event.seq

    @property
    def seat(self) -> int:
        """The seat that acted; `TABLE` for a deal."""
        return self.event.seat

    @property
    def command(self) -> C | FormatCommand:
        """The whole command; `command_for` returns what one seat may see of it."""
        return self.event.command

    @property
    def notes(self) -> tuple[Note, ...]:
        """All notes of the step; `notes_for` returns those that one seat may see."""
        return self.notes_for(TABLE)

    def notes_for(self, viewer: int | None) -> tuple[Note, ...]:
        """Return the notes that this seat may see (None: those of a spectator); raises `MatchError` for no seat."""
        self._check(viewer)
        if self.event.command.__class__ in FORMAT_COMMANDS:
            return self.event.command.notes
        return tuple(self.game.explain(self, viewer))

    def command_for(self, viewer: int | None) -> C | FormatCommand | RedactedCommand:
        """Return the command as this seat sees it: whole, or redacted; raises `MatchError` for no seat."""
        self._check(viewer)
        if isinstance(self.event.command, FORMAT_COMMANDS):
            return self.event.command
        seen: C | RedactedCommand = self.game.redact(self, viewer)
        return seen

    def _check(self, viewer: int | None) -> None:
        last = (self.game.seats[-1] if self.seats is None else self.seats) - 1
        if viewer is None or (viewer.__class__ is int and TABLE <= viewer <= last):
            return
        given = ascii(viewer)[:60]
        raise MatchError(Message("no-such-seat", "a seat is 0 to {last}, not {given}", last=last, given=given))


AnyStep = Step[Any, Any]

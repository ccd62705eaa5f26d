"""What goes out with what a viewer is told: the canonical bytes, a salt, the mark, the host's signature."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..game import Event, Game, Result, Step
from .formulas import (
    END,
    EVENT,
    LOOK,
    first_mark,
    next_mark,
    roster_digest,
    roster_message,
    salt,
    told_digest,
    told_message,
)
from .seat_record import Entry
from .signing import SigningKey
from .told import ShownStep, told_end, told_event, told_look


@frozen
class Told:
    """What a viewer is told, with what it can be held to afterwards; `sig` is None without a host's key."""

    kind: int
    number: int
    told: bytes
    salt: bytes
    mark: bytes
    sig: bytes | None

    @property
    def entry(self) -> Entry:
        """The entry of the viewer's record."""
        return Entry(self.kind, self.number, self.told, self.salt, self.mark, self.sig)


class Evidence:
    """The marks of one match as its log grows, and what is told under them.

    A mark is made of bytes that are in the log: add an object only once it is stored.
    """

    def __init__(
        self, game: Game[Any, Any, Any], match: str, veil: bytes, header: bytes, key: SigningKey | None = None
    ):
        self.game = game
        self.match = match
        self._veil = veil
        self._key = key
        self.marks = [first_mark(veil, header)]
        """The mark of each moment."""
        self.end_mark: bytes | None = None
        self._same: tuple[Event[Any], ShownStep, bytes] | None = None
        """What was told last, of which event, since most events are told to all viewers alike."""

    def add(self, raw: bytes) -> bytes:
        """Take the bytes of the next event; returns the mark of the moment after it."""
        self.marks.append(next_mark(self._veil, self.marks[-1], raw))
        return self.marks[-1]

    def add_end(self, raw: bytes) -> bytes:
        """Take the bytes of the end record; returns its mark."""
        self.end_mark = next_mark(self._veil, self.marks[-1], raw)
        return self.end_mark

    def event(self, step: Step[Any, Any], viewer: int | None, seen: ShownStep | None = None) -> Told:
        """Return what this viewer is told of an event that was added (`viewer` None: a spectator).

        That is `seen`, the command and the notes that it is shown; by default all that the game shows it.
        """
        return self._told(viewer, EVENT, step.seq, self._event_bytes(step, viewer, seen), self.marks[step.seq + 1])

    def look(self, moment: int, view: Any, viewer: int | None) -> Told:
        """Return what this viewer is told of the table after so many events."""
        return self._told(viewer, LOOK, moment, told_look(moment, view), self.marks[moment])

    def end(self, result: Result | None, viewer: int | None) -> Told:
        """Return what this viewer is told of the end, whose record was added."""
        events = len(self.marks) - 1
        assert self.end_mark is not None
        return self._told(viewer, END, events, told_end(events, result), self.end_mark)

    def sign_roster(self, roster: bytes) -> bytes | None:
        """Return the host's signature of the roster, None without a key."""
        return None if self._key is None else self._key.sign(roster_message(roster_digest(roster)))

    def _event_bytes(self, step: Step[Any, Any], viewer: int | None, seen: ShownStep | None) -> bytes:
        if seen is not None and self._same is not None:
            event, (command, notes), told = self._same
            if event is step.event and command is seen[0] and notes == seen[1]:
                return told
        told = told_event(self.game, step, viewer, seen)
        if seen is not None:
            self._same = step.event, seen, told
        return told

    def _told(self, viewer: int | None, kind: int, number: int, told: bytes, mark: bytes) -> Told:
        salted = salt(self._veil, kind, number, viewer)
        if self._key is None:
            return Told(kind, number, told, salted, mark, None)
        digest = told_digest(salted, told)
        message = told_message(self.match, viewer, kind, number, mark, digest)
        return Told(kind, number, told, salted, mark, self._key.sign(message))

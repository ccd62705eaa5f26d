"""What goes out with what a viewer is told: the canonical bytes, a salt, the mark, the host's signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial, reduce
from typing import Any

import attrs

from ..game import Event, Game, Note, RedactedCommand, Result, Seat, Step
from ..log.format import CHAIN_BYTES, end_map, first_chain
from ..match.fold import call_game
from ..wire import wire_of
from .canonical import are_of, canonical, in_order, not_canonical, ordered, pack_ordered, same
from .formulas import (
    END,
    EVENT,
    LOOK,
    Binding,
    first_mark,
    log_message,
    next_mark,
    roster_message,
    salt,
    told_digest,
    told_message,
)
from .seat_record import Entry
from .signature_audit import is_end_signed
from .signing import SigningKey

PLAIN = frozenset({int, str, bool, type(None)})
"""The kinds of values that are plain data already."""

END_PARTS = ("events", "end", "points", "winners")
"""What is told of the end record."""

ShownStep = tuple[Any, Iterable[Note]]
"""What a viewer sees of an event: the command, redacted or not, and the notes."""


def told_look(moment: int, view: Any, program: Sequence[str] = ()) -> bytes:
    """Pack how the table looks to a viewer after so many events."""
    return pack_ordered([moment, plain_view(view), *program])


def shown(game: Game[Any, Any, Any], observed: Any) -> tuple[str, dict[str, Any], bool]:
    """Return the tag and the fields of what is seen of a command, and whether it is redacted."""
    return *wire_of(game).observed(observed), isinstance(observed, RedactedCommand)


def noted(notes: Iterable[Note]) -> list[Any]:
    """Return notes as plain data."""
    return [
        [
            note.key,
            None if note.rule is None else note.rule.number,
            [[name, plain_view(value)] for name, value in note.values],
            None if note.begins is None else note.begins.value,
        ]
        for note in notes
    ]


@lru_cache(maxsize=1024)
def _fields_of(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of an attrs class in canonical order, None for another kind."""
    return in_order(tuple(field.name for field in attrs.fields(kind))) if attrs.has(kind) else None


def plain_view(value: Any) -> Any:
    """Turn a view into plain data in canonical order: attrs classes are maps, bytes hex, sets lists by their bytes.

    Raises `TrustError` for what has no canonical form.
    """
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    names = None if kind is tuple else _fields_of(kind)
    if names is not None:
        return {name: each if (each := getattr(value, name)).__class__ in PLAIN else plain_view(each) for name in names}
    if isinstance(value, list | tuple):
        return list(value) if are_of(PLAIN, value) else list(map(plain_view, value))
    if isinstance(value, Enum):
        return plain_view(value.value)
    if isinstance(value, Mapping):
        texts = {str(key): each for key, each in value.items()}
        return {name: plain_view(texts[name]) for name in in_order(tuple(texts))}
    if isinstance(value, set | frozenset):
        return sorted(map(plain_view, value), key=pack_ordered)
    if isinstance(value, bytes):
        return value.hex()
    if not isinstance(value, str | int):
        raise not_canonical()
    return str(value) if isinstance(value, str) else value  # a `Message` is no plain text


class Evidence:
    """The marks of one match as its log grows, and what is told under them.

    A mark is made of bytes that are in the log: add an object only once it is stored. `of` is H0, for which all is
    signed; of a log of version 1 it is the match's id. `program` names who tells it, if the header names another.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        of: Binding,
        veil: bytes,
        header: bytes,
        key: SigningKey | None = None,
        program: Sequence[str] = (),
    ) -> None:
        self.game = game
        self.of = of
        self.program = program
        self._veil = veil
        self._key = key
        self.marks = [first_mark(veil, header)]
        """The mark of each moment."""
        self.end_mark: bytes | None = None
        self._chain = first_chain(header)
        self._same: tuple[Event[Any], Any, bytes, bytes] | None = None
        """What was told last, of which event, command and packed notes: most events are told to all viewers alike."""

    def add(self, raw: bytes) -> bytes:
        """Take the bytes of the next event; returns the mark of the moment after it."""
        self._chain = raw[-CHAIN_BYTES:]
        self.marks.append(next_mark(self._veil, self.marks[-1], raw))
        return self.marks[-1]

    def add_end(self, raw: bytes) -> bytes:
        """Take the bytes of the end record; returns its mark.

        Where they have not the host's signature, it signs nothing that it tells of this log: anybody may have made it.
        In version 1 nobody signs a log, and the host goes on.
        """
        own = None if isinstance(self.of, str) else self._key
        if own is not None and not is_end_signed(own.public, self.of, self._veil, self.marks, self._chain, raw):
            self._key = None
        self.end_mark = next_mark(self._veil, self.marks[-1], raw)
        return self.end_mark

    def event(self, step: Step[Any, Any], viewer: int | None, seen: ShownStep | None = None) -> Entry:
        """Return what this viewer is told of an event that was added (`viewer` None: a spectator).

        That is `seen`, the command and the notes that it is shown; by default all that the game shows it. Raises
        `GameError` where the game fails, `TrustError` where it shows something that has no canonical form.
        """
        return self._told(viewer, EVENT, step.seq, self._event_bytes(step, viewer, seen), self.marks[step.seq + 1])

    def look(self, moment: int, view: Any, viewer: int | None) -> Entry:
        """Return what this viewer is told of the table after so many events."""
        return self._told(viewer, LOOK, moment, told_look(moment, view, self.program), self.marks[moment])

    def end(self, result: Result | None, viewer: int | None) -> Entry:
        """Return what this viewer is told of the end, whose record was added; without a result it was abandoned."""
        assert self.end_mark is not None
        end = end_map(result, len(self.marks) - 1)
        return self._told(viewer, END, end["events"], pack_ordered([end[key] for key in END_PARTS]), self.end_mark)

    def sign_roster(self, digest: bytes) -> bytes | None:
        """Return the host's signature of the roster of this digest, None without a key."""
        version = 1 if isinstance(self.of, str) else 2
        return None if self._key is None else self._key.sign(roster_message(digest, version))

    def sign_end(self, end: Mapping[str, Any], chain: bytes, before: Sequence[bytes] = ()) -> bytes | None:
        """Return the host's signature of the whole log, for its end record; None without a key, or in version 1.

        `end` is the end record without `sign` and `chain`, `chain` that of the last event; the events `before` it are
        not added yet.
        """
        if self._key is None or isinstance(self.of, str):
            return None
        mark = reduce(partial(next_mark, self._veil), before, self.marks[-1])
        events = len(self.marks) - 1 + len(before)
        return self._key.sign(log_message(self.of, events, chain, next_mark(self._veil, mark, canonical(end))))

    def _event_bytes(self, step: Step[Any, Any], viewer: int | None, seen: ShownStep | None) -> bytes:
        if seen is None:
            seat = None if viewer is None else Seat(viewer)
            seen = call_game(self.game, step.command_for, seat), call_game(self.game, step.notes_for, seat)
        notes = noted(seen[1])
        packed = pack_ordered(notes)  # equal notes may be told apart: `True` is 1
        if self._same is not None:
            event, command, known, told = self._same
            if event is step.event and command is seen[0] and known == packed:
                return told
        tag, fields, redacted = shown(self.game, seen[0])
        meta = step.event.meta
        at, by = (None, None) if meta is None else (meta.at, meta.by)
        parts = [step.seq, step.seat, tag, ordered(fields), redacted, at, by, notes, *self.program]
        told = pack_ordered(parts)
        self._same = step.event, seen[0], packed, told
        return told

    def _told(self, viewer: int | None, kind: int, number: int, told: bytes, mark: bytes) -> Entry:
        salted = salt(self._veil, kind, number, viewer)
        if self._key is None:
            return Entry(kind, number, told, salted, mark, None)
        digest = told_digest(salted, told)
        message = told_message(self.of, viewer, kind, number, mark, digest)
        return Entry(kind, number, told, salted, mark, self._key.sign(message))


def keys_apart(told: Any, view: Any) -> tuple[list[str], list[str]]:
    """Name the keys that both views have and that differ, and those that only one of them has."""
    if told.__class__ is not dict or not isinstance(view, dict):
        return ([] if same(told, view) else ["view"]), []
    return [key for key in told if key in view and not same(told[key], view[key])], sorted(set(told) ^ set(view))

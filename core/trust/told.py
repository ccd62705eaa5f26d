"""What a viewer is told of a match, as canonical bytes: an event, a look at the table, the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import attrs

from ..game import Game, Note, RedactedCommand, Result, Seat, Step
from ..match.fold import call_game
from ..wire import wire_of
from .canonical import canonical

PLAIN = frozenset({int, str, bool, type(None)})
"""The kinds of values that are plain data already."""


def told_event(game: Game[Any, Any, Any], step: Step[Any, Any], viewer: int | None, *, momentary: bool = True) -> bytes:
    """Pack what a viewer (None: a spectator) is told of one event: what it sees of the command, and the notes.

    Without `momentary` the notes that only the moment shows are left out. Raises `GameError` where the game fails,
    `TrustError` where it shows something that has no canonical form.
    """
    seat = None if viewer is None else Seat(viewer)
    tag, fields, redacted = shown(game, call_game(game, step.command_for, seat))
    shown_notes, meta = call_game(game, step.notes_for, seat), step.event.meta
    notes = noted(note for note in shown_notes if momentary or not note.momentary)
    at, by = (None, None) if meta is None else (meta.at, meta.by)
    return canonical([step.seq, step.seat, tag, fields, redacted, at, by, notes])


def told_look(moment: int, view: Any) -> bytes:
    """Pack how the table looks to a viewer after so many events."""
    return canonical([moment, plain_view(view)])


def told_end(events: int, result: Result | None) -> bytes:
    """Pack how a match ended; without a result it was abandoned."""
    if result is None:
        return canonical([events, "abandoned", None, None])
    return canonical([events, "over", list(result.points), list(result.winners)])


def shown(game: Game[Any, Any, Any], observed: Any) -> tuple[str, dict[str, Any], bool]:
    """Return the tag and the fields of what is seen of a command, and whether it is redacted."""
    if isinstance(observed, RedactedCommand):
        return observed.tag, dict(observed.fields), True
    tag, fields = wire_of(game).encode(observed)
    return tag, fields, False


def seen_by(game: Game[Any, Any, Any], command: Any, actor: int, viewer: int | None) -> Any:
    """Return what a viewer sees of a command; raises `GameError` where the game fails on it."""
    return call_game(game, game.redact, command, Seat(actor), None if viewer is None else Seat(viewer))


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


def plain_view(value: Any) -> Any:
    """Turn a view into plain data: attrs classes are maps, bytes hex, sets lists in the order of their bytes."""
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    if attrs.has(kind):
        return {field.name: plain_view(getattr(value, field.name)) for field in attrs.fields(kind)}
    if isinstance(value, Enum):
        return plain_view(value.value)
    if isinstance(value, Mapping):
        return {str(key): plain_view(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain_view, value), key=canonical)
    if isinstance(value, list | tuple):
        return [plain_view(each) for each in value]
    if isinstance(value, str):
        return str(value)  # a `Message` is no plain text
    return value.hex() if isinstance(value, bytes) else value

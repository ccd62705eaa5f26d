"""What a viewer is told of a match, as canonical bytes: an event, a look at the table, the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

import attrs

from ..game import Game, Note, RedactedCommand, Result, Seat, Step
from ..match.fold import call_game
from ..wire import wire_of
from .canonical import are_of, in_order, not_canonical, ordered, pack_ordered

PLAIN = frozenset({int, str, bool, type(None)})
"""The kinds of values that are plain data already."""


ShownStep = tuple[Any, Iterable[Note]]
"""What a viewer sees of an event: the command, redacted or not, and the notes."""


def told_event(
    game: Game[Any, Any, Any], step: Step[Any, Any], viewer: int | None, seen: ShownStep | None = None
) -> bytes:
    """Pack what a viewer (None: a spectator) is told of one event: `seen`, by default all that the game shows it.

    Raises `GameError` where the game fails, `TrustError` where it shows something that has no canonical form.
    """
    if seen is None:
        seat = None if viewer is None else Seat(viewer)
        seen = call_game(game, step.command_for, seat), call_game(game, step.notes_for, seat)
    command, notes = seen
    tag, fields, redacted = shown(game, command)
    meta = step.event.meta
    at, by = (None, None) if meta is None else (meta.at, meta.by)
    return pack_ordered([step.seq, step.seat, tag, ordered(fields), redacted, at, by, noted(notes)])


def told_look(moment: int, view: Any) -> bytes:
    """Pack how the table looks to a viewer after so many events."""
    return pack_ordered([moment, plain_view(view)])


def told_end(events: int, result: Result | None) -> bytes:
    """Pack how a match ended; without a result it was abandoned."""
    if result is None:
        return pack_ordered([events, "abandoned", None, None])
    return pack_ordered([events, "over", list(result.points), list(result.winners)])


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

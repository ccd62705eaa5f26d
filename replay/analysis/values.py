"""Values of a state as text; what is annotated as a card is shown as its face."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

import attrs

from ...core.game import AnyGame, Card
from ...core.text.sanitize import sanitize

MAX_ITEMS = 100
"""The number of a list's items that are shown."""


def kind_at(kind: Any, steps: Iterable[str | int]) -> Any:
    """Return the annotated type at the end of a path, or None if the annotations do not say."""
    for step in steps:
        kind = _field(kind, step) if isinstance(step, str) else _item(kind, step)
    return _without_none(kind)


def format_state_value(value: Any, kind: Any, game: AnyGame) -> str:
    """Format a value of this annotated type in one line."""
    kind = _without_none(kind)
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, frozenset):
        value = tuple(sorted(value))
    if isinstance(value, tuple):
        items = [format_state_value(each, _item(kind, place), game) for place, each in enumerate(value[:MAX_ITEMS])]
        more = [f"… {len(value)} in all"] if len(value) > MAX_ITEMS else []
        return f"[{(' ' if _of_cards(kind) else ', ').join(items + more)}]"
    if attrs.has(type(value)):
        fields = (field.name for field in attrs.fields(type(value)))
        parts = (f"{name} {format_state_value(getattr(value, name), _field(kind, name), game)}" for name in fields)
        return f"({', '.join(parts)})"
    if kind is Card and isinstance(value, int | str):
        return _face(value, game)
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return sanitize(value.hex() if isinstance(value, bytes) else str(value))


def _face(card: Any, game: AnyGame) -> str:
    try:
        return sanitize(game.face(card).text)
    except Exception:  # a card that the game does not have
        return sanitize(str(card))


def _of_cards(kind: Any) -> bool:
    return get_origin(kind) is tuple and _without_none(_item(kind, 0)) is Card


def _field(kind: Any, name: str) -> Any:
    kind = _without_none(kind)
    if not isinstance(kind, type) or not attrs.has(kind):
        return None
    field = attrs.fields_dict(attrs.resolve_types(kind)).get(name)
    return field.type if field is not None else None


def _item(kind: Any, place: int) -> Any:
    kind = _without_none(kind)
    args = get_args(kind)
    if get_origin(kind) is not tuple or not args:
        return None
    if args[-1] is Ellipsis:
        return args[0]
    return args[place] if place < len(args) else None


def _without_none(kind: Any) -> Any:
    """Return X of `X | None`, None of another union, and any other type as it is."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    some = [arg for arg in get_args(kind) if arg is not type(None)]
    return some[0] if len(some) == 1 else None

"""What the annotation of a field says of its values: whether they are cards, rows, or may be missing."""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from .seats import Card, Seat

ROWS = 2
"""The depth of rows of cards."""


@cache
def types_of(kind: type) -> dict[str, Any]:
    """Return the resolved type of each annotated name of a class."""
    return get_type_hints(kind)


def row_of(kind: Any) -> Any:
    """Return the type of the items of `tuple[T, ...]`; None for any other type."""
    args = get_args(kind)
    return args[0] if get_origin(kind) is tuple and len(args) == 2 and args[1] is Ellipsis else None


def without_none(kind: Any) -> Any:
    """Return T for `T | None`; None for any other type."""
    if get_origin(kind) not in (Union, UnionType):
        return None
    others = [each for each in get_args(kind) if each is not NoneType]
    return others[0] if len(others) == 1 and len(get_args(kind)) == 2 else None


def is_a(kind: Any, new_type: Any) -> bool:
    """Return True for a `NewType`, and for those that are made of it."""
    while kind is not None:
        if kind is new_type:
            return True
        kind = getattr(kind, "__supertype__", None)
    return False


def depth_of(kind: Any, new_type: Any = Card) -> int | None:
    """Return how many tuples lie around the cards (or seats) of a type, None for a type that has none.

    0 for `Card` and `Card | None`, 1 for `tuple[Card, ...]` and `tuple[Card | None, ...]`, 2 for rows of cards.
    """
    if is_a(kind, new_type):
        return 0
    if (inner := without_none(kind)) is not None:
        return depth_of(inner, new_type)
    if get_origin(kind) is not tuple:
        return None
    depths = {depth_of(each, new_type) for each in get_args(kind) if each is not Ellipsis}
    (depth,) = depths if len(depths) == 1 else (None,)
    return None if depth is None else depth + 1


def flat(value: Any, depth: int) -> tuple[Any, ...]:
    """Return the cards of a value of this depth, without the places where none lies."""
    if value is None:
        return ()
    if depth == 0:
        return (value,)
    if depth == 1:
        return tuple([card for card in value if card is not None])
    return tuple([card for each in value for card in flat(each, depth - 1)])


def choices_of(kind: Any) -> tuple[Any, ...] | None:
    """Return all values of a bool, a `Literal` or an enum; None for a type whose values cannot be listed."""
    if kind is bool:
        return (False, True)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    return None


def is_row_of_choices(kind: Any) -> bool:
    """Return True for a tuple of values of a `Literal` or an enum, such as dice."""
    row = row_of(kind)
    return row is not bool and choices_of(row) is not None


def is_number(kind: Any) -> bool:
    """Return True for int, and for a `NewType` of it that is neither a card nor a seat."""
    while hasattr(kind, "__supertype__"):
        if kind in (Card, Seat):
            return False
        kind = kind.__supertype__
    return kind is int

"""Patterns of plain data: whatever stands in a file is of its pattern, or is malformed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..log.validation import is_int, is_text

Shape = Any
"""A kind; a text: just this; a number: so many bytes; `[shape]`: a list of it; `(shape, …)`: a list of just these; a
map: one that has these keys; a function: a value that it says True of."""


def fits(value: Any, shape: Shape) -> bool:
    """Return True if plain data is of a shape."""
    if isinstance(shape, type):
        return value.__class__ is shape
    if isinstance(shape, str):
        return is_text(value) and value == shape
    if isinstance(shape, int):
        return value.__class__ is bytes and len(value) == shape
    if isinstance(shape, list):
        return value.__class__ is list and all(fits(each, shape[0]) for each in value)
    if isinstance(shape, tuple):
        return value.__class__ is list and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, dict):
        return value.__class__ is dict and all(key in value and fits(value[key], of) for key, of in shape.items())
    return bool(shape(value))


def just(shape: dict[str, Shape]) -> Callable[[Any], bool]:
    """Return the shape of a map that has these keys, and no others."""
    return lambda value: fits(value, shape) and len(value) == len(shape)


def maybe(shape: Shape) -> Callable[[Any], bool]:
    """Return the shape that is nil, or this one."""
    return lambda value: value is None or fits(value, shape)


def either(*shapes: Shape) -> Callable[[Any], bool]:
    """Return the shape that is one of these."""
    return lambda value: any(fits(value, shape) for shape in shapes)


def below(end: int, least: int = 0) -> Callable[[Any], bool]:
    """Return the shape of an int in this range."""
    return lambda value: is_int(value, least) and value < end


def anything(_: Any) -> bool:
    """Return True: the shape of any value."""
    return True


COUNT, TEXT = is_int, is_text
SEAT, NIL = below(1 << 64, -1), maybe(lambda _: False)

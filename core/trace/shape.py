"""The shape of a state or view: the field names that its packed arrays do not hold."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import attrs

from ..game import Card, Seat

Shape = dict[str, "Shape"] | list["Shape"] | str | None
"""The shape of a packed value.

A map is an array of these fields. A list of one is an array of any number of these; a longer list is an array of
exactly these. `"card"` and `"seat"` are ints that stand for one; None is any other value.
"""

LEAVES: dict[Any, str] = {Card: "card", Seat: "seat"}


def shape_of(kind: Any, within: tuple[Any, ...] = ()) -> Shape:
    """Return the shape of values of this annotated type; `within` are the classes that it is a part of."""
    if kind in LEAVES:
        return LEAVES[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        many = args[1:] == (Ellipsis,)
        return [shape_of(arg, within) for arg in (args[:1] if many else args)]
    if origin in (Union, UnionType):
        shapes = [shape_of(arg, within) for arg in args if arg is not NoneType]
        return shapes[0] if len(shapes) == 1 else None
    if isinstance(kind, type) and attrs.has(kind) and kind not in within:
        return {field.name: shape_of(field.type, (*within, kind)) for field in attrs.fields(_resolved(kind))}
    return None


def _resolved(kind: Any) -> Any:
    try:
        return attrs.resolve_types(kind)
    except Exception:  # annotations that only a type checker can read: the names are known all the same
        return kind


def inner(shape: Shape, place: int) -> Shape:
    """Return the shape of the item at a place of an array."""
    if isinstance(shape, dict):
        return list(shape.values())[place] if place < len(shape) else None
    if isinstance(shape, list) and shape:
        return shape[0] if len(shape) == 1 else shape[min(place, len(shape) - 1)]
    return None


def is_shape(value: Any) -> bool:
    """Return True if a value read from a trace is a shape."""
    if value is None or isinstance(value, str):
        return True
    if isinstance(value, dict):
        return all(isinstance(name, str) and is_shape(part) for name, part in value.items())
    return isinstance(value, list) and all(map(is_shape, value))

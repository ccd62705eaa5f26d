"""Places inside immutable values: the path to every leaf of nested tuples and attrs objects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

Path = tuple[str | int, ...]
"""The path to a leaf: the names of fields and the indices of tuples, outermost first."""


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind)) if attrs.has(kind) else ()


@cache
def _has_inside(kind: Any) -> bool:
    """Return True if a value of this type is no leaf: it is a tuple, or has fields."""
    return kind is tuple or bool(_names(kind))


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and value of each leaf, in order; an empty tuple has none."""
    kind: Any = type(value)
    if kind is tuple:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    elif names := _names(kind):
        for name in names:
            yield from leaves(getattr(value, name), (*path, name))
    else:
        yield path, value


class Fields(tuple[Any, ...]):
    """The leaves among the fields of an attrs object."""

    __slots__ = ()


def rows(value: Any) -> list[tuple[Path, tuple[Any, ...]]]:
    """Return the path and value of each tuple that holds leaves only, the empty ones too.

    The leaves among the fields of an attrs object are a row of their own (`Fields`). So each leaf is in one row, whose
    path is the leaf's without its last step.
    """
    found: list[tuple[Path, tuple[Any, ...]]] = []
    _rows(value, (), found)
    return found


def _rows(value: Any, path: Path, found: list[tuple[Path, tuple[Any, ...]]]) -> None:
    kind: Any = type(value)
    if kind is tuple:
        if not any(map(_has_inside, map(type, value))):
            found.append((path, value))
            return
        for index, each in enumerate(value):
            _rows(each, (*path, index), found)
        return
    held: list[tuple[str, Any, Any]] = [
        (name, each, type(each)) for name in _names(kind) for each in [getattr(value, name)]
    ]
    inside = [(name, each) for name, each, inner in held if _has_inside(inner)]
    if len(inside) < len(held):
        found.append((path, Fields(each for _, each, inner in held if not _has_inside(inner))))
    for name, each in inside:
        _rows(each, (*path, name), found)


def get(value: Any, path: Path) -> Any:
    """Return the value at the path."""
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """Return the whole value, with the one at the path replaced."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*value[:step], put(value[step], rest, new), *value[step + 1 :])
    return attrs.evolve(value, **{step: put(getattr(value, step), rest, new)})


def swap(value: Any, one: Path, other: Path) -> Any:
    """Return the whole value, with those at two paths exchanged."""
    first, second = get(value, one), get(value, other)
    return put(put(value, one, second), other, first)


def pattern(path: Path) -> Path:
    """Return the path with every index as -1: the same for all places of one kind."""
    return tuple(-1 if isinstance(step, int) else step for step in path)

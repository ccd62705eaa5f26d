"""The options in states and views: one that only one engine has is no difference between two engines.

An upcast writes the old reading of a rule into the header of older logs, as the value of a new option. A state that has
the options then has one more field, and so has a view. What the option does to the match is compared all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import attrs

from ..match import AnyMatch
from .shape import Shape

OPTION_FIELDS = frozenset({"options"})
"""The field of a state or view that holds the options, if the game is not known."""


def option_fields(match: AnyMatch) -> frozenset[str]:
    """Return the names of the fields of the match's states and views that hold the options of the game."""
    values = (match.states[0], match.at(-1).view(None))
    names = (
        field.name
        for value in values
        if attrs.has(type(value))
        for field in attrs.fields(type(value))
        if isinstance(getattr(value, field.name), match.game.options)
    )
    return OPTION_FIELDS.union(names)


def is_one_sided_option(path: str, fields: Collection[str]) -> bool:
    """Return True if a path such as `options.end_place` is that of an option in one of these fields."""
    return path.partition(".")[0] in fields and path.count(".") == 1


def without_one_sided(shape: Shape, other: Shape, fields: Collection[str]) -> Shape:
    """Return a shape without the options that the other shape does not have."""
    if not (isinstance(shape, dict) and isinstance(other, dict)):
        return shape
    return {name: _kept(part, other.get(name)) if name in fields else part for name, part in shape.items()}


def fit_options(value: Any, shape: Shape, other: Shape, fields: Collection[str]) -> Any:
    """Return a packed state or view without the options that the other shape does not have."""
    if not (isinstance(shape, dict) and isinstance(other, dict)):
        return value
    return [
        _fit(item, part, other.get(name)) if name in fields else item
        for item, (name, part) in zip(value, shape.items(), strict=True)
    ]


def _kept(options: Shape, other: Shape) -> Shape:
    if not (isinstance(options, dict) and isinstance(other, dict)):
        return options
    return {name: part for name, part in options.items() if name in other}


def _fit(item: Any, options: Shape, other: Shape) -> Any:
    if not (isinstance(options, dict) and isinstance(other, dict)):
        return item
    return [value for value, name in zip(item, options, strict=True) if name in other]

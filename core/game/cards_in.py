"""The cards of all places of a state, found by the types of its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_origin

import attrs

from .seats import Card
from .shapes import is_a, types_of, without_none

Add = Callable[[Any, list[Any]], None]
"""Appends the cards of a value to a list."""


def cards_function(state: Any) -> Callable[[Any], list[Any]] | None:
    """Return the function that returns the cards of all places of a state, or of a value; None if none holds cards."""
    add = _adder(state)
    if add is None:
        return None

    def cards(state: Any) -> list[Any]:
        found: list[Any] = []
        add(state, found)
        return found

    return cards


def _adder(kind: Any) -> Add | None:
    """Return what appends the cards of values of this type; None if they hold none."""
    if is_a(kind, Card):
        return lambda card, found: found.append(card)
    if (inner := without_none(kind)) is not None:
        of = _adder(inner)
        return None if of is None else lambda value, found: None if value is None else of(value, found)
    if get_origin(kind) is tuple:
        return _adder_of_tuples(get_args(kind))
    if isinstance(kind, type) and attrs.has(kind):
        types = types_of(kind)
        places = [(each.name, of) for each in attrs.fields(kind) if (of := _adder(types[each.name])) is not None]
        return _adder_of_objects(places) if places else None
    return None


def _adder_of_tuples(items: tuple[Any, ...]) -> Add | None:
    of = _adder(items[0]) if items else None
    if of is None or len(items) != 2 or items[1] is not Ellipsis:
        return None
    if is_a(items[0], Card):
        return lambda cards, found: found.extend(cards)

    def add(row: Any, found: list[Any]) -> None:
        for each in row:
            of(each, found)

    return add


def _adder_of_objects(places: list[tuple[str, Add]]) -> Add:
    def add(value: Any, found: list[Any]) -> None:
        for name, of in places:
            of(getattr(value, name), found)

    return add

"""The cards of all places of a state, found by the types of its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from .seats import Card
from .shapes import is_a, row_of, types_of, without_none


def cards_function(state: Any) -> Callable[[Any], list[Any]] | None:
    """Return the function that returns the cards of all places of a state, or of a value; None if none holds cards."""
    return (lambda value: list(_cards_in(state, value))) if _holds_cards(state) else None


def _holds_cards(kind: Any) -> bool:
    return is_a(kind, Card) or any(map(_holds_cards, _inside(kind).values()))


def _inside(kind: Any) -> dict[str | None, Any]:
    """Return the types of which the values of a type are made: of a class by field, of others under None."""
    if (inner := without_none(kind) or row_of(kind)) is not None:
        return {None: inner}
    is_class = isinstance(kind, type) and attrs.has(kind)
    return {each.name: types_of(kind)[each.name] for each in attrs.fields(kind)} if is_class else {}


def _cards_in(kind: Any, value: Any) -> Iterator[Any]:
    """Yield the cards of a value of this type."""
    if is_a(kind, Card):
        yield value
    elif without_none(kind) is not None:
        yield from () if value is None else _cards_in(without_none(kind), value)
    elif (item := row_of(kind)) is not None:
        yield from value if is_a(item, Card) else (card for each in value for card in _cards_in(item, each))
    else:
        for name, typed in _inside(kind).items():
            yield from _cards_in(typed, getattr(value, str(name)))

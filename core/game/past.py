"""What older logs need of a game: the layout of its states, and an upcast from each earlier version of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from attrs import field, frozen

from .marks import option_name


def same_event(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
    """Return the event as it is: for an upcast that changes the header alone."""
    return seat, tag, fields


@frozen
class Upcast:
    """Reads a log of one rules version as one of the next: a header to a header, an event to an event.

    Both functions take and return plain data as in the log: the header's map, and `(seat, tag, fields)`.
    """

    header: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    event: Callable[[int, str, Mapping[str, Any]], tuple[int, str, Mapping[str, Any]]] = same_event

    @classmethod
    def of_options(cls, **values: Any) -> Upcast:
        """Return the upcast to a version with new options: as these values say it was played before."""
        told = {option_name(name): value for name, value in values.items()}
        return cls(lambda header: {**header, "options": {**header["options"], **told}})


@frozen
class Past:
    """What older logs need."""

    layout: int = 1
    """The version of the state's layout: digests of another are compared only as `earlier` says."""
    upcasts: Mapping[int, Upcast] = field(factory=dict)
    """From rules version n to n + 1, unbroken from version 1."""
    earlier: Mapping[int, Callable[[Any], Any]] = field(factory=dict)
    """By an earlier layout, what a state of today was packed as in it, so that its digests still are compared."""


def packed_without(*names: str, options: tuple[str, ...] = ()) -> Callable[[Any], list[Any]]:
    """Return the `earlier` of a layout that had neither these fields of the state nor these of its options."""

    def pack(state: Any) -> list[Any]:
        return _without(state, names, options=_without(state.options, options))

    return pack


def _without(value: Any, names: tuple[str, ...], **others: Any) -> list[Any]:
    kept = (each.name for each in attrs.fields(type(value)) if each.name not in names)
    return [others.get(name, getattr(value, name)) for name in kept]

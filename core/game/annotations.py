"""What the annotations of a function say: the classes of the values that it takes and returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, get_args, get_type_hints

import attrs


def classes_of(function: Callable[..., Any], parameter: int | None = None) -> list[type]:
    """Return the attrs classes in the annotation of a parameter, by its place; None: of what the function returns.

    None if there is no annotation, or one that cannot be resolved.
    """
    try:
        hints = get_type_hints(function)
        name = "return" if parameter is None else list(signature(function).parameters)[parameter]
    except Exception:  # whatever a stranger's annotation raises
        return []
    return list(_classes_in(hints.get(name)))


def _classes_in(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type) and attrs.has(annotation):
        yield annotation
    for each in get_args(annotation):
        yield from _classes_in(each)

"""What a function says of itself: the classes of the values that it takes and returns, and how many it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import Parameter, signature
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


def is_compiled(function: Callable[..., Any]) -> bool:
    """Return True for a function of a compiled module, which may keep its annotations to itself."""
    return not hasattr(function, "__code__")


def _classes_in(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type) and attrs.has(annotation):
        yield annotation
    for each in get_args(annotation):
        yield from _classes_in(each)


def takes(function: Callable[..., Any], count: int) -> bool:
    """Return True if a function can be called with so many arguments by place, or does not say what it takes."""
    try:
        signature(function).bind(*(Parameter.empty,) * count)
    except TypeError:
        return False
    except ValueError:  # a compiled function does not say
        return True
    return True

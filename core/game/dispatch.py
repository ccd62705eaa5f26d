"""The parts of a game from functions: one for each class of commands, and those of several modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from .protocols import PART_FUNCTIONS


def applying(by_class: Mapping[type, Callable[..., Any]]) -> Callable[[Any, int, Any], Any]:
    """Return the `apply` of functions of `(state, seat, command)`, each for a class of commands."""

    def apply(state: Any, seat: int, command: Any) -> Any:
        return by_class[command.__class__](state, seat, command)

    apply.__annotations__["command"] = _union(by_class)
    return apply


def _union(kinds: Any) -> Any:
    """Return the union of some classes, as an annotation."""
    first, *others = kinds
    for each in others:
        first = first | each
    return first


def part_of(*modules: ModuleType) -> Any:
    """Return a part of a game, such as its rules, whose functions several modules have."""
    names = {name for functions in PART_FUNCTIONS.values() for name in functions}
    return SimpleNamespace(**{name: vars(each)[name] for each in modules for name in names if name in vars(each)})

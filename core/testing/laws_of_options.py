"""Law 7 for options: none is ignored. The rules know of them only what `start` puts into the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from ..game import AnyGame
from .strategies import suits


def every_option_counts(game: AnyGame, sets: Iterable[Any]) -> None:
    """Raise if an option changes no state at the start, whatever the others are; `sets` are options of the game."""
    drawn = _distinct(sets)
    for field in attrs.fields(game.options):
        alike = (same for chosen in drawn for same in _alike(game, chosen, field.name, drawn))
        assert not (next(alike, False) and all(alike)), (
            f"the option {field.name} changes nothing: `start` makes the same state whatever it is, and the rules know "
            "of options only what lies in the state"
        )


def _distinct(values: Iterable[Any]) -> list[Any]:
    """List values, equal ones once; a map has no hash."""
    found: list[Any] = []
    for each in values:
        if each not in found:
            found.append(each)
    return found


def _alike(game: AnyGame, chosen: Any, name: str, drawn: list[Any]) -> Iterator[bool]:
    """Yield of each other value of an option, and number of seats, whether it starts as these options do."""
    for value in _distinct(getattr(each, name) for each in drawn):
        if value == getattr(chosen, name):
            continue
        other = attrs.evolve(chosen, **{name: value})
        for seats in game.seats:
            if suits(game, chosen, seats) and suits(game, other, seats):
                yield game.start(chosen, seats) == game.start(other, seats)

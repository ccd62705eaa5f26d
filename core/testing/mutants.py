"""Mutants: games made from a game by breaking one thing, which the laws must catch.

A `Game` is a value of functions, so a broken one is made in a line. Each mutant has a name that says what is broken,
and `outputs`: what the broken function gives at a step of a match. Where that is the same as the whole game's at every
step of a survey, the two cannot be told apart, and no law is to blame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from ..game import AnyGame
from .survey import Spot, Survey

Outputs = Callable[[AnyGame, Spot], Any]
"""What a game gives at a step, as far as the mutation is about it."""


@frozen(eq=False)
class Mutant:
    """A game with one thing broken."""

    broken: str
    """The function that is broken, e.g. `redact`."""
    how: str
    """What is wrong, in a few words."""
    game: AnyGame
    outputs: Outputs
    plays: bool = False
    """Whether other matches come of it, so that it is played anew."""
    otherwise: str = "it gives the same at every step"
    """Why it cannot be told from the game where its outputs nowhere differ."""

    def __str__(self) -> str:
        return f"{self.broken}: {self.how}"


def differing_spots(mutant: Mutant, survey: Survey, most: int) -> list[Spot]:
    """Return at most so many steps at which the mutant gives something else than the whole game, or fails."""
    found: list[Spot] = []
    for spot in survey.spots:
        if len(found) == most:
            break
        if _given(mutant, mutant.game, spot) != _given_by_whole(mutant, survey, spot):
            found.append(spot)
    return found


def _given_by_whole(mutant: Mutant, survey: Survey, spot: Spot) -> Any:
    """Return what the whole game gives: the same for all mutants with these outputs."""
    key = mutant.outputs, spot
    if key not in survey.given:
        survey.given[key] = _given(mutant, survey.game, spot)
    return survey.given[key]


def _given(mutant: Mutant, game: AnyGame, spot: Spot) -> Any:
    try:
        return mutant.outputs(game, spot)
    except Exception as failure:  # whatever a broken function raises
        return type(failure)

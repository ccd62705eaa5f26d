"""What a player that knows no game asks of one: twins of its view, ideas of what to do there, and how they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from ...core.bot import InformationState
from ...core.game import Game, Result, Seat, winners_by
from ...core.shuffle import Shuffler
from ...core.timeline import effective

FEW = 60
"""Without hints, so many commands of a seat are thought of."""

LEAD = 0.5
"""How much of a state's worth is how far a seat is ahead, whoever wins."""

Priors = Iterable[tuple[Any, float]]


def determinizer_of(info_state: InformationState[Any, Any]) -> Callable[[Shuffler], Any]:
    """Make what draws states that the seat may be in, by its view and, if the game can recall it, what it has seen."""
    game, view = info_state.game, info_state.view
    if game.hints is None:
        return lambda shuffler: game.determinize(view, shuffler)
    return game.hints.determinize_history(view, effective(info_state.history))


def priors_of(game: Game[Any, Any, Any], state: Any, seat: Seat) -> Priors:
    """List what is worth thinking of, with its weight; without hints the first few legal commands, all alike."""
    if game.hints is not None:
        return game.hints.priors(state, seat)
    return ((command, 1.0) for command in islice(game.legal(state, seat), FEW))


def values_of(game: Game[Any, Any, Any], state: Any) -> list[float] | None:
    """Say what a state is worth to each seat, 0 to 1: by half the victory, by half the lead over the others.

    Of a state in which the game is not over those who stand best count as the winners; without hints nobody knows.
    """
    result = game.result(state)
    if result is not None:
        return _values(_upwards(result), result.winners)
    if game.hints is None:
        return None
    standing = game.hints.evaluate(state)
    return _values(standing, winners_by(standing))


def _upwards(result: Result) -> Sequence[float]:
    """Give the points so that more of them are better, whichever way this game counts."""
    won = {result.points[seat] for seat in result.winners}
    return result.points if max(result.points) in won else [-points for points in result.points]


def _values(points: Sequence[float], winners: Sequence[Seat]) -> list[float]:
    least, span = min(points), max(points) - min(points)
    values = [LEAD * ((each - least) / span if span else 0.5) for each in points]
    for seat in winners:
        values[seat] += (1 - LEAD) / len(winners)
    return values

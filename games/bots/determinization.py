"""What a generic bot needs of a game: determinizations of a view, priors, and values of states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from ...core.game import Game, ObservedEvent, Result, Shuffler, hints_of, winners_by
from ...core.game.timeline import effective
from ...core.match.bot import InformationState

FEW = 60
"""The most commands of a seat that are weighed without hints."""

LEAD = 0.5
"""The part of a state's value that is the lead, whoever wins."""
HALF_SCORE = 10
"""The score of a game played together that is worth half of the lead: there is no other seat to lead over."""

Priors = Iterable[tuple[Any, float]]


def determinizer_of(info_state: InformationState[Any, Any], level: str | None = None) -> Callable[[Shuffler], Any]:
    """Return a sampler of states that agree with the view and, if the game has hints, with the history.

    Of the history only what a bot of the level remembers; None: all.
    """
    game, view = info_state.game, info_state.view
    hints = hints_of(game)
    if hints is None:
        return lambda shuffler: game.determinize(view, shuffler)
    return hints.determinize_history(view, remembered_of(info_state, level))


def remembered_of(info_state: InformationState[Any, Any], level: str | None = None) -> Sequence[ObservedEvent[Any]]:
    """Return what a bot of this level remembers of its history; None: all. What was taken back is left out."""
    hints, history = hints_of(info_state.game), effective(info_state.history)
    return history if level is None or hints is None else hints.remembered(history, level)


def priors_of(game: Game[Any, Any, Any], state: Any, seat: int) -> Priors:
    """Return the commands worth weighing, each with its weight; without hints the first few legal ones, all alike."""
    hints = hints_of(game)
    if hints is not None:
        return hints.priors(state, seat)
    return ((command, 1.0) for command in islice(game.legal(state, seat), FEW))


def values_of(game: Game[Any, Any, Any], state: Any) -> list[float] | None:
    """Return the value of a state to each seat, 0 to 1: half of it is the victory, half the lead over the others.

    Before the end of the game the seats with the best evaluation count as the winners; without hints, return None.
    """
    result = game.result(state)
    if result is not None:
        return _together(result) if result.is_together else _values(_upwards(result), result.winners)
    hints = hints_of(game)
    if hints is None:
        return None
    evaluation = hints.evaluate(state)
    return _values(evaluation, winners_by(evaluation))


def _upwards(result: Result) -> Sequence[float]:
    """Return the points, negated if the lowest win."""
    won = {result.points[seat] for seat in result.winners}
    if not won:  # all have lost: the more the better, as far as anybody can tell
        return result.points
    return result.points if max(result.points) in won else [-points for points in result.points]


def _together(result: Result) -> list[float]:
    """Return the common value of a game played together: half the victory, half the score, which has no greatest."""
    score = max(0, result.points[0])
    return [(1 - LEAD) * bool(result.winners) + LEAD * score / (score + HALF_SCORE)] * len(result.points)


def _values(points: Sequence[float], winners: Sequence[int]) -> list[float]:
    least, span = min(points), max(points) - min(points)
    values = [LEAD * ((each - least) / span if span else 0.5) for each in points]
    for seat in winners:
        values[seat] += (1 - LEAD) / len(winners)
    return values

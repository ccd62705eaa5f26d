"""The reward of each seat, from the result of a match alone: whoever has the log can compute it again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ..errors import MatchError
from ..game import Result

DEFAULT_REWARD = "zero_sum"


def rewards(result: Result | None, kind: str = DEFAULT_REWARD, seats: int = 0) -> tuple[float, ...]:
    """Return one reward a seat.

    `victory` is the seat's share of the victory, 0.0 for all where nobody wins; `zero_sum` that less an even share;
    `points` its points (of a team those of all its seats) less the mean of all; `score` its points as they are, for
    co-operation; `placing` 1 for the first place to 0 for the last. A match without a result gives 0.0 to each of
    `seats` seats. Raises `MatchError` for another kind.
    """
    compute = REWARDS[one_of("reward", kind, REWARDS)]
    return (0.0,) * seats if result is None else compute(result)


def one_of(what: str, given: str, allowed: Collection[str]) -> str:
    """Return a word that somebody has chosen; raises `MatchError`, which names `what`, for none of those allowed."""
    if given not in allowed:
        raise MatchError(f"{what} is one of {', '.join(allowed)}, not {repr(given)[:60]}")
    return given


def _victory(result: Result) -> tuple[float, ...]:
    won = max(1, len(result.winners))  # of a common loss nobody has a share
    return tuple((seat in result.winners) / won for seat in range(len(result.points)))


def _zero_sum(result: Result) -> tuple[float, ...]:
    even = 1 / len(result.points) if result.winners else 0.0
    return tuple(share - even for share in _victory(result))


def _points(result: Result) -> tuple[float, ...]:
    points = [_rank(result, seat)[1] for seat in range(len(result.points))]
    mean = sum(points) / len(points)
    return tuple(each - mean for each in points)


def _score(result: Result) -> tuple[float, ...]:
    return tuple(map(float, result.points))


def _placing(result: Result) -> tuple[float, ...]:
    """Rank the winners first, then by points, a team by all of its; who is level shares the places between them."""
    ranks = [_rank(result, seat) for seat in range(len(result.points))]
    if len(ranks) == 1:
        return (1.0,)
    ahead = [sum(other > own for other in ranks) + (ranks.count(own) - 1) / 2 for own in ranks]
    return tuple(1 - each / (len(ranks) - 1) for each in ahead)


def _rank(result: Result, seat: int) -> tuple[bool, int]:
    team = [other for other, number in enumerate(result.teams) if number == result.teams[seat]] or [seat]
    return any(other in result.winners for other in team), sum(result.points[other] for other in team)


REWARDS: Mapping[str, Callable[[Result], tuple[float, ...]]] = {
    "victory": _victory,
    "zero_sum": _zero_sum,
    "points": _points,
    "score": _score,
    "placing": _placing,
}

SUM_TO_ZERO = ("zero_sum", "points")
"""The kinds that sum to 0, as OpenSpiel's zero-sum games do."""

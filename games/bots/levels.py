"""Levels: bots for people at a table, by how well they play: `easy`, `normal`, `strong`.

They play every game, a stranger's too. Their budgets are iterations, so the same seed gives the same match. Behind the
colon stands the longest that a bot may think, e.g. `strong:800ms`: a slow machine ends the search early.
"""

from __future__ import annotations

from typing import Any

from ...core.game import SEARCH_ITERATIONS, Shuffler, hints_of
from ...core.match.bot import Bot, InformationState
from .arguments import parse_limit
from .greedy import greedy_of, mean_priors
from .ismcts import Search, budget_of
from .playouts import draw_by_weight
from .rollouts import best_by_rollouts

LEVELS = ("easy", "normal", "strong")
"""The names of the levels, the weakest first."""
FEWER = 8
"""Without hints, which greedy play needs, `normal` searches with so many times fewer iterations than `strong`."""
MORE_STATES = 96
"""So many states `strong` weighs the commands over, in a game whose hints know better than a search."""


def easy(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that draws a command by its mean weight over some states that the seat may be in."""
    parse_limit("easy", argument)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if len(info_state.legal) == 1:
            return info_state.legal[0]
        shuffler = Shuffler(seed, len(info_state.history))
        commands, weights = zip(*mean_priors(info_state, shuffler, "easy"), strict=True)
        return draw_by_weight(commands, weights, shuffler)

    return choose


def normal(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that plays what promises most; without hints, it searches a little."""
    limit_s, by_hints = parse_limit("normal", argument), greedy_of(seed, "normal")

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if hints_of(info_state.game) is not None:
            return by_hints(info_state)
        return _searched(info_state, seed, iterations_of(info_state) // FEWER, limit_s)

    return choose


def strong(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that searches, or compares by rollouts, as the game says; else one greedy over many states."""
    limit_s, by_hints = parse_limit("strong", argument), greedy_of(seed, "strong", MORE_STATES)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        hints, iterations = hints_of(info_state.game), iterations_of(info_state)
        if hints is not None and hints.rollouts:
            return best_by_rollouts(info_state, seed, "strong", budget_of(hints.rollouts, limit_s)())
        return _searched(info_state, seed, iterations, limit_s) if iterations else by_hints(info_state)

    return choose


def iterations_of(info_state: InformationState[Any, Any]) -> int:
    """Return the iterations of a strong bot at this game: those of its hints, else `SEARCH_ITERATIONS`."""
    hints = hints_of(info_state.game)
    return SEARCH_ITERATIONS if hints is None else hints.iterations


def _searched(info_state: InformationState[Any, Any], seed: bytes, iterations: int, limit_s: float | None) -> Any:
    if len(info_state.legal) == 1:
        return info_state.legal[0]
    return Search(info_state, seed).choose(budget_of(iterations, limit_s)())

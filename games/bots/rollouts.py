"""Rollouts: the commands that promise most are played out in the same states with the same draws, and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...core.game import Shuffler, ordered_sum
from ...core.match.bot import InformationState
from .determinization import determinizer_of, remembered_of, values_of
from .greedy import mean_priors
from .playouts import Playouts, draw_by_weight

MOST = 6
"""The most commands that are compared, those of the highest mean prior."""
STATES = 24
"""The states over which the priors are weighed."""
POOL = 128
"""Where some states are likelier than others, so many are drawn, and of these the likelier the oftener."""
LONGER = 2
"""A playout has so many times the commands that one of a search has: there are few of them."""
DOUBT = 1.5
"""By so many standard errors a command must be better than the one of the highest prior to be played in its place."""


def best_by_rollouts(
    info_state: InformationState[Any, Any], seed: bytes, level: str, goes_on: Callable[[int], bool]
) -> Any:
    """Return the command of the highest prior, or one that playouts show to be better for the seat.

    The game has hints. `goes_on` says whether there is time for one more playout of each command.
    """
    game, seat, hints = info_state.game, info_state.seat, info_state.game.hints
    assert hints is not None
    shuffler = Shuffler(seed, len(info_state.history))
    draw = _likelier(info_state, level, shuffler)
    commands = [command for command, _ in mean_priors(info_state, shuffler, level, STATES, draw)[:MOST]]
    gains = [list[float]() for _ in commands]
    depth = LONGER * hints.playout_depth
    while len(commands) > 1 and goes_on(len(gains[0])):
        state, draws = draw(shuffler), bytes([shuffler.below(256) for _ in range(len(seed))])
        ends = [
            Playouts(game, Shuffler(draws), depth, hints.playout_priors).play_on(game.apply(state, seat, command))
            for command in commands
        ]
        values = [values_of(game, end)[seat] for end in ends]  # type: ignore[index]
        for each, value in zip(gains, values, strict=True):
            each.append(value - values[0])
    return commands[max(range(len(commands)), key=lambda number: _sure_gain(gains[number]))]


def _likelier(info_state: InformationState[Any, Any], level: str, shuffler: Shuffler) -> Callable[[Shuffler], Any]:
    """Return a sampler of states, the likelier the oftener, if the game says how likely they are."""
    hints, draw = info_state.game.hints, determinizer_of(info_state, level)
    if hints is None or hints.likelihood is None:
        return draw
    likelihood = hints.likelihood(info_state.view, remembered_of(info_state, level))
    states = [draw(shuffler) for _ in range(POOL)]
    return partial(draw_by_weight, states, [likelihood(state) for state in states])


def _sure_gain(gains: Sequence[float]) -> float:
    """Return the mean gain over the command of the highest prior if it is beyond doubt, else 0."""
    count = len(gains)
    if count < 2:
        return 0.0
    mean = ordered_sum(gains) / count
    variance = ordered_sum((gain - mean) * (gain - mean) for gain in gains) / (count - 1) / count
    return mean if mean > 0 and mean * mean > DOUBT * DOUBT * variance else 0.0

"""Rollouts: commands that are played out in the same states with the same draws, and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from attrs import frozen

from ...core.game import RuleViolation, Shuffler, hints_of, ordered_sum
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
MAX_REFUSED = 20
"""The determinizations in a row that may refuse a command before the comparison gives up."""


def best_by_rollouts(
    info_state: InformationState[Any, Any], seed: bytes, level: str, goes_on: Callable[[int], bool]
) -> Any:
    """Return the command of the highest prior, or one that playouts show to be better for the seat.

    The game has hints. `goes_on` says whether there is time for one more playout of each command.
    """
    game, seat, hints = info_state.game, info_state.seat, hints_of(info_state.game)
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
    hints, draw = hints_of(info_state.game), determinizer_of(info_state, level)
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


@frozen
class Outcome:
    """How one playout ended for one seat."""

    won: bool
    """True if the seat won, alone or with others; if the playout was broken off, by the best evaluation."""
    value: float
    """Half the victory, half the lead over the others, 0 to 1 (`determinization.values_of`)."""
    points: int | None
    """The seat's points; None if the playout was broken off before the end."""


def paired_outcomes(
    info_state: InformationState[Any, Any], commands: Sequence[Any], seed: bytes, depth: int | None = None
) -> Iterator[tuple[Outcome, ...]]:
    """Yield, without end, the outcomes of these commands on one determinization after another, in their order.

    The playouts of one determinization draw the same random numbers. A determinization that refuses one of the
    commands, which may show what the seat does not know yet, is left out; after `MAX_REFUSED` in a row none follows.
    """
    draw, number, refused = determinizer_of(info_state), 0, 0
    while refused < MAX_REFUSED:
        drawn = _seed(seed, info_state, number)
        state = draw(Shuffler(drawn))
        number += 1
        try:
            after = [info_state.game.apply(state, info_state.seat, command) for command in commands]
        except RuleViolation:
            refused += 1
            continue
        refused = 0
        yield tuple([_outcome(info_state, each, Shuffler(drawn, 1), depth) for each in after])


def _seed(seed: bytes, info_state: InformationState[Any, Any], number: int) -> bytes:
    place = len(info_state.history).to_bytes(8, "big") + number.to_bytes(8, "big")
    return blake2b(b"kifu pairs" + place, key=seed, digest_size=32).digest()


def _outcome(info_state: InformationState[Any, Any], state: Any, shuffler: Shuffler, depth: int | None) -> Outcome:
    game, seat = info_state.game, info_state.seat
    last = Playouts(game, shuffler, depth).play_on(state)
    values, result = values_of(game, last), game.result(last)
    if values is None:
        return Outcome(False, 0.5, None)
    if result is None:
        return Outcome(values[seat] == max(values), values[seat], None)
    return Outcome(seat in result.winners, values[seat], result.points[seat])

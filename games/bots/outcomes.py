"""Pairs of playouts that differ in the first command alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

from attrs import frozen

from ...core.game import RuleViolation, Shuffler
from ...core.match.bot import InformationState
from .determinization import determinizer_of, values_of
from .playouts import Playouts

MAX_REFUSED = 20
"""The determinizations in a row that may refuse a command before the comparison gives up."""


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

"""Playouts: a state played on by the game's priors, and pairs of them that differ in the first command alone."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import accumulate
from math import ldexp
from typing import Any

from attrs import frozen

from ...core.bot import InformationState
from ...core.game import TABLE, Game, RuleViolation, Seat
from ...core.shuffle import Shuffler
from .determinization import Priors, determinizer_of, priors_of, values_of

FAR_WITHOUT_HINTS = 1000
PRECISION_BITS = 53
PRECISION = 2**53
"""The number of equally likely values that a playout draws from: as many as a float can tell apart."""

MAX_REFUSED = 20
"""The determinizations in a row that may refuse a command before the comparison gives up."""


class Playouts:
    """Plays states of a game on, with deals and commands drawn from one shuffler.

    A playout is at most `depth` commands long; None: as long as the game's hints say.
    """

    def __init__(self, game: Game[Any, Any, Any], shuffler: Shuffler, depth: int | None = None) -> None:
        self._game = game
        self._shuffler = shuffler
        hints = game.hints
        self._depth = FAR_WITHOUT_HINTS if hints is None else hints.playout_depth if depth is None else depth

    def next(self, state: Any) -> tuple[Any, Seat] | None:
        """Deal if a deal is due; return the state and a seat that is to act, None if the game is over."""
        acting = self._game.to_act(state)
        while TABLE in acting:
            state = self._game.apply(state, TABLE, self._game.deal(state, self._shuffler))
            acting = self._game.to_act(state)
        return (state, min(acting)) if acting else None

    def play_on(self, state: Any) -> Any:
        """Play on by weight, to the end or to the playout's limit."""
        for _ in range(self._depth):
            following = self.next(state)
            if following is None:
                break
            state, seat = following
            state = self._game.apply(state, seat, self._drawn(priors_of(self._game, state, seat)))
        return state

    def _drawn(self, priors: Priors) -> Any:
        """Draw a command in proportion to the cube of its weight: so mostly the best, as good players do."""
        commands, weights = zip(*priors, strict=True)
        return draw_by_weight(commands, [weight * weight * weight for weight in weights], self._shuffler)


def draw_by_weight(commands: Sequence[Any], weights: Sequence[float], shuffler: Shuffler) -> Any:
    """Draw one of the commands in proportion to their weights."""
    sums = list(accumulate(weights))
    drawn = ldexp(shuffler.below(PRECISION), -PRECISION_BITS) * sums[-1]
    return commands[min(bisect(sums, drawn), len(commands) - 1)]


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

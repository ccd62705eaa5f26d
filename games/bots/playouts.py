"""Playouts: a state played on by the game's priors."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from math import ldexp
from typing import Any, Final

from ...core.game import TABLE, Game, Shuffler, hints_of
from .determinization import Priors, priors_of

FAR_WITHOUT_HINTS = 1000
PRECISION_BITS: Final = 53
PRECISION: Final = 2**53
"""The number of equally likely values that a playout draws from: as many as a float can tell apart."""


class Playouts:
    """Plays states of a game on, with deals and commands drawn from one shuffler.

    A playout is at most `depth` commands long; None: as long as the game's hints say. Commands have the weights of
    `priors`; None: those of the hints.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        shuffler: Shuffler,
        depth: int | None = None,
        priors: Callable[[Any, int], Priors] | None = None,
    ) -> None:
        self._game = game
        self._shuffler = shuffler
        self._priors = partial(priors_of, game) if priors is None else priors
        hints = hints_of(game)
        self._depth = FAR_WITHOUT_HINTS if hints is None else hints.playout_depth if depth is None else depth

    def next(self, state: Any) -> tuple[Any, int] | None:
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
            state = self._game.apply(state, seat, self._drawn(self._priors(state, seat)))
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

"""The greedy player: what promises most, over some states that it may be in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.bot import Bot, Sight, at_random
from ...core.shuffle import Shuffler
from .named import check_nothing
from .twins import ideas_of, twins_of

TWINS = 12
"""So many states are drawn to weigh a choice."""


def greedy(seed: bytes, said: str = "") -> Bot:
    """Make a bot that gives the command of the greatest mean weight in twins; without hints, it plays at random."""
    check_nothing("greedy", said)
    stand_in = at_random(seed)

    def choose(sight: Sight[Any, Any]) -> Any:
        if len(sight.legal) == 1:
            return sight.legal[0]
        if sight.game.hints is None:
            return stand_in(sight)
        weighed = weigh(sight, Shuffler(seed, len(sight.seen)))
        return weighed[0][0]

    return choose


def weigh(sight: Sight[Any, Any], shuffler: Shuffler) -> Sequence[tuple[Any, float]]:
    """Give the commands worth thinking of, each with its mean weight, the greatest first."""
    draw, weights = twins_of(sight), dict[Any, float]()
    for _ in range(TWINS):
        for command, weight in ideas_of(sight.game, draw(shuffler), sight.seat):
            weights[command] = weights.get(command, 0) + weight / TWINS
    ordered = shuffler.shuffle(weights.items())  # so that equals come in any order
    return sorted(ordered, key=lambda each: -each[1])

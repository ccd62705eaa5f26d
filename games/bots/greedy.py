"""The greedy player: what promises most, over some states that it may be in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.bot import Bot, InformationState, random_bot
from ...core.shuffle import Shuffler
from .arguments import check_no_argument
from .determinization import determinizer_of, priors_of

TWINS = 12
"""So many states are drawn to weigh a choice."""


def greedy(seed: bytes, argument: str = "") -> Bot:
    """Make a bot that gives the command of the greatest mean weight in twins; without hints, it plays at random."""
    check_no_argument("greedy", argument)
    stand_in = random_bot(seed)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if len(info_state.legal) == 1:
            return info_state.legal[0]
        if info_state.game.hints is None:
            return stand_in(info_state)
        weighed = mean_priors(info_state, Shuffler(seed, len(info_state.history)))
        return weighed[0][0]

    return choose


def mean_priors(info_state: InformationState[Any, Any], shuffler: Shuffler) -> Sequence[tuple[Any, float]]:
    """Give the commands worth thinking of, each with its mean weight, the greatest first."""
    draw, weights = determinizer_of(info_state), dict[Any, float]()
    for _ in range(TWINS):
        for command, weight in priors_of(info_state.game, draw(shuffler), info_state.seat):
            weights[command] = weights.get(command, 0) + weight / TWINS
    ordered = shuffler.shuffle(weights.items())  # so that equals come in any order
    return sorted(ordered, key=lambda each: -each[1])

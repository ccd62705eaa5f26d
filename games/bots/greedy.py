"""The greedy bot: the highest mean prior over some states that it may be in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.game import Shuffler, hints_of
from ...core.match.bot import Bot, InformationState, random_bot
from .arguments import check_no_argument
from .determinization import determinizer_of, priors_of

DETERMINIZATIONS = 12
"""The number of states drawn for a choice."""


def greedy(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that plays the command of the highest mean weight; without hints it plays at random."""
    check_no_argument("greedy", argument)
    return greedy_of(seed)


def greedy_of(seed: bytes, level: str | None = None, states: int = DETERMINIZATIONS) -> Bot:
    """Return the greedy bot over so many states that remembers what a bot of this level does; None: all."""
    stand_in = random_bot(seed)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if len(info_state.legal) == 1:
            return info_state.legal[0]
        if hints_of(info_state.game) is None:
            return stand_in(info_state)
        weighed = mean_priors(info_state, Shuffler(seed, len(info_state.history)), level, states)
        return weighed[0][0]

    return choose


def mean_priors(
    info_state: InformationState[Any, Any],
    shuffler: Shuffler,
    level: str | None = None,
    states: int = DETERMINIZATIONS,
    draw: Callable[[Shuffler], Any] | None = None,
) -> Sequence[tuple[Any, float]]:
    """Return the commands worth weighing, each with its mean weight, the highest first.

    The states are drawn by `draw`; None: by what a level remembers.
    """
    draw, weights = draw or determinizer_of(info_state, level), dict[Any, float]()
    for _ in range(states):
        for command, weight in priors_of(info_state.game, draw(shuffler), info_state.seat):
            weights[command] = weights.get(command, 0) + weight / states
    ordered = shuffler.shuffle(weights.items())  # so that ties are broken at random
    return sorted(ordered, key=lambda each: -each[1])

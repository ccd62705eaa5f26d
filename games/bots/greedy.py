"""The greedy bot: the highest mean prior over some states that it may be in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.game import Shuffler
from ...core.match.bot import Bot, InformationState, random_bot
from .arguments import check_no_argument
from .determinization import determinizer_of, likelihood_of, priors_of

DETERMINIZATIONS = 12
"""The number of states drawn for a choice."""


def greedy(seed: bytes, argument: str = "") -> Bot:
    """Return a bot that plays the command of the highest mean weight; without hints it plays at random."""
    check_no_argument("greedy", argument)
    return greedy_of(seed)


def greedy_of(seed: bytes, level: str | None = None, states: int = DETERMINIZATIONS, *, infers: bool = False) -> Bot:
    """Return the greedy bot over so many states that remembers what a bot of this level does; None: all.

    One that infers weighs the states by how likely the others would have played in them as they did.
    """
    stand_in = random_bot(seed)

    def choose(info_state: InformationState[Any, Any]) -> Any:
        if len(info_state.legal) == 1:
            return info_state.legal[0]
        if info_state.game.hints is None:
            return stand_in(info_state)
        shuffler = Shuffler(seed, len(info_state.history))
        weighed = mean_priors(info_state, shuffler, level, states, infers=infers)
        return weighed[0][0]

    return choose


def mean_priors(
    info_state: InformationState[Any, Any],
    shuffler: Shuffler,
    level: str | None = None,
    states: int = DETERMINIZATIONS,
    *,
    infers: bool = False,
) -> Sequence[tuple[Any, float]]:
    """Return the commands worth weighing, each with its mean weight, the highest first; of what a level remembers.

    If it infers, states in which the others would hardly have played as they did count for less.
    """
    draw, weights = determinizer_of(info_state, level), dict[Any, float]()
    likelihood = likelihood_of(info_state, level) if infers else None
    for _ in range(states):
        state = draw(shuffler)
        counts = 1.0 if likelihood is None else likelihood(state)
        for command, weight in priors_of(info_state.game, state, info_state.seat):
            weights[command] = weights.get(command, 0) + weight * counts / states
    ordered = shuffler.shuffle(weights.items())  # so that ties are broken at random
    return sorted(ordered, key=lambda each: -each[1])

"""A policy over arrays as a bot: what has learnt in an environment plays wherever bots play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from ..game import AnyGame
from ..match.bot import Bot, InformationState
from ..match.legal import by_kind
from .episode import Episode
from .partial_command import PartialCommand
from .view_encoder import Array

Policy = Callable[[Array, Array], int]
"""Returns an action for an observation and the mask of the legal actions."""


def policy_bot(policy: Policy, *, relative: bool = True, encoding: str = "planes", history: int = 0) -> Bot:
    """Return a bot that asks a policy action by action, with the observations of `seat_env`.

    `relative`, `encoding` and `history` are those of the environment in which the policy has learnt.
    """
    episodes: dict[Any, Episode] = {}

    def choose(known: InformationState[Any, Any]) -> Any:
        seats = len(known.game.scene(known.view).places)
        options = getattr(known.view, "options", None)
        if (known.game, seats, options) not in episodes:
            episodes[known.game, seats, options] = _episode(known.game, seats, options, relative, encoding, history)
        episode = episodes[known.game, seats, options]
        choice = PartialCommand(episode.encoding_of(known.seat), by_kind(known.legal))
        while choice.command is None:
            mask: Array = np.frombuffer(bytearray(choice.mask()), np.int8)
            observation = episode.encode(known.seat, known.view, choice.tokens, known.history)
            choice = choice.after(int(policy(observation, mask)))
        return choice.command

    return choose


def _episode(game: AnyGame, seats: int, options: Any, relative: bool, encoding: str, history: int) -> Episode:
    """Return an episode whose arrays have the places of those that the policy knows."""
    given = {} if options is None else attrs.asdict(options, recurse=False)
    return Episode(game, seats, given, relative=relative, encoding=encoding, history=history)

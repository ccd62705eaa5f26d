"""The common part of both PettingZoo environments: agents, their spaces, seeds, and rendering as text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random

from ..errors import MatchError
from ..game import AnyGame, Seat
from ..match import AnyMatch
from ..match.header import SEED_BYTES
from .episode import WHOLE, Episode, as_int
from .reward import DEFAULT_REWARD
from .view_encoder import Array

RENDER_MODES = ["ansi", "human"]


class MatchEnvBase:
    """An environment whose agents `seat_0`, `seat_1` … are the seats of a game."""

    def __init__(
        self,
        game: AnyGame,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
        encoding: str = WHOLE,
        history: int = 0,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise MatchError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.metadata = {"name": f"kifu_{game.name}_v{game.rules}", "render_modes": RENDER_MODES}
        self.render_mode = render_mode
        self.agents: list[str] = []
        self._episode = episode = Episode(game, seats, options, reward, relative, encoding, history)
        self._random, _ = np_random()
        self._begun = False
        self._seats = {name: Seat(seat) for seat, name in enumerate(episode.names)}
        self.possible_agents = list(self._seats)
        self.state_space = episode.encoder.space()
        seen = episode.observation_space()
        self.action_spaces = {name: Discrete(len(episode.encoding)) for name in episode.names}
        mask = Box(0, 1, (len(episode.encoding),), np.int8)
        self.observation_spaces = {name: Dict({"observation": seen, "action_mask": mask}) for name in episode.names}

    @property
    def match(self) -> AnyMatch:
        """The present match, to inspect and save; raises `MatchError` before the first `reset`."""
        self._check_begun()
        return self._episode.match

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, the same for all agents."""
        return self.observation_spaces[self._named(agent)]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, the same for all agents."""
        return self.action_spaces[self._named(agent)]

    def state(self) -> Array:
        """Return the view of the table, all cards open, as an int32 array."""
        self._check_begun()
        return self._episode.state()

    def render(self) -> str | None:
        """Draw the table with all cards open: return it for `ansi`, print it for `human`."""
        self._check_begun()
        if self.render_mode == "human":
            sys.stdout.write(self._episode.render() + "\n")
        return self._episode.render() if self.render_mode == "ansi" else None

    def legal_actions(self, agent: str) -> tuple[int, ...]:
        """List the actions that an agent may take now, ascending; of one that is not asked, to wait (0)."""
        self._check_begun()
        return self._episode.legal_actions(self._seats[self._named(agent)])

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _deal(self, seed: int | None) -> None:
        """Begin a new match; the same seed gives the same deals, and the same matches after it."""
        if seed is not None:
            self._random, _ = np_random(as_int(seed, "a seed", 0))
        self._episode.deal(self._random.bytes(SEED_BYTES))
        self.agents = self.possible_agents[:]
        self._begun = True

    def _check_begun(self) -> None:
        if not self._begun:
            raise MatchError("no match has begun here: call reset first")

    def _check_in_progress(self) -> None:
        self._check_begun()
        if not self.agents:
            raise MatchError("the match is over: call reset to begin another")

    def _named(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise MatchError(f"there is no agent {repr(agent)[:60]}; there are {', '.join(self.possible_agents)}")
        return agent

"""What both kinds of PettingZoo environment have: agents, their spaces, seeds, and a table that is drawn as text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random

from ..errors import MatchError
from ..game import Game, Seat
from ..header import SEED_BYTES
from ..match import Match
from .episode import WHOLE, Episode, as_int
from .observation import Array
from .reward import DEFAULT_REWARD

RENDER_MODES = ["ansi", "human"]


class MatchEnvBase:
    """The seats of a game as agents `seat_0`, `seat_1` …"""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
        encoding: str = WHOLE,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise MatchError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.metadata = {"name": f"kifu_{game.name}_v{game.rules}", "render_modes": RENDER_MODES}
        self.render_mode = render_mode
        self.agents: list[str] = []
        self._table = table = Episode(game, seats, options, reward, relative, encoding)
        self._random, _ = np_random()
        self._begun = False
        self._seats = {name: Seat(seat) for seat, name in enumerate(table.names)}
        self.possible_agents = list(self._seats)
        self.state_space = table.encoder.space()
        self.action_spaces = {name: Discrete(len(table.encoding)) for name in table.names}
        self.observation_spaces = {
            name: Dict({"observation": self.state_space, "action_mask": Box(0, 1, (len(table.encoding),), np.int8)})
            for name in table.names
        }

    @property
    def match(self) -> Match[Any, Any, Any]:
        """The match as it stands, to be looked at and saved; raises `MatchError` before the first `reset`."""
        self._check_begun()
        return self._table.match

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[self._named(agent)]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[self._named(agent)]

    def state(self) -> Array:
        """Give the whole table as numbers, all cards open."""
        self._check_begun()
        return self._table.state()

    def render(self) -> str | None:
        """Draw the table with all cards open: for `ansi` as the value, for `human` on standard output."""
        self._check_begun()
        if self.render_mode == "human":
            sys.stdout.write(self._table.render() + "\n")
        return self._table.render() if self.render_mode == "ansi" else None

    def legal_actions(self, agent: str) -> tuple[int, ...]:
        """List the actions that an agent may take now, ascending; of one that is not asked, to wait (0)."""
        self._check_begun()
        return self._table.legal_actions(self._seats[self._named(agent)])

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _deal(self, seed: int | None) -> None:
        """Begin a new match; the same seed gives the same deals, and the same matches after it."""
        if seed is not None:
            self._random, _ = np_random(as_int(seed, "a seed", 0))
        self._table.deal(self._random.bytes(SEED_BYTES))
        self.agents = self.possible_agents[:]
        self._begun = True

    def _check_begun(self) -> None:
        if not self._begun:
            raise MatchError("no match has begun here: call reset first")

    def _check_going(self) -> None:
        self._check_begun()
        if not self.agents:
            raise MatchError("the match is over: call reset to begin another")

    def _named(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise MatchError(f"there is no agent {repr(agent)[:60]}; there are {', '.join(self.possible_agents)}")
        return agent

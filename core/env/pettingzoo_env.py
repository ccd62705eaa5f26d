"""Every game as both environments of PettingZoo: one seat acts at a time, or all step in every cycle."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv, ParallelEnv

from ..errors import MatchError
from ..game import AnyGame, Seat
from ..match import AnyMatch
from ..match.header import SEED_BYTES
from .action_encoding import WAIT
from .episode import Episode, as_int, refuse_options
from .observation import Array
from .reward import DEFAULT_REWARD

RENDER_MODES = ["ansi", "human"]
PerAgent = dict[str, Any]
"""A value for each agent."""


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
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise MatchError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.metadata = {"name": f"kifu_{game.name}_v{game.version}", "render_modes": RENDER_MODES}
        self.render_mode = render_mode
        self.agents: list[str] = []
        self._episode = episode = Episode(game, seats, options, reward, relative)
        self._random, _ = np_random()
        self._begun = False
        self._seats = {name: Seat(seat) for seat, name in enumerate(episode.names)}
        self.possible_agents = list(self._seats)
        self.state_space = episode.encoder.space()
        seen = episode.encoder.space()
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


class AECMatchEnv(MatchEnvBase, AECEnv):
    """An AEC environment that steps the seats to act, the lowest first, one action at a time.

    An action that the mask forbids raises `MatchError` and changes nothing.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match; with a `seed` this and the following matches are reproducible."""
        refuse_options(self._episode.game, options)
        self._deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the `observation` and `action_mask` of an agent."""
        self._check_begun()
        seat = self._seats.get(agent)
        return self._episode.observe(self._seats[self._named(agent)] if seat is None else seat)

    def last(self, observe: bool = True) -> tuple[Any, ...]:
        """Return observation, reward, terminated, truncated and info of the agent that is to step."""
        if not self.agents:
            self._check_in_progress()
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        reward, over, cut = self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent]
        return observation, reward, over, cut, self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Return an iterator over the agents that are to step, until the match is over."""
        self._check_in_progress()
        return super().agent_iter(max_iter)

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is to step; None once the match is over.

        Raises `MatchError` for an action that the mask forbids.
        """
        if not self.agents:
            self._check_in_progress()
        agent = self.agent_selection
        over = self.terminations[agent]
        if over is not (action is None):
            raise MatchError(f"{agent} takes None, since its match is over" if over else f"{agent} is asked to act")
        if action is None:
            self._was_dead_step(None)
            return
        self._episode.apply_action(self._seats[agent], as_int(action, "an action"))
        self.infos[agent] = {}
        if self._episode.next_to_act is None:  # until the end all rewards are 0
            self._end()
            self._accumulate_rewards()
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        seat = self._episode.next_to_act
        assert seat is not None
        self.agent_selection = agent = self._episode.names[seat]
        self.infos[agent] = {"action_mask": self._episode.action_mask(seat)}

    def _end(self) -> None:
        self.rewards = dict(zip(self._seats, self._episode.rewards(), strict=True))
        self.terminations = dict.fromkeys(self._seats, True)
        self.infos = dict(zip(self._seats, self._episode.infos(), strict=True))


class ParallelMatchEnv(MatchEnvBase, ParallelEnv):
    """A parallel environment that steps all seats at once: the seats to act, the lowest first; the others `wait`.

    An action that the mask forbids changes nothing, and the seat's info has `refused`: the others do not wait for it.
    """

    def __init__(self, *args: Any, max_cycles: int | None = None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.max_cycles = None if max_cycles is None else as_int(max_cycles, "max_cycles", 1)
        self._cycle = 0

    def reset(
        self,
        seed: int | None = None,
        options: PerAgent | None = None,
    ) -> tuple[PerAgent, PerAgent]:
        """Begin a new match; return observations and infos. A `seed` makes this and later matches reproducible."""
        refuse_options(self._episode.game, options)
        self._deal(seed)
        self._cycle = 0
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, int]) -> tuple[PerAgent, PerAgent, PerAgent, PerAgent, PerAgent]:
        """Take one action of each agent; return observations, rewards, terminations, truncations and infos."""
        self._check_in_progress()
        if not isinstance(actions, Mapping):
            raise MatchError(f"actions are a map of one for each agent, not {repr(actions)[:60]}")
        taken = {self._named(name): as_int(each, "an action") for name, each in actions.items() if each is not None}
        to_act = self._episode.to_act
        refused = [name for name, seat in self._seats.items() if not self._act(seat, taken.get(name), to_act)]
        infos = self._infos()
        for name in refused:
            infos[name]["refused"] = True
        self._cycle += 1
        over = not self._episode.to_act
        cut = not over and self.max_cycles is not None and self._cycle >= self.max_cycles
        if self.render_mode == "human":
            self.render()
        if over or cut:
            self.agents = []
        rewards = dict(zip(self._seats, self._episode.rewards(), strict=True))
        return self._observations(), rewards, dict.fromkeys(self._seats, over), dict.fromkeys(self._seats, cut), infos

    def _infos(self) -> PerAgent:
        """Return what learners are told besides: their masks while the match goes on, then the points."""
        infos = zip(self._seats.items(), self._episode.infos(), strict=True)
        return {name: info or {"action_mask": self._episode.action_mask(seat)} for (name, seat), info in infos}

    def _act(self, seat: int, action: int | None, to_act: tuple[int, ...]) -> bool:
        """Take the action of a seat; return False if it is not legal. `to_act` are the seats when the cycle began."""
        if seat not in to_act:
            return action is None or action == WAIT
        if seat not in self._episode.to_act:
            return True
        try:
            self._episode.apply_action(seat, -1 if action is None else action)
        except MatchError:
            return False
        return True

    def _observations(self) -> PerAgent:
        return {name: self._episode.observe(seat) for name, seat in self._seats.items()}

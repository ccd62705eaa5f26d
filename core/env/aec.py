"""A game as a PettingZoo AEC environment: one seat acts at a time."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from ..errors import MatchError
from .base import MatchEnvBase
from .episode import as_int


class AECMatchEnv(MatchEnvBase, AECEnv):
    """An AEC environment that steps the seats to act, the lowest first, one action at a time.

    An action that the mask forbids raises `MatchError` and changes nothing.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 (theirs)
        """Begin a new match; with a `seed` this and the following matches are reproducible."""
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

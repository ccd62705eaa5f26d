"""A game as a PettingZoo parallel environment: every seat steps in every cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from ..errors import MatchError
from ..game import AnyGame, Seat
from .action_encoding import WAIT
from .base import MatchEnvBase
from .episode import WHOLE, as_int
from .reward import DEFAULT_REWARD

PerAgent = dict[str, Any]
"""A value for each agent."""


class ParallelMatchEnv(MatchEnvBase, ParallelEnv):
    """A parallel environment that steps all seats at once: the seats to act, the lowest first; the others `wait`.

    An action that the mask forbids changes nothing, and the seat's info has `refused`: the others do not wait for it.
    """

    def __init__(
        self,
        game: AnyGame,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
        encoding: str = WHOLE,
        history: int = 0,
    ) -> None:
        super().__init__(
            game,
            seats,
            options,
            render_mode=render_mode,
            reward=reward,
            relative=relative,
            encoding=encoding,
            history=history,
        )
        self.max_cycles = None if max_cycles is None else as_int(max_cycles, "max_cycles", 1)
        self._cycle = 0

    def reset(
        self,
        seed: int | None = None,
        options: PerAgent | None = None,  # noqa: ARG002 (theirs)
    ) -> tuple[PerAgent, PerAgent]:
        """Begin a new match; return observations and infos. A `seed` makes this and later matches reproducible."""
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

    def _act(self, seat: Seat, action: int | None, to_act: tuple[Seat, ...]) -> bool:
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

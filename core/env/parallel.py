"""A game as a PettingZoo parallel environment: every seat acts in every cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from ..errors import MatchError
from ..game import Game, Seat
from .action_encoding import WAIT
from .base import MatchEnvBase
from .episode import WHOLE, as_int
from .reward import DEFAULT_REWARD

Each = dict[str, Any]
"""A value for each agent."""


class ParallelMatchEnv(MatchEnvBase, ParallelEnv):
    """Steps all seats at once: those that are asked act, the lowest first, and the others can only `wait`.

    An action that the mask forbids changes nothing, and the seat's info says `refused`: the others do not wait for a
    seat that fumbles.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        reward: str = DEFAULT_REWARD,
        relative: bool = False,
        encoding: str = WHOLE,
    ) -> None:
        super().__init__(
            game, seats, options, render_mode=render_mode, reward=reward, relative=relative, encoding=encoding
        )
        self.max_cycles = None if max_cycles is None else as_int(max_cycles, "max_cycles", 1)
        self._cycle = 0

    def reset(self, seed: int | None = None, options: Each | None = None) -> tuple[Each, Each]:  # noqa: ARG002 (theirs)
        """Begin a new match."""
        self._deal(seed)
        self._cycle = 0
        return self._observations(), {name: self._info(seat) for name, seat in self._seats.items()}

    def step(self, actions: Mapping[str, int]) -> tuple[Each, Each, Each, Each, Each]:
        self._check_going()
        if not isinstance(actions, Mapping):
            raise MatchError(f"actions are a map of one for each agent, not {repr(actions)[:60]}")
        taken = {self._named(name): as_int(each, "an action") for name, each in actions.items() if each is not None}
        asked, infos = self._table.to_act, {}
        refused = [name for name, seat in self._seats.items() if not self._act(seat, taken.get(name), asked)]
        for name, seat in self._seats.items():
            infos[name] = {**self._info(seat), **({"refused": True} if name in refused else {})}
        self._cycle += 1
        over = not self._table.to_act
        cut = not over and self.max_cycles is not None and self._cycle >= self.max_cycles
        if self.render_mode == "human":
            self.render()
        if over or cut:
            self.agents = []
        rewards = dict(zip(self._seats, self._table.rewards(), strict=True))
        return self._observations(), rewards, dict.fromkeys(self._seats, over), dict.fromkeys(self._seats, cut), infos

    def _info(self, seat: Seat) -> Each:
        """Return what a learner is told besides: its mask while the match goes on, then the points."""
        return self._table.info(seat) or {"action_mask": self._table.action_mask(seat)}

    def _act(self, seat: Seat, action: int | None, asked: tuple[Seat, ...]) -> bool:
        """Let a seat act if it was asked when the cycle began and still is; tell whether its action was fine."""
        if seat not in asked:
            return action is None or action == WAIT
        if seat not in self._table.to_act:
            return True
        try:
            self._table.apply_action(seat, -1 if action is None else action)
        except MatchError:
            return False
        return True

    def _observations(self) -> Each:
        return {name: self._table.observe(seat) for name, seat in self._seats.items()}

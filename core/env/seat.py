"""One seat of a match as a Gymnasium environment: the others are bots. And the other way round: a policy as a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from ..errors import BotError, GameError, MatchError
from ..game import AnyGame, RuleViolation, Seat
from ..match.bot import Bot, InformationState, ObservationHistory, RandomBot, ask_bot, random_bot
from ..match.header import SEED_BYTES
from ..match.legal import by_kind, first_by_kind
from ..match.registry import find_bot
from ..wire import wire_of
from .episode import Episode, as_int, refuse_options
from .observation import Array
from .partial_command import PartialCommand
from .reward import one_of

ILLEGAL = ("end", "random", "raise")
"""What becomes of an action that the mask forbids: the match ends with reward -1, a drawn action, or `MatchError`."""

Opponents = str | Sequence[str | Callable[[bytes], Bot]]
Policy = Callable[[Array, Array], int]
"""Returns an action for an observation and the mask of the legal actions."""


class SeatEnv(gymnasium.Env):
    """A match from one seat; a step is one action of it, and all that the others do until it is asked again.

    `seat` None sits at another seat in each match, drawn by the seed.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (theirs)

    def __init__(
        self,
        game: AnyGame,
        seat: int | None = None,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        opponents: Opponents = "random",
        reward: str,
        relative: bool,
        illegal: str,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise MatchError(f"render_mode is ansi or None, not {repr(render_mode)[:60]}")
        self._episode = episode = Episode(game, seats, options, reward, relative)
        self._fixed = None if seat is None else Seat(as_int(seat, "a seat", 0))
        if self._fixed is not None and self._fixed >= episode.seats:
            raise MatchError(f"a seat is 0 to {episode.seats - 1}, not {self._fixed}")
        self._opponents = opponents
        self._seeds: list[bytes] = []
        _factories(opponents, episode.seats - 1)
        self._illegal = one_of("illegal", illegal, ILLEGAL)
        self.render_mode = render_mode
        self.observation_space = episode.encoder.space()
        self.action_space = Discrete(len(episode.encoding))
        self._seat = self._fixed or Seat(0)
        self._begun, self._over = False, True
        self._bots: dict[int, Bot] = {}
        self._histories: dict[int, ObservationHistory[Any, Any, Any]] = {}

    @property
    def match(self) -> Any:
        """The match as it stands, to be looked at and saved."""
        self._check_begun()
        return self._episode.match

    @property
    def places(self) -> dict[str, slice]:
        """Where the numbers of each field of the view stand in an observation, and those of `tokens` behind them."""
        return dict(self._episode.encoder.places)

    @property
    def seat(self) -> int:
        """The seat of this match."""
        return self._seat

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a new match, and play it on until the seat is asked."""
        refuse_options(self._episode.game, options)
        super().reset(seed=seed, options=options)
        episode = self._episode
        episode.deal(self.np_random.bytes(SEED_BYTES))
        drawn = Seat(int(self.np_random.integers(episode.seats)))
        self._seat = drawn if self._fixed is None else self._fixed
        self._seeds = [self.np_random.bytes(SEED_BYTES) for _ in range(episode.seats - 1)]
        self._seat_others()
        self._begun, self._over = True, False
        self._play_on()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action, and play the match on until the seat is asked again or it is over."""
        self._check_begun()
        if self._over:
            raise MatchError("the match is over: call reset to begin another")
        chosen, legal = as_int(action, "an action"), self._episode.legal_actions(self._seat)
        illegal = chosen not in legal
        if illegal and self._illegal == "end":
            self._over = True
            return self._observe(), -1.0, True, False, {**self._info(), "illegal": True}
        if illegal and self._illegal == "random":
            chosen = legal[int(self.np_random.integers(len(legal)))]
        self._episode.apply_action(self._seat, chosen)
        self._play_on()
        self._over = not self._episode.to_act
        reward = float(self._episode.rewards()[self._seat])
        info = self._info() | ({"illegal": True} if illegal else {})
        return self._observe(), reward, self._over, False, info

    def action_masks(self) -> Array:
        """Return the mask of the seat's actions, as sb3-contrib asks for it."""
        self._check_begun()
        return self._episode.action_mask(self._seat).astype(np.bool_)

    def legal_actions(self) -> tuple[int, ...]:
        """List the actions that the seat may take now, ascending."""
        self._check_begun()
        return self._episode.legal_actions(self._seat)

    def render(self) -> str | None:
        """Draw what the seat sees as text."""
        self._check_begun()
        return self._episode.render(self._seat) if self.render_mode == "ansi" else None

    def _check_begun(self) -> None:
        if not self._begun:
            raise MatchError("no match has begun here: call reset first")

    def _seat_others(self) -> None:
        """Make the bots of the other seats from their seeds, with what each has seen."""
        match = self._episode.match
        others = [Seat(seat) for seat in range(self._episode.seats) if seat != self._seat]
        makers = _factories(self._opponents, len(others))
        self._bots = {seat: make(seed) for seat, make, seed in zip(others, makers, self._seeds, strict=True)}
        self._histories = {seat: ObservationHistory(match, seat) for seat in others}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_bots": {}, "_histories": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._seeds:
            self._seat_others()

    def _play_on(self) -> None:
        """Let the others play, the lowest first, until the seat is asked to act or nobody is."""
        while self._episode.to_act and self._seat not in self._episode.to_act:
            self._act(self._episode.to_act[0])

    def _act(self, seat: int) -> None:
        match, bot = self._episode.match, self._bots[seat]
        if isinstance(bot, RandomBot):
            self._episode.play(seat, bot.draw(first_by_kind(match.game, match.state, seat), len(match.events)))
            return
        info_state = self._histories[seat].information_state()
        try:
            self._episode.play(seat, ask_bot(bot, info_state))
        except (BotError, RuleViolation, GameError):
            stand_in = random_bot(self.np_random.bytes(SEED_BYTES))
            self._episode.play(seat, stand_in(info_state))

    def _observe(self) -> Array:
        return self._episode.observation(self._seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._episode.action_mask(self._seat), **self._episode.infos()[self._seat]}


def _factories(opponents: Opponents, count: int) -> list[Callable[[bytes], Bot]]:
    """Return what makes the bot of each other seat; fewer than seats are dealt out again from the first."""
    named = opponents.split(",") if isinstance(opponents, str) else list(opponents)
    if not named or count < 0:
        raise MatchError("opponents name at least one bot")
    made = [each if callable(each) else find_bot(each.strip()) for each in named]
    return [made[place % len(made)] for place in range(count)]


def register(names: Sequence[str], entry_point: Callable[..., Any]) -> None:
    """Make each game known to Gymnasium as `kifu/NAME-v1`; one that is known stays as it is."""
    for name in names:
        spec = f"kifu/{name}-v1"
        if spec not in gymnasium.registry:
            gymnasium.register(
                spec, entry_point=entry_point, kwargs={"game": name}, order_enforce=False, disable_env_checker=True
            )


def policy_bot(policy: Policy, *, relative: bool = True) -> Bot:
    """Return a bot that asks a policy action by action, with the observations of `seat_env`.

    `relative` is that of the environment in which the policy has learnt.
    """
    episodes: dict[Any, Episode] = {}

    def choose(known: InformationState[Any, Any]) -> Any:
        seats = len(known.game.scene(known.view).places)
        options = getattr(known.view, "options", None)
        key = known.game, seats, options
        if key not in episodes:  # its arrays have the places of those that the policy knows
            given = {} if options is None else wire_of(known.game).plain_options(options)
            episodes[key] = Episode(known.game, seats, given, relative=relative)
        episode = episodes[key]
        choice = PartialCommand(episode.encoding_of(known.seat), by_kind(known.legal))
        while choice.command is None:
            mask: Array = np.frombuffer(bytearray(choice.mask()), np.int8)
            observation = episode.encode(known.seat, known.view, choice.tokens)
            choice = choice.after(int(policy(observation, mask)))
        return choice.command

    return choose

"""Every game as an environment of PettingZoo and as a game of OpenSpiel (`docs/env.md`; extra `kifu[learn]`)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import needs_extra
from ..game import AnyGame, Game
from ..match.bot import Bot
from ..match.registry import names, resolve
from .action_encoding import ActionEncoding, action_encoding_of
from .partial_command import PartialCommand
from .reward import DEFAULT_REWARD, REWARDS, rewards
from .text import Refused, TextTable, text_table

if TYPE_CHECKING:
    from .openspiel import SpielGame
    from .pettingzoo_env import AECMatchEnv, ParallelMatchEnv
    from .seat import SeatEnv

Options = Mapping[str, Any] | None


def aec_env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Options = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    reward: str = DEFAULT_REWARD,
    relative: bool = False,
) -> AECMatchEnv | Any:
    """Return a PettingZoo AEC environment; `seats` is the game's least number by default.

    With `max_cycles` it is `parallel_env`, one seat at a time: every seat steps once per cycle, those that are not to
    act with the action `wait`, and the match is truncated after that many cycles. `game` is one,
    its name, a file or a folder.
    Raises `GameError`, `MatchError` or `OptionError` for what cannot be played, `MissingExtra` without PettingZoo.
    """
    if max_cycles is not None:
        cycles = parallel_env(
            game,
            seats,
            options,
            render_mode=render_mode,
            max_cycles=max_cycles,
            reward=reward,
            relative=relative,
        )
        from pettingzoo.utils.conversions import parallel_to_aec

        return parallel_to_aec(cycles)
    with needs_extra("an environment", "learn"):
        from .pettingzoo_env import AECMatchEnv
    return AECMatchEnv(
        _found(game),
        seats,
        options,
        render_mode=render_mode,
        reward=reward,
        relative=relative,
    )


def parallel_env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Options = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    reward: str = DEFAULT_REWARD,
    relative: bool = False,
) -> ParallelMatchEnv:
    """Return a PettingZoo parallel environment: all seats to act step at once, the others `wait`.

    `seats` and errors are as for `aec_env`.
    """
    with needs_extra("an environment", "learn"):
        from .pettingzoo_env import ParallelMatchEnv
    return ParallelMatchEnv(
        _found(game),
        seats,
        options,
        render_mode=render_mode,
        max_cycles=max_cycles,
        reward=reward,
        relative=relative,
    )


def seat_env(
    game: str | AnyGame,
    seat: int | None = None,
    seats: int | None = None,
    options: Options = None,
    *,
    opponents: Any = "random",
    reward: str = DEFAULT_REWARD,
    relative: bool = True,
    illegal: str = "end",
    render_mode: str | None = None,
) -> SeatEnv:
    """Make a Gymnasium environment of one seat (None: another in each match) against bots.

    `opponents` are names of bots ("greedy,random"), or functions that make a bot of 32 bytes. `illegal` says what
    becomes of an action that the mask forbids: `end` (reward -1), `random` (one is drawn) or `raise`. Errors as for
    `aec_env`, and `BotError` for a bot that is not installed.
    """
    with needs_extra("an environment", "learn"):
        from .seat import SeatEnv
    _register()
    return SeatEnv(
        _found(game),
        seat,
        seats,
        options,
        opponents=opponents,
        reward=reward,
        relative=relative,
        illegal=illegal,
        render_mode=render_mode,
    )


def policy_bot(policy: Any, *, relative: bool = True) -> Bot:
    """Return a bot that asks `policy(observation, mask)` for each action, as `seat_env` does.

    `relative` is that of the environment in which the policy has learnt.
    """
    with needs_extra("a bot of a policy", "learn"):
        from .seat import policy_bot as made
    return made(policy, relative=relative)


def openspiel_game(
    game: str | AnyGame,
    seats: int | None = None,
    options: Options = None,
    *,
    reward: str = DEFAULT_REWARD,
    chance: str = "exact",
) -> SpielGame:
    """Return a game as one of OpenSpiel's, where it is `kifu_NAME`; `seats` and errors are as for `aec_env`.

    `chance` is `exact`, a chance node for each draw of a deal, or `sampled`: one chance node, which draws one of 4096
    deals.
    OpenSpiel knows a game that is not installed in this process alone, so it cannot be unpickled in another.
    """
    with needs_extra("an OpenSpiel game", "learn"):
        from .openspiel import load
    return load(_found(game), seats, options, reward=reward, chance=chance)


def _found(game: str | AnyGame) -> AnyGame:
    return game if isinstance(game, Game) else resolve(game)


def _register() -> None:
    """Make the installed games known to Gymnasium, if it is installed and has been imported before."""
    if "gymnasium" in sys.modules:
        try:
            from .seat import register
        except ImportError:
            return
        register(names(), seat_env)


_register()

__all__ = [
    "REWARDS",
    "ActionEncoding",
    "PartialCommand",
    "Refused",
    "TextTable",
    "action_encoding_of",
    "aec_env",
    "observation",
    "openspiel_game",
    "parallel_env",
    "policy_bot",
    "reward",
    "rewards",
    "seat_env",
    "text",
    "text_table",
]

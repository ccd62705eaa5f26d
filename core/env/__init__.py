"""Every game as an environment of PettingZoo and as a game of OpenSpiel (`docs/env.md`; extra `kifu[env]`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import MissingExtra
from ..game import Game
from ..registry import find
from .action_encoding import ActionEncoding, action_encoding_of
from .partial_command import PartialCommand

if TYPE_CHECKING:
    from .aec import AECMatchEnv
    from .openspiel import SpielGame
    from .parallel import ParallelMatchEnv

AnyGame = Game[Any, Any, Any]
Options = Mapping[str, Any] | None


def aec_env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Options = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AECMatchEnv | Any:
    """Return a PettingZoo AEC environment; `seats` is the game's least number by default.

    With `max_cycles` it is `parallel_env`, one seat at a time: every seat steps once per cycle, those that are not to
    act with the action `wait`, and the match is truncated after that many cycles. Raises `GameError`, `MatchError` or
    `OptionError` for what cannot be played, `MissingExtra` without PettingZoo.
    """
    if max_cycles is not None:
        cycles = parallel_env(game, seats, options, render_mode=render_mode, max_cycles=max_cycles)
        from pettingzoo.utils.conversions import parallel_to_aec

        return parallel_to_aec(cycles)
    try:
        from .aec import AECMatchEnv
    except ImportError as missing:
        raise MissingExtra("an environment", "env") from missing
    return AECMatchEnv(_found(game), seats, options, render_mode=render_mode)


def parallel_env(
    game: str | AnyGame,
    seats: int | None = None,
    options: Options = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> ParallelMatchEnv:
    """Return a PettingZoo parallel environment: all seats to act step at once, the others `wait`.

    `seats` and errors are as for `aec_env`.
    """
    try:
        from .parallel import ParallelMatchEnv
    except ImportError as missing:
        raise MissingExtra("an environment", "env") from missing
    return ParallelMatchEnv(_found(game), seats, options, render_mode=render_mode, max_cycles=max_cycles)


def openspiel_game(game: str | AnyGame, seats: int | None = None, options: Options = None) -> SpielGame:
    """Return a game as one of OpenSpiel's, where it is `kifu_NAME`; `seats` and errors are as for `aec_env`.

    OpenSpiel knows a game that is not installed in this process alone, so it cannot be unpickled in another.
    """
    try:
        from .openspiel import load
    except ImportError as missing:
        raise MissingExtra("an OpenSpiel game", "env") from missing
    return load(_found(game), seats, options)


def _found(game: str | AnyGame) -> AnyGame:
    return game if isinstance(game, Game) else find(game)


__all__ = ["ActionEncoding", "PartialCommand", "action_encoding_of", "aec_env", "openspiel_game", "parallel_env"]

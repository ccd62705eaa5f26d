"""A game as the host calls it: an exception of its code is told apart from one of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from attrs import evolve

from ..errors import KifuError
from ..game import Game
from ..match.fold import call_game, failed

FUNCTIONS = ("to_act", "view", "redact", "result", "scene", "open_ended")
"""The functions that the host calls; the fold guards `start`, `apply` and `deal`."""
GENERATORS = ("legal", "explain")


@lru_cache(maxsize=64)
def guarded(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """Return the game, with `GameError` in place of any exception of its functions that is not kifu's."""
    changes: dict[str, Any] = {name: partial(call_game, game, getattr(game, name)) for name in FUNCTIONS}
    changes |= {name: _guarded_generator(game, getattr(game, name)) for name in GENERATORS}
    return evolve(game, **changes)


def _guarded_generator(game: Game[Any, Any, Any], function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def values(*args: Any) -> Iterator[Any]:
        try:
            yield from function(*args)
        except KifuError:
            raise
        except Exception as bug:
            raise failed(game, function, bug) from bug

    return values

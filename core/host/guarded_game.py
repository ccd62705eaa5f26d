"""A game as the host calls it: an exception of its code is told apart from one of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from attrs import evolve

from ..fold import call_game
from ..game import Game

FUNCTIONS = ("to_act", "view", "redact", "result", "scene", "open_ended")
"""The functions that the host calls; the fold guards `start`, `apply` and `deal`."""
GENERATORS = ("legal", "explain")
END = object()


@lru_cache(maxsize=64)
def guarded(game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """Return the game, with `GameError` in place of any exception of its functions that is not kifu's."""
    changes: dict[str, Any] = {name: _guarded_function(game, getattr(game, name)) for name in FUNCTIONS}
    changes |= {name: _guarded_generator(game, getattr(game, name)) for name in GENERATORS}
    return evolve(game, **changes)


def _guarded_function(game: Game[Any, Any, Any], function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: call_game(game, function, *args)


def _guarded_generator(game: Game[Any, Any, Any], function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def values(*args: Any) -> Iterator[Any]:
        iterator = iter(call_game(game, function, *args))
        while (value := call_game(game, next, iterator, END)) is not END:
            yield value

    return values

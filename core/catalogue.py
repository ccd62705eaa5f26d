"""Which games are installed: those of the entry-point group `kifu.games`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import GameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .game import Game

GROUP = "kifu.games"


def names() -> list[str]:
    """List the log names of the installed games."""
    return sorted(_entries())


@cache
def find(name: str) -> Game[Any, Any, Any]:
    """Load a game by its log name; raises `GameError` if it is not installed or cannot be loaded."""
    from .game import Game

    entry = _entries().get(name) if isinstance(name, str) else None
    if entry is None:
        raise GameError(str(name), f"not installed; there are: {', '.join(names()) or 'none'}")
    try:
        game = entry.load()
    except Exception as cause:  # another package's module may raise anything
        raise GameError(name, f"cannot be loaded from {entry.value}: {cause!r}") from cause
    if not isinstance(game, Game) or game.name != name:
        raise GameError(name, f"{entry.value} is not a game of this name")
    return game


def versions() -> dict[str, str]:
    """Give the version of kifu, and by the log name of each game the package that it comes with and its version."""
    from importlib.metadata import version

    games = {
        name: f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value
        for name, entry in _entries().items()
    }
    return {"kifu": f"kifu {version('kifu')}", **games}


@cache
def _entries() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # here, so that `import kifu` need not wait for it

    return {entry.name: entry for entry in entry_points(group=GROUP)}

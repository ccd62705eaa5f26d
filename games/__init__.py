"""The games: `kifu.games.find("cake")`, `kifu.games.names()`; each package here is one game."""

from ..core.registry import find, names

__all__ = ["find", "names"]

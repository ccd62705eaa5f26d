"""The games: `kifu.games.find("cake")`, `kifu.games.names()`; each package here is one of ours."""

from ..core.registry import find, names

__all__ = ["find", "names"]

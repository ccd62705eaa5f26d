"""The games: `kifu.games.find("cake")`, `kifu.games.names()`; each package here is one of ours."""

from ..core.catalogue import find, names

__all__ = ["find", "names"]

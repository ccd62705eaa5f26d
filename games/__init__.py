"""The games: `kifu.games.find("cake")`, `resolve("nim.py")`, `names()`. Each package here is a game, but `bots`.

A game states all of its rules, and what it takes of `core.game`, by itself: where two read alike, neither knows the
other, and either may change.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.match.registry import find, names, resolve

if TYPE_CHECKING:
    from . import bots

__all__ = ["bots", "find", "names", "resolve"]


def __getattr__(name: str) -> Any:
    """Import `bots` when it is first asked for, so that `import kifu` need not wait for it."""
    if name == "bots":
        return import_module(".bots", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

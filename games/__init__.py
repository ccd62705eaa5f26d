"""The games: `kifu.games.find("cake")`, `kifu.games.names()`; each package here is one game. `bots` is the bots."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.match.registry import find, names

if TYPE_CHECKING:
    from . import bots

__all__ = ["bots", "find", "names"]


def __getattr__(name: str) -> Any:
    """Import `bots` when it is first asked for, so that `import kifu` need not wait for it."""
    if name == "bots":
        return import_module(".bots", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

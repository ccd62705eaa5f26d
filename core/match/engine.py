"""The name under which this program records logs: its version, and a digest of what its games play and tell."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from sys import modules

from ..game import AnyGame

ROOT = Path(__file__).parents[2]
SOURCES = ("core/game", "core/wire", "core/match", "games")
"""What commands, states, views and notes come of."""


@cache
def engine_name() -> str:
    """Return e.g. `kifu 0.1.0+5f1c9a2e`: programs of one name play alike and tell the same notes.

    Without its sources (in an archive, say) the program has only its version.
    """
    from importlib.metadata import version  # here, so that `import kifu` need not wait for it

    name = f"kifu {version('kifu')}"
    digest = blake2b(digest_size=4)
    found = False
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            found = True
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{name}+{digest.hexdigest()}" if found else name


def is_own(game: AnyGame) -> bool:
    """Return True for a game whose sources the engine's name stands for."""
    module = modules.get(getattr(game.view, "__module__", ""))
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(ROOT / "games")

"""The name under which logs are recorded: this program, the game's package, and digests of what they play and tell."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from sys import modules

from ..game import AnyGame

ROOT = Path(__file__).parents[2]
SOURCES = ("core/game", "core/wire", "core/match", "games")
"""What commands, states, views and notes come of."""
NAMED = Path(__file__).with_name("engine.txt")
"""The name of this program where it runs without its sources: in a browser."""


@cache
def engine_name() -> str:
    """Return e.g. `kifu 1.0.0+5f1c9a2e`: programs of one name play alike and tell the same notes.

    Without its sources (in an archive, say) the program has only its version.
    """
    from importlib.metadata import version  # here, so that `import kifu` need not wait for it

    if NAMED.is_file():
        return NAMED.read_text("utf-8")
    files = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    return f"kifu {version('kifu')}{_digest(ROOT, files)}"


def engine_of(game: AnyGame, engine: str | None = None) -> str:
    """Return the name under which a game's matches are recorded: of a guest with its package: `kifu 1+…, nim 2+…`."""
    engine = engine_name() if engine is None else engine
    return engine if is_own(game) else f"{engine}, {_package_of(game.state.__module__)}"


@cache
def _package_of(module: str) -> str:
    """Return a package's name and version, and a digest of its sources; of a module in a file its own alone."""
    from importlib.metadata import packages_distributions, version

    top = module.partition(".")[0]
    file = getattr(modules.get(top), "__file__", None)
    found = packages_distributions().get(top, ())
    name = f"{found[0]} {version(found[0])}" if found else top
    if file is None:
        return name
    path = Path(file)
    files = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    return f"{name}{_digest(path.parent, files)}"


def _digest(root: Path, files: list[Path]) -> str:
    digest = blake2b(digest_size=4)
    for path in files:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return f"+{digest.hexdigest()}" if files else ""


def is_own(game: AnyGame) -> bool:
    """Return True for a game whose sources the engine's name stands for."""
    file = getattr(modules.get(game.state.__module__), "__file__", None)
    return file is not None and Path(file).is_relative_to(ROOT / "games")

"""The source of a game's modules: what differs in them between two engines names the rules that a change concerns."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import attrs

from ..game import AnyGame
from ..match.compiled import is_compiled

CORE = "kifu.core."


def game_sources(game: AnyGame) -> dict[str, str]:
    """Return the source of each module that a game's functions are made of, by the module's name.

    A module counts if it lies in the package of one of the functions and is used there. Without a file it is left out.
    """
    functions = (getattr(game, field.name) for field in attrs.fields(type(game)))
    left = list({each.__module__ for each in functions if callable(each) and hasattr(each, "__module__")})
    packages = {sys.modules[name].__package__ for name in left if name in sys.modules and not name.startswith(CORE)}
    found: dict[str, str] = {}
    while left:
        name = left.pop()
        module = sys.modules.get(name)
        if name in found or module is None or module.__package__ not in packages:
            continue
        found[name] = _source(module)
        left += _used(module)
    return {name: source for name, source in sorted(found.items()) if source}


def _source(module: ModuleType) -> str:
    """Return the source of a module, that of a compiled one from the file beside it; "" if there is none."""
    try:
        if is_compiled(module):
            return Path(module.__file__ or "").with_name(f"{module.__name__.rpartition('.')[2]}.py").read_text("utf-8")
        return inspect.getsource(module)
    except (OSError, TypeError):
        return ""


def _used(module: ModuleType) -> Iterator[str]:
    """Yield the names of the modules whose functions and classes a module uses."""
    for value in vars(module).values():
        name = getattr(value, "__module__", None)
        if isinstance(name, str):
            yield name

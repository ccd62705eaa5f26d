"""A game that is not installed: in a file, in a folder, or in a module, as `package.module:GAME`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import GameError, Message

if TYPE_CHECKING:
    from ..game import AnyGame


def is_reference(text: str) -> bool:
    """Return True for what says where a game is, and is no name of one."""
    return isinstance(text, str) and (":" in text or text.endswith(".py") or os.sep in text or os.path.isdir(text))


def load_game(reference: str) -> AnyGame:
    """Return the game of a file, a folder, or `package.module:GAME`; raises `GameError` if there is none."""
    module, attribute = _module_of(reference)
    game = _game_in(module, attribute, reference)
    _check_nothing_below(game, module)
    return game


def _game_in(module: ModuleType, attribute: str, reference: str) -> AnyGame:
    from ..game import Game

    found = getattr(module, attribute, None)
    if isinstance(found, Game):
        return found
    games = [each for each in vars(module).values() if isinstance(each, Game)]
    if len(games) == 1 and attribute == "GAME":
        return games[0]
    english = "there is no game {attribute} in it: end the module with `{attribute} = Game.of(__name__, …)`"
    raise GameError(reference, Message("no-game-in-it", english, attribute=attribute))


def _check_nothing_below(game: AnyGame, module: ModuleType) -> None:
    """Raise `GameError` for a function of the module that stands below its game, which does not have it."""
    from ..game import PART_FUNCTIONS

    own = vars(module)
    for part, of in (("secrets", game.secrets), ("table", game.table)):
        for name in PART_FUNCTIONS[part] if of is module else ():
            if name in own and getattr(game, name, own[name]) is not own[name]:
                english = "`{function}` stands below the game, which does not have it: put it above `GAME = …`"
                raise GameError(game.name, Message("below-the-game", english, function=name))


def _module_of(reference: str) -> tuple[ModuleType, str]:
    name, colon, attribute = reference.partition(":")
    path = Path(reference)
    if path.exists() or reference.endswith(".py") or os.sep in reference:
        return _loaded(str(_file_of(path, reference).resolve()), reference), "GAME"
    if not colon:
        raise GameError(reference, Message("no-such-file", "there is no such file"))
    return _imported(reference, lambda: import_module(name)), attribute or "GAME"


def _file_of(path: Path, reference: str) -> Path:
    """Return the module that holds the game: the file itself, or in a folder `__init__.py` or the one of its name."""
    if not path.is_dir():
        if path.is_file():
            return path
        raise GameError(reference, Message("no-such-file", "there is no such file"))
    if (path / "__init__.py").is_file():
        return path / "__init__.py"
    own, modules = path / f"{path.resolve().name}.py", sorted(path.glob("*.py"))
    games = [each for each in modules if not each.name.startswith(("test_", "conftest"))]
    if own in modules or len(games) == 1:
        return own if own in modules else games[0]
    english = "the folder has no game: a file {name}, or one module alone, is one"
    raise GameError(reference, Message("no-game-in-folder", english, name=own.name))


@cache
def _loaded(file: str, reference: str) -> ModuleType:
    """Load a module by its path, once; what lies beside it can be imported by it."""
    path = Path(file)
    package = path.name == "__init__.py"
    name = path.parent.name if package else path.stem
    known = sys.modules.get(name)
    if name in sys.stdlib_module_names:
        english = "a module of Python itself is called {name}: give the file another name"
        raise GameError(reference, Message("module-of-python", english, name=name))
    if known is not None:
        if getattr(known, "__file__", None) and Path(str(known.__file__)).resolve() == path:
            return known
        english = "there is another module {name}: give the file another name"
        raise GameError(reference, Message("module-is-there", english, name=name))
    spec = spec_from_file_location(name, file, submodule_search_locations=[str(path.parent)] if package else None)
    if spec is None or spec.loader is None:
        raise GameError(reference, Message("no-module", "this is not a Python module"))
    module = module_from_spec(spec)
    sys.modules[name] = module
    loader = spec.loader

    def run() -> ModuleType:
        loader.exec_module(module)
        return module

    try:
        return _imported(reference, run)
    except GameError:
        del sys.modules[name]
        raise


def _imported(reference: str, load: Callable[[], ModuleType]) -> ModuleType:
    """Return what `load` loads; raises `GameError` for whatever the module raises."""
    try:
        return load()
    except (GameError, KeyboardInterrupt):
        raise
    except BaseException as cause:  # a stranger's module may raise anything, SystemExit too
        raise GameError(
            reference, Message("not-imported", "it cannot be loaded: {cause}", cause=_where(cause))
        ) from cause


def _where(cause: BaseException) -> str:
    """Return an exception with the line of the file that raised it."""
    trace = cause.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = f" (line {trace.tb_lineno})" if trace is not None and not isinstance(cause, SyntaxError) else ""
    return f"{type(cause).__name__}: {cause}{line}"

"""`replay new-game`: a small game, to begin your own from."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import click

from ...core.errors import os_error_message
from ...core.match import registry
from ...core.text.sanitize import sanitize
from ..call_errors import CallError
from ..command import verb
from ..options import text_options
from ..render.console import Output
from ..starter import Names, write_file, write_package

MAX_LETTERS = 40


@verb("replay new-game hearts")
@click.argument("name", metavar="NAME", help="The file, and the game's name in logs: small letters, digits and _.")
@click.option("--package", is_flag=True, help="A package in a folder of this name, to be installed, in two languages.")
@click.option("-o", "folder", type=Path, metavar="DIR", help="The folder to write into; default: this one, or NAME.")
@text_options
def new_game(name: str, package: bool, folder: Path | None, output: Output) -> int:
    """Write a small game in one file, and a test of it.

    It can be played at once. Change it into your own: docs/write-a-game.md grows it step by step, up to what
    --package writes: texts in two languages, notes by hand, cases, and a golden log.
    """
    texts, writer = output.texts, output.writer
    _check_name(name)
    names = Names.of(name)
    place = folder or Path(name if package else ".")
    try:
        write_package(names, place) if package else write_file(names, place)
    except FileExistsError as there:
        raise CallError("file-there", "{file}: it exists already; give another name", file=there.args[0]) from None
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        english = "{file}: cannot be written: {why}"
        raise CallError("file-unwritable", english, file=place, why=os_error_message(cause)) from None
    shown, test = place / ("" if package else f"{name}.py"), place / ("" if package else f"test_{name}.py")
    writer.print(texts.format("new-game-written", file=_shown(shown), title=names.title, prefix=names.prefix))
    writer.print(texts.format("new-game-next"))
    writer.print(*([f"  pip install -e {_shown(shown)}"] if package else [f"  replay serve --game {_shown(shown)}"]))
    writer.print(f"  pytest {_shown(test)}")
    return 0


def _shown(path: Path) -> str:
    return sanitize(str(path), 200)


def _check_name(name: str) -> None:
    """Raise `CallError` unless a package and a game may have this name here."""
    well_formed = name.isascii() and name.isidentifier() and name == name.lower() and not iskeyword(name)
    if not well_formed or name.startswith("_") or len(name) > MAX_LETTERS:
        english = "{name}: give a name of small letters, digits and _, as high_card; it begins with a letter"
        raise CallError("new-game-name", english, name=ascii(name[:60]))
    if name in registry.names():
        raise CallError("new-game-taken", "{name}: a game of this name is installed; give another name", name=name)
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        english = "{name}: there is a Python module of this name; give another name"
        raise CallError("new-game-module", english, name=name)

"""`replay new-game`: a whole package of a game, to begin one's own from."""

from __future__ import annotations

import sys
from enum import Enum
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import typer

from ...core.errors import os_error_message
from ...core.match import registry
from ...core.text.sanitize import sanitize
from ..call_errors import CallError
from ..options import LangOption, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..starter import Names, write

MAX_LETTERS = 40


class Kind(Enum):
    """The kinds of games to begin from."""

    CARDS = "cards"
    BOARD = "board"
    BIDS = "bids"


NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The package, and the game's name in logs: small letters, digits and _.")
]
FolderOption = Annotated[
    Path | None, typer.Option("-o", metavar="DIR", help="The folder to write, new or empty; default: NAME.")
]
KindOption = Annotated[
    Kind, typer.Option("--kind", help="The game to begin from: of hands, of an open board, of bids at once.")
]
TitleOption = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="The title that people read; default: from the name.")
]


def new_game(
    name: NameArgument,
    folder: FolderOption = None,
    kind: KindOption = Kind.CARDS,
    title: TitleOption = None,
    lang: LangOption = None,
    plain: PlainOption = False,
) -> int:
    """Write a whole package of a game: rules, views, texts in two languages, laws, a golden log.

    The package holds a small game that can be played at once: of hands of cards, a board that lies open (Reversi),
    or bids at the same time (Goofspiel). Install it, then change it into your own: docs/write-a-game.md goes through
    it file by file.
    """
    texts, writer = texts_for(lang), ConsoleWriter(plain=plain)
    _check_name(name)
    names = Names.of(name, _checked_title(title))
    place = Path(name) if folder is None else folder
    try:
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            english = "{folder}: it exists already; give a new or empty folder with -o"
            raise CallError("folder-there", english, folder=place)
        write(names, place, kind.value)
    except (OSError, ValueError) as cause:  # ValueError: a name with a zero byte
        english = "{file}: cannot be written: {why}"
        raise CallError("file-unwritable", english, file=place, why=os_error_message(cause)) from None
    shown = sanitize(str(place), 200)
    writer.print(texts.format("new-game-written", folder=shown, title=names.title, prefix=names.prefix))
    writer.print(texts.format("new-game-next"), f"  pip install -e {shown}", f"  pytest {shown}")
    writer.print(f"  replay simulate {name} --games 10 -o logs", "  replay serve")
    return 0


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


def _checked_title(title: str | None) -> str | None:
    """Return the title, if it can stand in every file of the package; raises `CallError` if not."""
    if title is None:
        return None
    if not title.strip() or not title.isprintable() or set(title) & set('{}"\\') or len(title) > MAX_LETTERS:
        english = "--title {title}: give 1 to {most} letters, without braces, quotes and backslashes"
        raise CallError("new-game-title", english, title=ascii(title[:60]), most=MAX_LETTERS)
    return title.strip()

"""The games and bots that there are: those of the entry-point groups `kifu.games` and `kifu.bots`, and games by file.

A game need not be installed: `resolve` also takes a file, a folder or `package.module:GAME`. Such a game is known from
then on by its name, in this process and in those that it starts. Names from outside, as of a request or of a log, go
through `find`, which loads nothing but what is installed or was resolved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BotError, GameError, GameMissing, Message
from .game_files import is_reference, load_game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ..game import AnyGame
    from .bot import Bot, BotFactory, BotKind

GAMES, BOTS = "kifu.games", "kifu.bots"

OWN_GAMES = ("cake", "gosne", "mabr", "palace", "take_and_share")
"""The games of kifu's own: no other package's game takes their names, and none waits for entry points to be read."""

T = TypeVar("T")


def names() -> list[str]:
    """Return the log names of the games that are installed or were resolved, sorted."""
    return sorted({*_entries(), *_resolved()})


def resolve(reference: str) -> AnyGame:
    """Return the game of this name, or the one in a file, a folder, or `package.module:GAME`; `find` knows it then.

    Loading a file runs it. Raises `GameError` if there is no game.
    """
    if not is_reference(reference) or reference in OWN_GAMES or reference in _entries():
        return find(reference)  # a folder of this name beside it is no other game
    game = load_game(reference)
    if game.name in OWN_GAMES:
        raise GameError(game.name, Message("own-name", "a game of kifu's own has this name: choose another"))
    known = [each for each in os.environ.get(RESOLVED, "").split("\n") if each]
    lasting = os.path.abspath(reference) if os.path.exists(reference) else reference
    _check_alone(game, [each for each in known if each != lasting])
    if lasting not in known:
        os.environ[RESOLVED] = "\n".join([*known, lasting])
    _resolved.cache_clear()
    find.cache_clear()
    return game


def _check_alone(game: AnyGame, references: list[str]) -> None:
    """Raise `GameError` if a game that was resolved from elsewhere has the name of this one."""
    for each in references:
        try:
            other = load_game(each)
        except GameError:  # its file is gone
            continue
        if other.name == game.name and other is not game:
            english = "the game in {other} has this name: choose another"
            raise GameError(game.name, Message("name-is-taken", english, other=each))


def reference(name: str) -> str:
    """Return what `resolve` takes for a game that is known: where it was resolved, else its name."""
    resolved = os.environ.get(RESOLVED, "").split("\n")
    return next((each for each in resolved if each and load_game(each).name == name), name)


RESOLVED = "KIFU_GAMES"
"""The environment variable that hands the games that were resolved on to processes: references, one a line."""


@cache
def _resolved() -> Mapping[str, AnyGame]:
    """Return the games that were resolved here, or by the process that has started this one, by name."""
    loaded = [load_game(each) for each in os.environ.get(RESOLVED, "").split("\n") if each]
    return {game.name: game for game in loaded}


@cache
def find(name: str) -> AnyGame:
    """Return the game of this log name; raises `GameMissing` if it is not installed or cannot be loaded."""
    from ..game import Game

    if name in OWN_GAMES:
        return import_module(f"...games.{name}", __package__).GAME  # type: ignore[no-any-return]
    if (resolved := _resolved().get(name)) is not None:
        return resolved
    entry = _entries().get(name) if isinstance(name, str) else None
    if entry is None:
        raise GameMissing(
            str(name),
            Message(
                "not-installed",
                "not installed; there are: {known}. If the game is in a file, give the file (`--game FILE`)",
                known=_listed(names()),
            ),
        )
    try:
        game = entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as cause:  # another package's module may raise anything, SystemExit too
        raise GameMissing(
            name, Message("not-loaded", "cannot be loaded from {place}: {cause}", place=entry.value, cause=repr(cause))
        ) from cause
    if not isinstance(game, Game) or game.name != name:
        raise GameMissing(name, Message("not-this-game", "{place} is not a game of this name", place=entry.value))
    return game


def described(name: str, describe: Callable[[AnyGame], T], find: Callable[[str], Any] = find) -> T:
    """Return what `describe` makes of the game of this name, for a list of games.

    Raises `GameError` alone, whatever the game does, so that a list can name a broken game and go on with the others.
    """
    try:
        return describe(find(name))
    except (GameError, KeyboardInterrupt):
        raise
    except BaseException as cause:  # another package's functions may raise anything, SystemExit too
        raise GameError(name, Message("game-broken", "is broken: {cause}", cause=repr(cause))) from cause


def bot_names() -> list[str]:
    """Return the kinds of the installed bots, sorted: a bot's name up to its colon."""
    return sorted(_entries(BOTS))


@cache
def versions() -> Mapping[str, str]:
    """Return the version of kifu, and the package and version of each installed game and bot.

    The keys are `kifu`, `game NAME` and `bot NAME`; the values such as `kifu 1.0.0`. They are those of the first call:
    a running process keeps the code that it has loaded.
    """
    from importlib.metadata import version

    installed = {f"game {name}": entry for name, entry in _entries(GAMES).items()}
    installed |= {f"bot {name}": entry for name, entry in _entries(BOTS).items()}
    packages = {
        name: f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.value
        for name, entry in installed.items()
    }
    return {"kifu": f"kifu {version('kifu')}", **packages}


def finder_of(game: str | AnyGame) -> Callable[[str], AnyGame]:
    """Return a `find` that knows one game: itself, or where it is; raises `GameError` where that is none."""
    chosen = resolve(game) if isinstance(game, str) else game

    def find_it(name: str) -> AnyGame:
        if name != chosen.name:
            raise GameError(name, Message("not-the-game", "this is not a log of {game}", game=repr(chosen.name)))
        return chosen

    return find_it


@cache
def find_bot(name: str) -> BotFactory:
    """Return the factory of the bot of this name, e.g. `greedy` or `ismcts:200`; it takes a 32-byte seed.

    Raises `BotError` for a bot that is not installed or an argument that it does not take; so does the factory.
    """
    kind_name, _, argument = str(name).partition(":")
    entry = _entries(BOTS).get(kind_name)
    if entry is None:
        raise BotError(
            Message(
                "bot-not-installed",
                "bot {bot}: not installed; there are: {known}",
                bot=ascii(str(name)[:60]),
                known=_listed(bot_names()),
            )
        )

    def make(seed: bytes) -> Bot:
        try:
            kind: BotKind = entry.load()
            return kind(seed, argument)
        except (BotError, KeyboardInterrupt):
            raise
        except BaseException as cause:  # another package's module may raise anything, SystemExit too
            english = "bot {bot}: cannot be made by {place}: {cause}"
            why = Message("bot-not-made", english, bot=ascii(name[:60]), place=entry.value, cause=repr(cause))
            raise BotError(why) from cause

    make(bytes(32))  # once, so that an error is raised here
    return make


def _listed(names: list[str]) -> str:
    return ", ".join(names) or Message("none", "none")


@cache
def _entries(group: str = GAMES) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # here, so that `import kifu` need not wait for it

    return {entry.name: entry for entry in entry_points(group=group)}

"""The installed games and bots: those of the entry-point groups `kifu.games` and `kifu.bots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BotError, GameError, Message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ..game import AnyGame
    from .bot import Bot, BotFactory, BotKind

GAMES, BOTS = "kifu.games", "kifu.bots"

OWN_GAMES = ("cake", "gosne", "mabr", "palace", "take_and_share")
"""The games of kifu's own: no other package's game takes their names, and none waits for entry points to be read."""

T = TypeVar("T")


def names() -> list[str]:
    """Return the log names of the installed games, sorted."""
    return sorted(_entries())


@cache
def find(name: str) -> AnyGame:
    """Return the game of this log name; raises `GameError` if it is not installed or cannot be loaded."""
    from ..game import Game

    if name in OWN_GAMES:
        return import_module(f"...games.{name}", __package__).GAME  # type: ignore[no-any-return]
    entry = _entries().get(name) if isinstance(name, str) else None
    if entry is None:
        raise GameError(
            str(name), Message("not-installed", "not installed; there are: {known}", known=_listed(names()))
        )
    try:
        game = entry.load()
    except KeyboardInterrupt:
        raise
    except BaseException as cause:  # another package's module may raise anything, SystemExit too
        raise GameError(
            name, Message("not-loaded", "cannot be loaded from {place}: {cause}", place=entry.value, cause=repr(cause))
        ) from cause
    if not isinstance(game, Game) or game.name != name:
        raise GameError(name, Message("not-this-game", "{place} is not a game of this name", place=entry.value))
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

    The keys are `kifu`, `game NAME` and `bot NAME`; the values such as `kifu 0.1.0`. They are those of the first call:
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

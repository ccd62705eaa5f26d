"""Which games and bots are installed: those of the entry-point groups `kifu.games` and `kifu.bots`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from .errors import BotError, GameError, Message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .bot import Bot, BotFactory, BotKind
    from .game import Game

GAMES, BOTS = "kifu.games", "kifu.bots"


def names() -> list[str]:
    """List the log names of the installed games."""
    return sorted(_entries())


@cache
def find(name: str) -> Game[Any, Any, Any]:
    """Load a game by its log name; raises `GameError` if it is not installed or cannot be loaded."""
    from .game import Game

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


def bot_names() -> list[str]:
    """List the kinds of the installed bots, as names begin: what stands behind a colon is each kind's own."""
    return sorted(_entries(BOTS))


@cache
def versions() -> Mapping[str, str]:
    """Give the version of kifu, and for each installed game and bot the package that it comes with and its version.

    What this process has loaded it keeps, whatever is installed over it meanwhile: so does the answer.
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
    """Find what makes the bot of this name from a seed, e.g. `greedy` or `ismcts:200`.

    Raises `BotError` for a name that is not installed or not understood; so does what it gives, if the bot cannot be
    made from a seed.
    """
    named, _, said = name.partition(":")
    entry = _entries(BOTS).get(named)
    if entry is None:
        raise BotError(
            Message(
                "bot-not-installed",
                "bot {bot}: not installed; there are: {known}",
                bot=ascii(name[:60]),
                known=_listed(bot_names()),
            )
        )

    def make(seed: bytes) -> Bot:
        try:
            kind: BotKind = entry.load()
            return kind(seed, said)
        except (BotError, KeyboardInterrupt):
            raise
        except BaseException as cause:  # another package's module may raise anything, SystemExit too
            english = "bot {bot}: cannot be made by {place}: {cause}"
            why = Message("bot-not-made", english, bot=ascii(name[:60]), place=entry.value, cause=repr(cause))
            raise BotError(why) from cause

    make(bytes(32))  # once, to be told now what is wrong
    return make


def _listed(names: list[str]) -> str:
    return ", ".join(names) or Message("none", "none")


@cache
def _entries(group: str = GAMES) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # here, so that `import kifu` need not wait for it

    return {entry.name: entry for entry in entry_points(group=group)}

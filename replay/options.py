"""The options that several verbs share, and their parsing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from secrets import token_bytes
from typing import Annotated

import typer

from ..core.errors import BotError, GameError
from ..core.game import TABLE, AnyGame, Seat
from ..core.match import registry
from ..core.match.bot import BotFactory
from ..core.match.header import SEED_BYTES
from ..core.text.negotiation import negotiate
from ..core.text.texts import Texts
from .call_errors import CallError, UserMessage

SPECTATOR = "spectator"
LANG = "--lang"


class Lang(Enum):
    """A language of the command line."""

    EN = "en"
    JA = "ja"


MIN_TIMEOUT_S = 0.1
MAX_TIMEOUT_S = 86_400.0


def _timeout_s(value: float) -> float:
    if not MIN_TIMEOUT_S <= value <= MAX_TIMEOUT_S:  # NaN is refused too
        raise CallError(
            "bad-value",
            "{what}: give {kind}",
            what="--timeout",
            kind=UserMessage("seconds", "seconds, {least} to {most}", least=MIN_TIMEOUT_S, most=int(MAX_TIMEOUT_S)),
        )
    return value


def _complete_game(incomplete: str) -> list[str]:
    return [name for name in registry.names() if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game's name, as `replay games` lists it.", autocompletion=_complete_game),
]
LogArgument = Annotated[
    str, typer.Argument(metavar="LOG", help="The log of one match: a path, or an address such as s3://…")
]
LogsArgument = Annotated[
    list[str],
    typer.Argument(metavar="LOG…", help="Logs, or folders searched for *.log: paths, or addresses such as s3://…"),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="How many processes; default: one, or all cores once a run is long."
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster to run on, as tcp://HOST:8786."),
]
AsOption = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="Only what this seat saw: its number or name, or `spectator`."),
]
LangOption = Annotated[Lang | None, typer.Option(LANG, help="The language; default: that of the locale.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON only, one object per line.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Text without colour.")]
StoreOption = Annotated[
    str,
    typer.Option("--store", metavar="ADDRESS", help="Where the matches are stored: sqlite:FILE, files:DIR, memory: …"),
]
OptionOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]
ConformanceOption = Annotated[
    bool, typer.Option("--conformance", help="Include digests of every seat's legal commands and view at each step.")
]
EngineOption = Annotated[
    Path | None,
    typer.Option("--engine", metavar="PYTHON", help="A Python with another version of kifu or of the game."),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        callback=_timeout_s,
        metavar="SECONDS",
        help="How long another engine may take per log, 0.1 to 86400.",
    ),
]


def texts_for(lang: Lang | None) -> Texts:
    """Return the texts of a language; without one, of the locale's."""
    return Texts(lang.value if lang is not None else _locale(), __package__)


def _locale() -> str:
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return negotiate(locale, {lang.value for lang in Lang}, Lang.EN.value)


def viewer(typed: str | None, names: Sequence[str]) -> Seat | None:
    """Parse `--as`: return a seat, None for a spectator, or `TABLE` (sees everything) if it is not given.

    A number is a seat, and so is the name of one player alone. Raises `CallError` if there is no such seat.
    """
    seats = len(names)
    if typed is None:
        return TABLE
    if typed == SPECTATOR:
        return None
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and int(typed) < seats:
        return Seat(int(typed))
    named = [Seat(seat) for seat, name in enumerate(names) if name == typed]
    if len(named) == 1:
        return named[0]
    english = "--as {asked}: there is no such seat; give 0 to {last}, a name that one seat has, or spectator"
    raise CallError("no-seat", english, asked=typed, last=seats - 1)


def game_of(name: str) -> AnyGame:
    """Return the installed game of this name; raises `CallError` that lists the names, or the game's `GameError`."""
    try:
        return registry.find(name)
    except GameError:
        if name in (known := registry.names()):
            raise
        raise CallError(
            "no-game",
            "game {game}: not installed; there are: {known}",
            game=repr(name),
            known=", ".join(known) or "none",
        ) from None


def seed_of(typed: str | None) -> bytes:
    """Parse `--seed`: return its 32 bytes, or random ones if it is not given. Raises `CallError`."""
    if typed is None:
        return token_bytes(SEED_BYTES)
    try:
        seed = bytes.fromhex(typed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise CallError("no-seed", "--seed {asked}: a seed is {digits} hex digits", asked=typed, digits=2 * SEED_BYTES)
    return seed


def bot_factory_of(bot: str) -> BotFactory:
    """Return the factory of a bot, `NAME[:ARGUMENT]`; raises `CallError` that lists the names, or `BotError`."""
    try:
        return registry.find_bot(bot)
    except BotError:
        if bot.partition(":")[0] in (known := registry.bot_names()):
            raise
        raise CallError(
            "no-bot",
            "bot {bot}: not installed; there are: {known}",
            bot=ascii(bot[:60]),
            known=", ".join(known) or "none",
        ) from None


def rules_counts(outcomes: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of matches that go on under newer rules, that end, and that are left as they are."""
    goes_on, ended = outcomes.get("goes on", 0), outcomes.get("ended", 0)
    return {"going": goes_on, "ended": ended, "left": sum(outcomes.values()) - goes_on - ended}

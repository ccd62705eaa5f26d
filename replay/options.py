"""The options that several verbs have, and what is made of them."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from secrets import token_bytes
from typing import Annotated, Any

import typer

from ..core import registry
from ..core.bot import BotFactory
from ..core.errors import BotError, GameError
from ..core.game import TABLE, Game, Seat
from ..core.header import SEED_BYTES
from ..core.text.texts import Texts
from .call_errors import CallError, UserMessage

SPECTATOR = "spectator"
LANG = "--lang"


class Lang(Enum):
    EN = "en"
    JA = "ja"


LONGEST_WAIT = 86_400.0
"""Seconds: nobody waits longer for an engine, and a clock can count them."""


def _seconds(value: float) -> float:
    if not 0.1 <= value <= LONGEST_WAIT:  # so put, what is no number is refused too
        raise CallError(
            "bad-value",
            "{what}: give {kind}",
            what="--timeout",
            kind=UserMessage("seconds", "seconds, {least} to {most}", least=0.1, most=int(LONGEST_WAIT)),
        )
    return value


def _complete_game(incomplete: str) -> list[str]:
    return [name for name in registry.names() if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game's name, as `replay games` lists it.", autocompletion=_complete_game),
]
LogArgument = Annotated[
    str, typer.Argument(metavar="LOG", help="The log of one match: a path, or an address as of s3://.")
]
LogsArgument = Annotated[
    list[str],
    typer.Argument(metavar="LOG…", help="Logs, or folders searched for *.log: paths, or addresses as of s3://."),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", min=1, metavar="N", help="How many processes; else one, and if it takes long all cores."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask cluster that does the work, as tcp://HOST:8786."),
]
AsOption = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="Only what this seat saw: its number, or `spectator`."),
]
LangOption = Annotated[Lang | None, typer.Option(LANG, help="The language; else that of the locale.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line, and nothing else.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Text without colour.")]
StoreOption = Annotated[
    str,
    typer.Option("--store", metavar="ADDRESS", help="Where the matches are kept: sqlite:FILE, files:DIR, memory: …"),
]
OptionOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]
ConformanceOption = Annotated[
    bool, typer.Option("--conformance", help="Also the digests of every seat's legal commands and view at each step.")
]
EngineOption = Annotated[
    Path | None,
    typer.Option("--engine", metavar="PYTHON", help="A Python that has another version of kifu or of the game."),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        callback=_seconds,
        metavar="SECONDS",
        help="How long another engine may take for a log, 0.1 to 86400.",
    ),
]


def texts(lang: Lang | None) -> Texts:
    """Find the words of the language asked for, or of the locale."""
    return Texts(lang.value if lang is not None else _locale(), __package__)


def _locale() -> str:
    said = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    code = said.partition(".")[0].partition("_")[0].lower()
    return code if code in {lang.value for lang in Lang} else Lang.EN.value


def viewer(asked: str | None, seats: int) -> Seat | None:
    """Read `--as`: a seat, None for a spectator; `TABLE`, which sees all, if it was not given."""
    if asked is None:
        return TABLE
    if asked == SPECTATOR:
        return None
    if asked.isascii() and asked.isdigit() and len(asked) < 4 and int(asked) < seats:
        return Seat(int(asked))
    raise CallError(
        "no-seat", "--as {asked}: there is no such seat; give 0 to {last}, or spectator", asked=asked, last=seats - 1
    )


def game_of(name: str) -> Game[Any, Any, Any]:
    """Find a game by the name that was typed."""
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
    """Read `--seed`: 32 bytes, fresh ones if it was not given."""
    if typed is None:
        return token_bytes(SEED_BYTES)
    try:
        seed = bytes.fromhex(typed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise CallError("no-seed", "--seed {asked}: a seed is {digits} hex digits", asked=typed, digits=2 * SEED_BYTES)
    return seed


def maker_of(bot: str) -> BotFactory:
    """Find what makes a bot by the name that was typed."""
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

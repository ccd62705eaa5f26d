"""The options that several verbs share, and their parsing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from secrets import token_bytes
from typing import Any, cast

import click

from ..core.errors import BotError, GameError
from ..core.game import TABLE, AnyGame, Seat
from ..core.match import registry
from ..core.match.bot import BotFactory
from ..core.match.game_files import is_reference
from ..core.match.header import SEED_BYTES
from ..core.text.names import name_key
from ..core.text.texts import Texts
from .call_errors import CallError, UserMessage

SPECTATOR = "spectator"
MAX_SEED_DIGITS = 18
LANGS = ("en", "ja")
"""The languages of the command line."""
TIMEOUT_S = 60.0
MIN_TIMEOUT_S = 0.1
MAX_TIMEOUT_S = 86_400.0


def _timeout_s(_ctx: click.Context, _option: click.Parameter, value: float) -> float:
    if not MIN_TIMEOUT_S <= value <= MAX_TIMEOUT_S:  # NaN is refused too
        wanted = UserMessage("seconds", "seconds, {least} to {most}", least=MIN_TIMEOUT_S, most=int(MAX_TIMEOUT_S))
        raise CallError("bad-value", "{what}: give {kind}", what="--timeout", kind=wanted)
    return value


def _complete_game(_ctx: click.Context, _argument: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in registry.names() if name.startswith(incomplete)]


def _know(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> None:
    for each in given:
        registry.resolve(each)


game_argument = click.argument(
    "game",
    metavar="GAME",
    help="The game: its name, as `replay games` lists it, its file, or PACKAGE.MODULE:GAME.",
    shell_complete=_complete_game,
)
game_option = click.option(
    "--game",
    "known_game",
    multiple=True,
    expose_value=False,
    is_eager=True,
    callback=_know,
    metavar="FILE",
    help="A game that is not installed: its file, its folder, or PACKAGE.MODULE:GAME; repeatable.",
)
_log_argument = click.argument("log", metavar="LOG", help="The log of one match: a path, or an address such as s3://…")
_logs_argument = click.argument(
    "logs",
    nargs=-1,
    required=True,
    metavar="LOG…",
    help="Logs, or folders searched for *.log: paths, or addresses such as s3://…",
)


def log_argument(verb: Callable[..., int]) -> Callable[..., int]:
    """Add what a verb takes that reads a log: the log, and its game if it is not installed."""
    return _log_argument(game_option(verb))


def logs_argument(verb: Callable[..., int]) -> Callable[..., int]:
    """Add what a verb takes that reads logs: these, and their games if they are not installed."""
    return _logs_argument(game_option(verb))


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="How many processes; default: one, or all cores once a run is long.",
)
_cluster_option = click.option("--cluster", metavar="ADDRESS", help="A Dask cluster to run on, as tcp://HOST:8786.")
as_option = click.option(
    "--as", "seat", metavar="SEAT", help="Only what this seat saw: its number or name, or `spectator`."
)
lang_option = click.option(
    "--lang", type=click.Choice(LANGS), expose_value=False, help="The language; default: that of the locale."
)
json_option = click.option("--json", is_flag=True, help="Print JSON only, one object per line.")
plain_option = click.option("--plain", is_flag=True, help="Text without colour.")
store_option = click.option(
    "--store",
    default="sqlite:kifu.db",
    metavar="ADDRESS",
    help="Where the matches are stored: sqlite:FILE, postgresql://…, memory:",
)
option_option = click.option("--option", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable.")
fast_option = click.option("--fast", is_flag=True, help="Compare results and refusals alone, and nothing on the way.")
engine_option = click.option(
    "--engine",
    type=Path,
    metavar="PYTHON",
    help="A Python with another version of kifu or of the game; or the file of the game's other version.",
)
timeout_option = click.option(
    "--timeout",
    type=float,
    default=TIMEOUT_S,
    callback=_timeout_s,
    metavar="SECONDS",
    help="How long another engine may take per log, 0.1 to 86400.",
)


def output_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a verb that prints text in a language, or JSON: it gets them as its `output`."""
    return lang_option(json_option(plain_option(_with_output(verb))))


def text_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a verb that prints text alone."""
    return lang_option(plain_option(_with_output(verb)))


def report_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a verb whose text has no colours, or that prints JSON."""
    return json_option(lang_option(_with_output(verb)))


def _with_output(verb: Callable[..., int]) -> Callable[..., int]:
    @wraps(verb)
    def run(json: bool = False, plain: bool = True, **given: Any) -> int:
        from .render.console import ConsoleWriter, Output  # here, as the help page needs none

        return verb(output=Output(call_texts(), ConsoleWriter(plain=plain), json, plain), **given)

    return run


def pool_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a verb that shares its work among processes or on a cluster: it gets them as its `pool`."""

    @wraps(verb)
    def run(jobs: int | None, cluster: str | None, **given: Any) -> int:
        from .logs.worker_pool import WorkerPool

        return verb(pool=WorkerPool(jobs, cluster), **given)

    return jobs_option(_cluster_option(run))


def call_texts() -> Texts:
    """Return the texts in the language of the call: that of `--lang`, wherever it stands, or of the locale."""
    return cast("Texts", click.get_current_context().obj)


def check_unused(file: Path) -> None:
    """Raise `CallError` if there is a file of this name: a verb that writes a new file never replaces one."""
    if os.path.lexists(file):
        raise CallError("file-there", "{file}: it exists already; give another name", file=file)


def viewer(typed: str | None, names: Sequence[str]) -> int | None:
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
    named = [Seat(seat) for seat, name in enumerate(names) if name_key(name) == name_key(typed)]
    if len(named) == 1:
        return named[0]
    english = "--as {asked}: there is no such seat; give 0 to {last}, a name that one seat has, or spectator"
    raise CallError("no-seat", english, asked=typed, last=seats - 1)


def check_steps(events: int, given: Mapping[str, int | None]) -> None:
    """Raise `CallError` unless each number that an option gives is that of an event."""
    for option, number in given.items():
        if number is not None and not 0 <= number < events:
            english = "{option} {asked}: there is no such step; the log has {events}, from 0"
            raise CallError("no-step", english, option=option, asked=number, events=events)


def game_of(name: str) -> AnyGame:
    """Return the game of this name, file or module; raises `CallError` that lists the names, or `GameError`."""
    try:
        return registry.resolve(name)
    except GameError:
        if name in (known := registry.names()) or is_reference(name):
            raise
        english = "game {game}: not installed; there are: {known}"
        raise CallError("no-game", english, game=repr(name), known=", ".join(known) or "none") from None


def seed_of(typed: str | None) -> bytes:
    """Parse `--seed`, a whole number or 64 hex digits: return its 32 bytes, or random ones if it is not given.

    Raises `CallError`.
    """
    if typed is None:
        return token_bytes(SEED_BYTES)
    if typed.isascii() and typed.isdigit() and len(typed) <= MAX_SEED_DIGITS:
        return int(typed).to_bytes(SEED_BYTES)
    try:
        seed = bytes.fromhex(typed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise CallError(
            "no-seed", "--seed {asked}: give a whole number or {digits} hex digits", asked=typed, digits=2 * SEED_BYTES
        )
    return seed


def bot_factory_of(bot: str) -> BotFactory:
    """Return the factory of a bot, `NAME[:ARGUMENT]`; raises `CallError` that lists the names, or `BotError`."""
    try:
        return registry.find_bot(bot)
    except BotError:
        if bot.partition(":")[0] in (known := registry.bot_names()):
            raise
        english = "bot {bot}: not installed; there are: {known}"
        raise CallError("no-bot", english, bot=ascii(bot[:60]), known=", ".join(known) or "none") from None


def printable_store(address: str) -> str:
    """Return a store's address; of a database only the kind, as the rest may contain a password."""
    kind, _, database = address.partition("://")
    return kind if database else address


def rules_counts(outcomes: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of matches that go on under newer rules, that end, and that are left as they are."""
    goes_on, ended = outcomes.get("goes on", 0), outcomes.get("ended", 0)
    return {"going": goes_on, "ended": ended, "left": sum(outcomes.values()) - goes_on - ended}

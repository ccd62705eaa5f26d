"""`replay mcp`: a seat of a match, served to an assistant over the Model Context Protocol."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ...core.env.text import text_table
from ...core.errors import needs_extra
from ...core.log import log_bytes
from ..call_errors import CallError
from ..command import verb
from ..option_parsing import parse_options
from ..options import bot_factory_of, call_texts, check_unused, game_of, lang_option, option_option, seed_of
from ..render.output import write_output

KEY = "KIFU_KEY"
"""The environment variable that has the key of a seat at a server: no argument has it, and no text that is read."""


@verb("replay mcp cake --bots greedy,random -o game.log")
@click.argument(
    "game", metavar="GAME|URL", help="The game, or the link to a match at a server: https://HOST/#match=ID."
)
@click.option("--seats", type=int, metavar="N", help="How many seats; default: the fewest.")
@click.option("--seat", type=click.IntRange(0), default=0, metavar="SEAT", help="The seat of the assistant.")
@click.option(
    "--bots",
    default="random",
    metavar="BOT,…",
    help="The bots of the other seats, in turn: random, easy, normal, strong, ….",
)
@option_option
@click.option("--seed", metavar="SEED", help="A whole number or 64 hex digits; default: a fresh seed.")
@click.option("-o", "file", type=Path, metavar="FILE", help="The file for the log, written when the server ends.")
@lang_option
def mcp(
    game: str,
    seats: int | None,
    seat: int,
    bots: str,
    option: tuple[str, ...],
    seed: str | None,
    file: Path | None,
) -> int:
    """Serve a seat of a match to an assistant, over the Model Context Protocol on standard input and output.

    The tools are rules, look, act and find. No reply contains the seed or the log before the match is over. With a link
    the seat is one of that match at `replay serve`, and its key is in the environment variable KIFU_KEY.
    """
    with needs_extra("replay mcp", "learn"):
        from ...core.env.text.mcp import SeatServer, mcp_server
    if "://" in game:
        return _serve_remote(game, call_texts().lang)
    chosen = game_of(game)
    options = parse_options(chosen, option)
    table = text_table(chosen, seats, options, seed=seed_of(seed), lang=call_texts().lang, tries=0)
    count = len(table.match.header.seats)
    if seat >= count:
        raise CallError("no-such-own-seat", "--seat {asked}: give 0 to {last}", asked=seat, last=count - 1)
    if file is not None:
        check_unused(file)
    names = [bot.strip() for bot in bots.split(",")]
    others = [other for other in range(count) if other != seat]
    players = {other: names[place % len(names)] for place, other in enumerate(others)}
    server = SeatServer(table, seat, {other: (bot, bot_factory_of(bot)) for other, bot in players.items()})
    try:
        mcp_server(server).run("stdio")
    finally:
        if file is not None:
            table.match.abandon()
            write_output(file, log_bytes(table.match), new=True)
    return 0


def _serve_remote(url: str, lang: str) -> int:
    """Serve a seat that lies at a server; raises `CallError` without a key."""
    import anyio

    from ...core.env.text.mcp_remote import api_address, serve_remote

    key = os.environ.get(KEY, "").strip()
    if not key:
        raise CallError("mcp-no-key", "put the key of the seat into the environment variable {name}", name=KEY)
    api_address(url)
    anyio.run(serve_remote, url, key, lang)
    return 0

"""`replay mcp`: a seat of a match, served to an assistant over the Model Context Protocol."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ...core.env.text import text_table
from ...core.errors import needs_extra
from ...core.log import log_bytes
from ..call_errors import CallError
from ..option_parsing import parse_options
from ..options import LangOption, OptionOption, bot_factory_of, game_of, seed_of, texts_for
from ..render.output import write_output

SeatsOption = Annotated[int | None, typer.Option("--seats", metavar="N", help="How many seats; default: the fewest.")]
SeatOption = Annotated[int, typer.Option("--seat", min=0, metavar="SEAT", help="The seat of the assistant.")]
BotsOption = Annotated[
    str,
    typer.Option(
        "--bots", metavar="BOT,…", help="The bots of the other seats, in turn: random, easy, normal, strong, …."
    ),
]
SeedOption = Annotated[str | None, typer.Option("--seed", metavar="HEX", help="64 hex digits; default: a fresh seed.")]
ServeOption = Annotated[
    str | None, typer.Option("--serve", metavar="URL", help="Take a seat at this server, instead of a match here.")
]
MatchOption = Annotated[str | None, typer.Option("--match", metavar="ID", help="The match at the server.")]
OptionalGame = Annotated[str | None, typer.Argument(metavar="GAME", help="The game: `replay games` lists them.")]
LogOption = Annotated[
    Path | None, typer.Option("-o", metavar="FILE", help="The file for the log, written when the server ends.")
]

KEY = "KIFU_KEY"
"""The environment variable that has the key of a seat at a server: no argument has it, and no text that is read."""


def mcp(
    game: OptionalGame = None,
    seats: SeatsOption = None,
    seat: SeatOption = 0,
    bots: BotsOption = "random",
    option: OptionOption = None,
    seed: SeedOption = None,
    file: LogOption = None,
    serve: ServeOption = None,
    match: MatchOption = None,
    lang: LangOption = None,
) -> int:
    """Serve a seat of a match to an assistant, over the Model Context Protocol on standard input and output.

    The tools are rules, look, act and find. No reply contains the seed or the log before the match is over. With
    --serve the seat is one of a match at `replay serve --mcp`, and its key is in the environment variable KIFU_KEY.
    """
    with needs_extra("replay mcp", "mcp"):
        from ...core.env.text.mcp import SeatServer, mcp_server
    if serve is not None:
        return _serve_remote(serve, match)
    if game is None:
        raise CallError("mcp-no-game", "name a game, or a server with --serve")
    chosen = game_of(game)
    options = parse_options(chosen, option or [])
    table = text_table(chosen, seats, options, seed=seed_of(seed), lang=texts_for(lang).lang, tries=0)
    count = len(table.match.header.seats)
    if seat >= count:
        raise CallError("no-such-own-seat", "--seat {asked}: give 0 to {last}", asked=seat, last=count - 1)
    if file is not None and file.exists():
        raise CallError("file-there", "{file}: it exists already; give another name", file=file)
    names = [bot.strip() for bot in bots.split(",")]
    others = [other for other in range(count) if other != seat]
    players = {other: names[place % len(names)] for place, other in enumerate(others)}
    server = SeatServer(table, seat, {other: (bot, bot_factory_of(bot)) for other, bot in players.items()})
    try:
        mcp_server(server).run("stdio")
    finally:
        if file is not None:
            table.match.abandon()
            write_output(file, log_bytes(table.match))
    return 0


def _serve_remote(url: str, match: str | None) -> int:
    """Serve a seat that lies at a server; raises `CallError` without a match or a key."""
    import anyio

    from ...core.env.text.mcp_remote import remote_address, serve_remote

    key = os.environ.get(KEY, "").strip()
    if match is None:
        raise CallError("mcp-no-match", "--serve: name the match too, with --match")
    if not key:
        raise CallError("mcp-no-key", "--serve: put the key of the seat into the environment variable {name}", name=KEY)
    remote_address(url, match)
    anyio.run(serve_remote, url, match, key)
    return 0

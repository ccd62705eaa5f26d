"""`replay resume`: a log becomes a live match of a store, and is played on there."""

from __future__ import annotations

from typing import Annotated

import typer

from ...core.errors import LogError
from ...core.game import Seat
from ...core.host import Host, Terms
from ...core.stores import open_store
from ..call_errors import CallError
from ..logs.locations import location, read_content
from ..options import JsonOption, LangOption, LogArgument, StoreOption, bot_factory_of, seed_of
from ..render.console import ConsoleWriter
from ..render.seat_keys import PageOption, print_keys

BotOption = Annotated[
    list[str] | None, typer.Option("--bot", metavar="SEAT=BOT", help="A seat that a bot plays; repeatable.")
]


def resume(
    log: LogArgument,
    store: StoreOption = "sqlite:kifu.db",
    bot: BotOption = None,
    page: PageOption = None,
    lang: LangOption = None,  # noqa: ARG001 (errors are printed in it)
    json: JsonOption = False,
) -> int:
    """Make a log a live match of a store, under its own id, and print a new key for each seat.

    An unfinished match is played on, e.g. one that was begun in a browser without a server. Whoever had the log knows
    all cards of it; no fair deal can be claimed. A log with anything wrong in it is refused.
    """
    seats = dict(_seat_and_bot(each) for each in bot or ())
    content = read_content(location(log))
    players = {name: bot_factory_of(name)(seed_of(None)) for name in seats.values()}
    opened = open_store(store)
    try:
        host = Host(opened, bots=players)
        try:
            issued = host.import_log(content, Terms(bots=seats))
        except LogError as error:
            raise LogError(error.kind, error.message, error.seq, error.rule, path=str(log)) from None
        names = host.about(issued.match).seats
    finally:
        opened.close()
    print_keys(issued, names, page, ConsoleWriter(plain=True), json=json)
    return 0


def _seat_and_bot(typed: str) -> tuple[Seat, str]:
    seat, _, bot = typed.partition("=")
    if not (seat.isascii() and seat.isdigit() and bot):
        raise CallError("seat-and-bot", "--bot {asked}: give a seat and its bot, as 1=normal", asked=ascii(typed[:60]))
    return Seat(int(seat)), bot

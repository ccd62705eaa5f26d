"""`replay rotate-keys`: new keys for the seats of a live match, if the old ones are lost or stolen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...core.host import Host
from ...core.stores import open_store
from ..call_errors import CallError
from ..options import JsonOption, LangOption, StoreOption
from ..render.console import ConsoleWriter
from ..render.seat_keys import PageOption, print_keys

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id, as in its web address.")]
SeatOption = Annotated[
    list[int] | None,
    typer.Option("--seat", metavar="SEAT", help="Only for this seat; repeatable. Default: all players."),
]


def rotate_keys(
    match: MatchArgument,
    store: StoreOption = "sqlite:kifu.db",
    seat: SeatOption = None,
    page: PageOption = None,
    lang: LangOption = None,  # noqa: ARG001 (errors are printed in it)
    json: JsonOption = False,
) -> int:
    """Issue new keys for the players of a live match; the old keys become invalid.

    The match may be served meanwhile. Anyone with a key can act for its seat: give each only to its player.
    """
    kind, _, place = store.partition(":")
    if kind in ("files", "sqlite") and not Path(place).exists():
        raise CallError(
            "no-store",
            "{store}: there is no such store; give the --store that the matches are served from",
            store=ascii(store),
        )
    opened, writer = open_store(store), ConsoleWriter(plain=True)
    try:
        host = Host(opened)
        issued = host.rotate_keys(match, seat)
        names = host.about(match).seats
    finally:
        opened.close()
    print_keys(issued, names, page, writer, json=json)
    return 0

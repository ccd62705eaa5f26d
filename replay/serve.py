"""`replay serve`: live matches over HTTP and WebSocket, and a page to play at."""

from __future__ import annotations

import sys
from secrets import token_bytes
from typing import Annotated, Any

import typer

from ..core import catalogue
from ..core.bot import Sight
from ..core.header import SEED_BYTES
from ..core.host import Host
from ..core.random_play import draw
from ..core.shuffle import Shuffler
from ..core.stores import open_store
from .options import Unusable

StoreOption = Annotated[
    str, typer.Option("--store", metavar="ADDRESS", help="Where the matches are kept: sqlite:FILE, files:DIR, memory: …")
]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any that is free.")]
HostOption = Annotated[str, typer.Option("--host", metavar="NAME", help="The address to listen at; 0.0.0.0: all.")]
OriginOption = Annotated[
    list[str] | None,
    typer.Option("--origin", metavar="URL", help="A site whose pages may use the API (CORS); repeatable."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Write down warnings and errors only.")]


def serve(
    store: StoreOption = "sqlite:kifu.db",
    port: PortOption = 8000,
    host: HostOption = "127.0.0.1",
    origin: OriginOption = None,
    quiet: QuietOption = False,
) -> int:
    """Serve live matches, and the page to play at, until interrupted.

    What happens is written to standard error as lines of JSON, which never hold a key or a card.
    """
    from ..core.web import Limits, app, journal
    from ..core.web.serve import bound
    from ..core.web.serve import serve as run

    kept = open_store(store)
    try:
        at = bound(host, port)
    except OSError as error:
        raise Unusable(f"cannot listen at {host}:{port}: {error.strerror or error}; choose another --port") from None
    journal.write_to(level=journal.WARNING if quiet else journal.INFO)
    bots = {"random": _random}
    limits = Limits()
    served = app(
        Host(kept, bots=bots), games=catalogue.names, bots=list(bots), limits=limits, origins=origin or (), tend=True
    )
    address = f"http://{f'[{host}]' if ':' in host else host}:{at.getsockname()[1]}/"
    sys.stdout.write(f"kifu serves {store} at {address} (Ctrl-C ends it)\n")
    sys.stdout.flush()
    try:
        run(served, at, limits.body)
    finally:
        kept.close()
    return 0


def _random(sight: Sight[Any, Any]) -> Any:
    return draw(sight.legal, Shuffler(token_bytes(SEED_BYTES)))

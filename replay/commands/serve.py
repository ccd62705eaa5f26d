"""`replay serve`: live matches over HTTP, and a page to play at."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING

import click

from ...core.errors import os_error_message
from ...core.host import Host
from ...core.match.bot import Bot
from ...core.match.header import SEED_BYTES
from ...core.stores import Store, open_store
from ...core.text.texts import Line, Texts
from ...core.trust.records import fingerprint, key_text
from ...core.trust.signing import SigningKey
from ...games.bots.arguments import seconds_of
from ...games.bots.levels import LEVELS
from ..analysis.match_analyser import MatchAnalyser
from ..browser.runtime import can_be_made
from ..call_errors import CallError
from ..command import verb
from ..options import bot_factory_of, call_texts, game_option, lang_option, printable_store, rules_counts, store_option

if TYPE_CHECKING:
    from socket import socket

    from ...core.web.limits import Limits

LEVEL_LIMIT = "800ms"
"""The longest that a bot of a level thinks, on a machine too slow for its iterations."""
PACE_MARGIN_MS = 200
"""How much longer than their limit bots have until they are heard."""


@verb("replay serve --store sqlite:matches.db --port 8000")
@store_option
@game_option
@click.option("--port", type=click.IntRange(0, 65535), default=8000, metavar="N", help="The port; 0: any free one.")
@click.option("--host", default="127.0.0.1", metavar="NAME", help="The address to listen on; 0.0.0.0: all.")
@click.option(
    "--bots",
    default="normal,easy,strong",
    metavar="BOT,…",
    help="The bots that players can choose; the first is the default.",
)
@click.option("--origin", multiple=True, metavar="URL", help="A site whose pages may use the API (CORS); repeatable.")
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A name that the server answers to, besides localhost; repeatable.",
)
@click.option(
    "--set-limit", "limit", multiple=True, metavar="NAME=N", help="Change a limit, e.g. streams=1000; repeatable."
)
@click.option(
    "--sign-key", type=Path, metavar="FILE", help="The key that signs what players are told; made if not there."
)
@click.option(
    "--no-analysis", is_flag=True, help="Do not analyse matches that have ended for those who ask at the page."
)
@click.option("--quiet", is_flag=True, help="Log warnings and errors only.")
@lang_option
def serve(
    store: str,
    port: int,
    host: str,
    bots: str,
    origin: tuple[str, ...],
    allow_host: tuple[str, ...],
    limit: tuple[str, ...],
    sign_key: Path | None,
    no_analysis: bool,
    quiet: bool,
) -> int:
    """Serve live matches, and a page to play them, until interrupted.

    The access log goes to standard error as JSON lines, which never contain a key or a card.
    """
    from ...core.web import access_log, app
    from ...core.web.serve import serve as run
    from ..browser.site import ServedEngine
    from ..serving import changed_limits, fitting_limits, scratch_folder

    names = tuple(name.strip() for name in bots.split(",") if name.strip())
    limits, origins = changed_limits(limit), tuple(map(_origin, origin))
    hosts = tuple(map(_host, allow_host if ":" in host else (*allow_host, host)))  # an address is answered anyway
    with ExitStack() as serving:
        listening = serving.enter_context(_listening(host, port))
        analyses = None if no_analysis else serving.enter_context(scratch_folder("kifu-analyses-"))
        engine = serving.enter_context(scratch_folder("kifu-engine-")) if can_be_made() else None
        players = {name: bot_factory_of(limited(name))(token_bytes(SEED_BYTES)) for name in names}
        key, opened = None if sign_key is None else _signing_key(sign_key), open_store(store)
        serving.callback(access_log.write(logging.WARNING if quiet else logging.INFO).close)
        serving.callback(opened.close)
        limits = fitting_limits(limits)
        served = app(
            _host_over(opened, players, key, limits),
            bots=names,
            limits=limits,
            origins=origins,
            hosts=hosts,
            schedule=True,
            metrics_token=os.environ.get("KIFU_METRICS_TOKEN"),
            analyser=None if analyses is None else MatchAnalyser(analyses),
            engine=None if engine is None else ServedEngine(engine),
        )
        address = f"{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        _announce(printable_store(store), address, key, call_texts())
        run(served, listening)
    return 0


def _host_over(store: Store, bots: dict[str, Bot], sign: SigningKey | None, limits: Limits) -> Host:
    """Return the host of a store, whose matches go on under the rules of today."""
    from ...core.web import access_log

    logging.getLogger("kifu.host").setLevel(access_log.LOGGER.level)
    host = Host(
        store,
        bots=bots,
        sign=sign,
        cache_bytes=limits.folded_bytes,
        events_per_match=limits.events_per_match,
        bots_alone_share=limits.bots_alone_share,
        bot_pace_ms=pace_ms(bots),
    )
    updates = Counter(str(update.outcome) for update in host.update_rules())
    if updates:
        access_log.note("matches of older rules", **rules_counts(updates))
    return host


def _listening(host: str, port: int) -> socket:
    """Return a socket that listens; raises `CallError`."""
    from ...core.web.serve import bind

    try:
        return bind(host, port)
    except OSError as error:
        english = "cannot listen on {host}:{port}: {why}; choose another --port"
        raise CallError("cannot-listen", english, host=host, port=port, why=os_error_message(error)) from None


def _announce(store: str, address: str, sign: SigningKey | None, texts: Texts) -> None:
    """Print where the server is, and the key with which it signs."""
    own = address.removeprefix("[").startswith(("127.", "localhost:", "::1]"))
    lines = [texts.format("serves", store=Line(store), address=Line(f"http://{address}/"))]
    if not own:
        lines.append(texts.format("serves-open"))
    if sign is not None:
        lines.append(
            texts.format("serves-signed", key=Line(fingerprint(sign.public)), public=Line(key_text(sign.public)))
        )
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _signing_key(path: Path) -> SigningKey:
    """Return the key of a file, made with mode 600 if there is none; raises `TrustError` or `MissingExtra`."""
    if not path.exists():
        SigningKey.new().save(path)
    return SigningKey.load(path)


def limited(bot: str) -> str:
    """Return the bot's name, with a limit of time behind that of a level."""
    return f"{bot}:{LEVEL_LIMIT}" if bot in LEVELS else bot


def pace_ms(bots: Iterable[str]) -> int:
    """Return the milliseconds after which bots are heard: longer than any with a time limit thinks."""
    limits = [seconds_of(limited(bot).partition(":")[2]) for bot in bots]
    return max((round(1000 * limit) + PACE_MARGIN_MS for limit in limits if limit is not None), default=0)


def _origin(typed: str) -> str:
    """Return a site as browsers send it in `Origin`; raises `CallError` for what no browser sends."""
    site = typed.strip().lower().removesuffix("/")
    if site != "*" and not re.fullmatch(r"https?://[^\s/?#@]+", site):
        raise CallError(
            "no-site",
            "--origin {origin} is not a site: give it as https://friends.example, with the port if it has one",
            origin=ascii(typed),
        )
    return site


def _host(typed: str) -> str:
    """Return a name as it stands in `Host`; raises `CallError` for what is none."""
    from ...core.web.gate import allowed_hosts

    try:
        return allowed_hosts([typed])[0]
    except ValueError:
        raise CallError(
            "no-host", "--allow-host {name} is not a name: give it without https:// and port", name=ascii(typed)
        ) from None

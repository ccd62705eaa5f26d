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
from attrs import evolve, frozen

from ...core.errors import os_error_message
from ...core.host import Host
from ...core.match.bot import Bot
from ...core.match.header import SEED_BYTES
from ...core.stores import open_store
from ...core.text.texts import Line, Texts
from ...core.trust.records import fingerprint, key_text
from ...core.trust.signing import SigningKey
from ...games.bots.arguments import seconds_of
from ...games.bots.levels import LEVELS
from ..analysis.match_analyser import MatchAnalyser
from ..browser.runtime import can_be_made
from ..call_errors import CallError
from ..command import verb
from ..options import bot_factory_of, game_option, lang_option, printable_store, rules_counts, store_option, texts_for

if TYPE_CHECKING:
    from socket import socket

    from starlette.applications import Starlette

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
    lang: str | None,
) -> int:
    """Serve live matches, and a page to play them, until interrupted.

    The access log goes to standard error as JSON lines, which never contain a key or a card.
    """
    from ...core.web.serve import serve as run
    from ..serving import changed_limits, scratch_folder

    served = Served(
        store=store,
        bots=tuple(name.strip() for name in bots.split(",") if name.strip()),
        limits=changed_limits(dict(_limit(each) for each in limit)),
        origins=tuple(_origin(each) for each in origin),
        hosts=tuple(_host(each) for each in (*allow_host, *({host} - {"0.0.0.0", "::"}))),  # noqa: S104
        sign_key=sign_key,
        analyses=None,
        engine=None,
        quiet=quiet,
    )
    with ExitStack() as serving:
        listening = serving.enter_context(_listening(host, port))
        if not no_analysis:
            served = evolve(served, analyses=serving.enter_context(scratch_folder("kifu-analyses-")))
        if can_be_made():
            served = evolve(served, engine=serving.enter_context(scratch_folder("kifu-engine-")))
        app = served()
        _announce(served, f"{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}", texts_for(lang))
        run(app, listening)
    return 0


def _listening(host: str, port: int) -> socket:
    """Return a socket that listens; raises `CallError`."""
    from ...core.web.serve import bind

    try:
        return bind(host, port)
    except OSError as error:
        english = "cannot listen on {host}:{port}: {why}; choose another --port"
        raise CallError("cannot-listen", english, host=host, port=port, why=os_error_message(error)) from None


def _announce(served: Served, address: str, texts: Texts) -> None:
    """Print where the server is, and the key with which it signs."""
    own = address.removeprefix("[").startswith(("127.", "localhost:", "::1]"))
    lines = [texts.format("serves", store=Line(printable_store(served.store)), address=Line(f"http://{address}/"))]
    if not own:
        lines.append(texts.format("serves-open"))
    if served.sign_key is not None:
        public = _signing_key(served.sign_key).public
        lines.append(texts.format("serves-signed", key=Line(fingerprint(public)), public=Line(key_text(public))))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


@frozen
class Served:
    """What a server serves; called, it returns the app."""

    store: str
    bots: tuple[str, ...]
    limits: Limits
    origins: tuple[str, ...]
    hosts: tuple[str, ...]
    sign_key: Path | None
    analyses: Path | None
    """The folder in which analyses are kept; None: matches are not analysed."""
    engine: Path | None
    """The folder in which the engine for browsers is made; None: its runtime is not on this machine."""
    quiet: bool

    def _fitting_limits(self) -> Limits:
        """Return the limits, lowered to what the machine gives; the log says which are."""
        from ...core.web import access_log
        from ..serving import RESERVE, fit_limits, memory_bytes, raise_open_files

        open_files = raise_open_files(self.limits.connections + RESERVE)
        limits = fit_limits(self.limits, open_files, memory_bytes())
        if limits != self.limits:
            lowered = {name: getattr(limits, name) for name in ("connections", "streams", "folded_bytes")}
            access_log.note("limits are lowered to the machine's", logging.WARNING, **lowered)
        return limits

    def __call__(self) -> Starlette:
        """Open the store and return the app, which closes it when it stops."""
        from ...core.web import access_log, app
        from ..browser.site import ServedEngine

        players: dict[str, Bot] = {name: bot_factory_of(limited(name))(token_bytes(SEED_BYTES)) for name in self.bots}
        sign = None if self.sign_key is None else _signing_key(self.sign_key)
        opened = open_store(self.store)
        written = access_log.write(logging.WARNING if self.quiet else logging.INFO)
        limits = self._fitting_limits()

        def stop() -> None:
            opened.close()
            written.close()

        logging.getLogger("kifu.host").setLevel(logging.WARNING if self.quiet else logging.INFO)
        serving = Host(
            opened,
            bots=players,
            sign=sign,
            cache_bytes=limits.folded_bytes,
            events_per_match=limits.events_per_match,
            bots_alone_share=limits.bots_alone_share,
            bot_pace_ms=pace_ms(self.bots),
        )
        updates = Counter(str(update.outcome) for update in serving.update_rules())
        if updates:
            access_log.note("matches of older rules", **rules_counts(updates))
        return app(
            serving,
            bots=self.bots,
            limits=limits,
            origins=self.origins,
            hosts=self.hosts,
            schedule=True,
            metrics_token=os.environ.get("KIFU_METRICS_TOKEN"),
            analyser=None if self.analyses is None else MatchAnalyser(self.analyses),
            engine=None if self.engine is None else ServedEngine(self.engine),
            on_stop=stop,
        )


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
        return allowed_hosts([typed])[0] if ":" not in typed else typed
    except ValueError:
        raise CallError(
            "no-host", "--allow-host {name} is not a name: give it without https:// and port", name=ascii(typed)
        ) from None


def _limit(typed: str) -> tuple[str, str]:
    """Return the name and the number of a limit; raises `CallError` without an equals sign."""
    name, equals, number = typed.partition("=")
    if not equals:
        raise CallError("limit-form", "--set-limit {typed} is not of the form NAME=NUMBER", typed=ascii(typed))
    return name.strip(), number.strip()

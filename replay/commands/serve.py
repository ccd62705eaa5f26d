"""`replay serve`: live matches over HTTP and WebSocket, and a page to play at."""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from secrets import token_bytes
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import evolve, frozen

from ...core.errors import needs_extra, os_error_message
from ...core.host import Host
from ...core.match.bot import Bot
from ...core.match.header import SEED_BYTES
from ...core.stores import open_store
from ...core.text.texts import Line, Texts
from ...core.trust.records import fingerprint, key_text
from ...core.trust.sign import SigningKey
from ...games.bots.levels import LEVELS
from ..analysis.match_analyser import MatchAnalyser
from ..browser.served_engine import ServedEngine, can_be_made
from ..call_errors import CallError
from ..options import LangOption, StoreOption, bot_factory_of, rules_counts, texts_for

if TYPE_CHECKING:
    from socket import socket

    from starlette.applications import Starlette

    from ...core.web.limits.rate_limits import Limits

LEVEL_LIMIT = "800ms"
"""The longest that a bot of a level thinks, on a machine too slow for its iterations."""

PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port; 0: any free one.")]
HostOption = Annotated[str, typer.Option("--host", metavar="NAME", help="The address to listen on; 0.0.0.0: all.")]
OriginOption = Annotated[
    list[str] | None,
    typer.Option("--origin", metavar="URL", help="A site whose pages may use the API (CORS); repeatable."),
]
BotsOption = Annotated[
    str, typer.Option("--bots", metavar="BOT,…", help="The bots that players can choose; the first is the default.")
]
McpOption = Annotated[bool, typer.Option("--mcp", help="Let assistants take seats, at /mcp/MATCH.")]
AllowHostOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", metavar="NAME", help="A name that the server answers to, besides localhost; repeatable."
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option("--set-limit", metavar="NAME=N", help="Change a limit, e.g. watches_total=1000; repeatable."),
]
SignKeyOption = Annotated[
    Path | None,
    typer.Option("--sign-key", metavar="FILE", help="The key that signs what players are told; made if not there."),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, max=64, help="The processes that serve, over one store.")
]
NoAnalysisOption = Annotated[
    bool, typer.Option("--no-analysis", help="Do not analyse matches that have ended for those who ask at the page.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")]


def serve(
    store: StoreOption = "sqlite:kifu.db",
    port: PortOption = 8000,
    host: HostOption = "127.0.0.1",
    bots: BotsOption = "normal,easy,strong",
    origin: OriginOption = None,
    mcp: McpOption = False,
    allow_host: AllowHostOption = None,
    limit: LimitOption = None,
    sign_key: SignKeyOption = None,
    workers: WorkersOption = 1,
    no_analysis: NoAnalysisOption = False,
    quiet: QuietOption = False,
    lang: LangOption = None,
) -> int:
    """Serve live matches, and a page to play them, until interrupted.

    The access log goes to standard error as JSON lines, which never contain a key or a card.
    """
    from ...core.web.limits.rate_limits import changed_limits
    from ...core.web.scratch_folder import scratch_folder
    from ...core.web.serve import serve as run
    from ...core.web.serve import serve_in_workers

    served = Served(
        store=store,
        bots=tuple(name.strip() for name in bots.split(",") if name.strip()),
        limits=changed_limits(dict(_limit(each) for each in limit or ())),
        origins=tuple(_origin(each) for each in origin or ()),
        hosts=tuple(_host(each) for each in (*(allow_host or ()), *({host} - {"0.0.0.0", "::"}))),  # noqa: S104
        mcp=mcp,
        sign_key=sign_key,
        analyses=None,
        engine=None,
        quiet=quiet,
    )
    if workers > 1 and store.startswith("memory:"):
        raise CallError("workers-share", "--workers {workers} need a store that they can share", workers=workers)
    with ExitStack() as serving:
        listening = serving.enter_context(_listening(host, port))
        if not no_analysis:
            served = evolve(served, analyses=serving.enter_context(scratch_folder("kifu-analyses-")))
        if can_be_made():
            served = evolve(served, engine=serving.enter_context(scratch_folder("kifu-engine-")))
        app = served() if workers == 1 else None
        if app is None:
            served.check()
        _announce(served, f"{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}", texts_for(lang))
        if app is not None:
            run(app, listening)
        else:
            serve_in_workers(served, listening, workers)
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
    lines = [texts.format("serves", store=Line(_printable(served.store)), address=Line(f"http://{address}/"))]
    if served.sign_key is not None:
        public = _signing_key(served.sign_key).public
        lines.append(texts.format("serves-signed", key=Line(fingerprint(public)), public=Line(key_text(public))))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


@frozen
class Served:
    """What a server serves; called in the process that does, it returns the app."""

    store: str
    bots: tuple[str, ...]
    limits: Limits
    origins: tuple[str, ...]
    hosts: tuple[str, ...]
    mcp: bool
    sign_key: Path | None
    analyses: Path | None
    """The folder in which analyses are kept; None: matches are not analysed."""
    engine: Path | None
    """The folder in which the engine for browsers is made; None: its runtime is not on this machine."""
    quiet: bool

    def check(self) -> None:
        """Raise what building the app would raise, and make the file of the key and of the store."""
        self._players()
        if self.sign_key is not None:
            _signing_key(self.sign_key)
        if self.mcp:
            _mcp_endpoint()
        open_store(self.store).close()

    def _players(self) -> dict[str, Bot]:
        return {name: bot_factory_of(limited(name))(token_bytes(SEED_BYTES)) for name in self.bots}

    def _fitting_limits(self) -> Limits:
        """Return the limits, lowered to what the machine gives; the log says which are."""
        from ...core.web import access_log
        from ...core.web.limits.open_files import RESERVE, fit_limits, memory_bytes, raise_open_files

        open_files = raise_open_files(self.limits.connections_total + RESERVE)
        limits = fit_limits(self.limits, open_files, memory_bytes())
        if limits != self.limits:
            lowered = {name: getattr(limits, name) for name in ("connections_total", "watches_total", "folded_bytes")}
            access_log.note("limits are lowered to the machine's", logging.WARNING, **lowered)
        return limits

    def __call__(self) -> Starlette:
        """Open the store and return the app, which closes it when it stops."""
        from ...core.web import access_log, app

        players = self._players()
        sign = None if self.sign_key is None else _signing_key(self.sign_key)
        mcp = _mcp_endpoint() if self.mcp else None
        opened = open_store(self.store)
        written = access_log.write_to(level=logging.WARNING if self.quiet else logging.INFO)
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
        )
        updates = Counter(str(update.outcome) for update in serving.update_rules())
        if updates:
            access_log.note("matches of older rules", **rules_counts(updates))
        built = app(
            serving,
            bots=self.bots,
            limits=limits,
            origins=self.origins,
            hosts=self.hosts,
            schedule=True,
            mcp=mcp,
            analyser=None if self.analyses is None else MatchAnalyser(self.analyses),
            engine=None if self.engine is None else ServedEngine(self.engine),
            on_stop=stop,
        )
        built.state.context.metrics.count_rules(updates)
        return built


def _signing_key(path: Path) -> SigningKey:
    """Return the key of a file, made with mode 600 if there is none; raises `TrustError` or `MissingExtra`."""
    if not path.exists():
        SigningKey.new().save(path)
    return SigningKey.load(path)


def _mcp_endpoint() -> Any:
    """Return what serves seats to assistants; raises `MissingExtra`."""
    with needs_extra("replay serve --mcp", "mcp"):
        from ...core.web.mcp_hosted import McpEndpoint
    return McpEndpoint


def _printable(store: str) -> str:
    """Return a store's address; of a database only the kind, as the rest may contain a password."""
    kind, _, database = store.partition("://")
    return kind if database else store


def limited(bot: str) -> str:
    """Return the bot's name, with a limit of time behind that of a level."""
    return f"{bot}:{LEVEL_LIMIT}" if bot in LEVELS else bot


def _origin(typed: str) -> str:
    """Return a site as browsers send it in `Origin`; raises `CallError` for what no browser sends."""
    site = typed.strip().lower().removesuffix("/")
    if site != "*" and not re.fullmatch(r"https?://[^\s/?#@]+", site):
        raise CallError(
            "no-site",
            "--origin {origin} is no site: give it as https://friends.example, with the port if it has one",
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
            "no-host", "--allow-host {name} is no name: give it without https:// and port", name=ascii(typed)
        ) from None


def _limit(typed: str) -> tuple[str, str]:
    """Return the name and the number of a limit; raises `CallError` without an equals sign."""
    name, equals, number = typed.partition("=")
    if not equals:
        raise CallError("limit-form", "--set-limit {typed} is not of the form NAME=NUMBER", typed=ascii(typed))
    return name.strip(), number.strip()

"""The ASGI app: the host over HTTP, and the page; it can be mounted into another app."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import lru_cache, partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp

from ..game import AnyGame
from ..host import AsyncHost, Host
from ..match import registry
from .analyses import Analyser
from .context import AppContext, PathEndpoint, Route
from .event_stream import Presence, Watchers
from .feeds import Feeds
from .gate import Gate, allowed_hosts
from .http_codec import SAFE, encode_json
from .limits import Limits
from .openapi import openapi_document
from .page import ENGINE_PATH, PAGES, EngineFiles, page_response
from .readiness import Readiness
from .routes import ROUTES

PACKED = [Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)]
"""Of the paths that are read, whose answers may be large; 9 takes three times as long, for 4 % less."""


def app(
    host: Host,
    *,
    find: Callable[[str], AnyGame] = registry.find,
    games: Callable[[], Sequence[str]] = registry.names,
    bots: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    origins: Sequence[str] = (),
    hosts: Sequence[str] | None = None,
    schedule: bool = False,
    analyser: Analyser | None = None,
    engine: Callable[[], Path] | None = None,
    metrics_token: str | None = None,
) -> Starlette:
    """Return the app that serves a host.

    `games` returns the names of the games that may be opened, `find` a game by its name. `bots` are the names of the
    host's bots that may be opened with, `origins` the sites whose pages may use the API (CORS), `hosts` the names that
    the server answers to (None: any). With `schedule`, the host's scheduler runs while the app does.
    With `analyser`, e.g. `kifu.replay.analysis.match_analyser.MatchAnalyser`, matches that have ended can be analysed.
    `engine`, e.g. `kifu.replay.browser.site.ServedEngine`, makes the folder of the engine with which the page
    checks a match by the rules; it is called in a thread, once, when a page asks for it.
    `metrics_token` lets whoever has it read `/metrics` from another machine than this.
    An app that is mounted into another has no lifespan of its own: run `async with AsyncHost(host)` in the outer one.
    """
    context = AppContext(host, find, games, tuple(bots), limits, analyser, metrics_token)
    application = Starlette(
        routes=[
            *_routes(),
            StarletteRoute(ENGINE_PATH, EngineFiles(engine).serve, methods=["GET"], middleware=PACKED),
        ],
        lifespan=lambda _: _lifespan(context, schedule=schedule),
    )
    names, shared = None if hosts is None else allowed_hosts(hosts), _shared(origins)
    application.middleware_stack = Gate(application.router, context, names, shared)  # and no layers of Starlette's own
    application.state.context = context
    application.state.watchers, application.state.presence = Watchers(context), Presence()
    application.state.feeds, application.state.readiness = Feeds(context), Readiness(context)
    return application


@asynccontextmanager
async def _lifespan(context: AppContext, *, schedule: bool) -> AsyncIterator[None]:
    """Run what runs beside the requests."""
    try:
        async with AsyncHost(context.host) if schedule else nullcontext():
            yield
    finally:
        if context.analyses is not None:
            context.analyses.close()


def _shared(origins: Sequence[str]) -> Callable[[ASGIApp], ASGIApp]:
    """Return what makes an app one whose answers the pages of these sites may read."""
    if not origins:
        return lambda app: app
    return partial(
        CORSMiddleware,
        allow_origins=list(origins),
        allow_methods=sorted({route.method for route in ROUTES}),
        allow_headers=["Authorization", "Content-Type", "Accept-Language", "Last-Event-ID"],
        expose_headers=["Content-Language", "Kifu-Epoch", "Retry-After"],
        max_age=3600,
    )


def _routes() -> list[BaseRoute]:
    by_path: dict[str, dict[str, Route]] = {}
    for route in sorted(ROUTES, key=lambda each: not each.path.endswith("/commands")):  # the first is found soonest
        by_path.setdefault(route.path, {})[route.method] = route
    return [
        *(
            StarletteRoute(
                path, PathEndpoint(path, routes), methods=[*routes], middleware=PACKED if "GET" in routes else []
            )
            for path, routes in by_path.items()
        ),
        *(StarletteRoute(path, partial(page_response, path), methods=["GET"]) for path in PAGES),
        StarletteRoute("/openapi.json", _openapi, methods=["GET"], middleware=PACKED),
    ]


async def _openapi(request: Request) -> Response:
    request.state.route = "/openapi.json"
    return Response(_encoded_openapi(request.scope.get("root_path") or "/"), 200, SAFE, "application/json")


@lru_cache(maxsize=4)
def _encoded_openapi(root_path: str) -> bytes:
    """Return the document for an app at this path, encoded once for all who ask."""
    return encode_json({**openapi_document(), "servers": [{"url": root_path}]})

"""The host over HTTP and WebSocket, and the page to play at: an ASGI app that can be mounted into another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.routing import Route as StarletteRoute

from .. import registry
from ..errors import Conflict
from ..game import Game, RuleViolation
from ..host import Host
from . import access_log
from .context import AppContext, context_of, texts_of
from .http_codec import RequestError, encode_json
from .openapi import openapi_document
from .page import PAGES, page_response
from .problem import answer, kind_of
from .rate_limits import Limits, client_of
from .routes import ROUTES, Route
from .watching import Watchers, watch

SAFE = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Language, Authorization",
    "X-Content-Type-Options": "nosniff",
}
OF_A_MATCH = (None, "rule-violation", "conflict", "not-now")
"""How a request ends whose address named a match; after any other problem that may have been anything, a key even."""


def app(
    host: Host,
    *,
    find: Callable[[str], Game[Any, Any, Any]] = registry.find,
    games: Callable[[], Sequence[str]] = registry.names,
    bots: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    origins: Sequence[str] = (),
    schedule: bool = False,
) -> Starlette:
    """Serve a host.

    `games` names the games that may be opened, `bots` the host's bots that may be asked for, `origins` the pages of
    other sites that may use the API. With `tend`, bots and turn limits are seen to for as long as the app runs (an app
    that is mounted into another is not told when it begins: there, run `tending`).
    """
    context = AppContext(host, find, games, tuple(bots), limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if not schedule:
            yield
            return
        async with scheduler_running(host):
            yield

    middleware = [Middleware(GZipMiddleware, minimum_size=1000)]
    if origins:
        middleware.insert(0, Middleware(CORSMiddleware, **_shared(origins)))
    made = Starlette(
        routes=_routes(),
        middleware=middleware,
        lifespan=lifespan,
        exception_handlers={HTTPException: _not_served, Exception: _failed},
    )
    made.state.context = context
    made.state.watchers = Watchers(context)
    return made


@asynccontextmanager
async def scheduler_running(host: Host) -> AsyncIterator[None]:
    """See to bots and turn limits in a thread of its own, while the context lasts."""
    stop = Event()
    work = asyncio.create_task(asyncio.to_thread(_tend, host, stop))
    try:
        yield
    finally:
        stop.set()
        await work


def _tend(host: Host, stop: Event) -> None:
    while not stop.is_set():
        try:
            host.run_scheduler(stop)
        except Exception as error:  # a store that fails must not end it
            access_log.failure("tending failed", error)
            stop.wait(5)


def _shared(origins: Sequence[str]) -> dict[str, Any]:
    return {
        "allow_origins": list(origins),
        "allow_methods": ["GET", "POST"],
        "allow_headers": ["Authorization", "Content-Type", "Accept-Language"],
        "expose_headers": ["Content-Language", "Retry-After"],
        "max_age": 3600,
    }


def _routes() -> list[BaseRoute]:
    served: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        served.setdefault(route.path, {})[route.method] = route
    return [
        *(StarletteRoute(path, _serving(path, routes), methods=[*routes]) for path, routes in served.items()),
        *(StarletteRoute(path, _paged(page), methods=["GET"]) for path, page in PAGES.items()),
        StarletteRoute("/openapi.json", _describe, methods=["GET"]),
        WebSocketRoute(access_log.WATCH, watch),
    ]


def _serving(path: str, routes: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of a path: limited, measured, written down; what goes wrong is told as a problem."""

    async def serve(request: Request) -> Response:
        began = time.perf_counter()
        context, kind = context_of(request), None
        try:
            response = await _answered(request, routes)
        except Exception as error:
            kind = kind_of(error)
            response = await _problem(request, error)
        took = time.perf_counter() - began
        context.metrics.count(request.method, path, response.status_code, took, kind)
        match = request.path_params.get("match") if kind in OF_A_MATCH else None
        access_log.request(request.method, path, response.status_code, took, request.state.client, match, kind)
        return response

    return serve


async def _answered(request: Request, routes: dict[str, Route]) -> Response:
    context = context_of(request)
    request.state.client = client_of(request.scope.get("client"))
    wait = context.request_rate.acquire(request.state.client)
    if wait:
        raise RequestError("too-many", headers={"Retry-After": str(int(wait) + 1)})
    route = routes[request.method if request.method in routes else "GET"]  # HEAD is a GET without its body
    answered = await route.endpoint(request)
    headers = {**SAFE, "Content-Language": texts_of(request).lang, **answered.headers}
    body = answered.body if isinstance(answered.body, bytes) else encode_json(answered.body)
    return Response(body, answered.status, headers, answered.kind)


async def _problem(request: Request, error: Exception) -> Response:
    """Tell what went wrong in the words of the one who asked, and to nobody more than his seat may know."""
    texts, more = texts_of(request), {}
    kind = kind_of(error)
    if isinstance(error, RuleViolation | Conflict):
        presenter = await context_of(request).presenter(request.path_params["match"], texts.lang)
        if isinstance(error, RuleViolation):
            more = presenter.violation(error)
        else:
            more = {"count": error.count, "meanwhile": presenter.seen(error.meanwhile)}
    if kind in ("internal", "store"):
        access_log.failure("a request failed", error)
    response = answer(error, texts, **more)
    response.headers.update(SAFE)
    return response


async def _not_served(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    kind = "wrong-method" if status == 405 else "no-such-page"
    return await _problem(request, RequestError(kind, headers=headers))


async def _failed(request: Request, error: Exception) -> Response:
    return await _problem(request, error)


async def _describe(request: Request) -> Response:
    served_at = request.scope.get("root_path") or "/"
    return JSONResponse({**openapi_document(), "servers": [{"url": served_at}]}, headers=SAFE)


def _paged(page: Callable[[], tuple[bytes, str]]) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        return page_response(page, request)

    return serve

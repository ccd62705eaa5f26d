"""The gate that every request passes: allowed hosts and origins, rates, requests in flight; then it is logged."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from attrs import frozen
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import access_log
from .context import AppContext, texts_of
from .http_codec import RequestError
from .limits.rate_limits import client_of
from .limits.turns import Turns
from .problem import problem_response

KINDS_OF_A_MATCH = (None, "rule-violation", "conflict", "not-now")
"""How a request ends whose path named an existing match; after other problems it may be anything, even a key."""
NO_ROUTE = "none"
"""The route of a request to nothing: its address may hold anything."""
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
UNLIMITED = ("/health/live", "/health/ready", "/metrics")
"""Routes that an operator needs most when a limit is reached."""


@frozen
class Sites:
    """The names that the server answers to, and the sites whose pages may use it."""

    hosts: tuple[str, ...] | None = None
    """None: any. Addresses and `localhost` are always allowed: a web page of another name cannot claim them."""
    origins: tuple[str, ...] = ()

    def allows_host(self, host: str) -> bool:
        """Return True if a request with this `Host` is for this server: no page has rebound its own name to us."""
        if self.hosts is None or "*" in self.hosts:
            return True
        name = _hostname(f"//{host}")
        if name in self.hosts or name.removesuffix(".") == "localhost":
            return True
        return name.endswith(".localhost") or _is_address(name)

    def allows_origin(self, origin: str, host: str) -> bool:
        """Return True if a page of this site may open a WebSocket: it is our own page's, or one that was named."""
        known = "*" in self.origins or origin.lower() in self.origins
        return known or _hostname(origin) == _hostname(f"//{host}") != ""


def _hostname(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Gate:
    """ASGI middleware: admits requests, and measures and logs each, whatever becomes of it."""

    def __init__(self, app: ASGIApp, context: AppContext, sites: Sites) -> None:
        self._app = app
        self._context = context
        self._sites = sites
        self._turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a WebSocket on, with `refusal` in its state if it is not admitted."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        await self._turns.mine(client := client_of(scope.get("client")))
        state.update(context=self._context, client=client, refusal=self._misdirected(scope), route=NO_ROUTE)
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _misdirected(self, scope: Scope) -> RequestError | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._sites.allows_host(host):
            return RequestError("wrong-host")
        if scope["type"] == "websocket" and origin is not None and not self._sites.allows_origin(origin, host):
            return RequestError("wrong-origin")
        return None

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began_s, state = time.perf_counter(), scope["state"]

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
            await send(message)

        try:
            await self._admit(scope, receive, sending)
        finally:
            took_s = time.perf_counter() - began_s
            method = scope["method"] if scope["method"] in METHODS else "other"
            kind, route, status = state.get("problem"), state["route"], state.get("status", 500)
            self._context.metrics.count(method, route, status, took_s, kind)
            match = scope.get("path_params", {}).get("match") if kind in KINDS_OF_A_MATCH else None
            match = match if route != NO_ROUTE else None
            access_log.request(method, route, status, took_s, state["client"], match, kind, state.get("cause"))

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        context, state = self._context, scope["state"]
        if state["refusal"] is None and scope["path"] not in UNLIMITED:
            wait_s = context.request_rate.acquire(state["client"])
            if wait_s:
                state["refusal"] = context.admission.refused("requests_per_s", "too-many", wait_s)
        if state["refusal"] is not None or scope["path"] in UNLIMITED:
            await self._app(scope, receive, send)
            return
        try:
            context.admission.enter(state["client"])
        except RequestError as refusal:
            state["refusal"] = refusal
            await self._app(scope, receive, send)
            return

        async def receiving() -> Message:
            with context.admission.aside():
                return await receive()

        async def sending(message: Message) -> None:
            with context.admission.aside():
                await send(message)

        try:
            await self._app(scope, receiving, sending)
        finally:
            context.admission.leave(state["client"])


class Refusals:
    """ASGI middleware, the innermost: answers what the gate did not admit, and errors that no route has answered."""

    def __init__(self, app: ASGIApp, answer: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self._app, self._answer = app, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the refusal, or pass the request on."""
        refusal = scope.get("state", {}).get("refusal")
        if refusal is None:
            try:
                await self._app(scope, receive, send)
            except Exception as error:
                if scope["type"] != "http" or "status" in scope["state"]:  # it cannot be answered any more
                    raise
                await (await self._answer(Request(scope, receive, send), error))(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": refusal.kind})  # before accepting: HTTP 403
        else:
            request = Request(scope)
            scope["state"]["problem"] = refusal.kind
            await problem_response(refusal, texts_of(request))(scope, receive, send)


def allowed_hosts(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as they stand in `Host`, without port; raises `ValueError` for what is none."""
    hosts = tuple(name.strip().lower() for name in names)
    for host in hosts:
        if host != "*" and not re.fullmatch(r"[a-z0-9_.-]+", host):
            raise ValueError(host)
    return hosts


def known_sites(hosts: Sequence[str] | None, origins: Sequence[str]) -> Sites:
    """Return the sites of an app."""
    return Sites(None if hosts is None else allowed_hosts(hosts), tuple(origin.lower() for origin in origins))

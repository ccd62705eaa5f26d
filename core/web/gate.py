"""The gate that every request passes: allowed hosts, and the client's budget; then it is charged and logged."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import access_log
from .context import AppContext, texts_of
from .http_codec import RequestError
from .limits import client_of, is_local
from .problem import problem_response
from .work import Metered

KINDS_OF_A_MATCH = (None, "rule-violation", "conflict", "not-now")
"""How a request ends whose path named an existing match; after other problems it may be anything, even a key."""
NO_ROUTE = "none"
"""The route of a request to nothing: its address may hold anything."""
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
UNLIMITED = ("/health/live", "/health/ready")
"""Routes that an operator needs most when a limit is reached."""


def allows_host(hosts: Sequence[str] | None, host: str) -> bool:
    """Return True if a request with this `Host` is for a server of these names, None: of any.

    Then no page has rebound its own name to us. An address and `localhost` cannot be claimed by a page of another name.
    """
    if hosts is None or "*" in hosts:
        return True
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        name = ""
    if name in hosts or name.removesuffix(".") == "localhost" or name.endswith(".localhost"):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Gate:
    """ASGI middleware: admits requests, and measures, charges and logs each, whatever becomes of it."""

    def __init__(self, app: ASGIApp, context: AppContext, hosts: Sequence[str] | None) -> None:
        """Admit requests to a server of these names, as `allowed_hosts` returns them (None: of any)."""
        self._app, self._context, self._hosts = app, context, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with `refusal` in its state if it is not admitted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state, client = scope.setdefault("state", {}), client_of(scope.get("client"))
        refusal = self._refusal(Headers(scope=scope), scope["path"], client)
        state.update(context=self._context, client=client, sent=0, refusal=refusal, route=NO_ROUTE)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
            else:
                state["sent"] += len(message.get("body", b""))
            await send(message)

        with ExitStack() as answered:
            state["answered"] = answered
            answered.callback(self._note, scope, time.perf_counter())
            state["metered"] = metered = Metered(self._app(scope, receive, sending).__await__())
            await metered

    def _note(self, scope: Scope, began_s: float) -> None:
        """Measure and log a request that was answered."""
        took_s, state = time.perf_counter() - began_s, scope["state"]
        self._context.budget.spend(state["client"], state["metered"].seconds, state["sent"])
        method = scope["method"] if scope["method"] in METHODS else "other"
        kind, route, status = state.get("problem"), state["route"], state.get("status", 500)
        self._context.metrics.count(method, route, status, took_s, kind)
        match = scope.get("path_params", {}).get("match") if kind in KINDS_OF_A_MATCH else None
        match = match if route != NO_ROUTE else None
        access_log.request(method, route, status, took_s, state["client"], match, kind, state.get("cause"))

    def _refusal(self, headers: Headers, path: str, client: str) -> RequestError | None:
        """Return why a request is not admitted; None if it is."""
        if not allows_host(self._hosts, headers.get("host", "")):
            return RequestError("wrong-host")
        if path == "/metrics" and not self._may_read_metrics(headers, client):
            return RequestError("no-such-page")
        if path not in UNLIMITED and self._context.budget.is_exhausted(client):
            return self._context.work.exhausted(client)
        return None

    def _may_read_metrics(self, headers: Headers, client: str) -> bool:
        """Return whether a request comes from this machine, or with the token for it."""
        token, given = self._context.metrics_token, headers.get("authorization", "")
        return is_local(client) or (token is not None and compare_digest(given.encode(), f"Bearer {token}".encode()))


def begin_stream(scope: Scope) -> None:
    """Count a request as answered whose response has begun, and goes on for as long as its client stays."""
    scope["state"]["answered"].close()


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
                request = Request(scope, receive, send)
                try:
                    response = await self._answer(request, error)
                except Exception as failure:  # of the store, while the error is put into words
                    response = await self._answer(request, failure)
                await response(scope, receive, send)
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

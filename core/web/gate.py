"""The gate that every request passes: allowed hosts, and the client's budget; errors are answered; it is charged."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from contextlib import ExitStack
from hmac import compare_digest
from ipaddress import ip_address
from types import coroutine
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..host.threads import processor_s
from . import access_log
from .context import AppContext
from .http_codec import RequestError
from .limits import client_of, is_local
from .problem import answer_to

KINDS_OF_A_MATCH = (None, "rule-violation", "conflict", "not-now")
"""How a request ends whose path named an existing match; after other problems it may be anything, even a key."""
NO_ROUTE = "none"
"""The route of a request to nothing: its address may hold anything."""
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
UNLIMITED = ("/health/live", "/health/ready")
"""Routes that an operator needs most when a limit is reached."""


def allows_host(hosts: Sequence[str], host: str) -> bool:
    """Return True if a request with this `Host` is for a server of these names.

    Then no page has rebound its own name to us. An address and `localhost` cannot be claimed by a page of another name.
    """
    if "*" in hosts:
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


@coroutine
def metered(work: Coroutine[Any, Any, None], state: dict[str, Any]) -> Generator[Any, Any, None]:
    """Await work as it is, and count in `seconds` what its steps have cost."""
    thrown: BaseException | None = None
    while True:
        began_s = processor_s()
        try:
            awaited = work.send(None) if thrown is None else work.throw(thrown)
        except StopIteration:
            return
        finally:
            state["seconds"] += processor_s() - began_s
        try:
            yield awaited
            thrown = None
        except BaseException as cancelled:  # as the loop cancels it
            thrown = cancelled


class Gate:
    """An ASGI app around another: admits requests, answers errors, and measures, charges and logs each request."""

    def __init__(
        self, app: ASGIApp, context: AppContext, hosts: Sequence[str] | None, shared: Callable[[ASGIApp], ASGIApp]
    ) -> None:
        """Admit requests to a server of these names, as `allowed_hosts` returns them (None: of any).

        `shared` returns the app whose answers pages of other sites may read, as far as they may use the API.
        """
        self._app, self._context, self._hosts, self._shared = shared(app), context, hosts, shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one that is not admitted with its refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        client = client_of(scope.get("client"))
        state.update(context=self._context, client=client, seconds=0.0, sent=0, route=NO_ROUTE)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"] = message["status"]
            else:
                state["sent"] += len(message.get("body", b""))
            await send(message)

        with ExitStack() as answered:
            state["answered"] = answered
            answered.callback(self._note, scope, time.perf_counter())
            await metered(self._answer(scope, receive, sending), state)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; answer where it is not admitted, and errors that no route has answered."""
        try:
            self._admit(Headers(scope=scope), scope["path"], scope["state"])
            await self._app(scope, receive, send)
        except Exception as error:
            if "status" in scope["state"]:  # it cannot be answered any more
                raise
            request = Request(scope, receive, send)
            try:
                response = await answer_to(request, error)
            except Exception as failure:  # of the store, while the error is put into words
                response = await answer_to(request, failure)
            await self._shared(response)({**scope, "method": "GET"}, receive, send)  # a preflight is refused, too

    def _note(self, scope: Scope, began_s: float) -> None:
        """Measure, charge and log a request that was answered."""
        took_s, state, metrics = time.perf_counter() - began_s, scope["state"], self._context.metrics
        self._context.budget.spend(state["client"], state["seconds"], state["sent"])
        method = scope["method"] if scope["method"] in METHODS else "other"
        kind, route, status = state.get("problem"), state["route"], state.get("status", 500)
        metrics.requests.labels(method, route, str(status)).inc()
        metrics.seconds.labels(route).observe(took_s)
        if access_log.LOGGER.isEnabledFor(logging.INFO):
            is_known = kind in KINDS_OF_A_MATCH and route != NO_ROUTE
            match = scope.get("path_params", {}).get("match") if is_known else None
            values = {"match": match, "problem": kind, "cause": state.get("cause")}
            values = {name: value for name, value in values.items() if value is not None}
            ms, client = round(took_s * 1000, 2), state["client"]
            access_log.note("request", method=method, route=route, status=status, ms=ms, client=client, **values)

    def _admit(self, headers: Headers, path: str, state: dict[str, Any]) -> None:
        """Raise `RequestError` for a request that is not admitted; note how long its client is over its budget."""
        client, budget = state["client"], self._context.budget
        if self._hosts is not None and not allows_host(self._hosts, headers.get("host", "")):
            raise RequestError("wrong-host")
        if path == "/metrics" and not self._may_read_metrics(headers, client):
            raise RequestError("no-such-page")
        state["wait_s"] = budget.wait_s(client)
        if path not in UNLIMITED and state["wait_s"] > budget.most_wait_s:
            raise self._context.work.exhausted(client)

    def _may_read_metrics(self, headers: Headers, client: str) -> bool:
        """Return whether a request comes from this machine, or with the token for it."""
        token, given = self._context.metrics_token, headers.get("authorization", "")
        return is_local(client) or (token is not None and compare_digest(given.encode(), f"Bearer {token}".encode()))


def allowed_hosts(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as they stand in `Host`, without port; raises `ValueError` for what is none."""
    hosts = tuple(name.strip().lower() for name in names)
    for host in hosts:
        if host != "*" and not re.fullmatch(r"[a-z0-9_.-]+", host):
            raise ValueError(host)
    return hosts

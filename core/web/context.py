"""What all routes have: the context of their app, each request taken apart, and the response to it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any, Generic, TypeVar, get_type_hints

from attrs import field, frozen
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..game import AnyGame
from ..host import About, Host, MatchChange
from ..page import LANGS
from ..text.negotiation import negotiate
from ..text.texts import FALLBACK
from . import request_shapes
from .analyses import Analyser, Analyses
from .http_codec import SAFE, body_of, encode_json, key_of, query_of, tagged
from .limits import Budget, Limits
from .metrics import Metrics
from .presenters import MatchPresenter
from .work import Asking, BotMatches, Kind, Work

A = TypeVar("A")


class Kept(Generic[A]):
    """Values by key; the least recently used ones go where there is no room."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.total_bytes = 0
        self._values: OrderedDict[Hashable, tuple[A, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> A | None:
        """Return the value of this key, None if there is none."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: A, size: int) -> None:
        """Keep a value of so many bytes."""
        with self._lock:
            if key not in self._values:
                self._values[key] = value, size
                self.total_bytes += size
            while self.total_bytes > self._max_bytes:
                _, (_, gone) = self._values.popitem(last=False)
                self.total_bytes -= gone

    def made(self, key: Hashable, make: Callable[[], A], size_of: Callable[[A], int]) -> A:
        """Return the value of this key, made now unless it is there."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value, size_of(value))
        return value


MADE_BYTES = 32 << 20
"""How much of what was computed of matches that have ended is kept."""
MAX_ACCEPTED = 1000
"""So much of an `Accept-Language` header is read; the last ones are remembered."""


class AppContext:
    """The parts of one app, in `app.state.context`."""

    def __init__(
        self,
        host: Host,
        find: Callable[[str], AnyGame],
        games: Callable[[], Sequence[str]],
        bots: tuple[str, ...],
        limits: Limits,
        analyser: Analyser | None,
        metrics_token: str | None,
    ) -> None:
        """Take what `app` takes, and make what serves requests."""
        self.host, self.find, self.games, self.bots, self.limits = host, find, games, bots, limits
        self.metrics_token = metrics_token
        self.metrics = Metrics(host)
        self.budget = Budget(limits)
        self.work = Work(self.budget, self.metrics, host.threads)
        self.bot_matches = BotMatches(limits, self.work, self._status_of)
        self.analyses = None if analyser is None else Analyses(analyser, limits, self.work.refused)
        self.made: Kept[Any] = Kept(MADE_BYTES)
        """Pages, scores and remarks of matches that have ended, and what spectators are shown."""

    async def _status_of(self, client: str, match: str) -> str:
        return (await self.work.run(Asking(client, match), self.host.about, match)).status

    def presenter_of(self, about: About, lang: str) -> MatchPresenter:
        """Return the presenter of the match with these public facts."""
        return MatchPresenter(self.find(about.game), about, lang)


@frozen
class Asked:
    """A request, taken apart as its route says."""

    request: Request
    context: AppContext
    client: str
    match: str
    """The match's id; empty where the path has none."""
    key: str | None = field(repr=False)
    """The key in its header; None for a spectator, and where the route ignores it."""
    lang: str

    async def call(self, function: Callable[..., A], *args: Any) -> A:
        """Call a function that computes, or waits for a store, as the host's do, in the client's turn."""
        return await self.context.work.run(Asking(self.client, self.match), function, *args)

    def change(self, change: MatchChange[A]) -> Awaitable[A]:
        """Have a match changed (`Host.ado`); the client is charged what that takes, with its request."""
        host, state = self.context.host, self.request.scope["state"]
        if state["wait_s"]:
            return self.context.work.move(self.client, host.ado, change, self._charge)
        return host.ado(change, self._charge)

    def _charge(self, seconds: float) -> None:
        self.request.scope["state"]["seconds"] += seconds

    async def computed(self, key: Hashable, make: Callable[[], A], size_of: Callable[[A], int]) -> A:
        """Return what takes long to make of a match that has ended: what is kept, or made in the client's turn."""
        made = self.context.made
        kept: A | None = made.get(key)
        if kept is not None:
            return kept
        return await self.context.work.run(Asking(self.client, self.match, Kind.HEAVY), made.made, key, make, size_of)

    async def about(self) -> About:
        """Return the public facts of its match."""
        return await self.call(self.context.host.about, self.match)


Endpoint = Callable[..., Awaitable[Struct | bytes | Response]]
"""What answers `Asked`: by a shape, what is encoded already, or a response of its own.

Its second parameter, `body` or `query`, is that of the request, in the shape with which it is annotated.
"""


@frozen
class Route:
    """One method of one path."""

    method: str
    path: str
    endpoint: Endpoint
    summary: str
    response: type | str
    """The shape of the response, or its media type if it is not JSON."""
    body: type | None = None
    query: type | None = request_shapes.NoQuery
    """The shape of the query, where there is no body; None: whatever it is, nobody looks at it."""
    status: int = 200
    key: str = "none"
    """Whether a seat's key is `required`, `optional` or `none` (ignored)."""
    problems: tuple[str, ...] = ()
    """The kinds of problems that not every route with such a path and key has."""
    headers: dict[str, str] = field(factory=dict)


ROUTES: list[Route] = []
"""All routes, as their modules name them (`routes`)."""


def route(method: str, path: str, response: type | str | None = None, **more: Any) -> Callable[[Endpoint], Endpoint]:
    """Make a function the endpoint of a route, whose summary is the first line of its docstring.

    What it takes and returns is said by its annotations; the response is named where it returns that encoded.
    """

    def named(endpoint: Endpoint) -> Endpoint:
        hints, summary = get_type_hints(endpoint), (endpoint.__doc__ or "").partition("\n")[0]
        given = {name: hints[name] for name in ("body", "query") if name in hints}
        ROUTES.append(Route(method, path, endpoint, summary, response or hints["return"], **given, **more))
        return endpoint

    return named


@frozen
class PathEndpoint:
    """The endpoint of a path, an ASGI app; the gate answers its errors."""

    path: str
    routes: dict[str, Route]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a request apart, as the route for its method says, and answer it."""
        request, state = Request(scope, receive, send), scope["state"]
        state["route"] = self.path
        route = self.routes[request.method if request.method in self.routes else "GET"]  # HEAD: GET without a body
        lang, key = lang_of(request), None if route.key == "none" else key_of(request)
        given: tuple[Any, ...] = ()
        if route.body is not None:
            given = (await body_of(request, route.body),)
        elif route.query is not None:
            query: Any = query_of(request, route.query)
            given = () if route.query is request_shapes.NoQuery else (query,)
        match = scope["path_params"].get("match", "")
        reply = await route.endpoint(Asked(request, state["context"], state["client"], match, key, lang), *given)
        headers = {**SAFE, "Content-Language": lang, "Kifu-Epoch": state["context"].host.epoch}
        if isinstance(reply, Response):
            reply.headers.update(headers)
            await reply(scope, receive, send)
            return
        body = reply if isinstance(reply, bytes) else encode_json(reply)
        kind = route.response if isinstance(route.response, str) else "application/json"
        response = Response(body, route.status, headers | route.headers, kind)
        is_public = route.key == "none" or "authorization" not in request.headers
        if is_public and route.method == "GET" and self.path.startswith("/api/"):
            response = tagged(request, response)
        await response(scope, receive, send)


def lang_of(connection: HTTPConnection) -> str:
    """Return the best-weighted language of the `Accept-Language` header that we have, else English."""
    return _lang_of(connection.headers.get("accept-language", "")[:MAX_ACCEPTED])


@lru_cache(maxsize=256)
def _lang_of(accepted: str) -> str:
    return negotiate(accepted, LANGS, FALLBACK)

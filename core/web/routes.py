"""What can be asked over HTTP: each route with the shapes of what it takes and gives, in one table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from attrs import field, frozen
from starlette.requests import Request

from ..errors import GameError, Message
from ..host import Terms
from ..stores.store import Query
from ..wire import wire_of
from . import shapes
from .context import context_of, in_thread, texts_of
from .http_codec import RequestError, body_of, key_of, query_of
from .presenters import game_response

PREFIX = "/api"


@frozen
class Reply:
    """What a route gives: a shape, or bytes of a kind of their own."""

    body: Any
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(factory=dict)


Endpoint = Callable[[Request], Awaitable[Reply]]


@frozen
class Route:
    """One thing that can be asked."""

    method: str
    path: str
    endpoint: Endpoint
    what: str
    gives: type | str
    """The shape of the answer, or the media type of one that is no JSON."""
    body: type | None = None
    query: type = shapes.NoQuery
    status: int = 200
    key: str = "none"
    """Whether a seat's key is `needed`, `taken` if there is one, or `none` is looked at."""
    problems: tuple[str, ...] = ()
    """The kinds of problems that only some routes have."""


async def games(request: Request) -> Reply:
    query_of(request, shapes.NoQuery)
    context, lang = context_of(request), texts_of(request).lang
    told = await in_thread(lambda: [_game(context.find, name, lang) for name in context.games()])
    return Reply(shapes.Games(games=told, bots=list(context.bots)))


@cache
def _game(find: Callable[[str], Any], name: str, lang: str) -> shapes.GameResponse:
    return game_response(find(name), lang)


async def open_match(request: Request) -> Reply:
    context = context_of(request)
    wait = context.open_rate.acquire(request.state.client)
    if wait:
        raise RequestError("too-many", headers={"Retry-After": str(int(wait) + 1)})
    asked = await body_of(request, shapes.OpenRequest, context.limits.body_bytes)
    if asked.game not in context.games():
        raise GameError(asked.game, Message("not-played-here", "not played here"))
    bots = {seat: chair.bot for seat, chair in enumerate(asked.seats) if chair.bot is not None}
    terms = Terms(public=asked.public, turn_limit_ms=asked.turn_limit_ms, bots=bots)  # type: ignore[arg-type]
    names = [chair.name for chair in asked.seats]
    options = wire_of(context.find(asked.game)).json_options(asked.options)
    opened = await in_thread(context.host.open, asked.game, names, options, terms)
    keys = [shapes.KeyResponse(seat=seat, key=key) for seat, key in enumerate(opened.keys) if key is not None]
    return Reply(shapes.OpenedMatch(match=opened.match, keys=keys), 201)


async def lobby(request: Request) -> Reply:
    context, lang = context_of(request), texts_of(request).lang
    asked = query_of(request, shapes.LobbyQuery)
    query = Query(game=asked.game, status=asked.status, public=True, limit=asked.limit)
    found = await in_thread(context.host.lobby, query)
    return Reply(shapes.Lobby(matches=[context.presenter_of(each, lang).about() for each in found]))


async def about(request: Request) -> Reply:
    query_of(request, shapes.NoQuery)
    presenter = await context_of(request).presenter(request.path_params["match"], texts_of(request).lang)
    return Reply(presenter.about())


async def join(request: Request) -> Reply:
    context = context_of(request)
    asked = await body_of(request, shapes.JoinRequest, context.limits.body_bytes)
    joined = await in_thread(context.host.join, request.path_params["match"], asked.name, asked.seat)
    return Reply(shapes.JoinedSeat(seat=joined.seat, key=joined.key, begun=joined.begun), 201)


async def observation(request: Request) -> Reply:
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    asked = query_of(request, shapes.ObservationQuery)
    seen = await in_thread(context.host.observe, match, key, asked.events)
    presenter = await context.presenter(match, texts_of(request).lang)
    return Reply(await in_thread(presenter.observation, match, seen))


async def seen(request: Request) -> Reply:
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    asked = query_of(request, shapes.HistoryQuery)
    told = await in_thread(context.host.history, match, key, asked.since)
    about = await context.about(match)
    presenter = context.presenter_of(about, texts_of(request).lang)
    count = told[-1].seq + 1 if told else min(asked.since, about.count or 0)
    return Reply(shapes.History(events=await in_thread(presenter.seen, told), count=count))


async def submit(request: Request) -> Reply:
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.SubmitRequest, context.limits.body_bytes)
    command, number = (asked.tag, asked.fields), bytes.fromhex(asked.idempotency_key)
    receipt = await in_thread(context.host.submit, match, key, command, asked.expected_events, number)
    presenter = await context.presenter(match, texts_of(request).lang)
    return Reply(presenter.receipt(receipt), 201)


async def propose(request: Request) -> Reply:
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.ProposalRequest, context.limits.body_bytes)
    ask: dict[str, Callable[[], Any]] = {
        "take_back": lambda: context.host.take_back(match, key, asked.target),
        "fork": lambda: context.host.fork(match, key, asked.target),
        "abandon": lambda: context.host.abandon(match, key),
    }
    made = await in_thread(ask[asked.kind])
    return Reply((await context.presenter(match, "en")).proposal(made), 201)


async def answer(request: Request) -> Reply:
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.ProposalAnswer, context.limits.body_bytes)
    reply = context.host.accept if asked.accept else context.host.reject
    made = await in_thread(reply, match, key, _number(request.path_params["number"]))
    return Reply((await context.presenter(match, "en")).proposal(made))


def _number(said: str) -> int:
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise RequestError("malformed", Message("a-wish-number", "a wish has a number"))
    return int(said)


async def log(request: Request) -> Reply:
    query_of(request, shapes.NoQuery)
    match = request.path_params["match"]
    raw = await in_thread(context_of(request).host.log, match)
    return Reply(
        raw, kind="application/octet-stream", headers={"Content-Disposition": 'attachment; filename="match.log"'}
    )


async def health(request: Request) -> Reply:
    """Answer once the store has: a lobby of one."""
    await in_thread(context_of(request).host.lobby, Query(public=True, limit=1))
    return Reply(shapes.Health(status="ok"))


async def metrics(request: Request) -> Reply:
    return Reply(context_of(request).metrics.text(), kind="text/plain; version=0.0.4; charset=utf-8")


ROUTES = (
    Route("GET", "/api/games", games, "The games that are played here.", shapes.Games),
    Route(
        "GET",
        "/api/matches",
        lobby,
        "The public matches, the last changed first.",
        shapes.Lobby,
        query=shapes.LobbyQuery,
    ),
    Route(
        *("POST", "/api/matches", open_match, "Open a match; where no seat is free, it begins.", shapes.OpenedMatch),
        body=shapes.OpenRequest,
        status=201,
        problems=("no-game", "option", "not-now"),
    ),
    Route(
        *("GET", "/api/matches/{match}", about, "What anyone may know of a match.", shapes.About),
        problems=("no-match",),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/seats",
            join,
            "Take a free seat; the last one begins the match.",
            shapes.JoinedSeat,
        ),
        body=shapes.JoinRequest,
        status=201,
        problems=("no-match", "not-now", "conflict"),
    ),
    Route(
        *(
            "GET",
            "/api/matches/{match}/observation",
            observation,
            "The match as a seat, or a spectator, sees it.",
            shapes.Observation,
        ),
        query=shapes.ObservationQuery,
        key="taken",
        problems=("no-match", "key-refused", "not-now"),
    ),
    Route(
        *("GET", "/api/matches/{match}/history", seen, "What a seat, or a spectator, saw happen.", shapes.History),
        query=shapes.HistoryQuery,
        key="taken",
        problems=("no-match", "key-refused"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/commands",
            submit,
            "Give a command; it is kept when this answers.",
            shapes.Receipt,
        ),
        body=shapes.SubmitRequest,
        status=201,
        key="needed",
        problems=("no-match", "key-refused", "rule-violation", "conflict", "not-now"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/proposals",
            propose,
            "Wish for what others must agree to.",
            shapes.ProposalResponse,
        ),
        body=shapes.ProposalRequest,
        status=201,
        key="needed",
        problems=("no-match", "key-refused", "not-now", "conflict"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/proposals/{number}",
            answer,
            "Agree to a wish, or refuse it.",
            shapes.ProposalResponse,
        ),
        body=shapes.ProposalAnswer,
        key="needed",
        problems=("no-match", "key-refused", "not-now", "conflict"),
    ),
    Route(
        *("GET", "/api/matches/{match}/log", log, "The whole log of a match that has ended."),
        gives="application/octet-stream",
        problems=("no-match", "not-now"),
    ),
    Route("GET", "/health", health, "Whether the store answers.", shapes.Health),
    Route("GET", "/metrics", metrics, "What was counted, for Prometheus.", "text/plain"),
)

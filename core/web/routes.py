"""What can be asked over HTTP: each route with the shapes of what it takes and gives, in one table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from attrs import field, frozen
from starlette.requests import Request

from ..errors import GameError, Why
from ..host import Terms
from ..stores.store import Query
from ..wire import wire_of
from . import shapes
from .desk import at_work, desk_of, texts_of
from .telling import game_told
from .wire import Refusal, body_of, key_of, query_of

PREFIX = "/api"


@frozen
class Answered:
    """What a route gives: a shape, or bytes of a kind of their own."""

    told: Any
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(factory=dict)


Endpoint = Callable[[Request], Awaitable[Answered]]


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
    query: type = shapes.Nothing
    status: int = 200
    key: str = "none"
    """Whether a seat's key is `needed`, `taken` if there is one, or `none` is looked at."""
    problems: tuple[str, ...] = ()
    """The kinds of problems that only some routes have."""


async def games(request: Request) -> Answered:
    query_of(request, shapes.Nothing)
    desk, lang = desk_of(request), texts_of(request).lang
    told = await at_work(lambda: [_game(desk.find, name, lang) for name in desk.games()])
    return Answered(shapes.Games(games=told, bots=list(desk.bots)))


@cache
def _game(find: Callable[[str], Any], name: str, lang: str) -> shapes.GameTold:
    return game_told(find(name), lang)


async def open_match(request: Request) -> Answered:
    desk = desk_of(request)
    wait = desk.opening.wait(request.state.client)
    if wait:
        raise Refusal("too-many", headers={"Retry-After": str(int(wait) + 1)})
    asked = await body_of(request, shapes.Open, desk.limits.body)
    if asked.game not in desk.games():
        raise GameError(asked.game, Why("not-played-here", "not played here"))
    bots = {seat: chair.bot for seat, chair in enumerate(asked.seats) if chair.bot is not None}
    terms = Terms(public=asked.public, limit=asked.limit, bots=bots)  # type: ignore[arg-type]
    names = [chair.name for chair in asked.seats]
    options = wire_of(desk.find(asked.game)).json_options(asked.options)
    opened = await at_work(desk.host.open, asked.game, names, options, terms)
    keys = [shapes.KeyTold(seat=seat, key=key) for seat, key in enumerate(opened.keys) if key is not None]
    return Answered(shapes.Opened(match=opened.match, keys=keys), 201)


async def lobby(request: Request) -> Answered:
    desk, lang = desk_of(request), texts_of(request).lang
    asked = query_of(request, shapes.LobbyAsked)
    query = Query(game=asked.game, status=asked.status, public=True, limit=asked.limit)
    found = await at_work(desk.host.lobby, query)
    return Answered(shapes.Lobby(matches=[desk.teller_of(each, lang).about() for each in found]))


async def about(request: Request) -> Answered:
    query_of(request, shapes.Nothing)
    teller = await desk_of(request).teller(request.path_params["match"], texts_of(request).lang)
    return Answered(teller.about())


async def join(request: Request) -> Answered:
    desk = desk_of(request)
    asked = await body_of(request, shapes.Join, desk.limits.body)
    joined = await at_work(desk.host.join, request.path_params["match"], asked.name, asked.seat)
    return Answered(shapes.Joined(seat=joined.seat, key=joined.key, begun=joined.begun), 201)


async def look(request: Request) -> Answered:
    desk, match, key = desk_of(request), request.path_params["match"], key_of(request)
    asked = query_of(request, shapes.LookAsked)
    seen = await at_work(desk.host.look, match, key, asked.at)
    teller = await desk.teller(match, texts_of(request).lang)
    return Answered(await at_work(teller.look, match, seen))


async def seen(request: Request) -> Answered:
    desk, match, key = desk_of(request), request.path_params["match"], key_of(request)
    asked = query_of(request, shapes.SeenAsked)
    told = await at_work(desk.host.seen, match, key, asked.since)
    about = await desk.about(match)
    teller = desk.teller_of(about, texts_of(request).lang)
    count = told[-1].seq + 1 if told else min(asked.since, about.count or 0)
    return Answered(shapes.SeenSince(seen=await at_work(teller.seen, told), count=count))


async def submit(request: Request) -> Answered:
    desk, match, key = desk_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.Submit, desk.limits.body)
    command, number = (asked.tag, asked.fields), bytes.fromhex(asked.id)
    receipt = await at_work(desk.host.submit, match, key, command, asked.at, number)
    teller = await desk.teller(match, texts_of(request).lang)
    return Answered(teller.receipt(receipt), 201)


async def wish(request: Request) -> Answered:
    desk, match, key = desk_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.Ask, desk.limits.body)
    ask: dict[str, Callable[[], Any]] = {
        "take_back": lambda: desk.host.take_back(match, key, asked.at),
        "fork": lambda: desk.host.fork(match, key, asked.at),
        "abandon": lambda: desk.host.abandon(match, key),
    }
    made = await at_work(ask[asked.kind])
    return Answered((await desk.teller(match, "en")).wish(made), 201)


async def answer(request: Request) -> Answered:
    desk, match, key = desk_of(request), request.path_params["match"], key_of(request)
    asked = await body_of(request, shapes.Answer, desk.limits.body)
    reply = desk.host.agree if asked.agree else desk.host.refuse
    made = await at_work(reply, match, key, _number(request.path_params["number"]))
    return Answered((await desk.teller(match, "en")).wish(made))


def _number(said: str) -> int:
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Refusal("malformed", Why("a-wish-number", "a wish has a number"))
    return int(said)


async def log(request: Request) -> Answered:
    query_of(request, shapes.Nothing)
    match = request.path_params["match"]
    raw = await at_work(desk_of(request).host.log, match)
    return Answered(
        raw, kind="application/octet-stream", headers={"Content-Disposition": 'attachment; filename="match.log"'}
    )


async def health(request: Request) -> Answered:
    """Answer once the store has: a lobby of one."""
    await at_work(desk_of(request).host.lobby, Query(public=True, limit=1))
    return Answered(shapes.Health(status="ok"))


async def metrics(request: Request) -> Answered:
    return Answered(desk_of(request).meters.text(), kind="text/plain; version=0.0.4; charset=utf-8")


ROUTES = (
    Route("GET", "/api/games", games, "The games that are played here.", shapes.Games),
    Route(
        "GET",
        "/api/matches",
        lobby,
        "The public matches, the last changed first.",
        shapes.Lobby,
        query=shapes.LobbyAsked,
    ),
    Route(
        *("POST", "/api/matches", open_match, "Open a match; where no seat is free, it begins.", shapes.Opened),
        body=shapes.Open,
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
            shapes.Joined,
        ),
        body=shapes.Join,
        status=201,
        problems=("no-match", "not-now", "conflict"),
    ),
    Route(
        *("GET", "/api/matches/{match}/look", look, "The match as a seat, or a spectator, sees it.", shapes.Look),
        query=shapes.LookAsked,
        key="taken",
        problems=("no-match", "key-refused", "not-now"),
    ),
    Route(
        *("GET", "/api/matches/{match}/seen", seen, "What a seat, or a spectator, saw happen.", shapes.SeenSince),
        query=shapes.SeenAsked,
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
        body=shapes.Submit,
        status=201,
        key="needed",
        problems=("no-match", "key-refused", "rule-violation", "conflict", "not-now"),
    ),
    Route(
        *("POST", "/api/matches/{match}/wishes", wish, "Wish for what others must agree to.", shapes.WishTold),
        body=shapes.Ask,
        status=201,
        key="needed",
        problems=("no-match", "key-refused", "not-now", "conflict"),
    ),
    Route(
        *("POST", "/api/matches/{match}/wishes/{number}", answer, "Agree to a wish, or refuse it.", shapes.WishTold),
        body=shapes.Answer,
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

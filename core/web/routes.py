"""The routes of the HTTP API, in one table, with the shapes of requests and responses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import UNSET
from starlette.requests import Request

from ..errors import GameError, Message
from ..host import About, HistoryEntry, Host, Proposal, Terms
from ..host.watching import change_event
from ..match import registry
from ..page import page as export_page
from ..page.remarks import Remark
from ..stores import FINISHED, Query
from ..wire import wire_of
from . import request_shapes, response_shapes
from .analysis_routes import ANALYSIS_ROUTES, log_of, read_match, remarks_on
from .context import AppContext, context_of, texts_of
from .game_routes import GAME_ROUTES
from .health_routes import HEALTH_ROUTES
from .http_codec import RequestError, body_of, key_of, query_of
from .limits.bot_matches import opener_of
from .reaction_routes import REACTION_ROUTES
from .route import Reply, Route
from .score_routes import SCORE_ROUTES
from .trust_presenter import trust_response
from .trust_routes import TRUST_ROUTES, ended_of, with_message
from .trust_shapes import decode_bytes

PREFIX = "/api"
EVENTS_PER_OPENING = 100
"""A fork is an opening, and one more for each so many events that it plays again."""


async def open_match(request: Request) -> Reply:
    """Open a match, and return the keys of its named seats."""
    context = context_of(request)
    context.spend(context.open_rate, "opens_per_s", request.state.client)
    body = await body_of(request, request_shapes.OpenRequest, context.limits.body_bytes)
    if body.game not in context.games():
        raise GameError(body.game, Message("not-played-here", "not played here"))
    bots = {seat: seat_request.bot for seat, seat_request in enumerate(body.seats) if seat_request.bot is not None}
    terms = Terms(
        public=body.public,
        turn_limit_ms=body.turn_limit_ms,
        bots=bots,  # type: ignore[arg-type]
        bot_delay_ms=body.bot_delay_ms,
        keep_momentary_notes=body.keep_momentary_notes,
        fair=body.fair,
        reveal_ms=body.reveal_ms,
    )
    names = [seat_request.name for seat_request in body.seats]
    options = wire_of(context.find(body.game)).json_options(body.options)
    client = request.state.client
    async with context.bot_matches.room(client) if bots else nullcontext():
        opened = await context.call("write", context.host.open, body.game, names, options, terms, opener_of(client))
        if bots:
            context.bot_matches.note(client, opened.match)
    keys = [response_shapes.KeyResponse(seat=seat, key=key) for seat, key in enumerate(opened.keys) if key is not None]
    trust = (await context.about(opened.match)).trust
    response = None if trust is None else trust_response(trust)
    return Reply(
        response_shapes.OpenedMatch(match=opened.match, keys=keys, opener_key=opened.opener_key, trust=response), 201
    )


async def lobby(request: Request) -> Reply:
    """Return the public matches that fit the query."""
    context, lang = context_of(request), texts_of(request).lang
    query = query_of(request, request_shapes.LobbyQuery)
    search = Query(game=query.game, status=query.status, public=True, limit=query.limit)
    found = await context.call("read", context.host.lobby, search)
    shown = (_about_or_none(context, each, lang) for each in found)
    return Reply(response_shapes.Lobby(matches=[each for each in shown if each is not None]))


def _about_or_none(context: AppContext, about: About, lang: str) -> response_shapes.About | None:
    """Return the public facts of a match; None if its game is broken, which `/api/games` names."""
    try:
        return registry.described(about.game, lambda _: context.presenter_of(about, lang).about(), context.find)
    except GameError:
        return None


async def about(request: Request) -> Reply:
    """Return the public facts of a match."""
    query_of(request, request_shapes.NoQuery)
    presenter = await context_of(request).presenter(request.path_params["match"], texts_of(request).lang)
    return Reply(presenter.about(whose_turn=True))


async def join(request: Request) -> Reply:
    """Take a free seat, and return its key."""
    context = context_of(request)
    body = await body_of(request, request_shapes.JoinRequest, context.limits.body_bytes)
    context.spend(context.join_rate, "joins_per_s", request.state.client)
    brought = {"commitment": decode_bytes(body.commitment), "public_key": decode_bytes(body.public_key)}
    joined = await context.host.soon(Host.join, request.path_params["match"], body.name, body.seat, **brought)
    return Reply(response_shapes.JoinedSeat(seat=joined.seat, key=joined.key, begun=joined.begun), 201)


async def remove_player(request: Request) -> Reply:
    """Free the seat of a player, by the opener's key or its own; return the public facts of the match."""
    context, match, seat = context_of(request), request.path_params["match"], _number(request.path_params["seat"])
    query_of(request, request_shapes.NoQuery)
    await context.host.soon(Host.remove_player, match, key_of(request), seat)
    return Reply((await context.presenter(match, texts_of(request).lang)).about())


async def observation(request: Request) -> Reply:
    """Return the observation of a seat or a spectator."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    query = query_of(request, request_shapes.ObservationQuery)
    observed = await context.call("read", context.host.observe, match, key, query.events)
    presenter = await context.presenter(match, texts_of(request).lang)
    shown = await context.call("read", presenter.observation, match, observed, query.texts)
    if key is not None and any(each.state == "pending" for each in observed.proposals):
        shown.proposals = [await with_message(context, match, key, presenter, each) for each in observed.proposals]
    if observed.status in FINISHED:
        shown.ended = await ended_of(context, match, key)
    return Reply(shown)


async def history(request: Request) -> Reply:
    """Return a page of the history of a seat or a spectator, and the number of events from which to ask next."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    query = query_of(request, request_shapes.HistoryQuery)
    entries = await _entries(context, match, key, query)
    about = await context.about(match)
    presenter = context.presenter_of(about, texts_of(request).lang)
    count = entries[-1].seq + 1 if entries else min(query.since, about.count or 0)
    ended = await ended_of(context, match, key) if about.status in FINISHED else UNSET
    events = await context.call("read", presenter.history, entries)
    has_more = count < (about.count or 0)
    return Reply(response_shapes.History(events=events, count=count, has_more=has_more, ended=ended))


async def _entries(
    context: AppContext, match: str, key: str | None, query: request_shapes.HistoryQuery
) -> tuple[HistoryEntry, ...]:
    """Return what a seat saw from an event on; waits for one as long as the query says, unless the match has ended."""
    entries = await context.call("read", context.host.history, match, key, query.since, query.limit)
    if entries or not query.wait_ms:
        return entries
    async with change_event(context.host.threads, context.host.subscribe, match) as changed:
        with suppress(TimeoutError):
            async with asyncio.timeout(min(query.wait_ms / 1000, context.limits.wait_s)):
                while True:
                    changed.clear()
                    entries = await context.call("read", context.host.history, match, key, query.since, query.limit)
                    if entries or (await context.about(match)).status in FINISHED:
                        break
                    with context.admission.aside():
                        await changed.wait()
    return entries


async def submit(request: Request) -> Reply:
    """Apply a command of a seat, and return its receipt once it is on disk."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    body = await body_of(request, request_shapes.SubmitRequest, context.limits.body_bytes)
    command, sent, sig = (body.tag, body.fields), bytes.fromhex(body.idempotency_key), decode_bytes(body.sig)
    receipt = await context.host.soon(Host.submit, match, key, command, body.expected_events, sent, sig)
    assert receipt.about is not None
    return Reply(context.presenter_of(receipt.about, texts_of(request).lang).receipt(receipt, texts=body.texts), 201)


async def propose(request: Request) -> Reply:
    """Make a proposal of a seat, and return it."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    body = await body_of(request, request_shapes.ProposalRequest, context.limits.body_bytes)
    if body.kind == "fork":
        tokens = 1 + max(body.target, 0) // EVENTS_PER_OPENING
        context.spend(context.open_rate, "opens_per_s", request.state.client, tokens)
    sig, client, about = decode_bytes(body.sig), request.state.client, await context.about(match)
    async with context.bot_matches.room(client) if body.kind == "fork" and about.terms.bots else nullcontext():
        if body.kind == "abandon":
            proposal = await context.host.soon(Host.abandon, match, key, sig)
        else:
            propose = Host.fork if body.kind == "fork" else Host.take_back
            proposal = await context.change(client, propose, match, key, body.target, sig)
        _note_fork(context, client, about, proposal)
    presenter = context.presenter_of(about, "en")
    return Reply(await with_message(context, match, key or "", presenter, proposal), 201)


async def respond(request: Request) -> Reply:
    """Accept or reject a proposal, and return it."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    body = await body_of(request, request_shapes.ProposalAnswer, context.limits.body_bytes)
    number, sig = _number(request.path_params["number"]), decode_bytes(body.sig)
    if body.accept:
        proposal = await context.change(request.state.client, Host.accept, match, key, number, sig)
    else:
        proposal = await context.host.soon(Host.reject, match, key, number)
    about = await context.about(match)
    _note_fork(context, request.state.client, about, proposal)
    presenter = context.presenter_of(about, "en")
    return Reply(await with_message(context, match, key or "", presenter, proposal))


def _note_fork(context: AppContext, client: str, about: About, proposal: Proposal) -> None:
    """Count a fork with bots that a client has made."""
    if proposal.fork is not None and proposal.state == "accepted" and about.terms.bots:
        context.bot_matches.note(client, proposal.fork)


def _number(text: str) -> int:
    """Return the number of a proposal; raises `RequestError` unless it is 1 to 9 ASCII digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RequestError("malformed", Message("a-proposal-number", "a proposal has a number"))
    return int(text)


async def log(request: Request) -> Reply:
    """Return the log of a match that has ended."""
    query_of(request, request_shapes.NoQuery)
    match = request.path_params["match"]
    context = context_of(request)
    raw = await log_of(context, match)
    return Reply(
        raw, media_type="application/octet-stream", headers={"Content-Disposition": 'attachment; filename="match.log"'}
    )


async def page(request: Request) -> Reply:
    """Return a match that has ended as a page to step through: all its cards are open, as in its log."""
    query_of(request, request_shapes.NoQuery)
    context, match = context_of(request), request.path_params["match"]
    raw = await log_of(context, match)
    remarks, lang = await remarks_on(context, raw, request.state.client), texts_of(request).lang
    tag = f'"{sha256(raw + repr((lang, remarks)).encode()).hexdigest()[:32]}"'
    headers = {
        "Content-Security-Policy": "sandbox allow-scripts allow-modals",
        "ETag": tag,
        "Cache-Control": "no-cache",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Reply(b"", 304, headers=headers)
    make = partial(_page, raw, context.find, lang, remarks)
    html = await context.computed(request.state.client, tag, make, len)
    return Reply(html, media_type="text/html; charset=utf-8", headers=headers)


def _page(raw: bytes, find: Callable[[str], Any], lang: str, remarks: Sequence[Remark] | None) -> bytes:
    return export_page(read_match(raw, find), lang=lang, remarks=remarks).encode()


ROUTES = (
    *GAME_ROUTES,
    *SCORE_ROUTES,
    Route(
        "GET",
        "/api/matches",
        lobby,
        "Return the public matches, newest change first.",
        response_shapes.Lobby,
        query=request_shapes.LobbyQuery,
    ),
    Route(
        *(
            "POST",
            "/api/matches",
            open_match,
            "Open a match; it begins at once if no seat is free.",
            response_shapes.OpenedMatch,
        ),
        body=request_shapes.OpenRequest,
        status=201,
        problems=("no-game", "option", "not-now", "bot-tables"),
    ),
    Route(
        *("GET", "/api/matches/{match}", about, "Return the public facts of a match.", response_shapes.About),
        problems=("no-match",),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/seats",
            join,
            "Take a free seat; the last to join begins the match.",
            response_shapes.JoinedSeat,
        ),
        body=request_shapes.JoinRequest,
        status=201,
        problems=("no-match", "not-now", "conflict", "commitment", "signature"),
    ),
    Route(
        *(
            "DELETE",
            "/api/matches/{match}/seats/{seat}",
            remove_player,
            "Free the seat of a player again before the match begins, by the opener's key or its own.",
            response_shapes.About,
        ),
        key="required",
        problems=("no-match", "key-refused", "not-now", "conflict"),
    ),
    Route(
        *(
            "GET",
            "/api/matches/{match}/observation",
            observation,
            "Return the match as a seat or a spectator sees it.",
            response_shapes.Observation,
        ),
        query=request_shapes.ObservationQuery,
        key="optional",
        problems=("no-match", "key-refused", "not-now"),
    ),
    Route(
        *(
            "GET",
            "/api/matches/{match}/history",
            history,
            "Return what a seat or a spectator saw of the events, page by page.",
            response_shapes.History,
        ),
        query=request_shapes.HistoryQuery,
        key="optional",
        problems=("no-match", "key-refused"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/commands",
            submit,
            "Apply a command; it is on disk when this returns.",
            response_shapes.Receipt,
        ),
        body=request_shapes.SubmitRequest,
        status=201,
        key="required",
        problems=("no-match", "key-refused", "rule-violation", "conflict", "not-now", "signature"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/proposals",
            propose,
            "Propose a takeback, a fork or the end of the match.",
            response_shapes.ProposalResponse,
        ),
        body=request_shapes.ProposalRequest,
        status=201,
        key="required",
        problems=("no-match", "key-refused", "not-now", "conflict", "signature"),
    ),
    Route(
        *(
            "POST",
            "/api/matches/{match}/proposals/{number}",
            respond,
            "Accept or reject a proposal.",
            response_shapes.ProposalResponse,
        ),
        body=request_shapes.ProposalAnswer,
        key="required",
        problems=("no-match", "key-refused", "not-now", "conflict", "signature"),
    ),
    Route(
        *("GET", "/api/matches/{match}/log", log, "Return the log of a match that has ended."),
        response="application/octet-stream",
        problems=("no-match", "not-now"),
    ),
    *REACTION_ROUTES,
    *TRUST_ROUTES,
    *ANALYSIS_ROUTES,
    Route(
        *("GET", "/api/matches/{match}/page", page, "Return a match that has ended as a page to step through."),
        response="text/html",
        problems=("no-match", "not-now"),
    ),
    *HEALTH_ROUTES,
)

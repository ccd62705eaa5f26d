"""The routes of matches that are opened and played; with those of other modules they are `ROUTES`."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext, suppress
from typing import cast

from attrs import fields
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from .. import host
from ..errors import GameError, Message
from ..match import registry
from ..stores import FINISHED, Query
from ..wire import wire_of
from . import ended_routes, games, readiness, request_shapes, response_shapes  # noqa: F401 (some name routes alone)
from .context import ROUTES as ROUTES
from .context import AppContext, Asked, route
from .event_stream import while_connected
from .http_codec import RequestError, decode_each, encode_bytes, encode_json, number_of
from .limits import OPENING_S, opener_of
from .presenters import ended_response, proposal_response, trust_response
from .request_shapes import FairRequest, HistoryQuery
from .response_shapes import EndedResponse, FairResponse


def with_message(asked: Asked, proposal: host.Proposal) -> response_shapes.ProposalResponse:
    """Return a proposal, with what the seat of the key signs to consent."""
    return proposal_response(proposal, asked.context.host.consent_message(asked.match, asked.key, proposal))


def ended_of(asked: Asked) -> EndedResponse | UnsetType:
    """Return what a seat is told of the end; unset for a match without marks."""
    ending = asked.context.host.ending(asked.match, asked.key)
    return UNSET if ending is None else ended_response(ending)


@route("POST", "/api/matches/{match}/fair", key="required", problems=("not-now", "commitment", "signature", "conflict"))
async def fair(asked: Asked, body: FairRequest) -> FairResponse:
    """Commit anew, or reveal a secret; the last one begins the match."""
    match, key = asked.match, asked.key
    commitment, roster, secret, sig = decode_each(body.commitment, body.roster, body.secret, body.sig)
    if commitment is not None and roster is None and secret is None:
        trust = await asked.change(host.Renew(match, key, body.attempt, commitment))
        return FairResponse(trust=trust_response(trust))
    if commitment is None and roster is not None and secret is not None:
        change = host.Reveal(match, key, body.attempt, roster, secret, sig)
        trust, receipt = await asked.change(change)
        signed = None if receipt is None else encode_bytes(receipt)
        return FairResponse(trust=trust_response(trust), receipt=signed)
    why = Message("fair-parts", "there is a commitment, or a roster and a secret")
    raise RequestError("malformed", why)


@route(
    "GET",
    "/api/matches/{match}/record",
    "application/octet-stream",
    key="required",
    problems=("not-now",),
    headers={"Content-Disposition": 'attachment; filename="match.seat"'},
)
async def record(asked: Asked) -> bytes:
    """Return a seat's record as this host would have it."""
    if asked.key is None:
        raise RequestError("key-refused")
    return await asked.call(asked.context.host.record, asked.match, asked.key)


A_NUMBER = Message("a-proposal-number", "a proposal has a number")
KINDS = {"fork": host.Fork, "take_back": host.TakeBack}


@route("POST", "/api/matches", status=201, problems=("no-game", "option", "not-now", "bot-tables"))
async def open_match(asked: Asked, body: request_shapes.OpenRequest) -> response_shapes.OpenedMatch:
    """Open a match; it begins at once if no seat is free."""
    context, client = asked.context, asked.client
    context.budget.spend(client, OPENING_S)
    if body.game not in context.games():
        raise GameError(body.game, Message("not-played-here", "not played here"))
    bots = {seat: seat_request.bot for seat, seat_request in enumerate(body.seats) if seat_request.bot is not None}
    given = {each.name: getattr(body, each.name) for each in fields(host.Terms) if each.name != "bots"}
    terms = host.Terms(bots=bots, **given)
    names = [seat_request.name for seat_request in body.seats]
    options = wire_of(context.find(body.game)).json_options(body.options)
    async with context.bot_matches.room(client) if bots else nullcontext():
        opened = await asked.call(context.host.open, body.game, names, options, terms, opener_of(client))
        if bots:
            context.bot_matches.note(client, opened.match)
    keys = [response_shapes.KeyResponse(seat=seat, key=key) for seat, key in enumerate(opened.keys) if key is not None]
    trust = (await asked.call(context.host.about, opened.match)).trust
    response = None if trust is None else trust_response(trust)
    return response_shapes.OpenedMatch(match=opened.match, keys=keys, opener_key=opened.opener_key, trust=response)


@route("GET", "/api/matches")
async def lobby(asked: Asked, query: request_shapes.LobbyQuery) -> response_shapes.Lobby:
    """Return the public matches, newest change first."""
    context = asked.context
    search = Query(game=query.game, status=query.status, public=True, limit=query.limit)
    found = await asked.call(context.host.lobby, search)
    shown = (_about_or_none(context, each, asked.lang) for each in found)
    return response_shapes.Lobby(matches=[each for each in shown if each is not None])


def _about_or_none(context: AppContext, about: host.About, lang: str) -> response_shapes.About | None:
    """Return the public facts of a match; None if its game is broken, which `/api/games` names."""
    try:
        return registry.described(about.game, lambda _: context.presenter_of(about, lang).about(), context.find)
    except GameError:
        return None


@route("GET", "/api/matches/{match}")
async def about(asked: Asked) -> response_shapes.About:
    """Return the public facts of a match."""
    return asked.context.presenter_of(await asked.about(), asked.lang).about(whose_turn=True)


@route("POST", "/api/matches/{match}/seats", status=201, problems=("not-now", "conflict", "commitment", "signature"))
async def join(asked: Asked, body: request_shapes.JoinRequest) -> response_shapes.JoinedSeat:
    """Take a free seat; the last to join begins the match."""
    asked.context.budget.spend(asked.client, OPENING_S)
    commitment, public_key = decode_each(body.commitment, body.public_key)
    brought = {"commitment": commitment, "public_key": public_key}
    joined = await asked.change(host.Join(asked.match, body.name, body.seat, **brought))
    return response_shapes.JoinedSeat(seat=joined.seat, key=joined.key, begun=joined.begun)


@route("DELETE", "/api/matches/{match}/seats/{seat}", key="required", problems=("not-now", "conflict"))
async def remove_player(asked: Asked) -> response_shapes.About:
    """Free the seat of a player again before the match begins, by the opener's key or its own."""
    seat = number_of(asked.request.path_params["seat"], Message("a-seat-number", "a seat has a number"))
    await asked.change(host.RemovePlayer(asked.match, asked.key, seat))
    return asked.context.presenter_of(await asked.about(), asked.lang).about()


@route(
    "GET",
    "/api/matches/{match}/observation",
    response_shapes.Observation,
    key="optional",
    problems=("not-now", "rewound"),
)
async def observation(asked: Asked, query: request_shapes.ObservationQuery) -> bytes:
    """Return the match as a seat or a spectator sees it."""
    return await asked.call(_observed, asked, query)


def _observed(asked: Asked, query: request_shapes.ObservationQuery) -> bytes:
    """Return an observation, encoded; that of a spectator is made once for all, until the match changes."""
    context, match, key = asked.context, asked.match, asked.key
    place = "observation", match, None if key else context.host.moment(match), asked.lang, *astuple(query)
    if key is None and (kept := context.made.get(place)) is not None:
        return cast("bytes", kept)
    observed = context.host.observe(match, key, query.events)
    presenter = context.presenter_of(context.host.about(match), asked.lang)
    shown = presenter.observation(match, observed, query.texts, query.legal_from)
    if key is not None and any(each.status == "pending" for each in observed.proposals):
        shown.proposals = [with_message(asked, each) for each in observed.proposals]
    if observed.status in FINISHED:
        shown.ended = ended_of(asked)
    encoded = encode_json(shown)
    if key is None and not observed.closed:  # which ends with another match
        context.made.put(place, encoded, len(encoded))
    return encoded


@route("GET", "/api/matches/{match}/history", key="optional", problems=("rewound",))
async def history(asked: Asked, query: HistoryQuery) -> response_shapes.History:
    """Return what a seat or a spectator saw of the events, page by page."""
    state = asked.request.app.state
    if not query.wait_ms or state.feeds.is_closed:
        return (await asked.call(_page_of_history, asked, query))[0]
    with state.watchers.entered(asked.client):
        return await while_connected(asked.request.receive, _next_page(asked, query))


def _page_of_history(asked: Asked, query: HistoryQuery) -> tuple[response_shapes.History, bool]:
    """Return a page, and whether a client that waits is told at once: of events, or that none can follow."""
    entries = asked.context.host.history(asked.match, asked.key, query.since, query.limit)
    about = asked.context.host.about(asked.match)
    is_finished = about.status in FINISHED
    count = entries[-1].seq + 1 if entries else min(query.since, about.count or 0)
    page = response_shapes.History(
        events=asked.context.presenter_of(about, asked.lang).history(entries),
        count=count,
        has_more=count < (about.count or 0),
        ended=ended_of(asked) if is_finished else UNSET,
    )
    return page, is_finished or bool(entries)


async def _next_page(asked: Asked, query: HistoryQuery) -> response_shapes.History:
    """Return a page with news; an empty one, if nothing comes in time."""
    async with asked.request.app.state.feeds.watch(asked.match) as feed:
        moment = feed.moment
        page, is_news = await asked.call(_page_of_history, asked, query)
        with suppress(TimeoutError):
            async with asyncio.timeout(query.wait_ms / 1000):
                while not (is_news or feed.is_closed):
                    await feed.wait(moment)
                    moment = feed.moment
                    page, is_news = await asked.call(_page_of_history, asked, query)
    return page


@route(
    "POST",
    "/api/matches/{match}/commands",
    status=201,
    key="required",
    problems=("rule-violation", "conflict", "rewound", "key-reused", "not-now", "signature"),
)
async def submit(asked: Asked, body: request_shapes.SubmitRequest) -> response_shapes.Receipt:
    """Apply a command; it is on disk when this returns."""
    command, sent = (body.tag, body.fields), bytes.fromhex(body.idempotency_key)
    signed = decode_each(body.sig, body.expected_mark, body.replaced)
    receipt = await asked.change(host.Submit(asked.match, asked.key, command, body.expected_events, sent, *signed))
    mark = None if receipt.mark is None else encode_bytes(receipt.mark)
    return response_shapes.Receipt(seq=receipt.seq, count=receipt.count, mark=mark)


@route(
    "POST",
    "/api/matches/{match}/proposals",
    status=201,
    key="required",
    problems=("not-now", "conflict", "rewound", "signature"),
)
async def propose(asked: Asked, body: request_shapes.ProposalRequest) -> response_shapes.ProposalResponse:
    """Propose a takeback, a fork or the end of the match."""
    context, client, match, key = asked.context, asked.client, asked.match, asked.key
    if body.kind == "fork":
        context.budget.spend(client, OPENING_S)
    (sig,), about = decode_each(body.sig), await asked.about()
    async with context.bot_matches.room(client) if body.kind == "fork" and about.terms.bots else nullcontext():
        change = KINDS[body.kind](match, key, body.target, sig) if body.kind in KINDS else host.Abandon(match, key, sig)
        return await _proposed(asked, about, await asked.change(change))


@route("POST", "/api/matches/{match}/proposals/{number}", key="required", problems=("not-now", "conflict", "signature"))
async def respond(asked: Asked, body: request_shapes.ProposalAnswer) -> response_shapes.ProposalResponse:
    """Accept or reject a proposal."""
    match, key = asked.match, asked.key
    number, (sig,) = number_of(asked.request.path_params["number"], A_NUMBER), decode_each(body.sig)
    answer = host.Accept(match, key, number, sig) if body.accept else host.Reject(match, key, number)
    proposal = await asked.change(answer)
    return await _proposed(asked, await asked.about(), proposal)


async def _proposed(asked: Asked, about: host.About, proposal: host.Proposal) -> response_shapes.ProposalResponse:
    """Return a proposal that was made or answered; count the fork with bots that this has made."""
    if proposal.fork is not None and proposal.status == "accepted" and about.terms.bots:
        asked.context.bot_matches.note(asked.client, proposal.fork)
    return await asked.call(with_message, asked, proposal)

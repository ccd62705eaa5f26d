"""The routes of fair deals and records, and what other routes say of trust (`docs/trust.md`)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from starlette.requests import Request

from ..errors import Message
from ..host import Host, Proposal
from . import request_shapes, response_shapes
from .context import AppContext, context_of
from .http_codec import RequestError, body_of, key_of, query_of
from .presenters import MatchPresenter
from .route import Reply, Route
from .trust_presenter import ended_response, trust_response
from .trust_shapes import EndedResponse, FairRequest, FairResponse, decode_bytes, encode_bytes


async def with_message(
    context: AppContext, match: str, key: str, presenter: MatchPresenter, proposal: Proposal
) -> response_shapes.ProposalResponse:
    """Return a proposal, with what the seat of this key signs to consent."""
    return presenter.proposal(proposal, await context.call("read", context.host.consent_message, match, key, proposal))


async def ended_of(context: AppContext, match: str, key: str | None) -> EndedResponse | UnsetType:
    """Return what a seat is told of the end; unset for a match without marks."""
    ending = await context.call("read", context.host.ending, match, key)
    return UNSET if ending is None else ended_response(ending)


async def fair(request: Request) -> Reply:
    """Take a seat's new commitment, or its secret; return how the fair deal stands."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    body = await body_of(request, FairRequest, context.limits.body_bytes)
    commitment, roster, secret = map(decode_bytes, (body.commitment, body.roster, body.secret))
    if commitment is not None and roster is None and secret is None:
        trust = await context.host.soon(Host.renew, match, key, body.attempt, commitment)
        return Reply(FairResponse(trust=trust_response(trust)))
    if commitment is None and roster is not None and secret is not None:
        trust, receipt = await context.host.soon(Host.reveal, match, key, body.attempt, roster, secret)
        signed = None if receipt is None else encode_bytes(receipt)
        return Reply(FairResponse(trust=trust_response(trust), receipt=signed))
    why = Message("fair-parts", "there is a commitment, or a roster and a secret")
    raise RequestError("malformed", why)


async def record(request: Request) -> Reply:
    """Return the record of a seat as this host would have it."""
    query_of(request, request_shapes.NoQuery)
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    if key is None:
        raise RequestError("key-refused")
    raw = await context.call("read", context.host.record, match, key)
    headers = {"Content-Disposition": 'attachment; filename="match.seat"'}
    return Reply(raw, media_type="application/octet-stream", headers=headers)


TRUST_ROUTES = (
    Route(
        *(
            "POST",
            "/api/matches/{match}/fair",
            fair,
            "Commit anew, or reveal a secret; the last one begins the match.",
            FairResponse,
        ),
        body=FairRequest,
        key="required",
        problems=("no-match", "key-refused", "not-now", "commitment", "conflict"),
    ),
    Route(
        *("GET", "/api/matches/{match}/record", record, "Return a seat's record as this host would have it."),
        response="application/octet-stream",
        key="required",
        problems=("no-match", "key-refused", "not-now"),
    ),
)

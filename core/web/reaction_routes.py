"""The route of reactions: a few fixed phrases for those who watch a match now, kept nowhere."""

from __future__ import annotations

from starlette.requests import Request

from ..errors import KeyRefused
from . import request_shapes, response_shapes
from .context import context_of
from .http_codec import RequestError, body_of, encode_json, key_of
from .route import Reply, Route


async def react(request: Request) -> Reply:
    """Send a phrase of a seat to all who watch the match at this process; return it."""
    context, match, key = context_of(request), request.path_params["match"], key_of(request)
    body = await body_of(request, request_shapes.ReactionRequest, context.limits.body_bytes)
    seat = await context.call("read", context.host.seat, match, key)
    if seat is None:
        raise KeyRefused(match)
    if (await context.about(match)).status in ("over", "abandoned"):
        raise RequestError("not-now")
    context.spend(context.reaction_rate, "reactions_per_s", f"{match} {seat}")
    reaction = response_shapes.Reaction(seat=seat, phrase=body.phrase)
    request.app.state.feeds.tell(match, encode_json({"reaction": reaction}).decode())
    return Reply(reaction, 201)


REACTION_ROUTES = (
    Route(
        *(
            "POST",
            "/api/matches/{match}/reactions",
            react,
            "Send a fixed phrase to those who watch the match now; it is kept nowhere.",
            response_shapes.Reaction,
        ),
        body=request_shapes.ReactionRequest,
        status=201,
        key="required",
        problems=("no-match", "key-refused", "not-now"),
    ),
)

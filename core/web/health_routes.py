"""The routes for whoever operates the server: health and metrics."""

from __future__ import annotations

from starlette.requests import Request

from ..errors import Message, StoreError
from ..stores.store import Query
from . import response_shapes
from .access_log import cause_of
from .context import context_of
from .http_codec import RequestError
from .route import Reply, Route


async def live(_: Request) -> Reply:
    """Return `ok`: the process answers."""
    return Reply(response_shapes.Health(status="ok"))


async def health(request: Request) -> Reply:
    """Return `ok` once the store has answered a query."""
    context = context_of(request)
    await context.call("health", context.host.lobby, Query(public=True, limit=1))
    return Reply(response_shapes.Health(status="ok"))


async def ready(request: Request) -> Reply:
    """Return the state of the server, if it can write and is in time; else why not."""
    try:
        return Reply(await context_of(request).readiness.check())
    except StoreError as failed:
        request.state.cause = cause = cause_of(failed)
        raise RequestError("store", Message("store-fails", "the store fails: {cause}", cause=cause)) from failed


async def metrics(request: Request) -> Reply:
    """Return the metrics for Prometheus."""
    return Reply(context_of(request).metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


HEALTH_ROUTES = (
    Route("GET", "/health", health, "Return `ok` if the store answers.", response_shapes.Health),
    Route("GET", "/health/live", live, "Return `ok` if the process answers.", response_shapes.Health),
    Route(
        *(
            "GET",
            "/health/ready",
            ready,
            "Return the state of a server that can write and is in time.",
            response_shapes.Ready,
        ),
        problems=("late",),
    ),
    Route("GET", "/metrics", metrics, "Return the metrics for Prometheus.", "text/plain"),
)

"""One route of the HTTP API, and what its endpoint replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import field, frozen
from starlette.requests import Request

from . import request_shapes


@frozen
class Reply:
    """The reply of an endpoint: a shape, or bytes of another media type."""

    body: Any
    status: int = 200
    media_type: str = "application/json"
    headers: dict[str, str] = field(factory=dict)


Endpoint = Callable[[Request], Awaitable[Reply]]


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
    query: type = request_shapes.NoQuery
    status: int = 200
    key: str = "none"
    """Whether a seat's key is `required`, `optional` or `none` (ignored)."""
    problems: tuple[str, ...] = ()
    """The kinds of problems that not every route has."""

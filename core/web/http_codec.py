"""Bodies, queries and keys as they come in, JSON as it goes out."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from ..errors import Message

A = TypeVar("A")

MAX_KEY = 128


class RequestError(Exception):
    """What the web refuses before the host is asked: one of `problem.STATUS`, and why."""

    def __init__(self, kind: str, why: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(kind, why, headers)
        self.kind = kind
        self.why = why
        self.headers = headers or {}


def encode_json(told: Any) -> bytes:
    return msgspec.json.encode(told)


def decode_json(body: bytes | str, shape: type[A]) -> A:
    """Read what came as JSON; whatever does not fit the shape is a refusal that says where."""
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as cause:
        raise RequestError(
            "malformed", Message("body-is-not", "the body is not as described: {cause}", cause=str(cause))
        ) from None


async def body_of(request: Request, shape: type[A], most: int) -> A:
    """Read the body of a request, no more than `most` bytes of it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError("not-json")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise RequestError("too-large")
    return decode_json(bytes(body), shape)


def query_of(request: Request, shape: type[A]) -> A:
    """Read the query of a request: each name once, and only those that there are."""
    asked = request.query_params.multi_items()
    if len({name for name, _ in asked}) != len(asked):
        raise RequestError("malformed", Message("names-once", "a query names each thing once"))
    try:
        return msgspec.convert(dict(asked), shape, strict=False)
    except msgspec.ValidationError as cause:
        raise RequestError(
            "malformed", Message("query-is-not", "the query is not as described: {cause}", cause=str(cause))
        ) from None


def key_of(request: Request) -> str | None:
    """Find the key in the header `Authorization: Bearer KEY`; None: a spectator."""
    said = request.headers.get("authorization")
    if said is None:
        return None
    scheme, _, key = said.partition(" ")
    if scheme.lower() != "bearer" or not key.strip() or len(key) > MAX_KEY:
        raise RequestError("key-refused")
    return key.strip()

"""What requests and responses are made of: bodies, queries, keys and bytes, each refused in one way."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from json import JSONDecoder
from types import ModuleType
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from ..errors import Message
from ..wire import plain, short_form

A = TypeVar("A")

SAFE = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Language, Authorization",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of all answers."""
FILES = StaticFiles()
"""Of no folder: it knows how a client asks whether it still has the newest."""
MAX_KEY_LETTERS = 128
MAX_BODY_BYTES = 64 * 1024
MAX_QUERY_BYTES = 1000
"""Three times the longest query that is described."""


class RequestError(Exception):
    """A request that is refused before it reaches the host: a kind of `problem.STATUS`, and why."""

    def __init__(self, kind: str, why: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(kind, why, headers)
        self.kind = kind
        self.why = why
        self.headers = headers or {}


def encode_bytes(raw: bytes) -> str:
    """Return bytes as base64url without `=`."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def decode_each(*texts: str | None) -> list[bytes | None]:
    """Return the bytes of each of these, None for None, as `decode_bytes` does."""
    return [None if text is None else decode_bytes(text) for text in texts]


def decode_bytes(text: str) -> bytes:
    """Return the bytes of base64url without `=`; raises `RequestError` for any other text."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raw = b""
    if encode_bytes(raw) != text:
        raise RequestError("malformed", Message("no-base64url", "bytes are base64url without `=`"))
    return raw


def build_types(*modules: ModuleType) -> None:
    """Have msgspec work out the fields of all shapes of these modules.

    It does so at the first use of each, and two threads that use one for the first time can crash the process.
    """
    for module in modules:
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, msgspec.Struct):
                msgspec.json.Decoder(each)


def encode_json(value: Any) -> bytes:
    """Return a value of `response_shapes` as JSON."""
    return msgspec.json.encode(value, enc_hook=plain)


def _unique(pairs: list[tuple[str, Any]]) -> None:
    """Refuse an object in which a name is there twice: which of the two was meant?"""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            english = "the body names {name} twice"
            raise RequestError("malformed", Message("body-names-twice", english, name=short_form(name)))
        seen.add(name)


_NAMES = JSONDecoder(object_pairs_hook=_unique, parse_int=str, strict=False)
"""Reads JSON for the names in it alone; made once, as to make one takes longer than to read a command."""


async def body_of(request: Request, shape: type[A]) -> A:
    """Decode the body of a request, at most `MAX_BODY_BYTES` of JSON that names each thing once.

    Raises `RequestError`, which says where it does not fit the shape.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError("not-json")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY_BYTES:
            raise RequestError("too-large")
    try:
        decoded = msgspec.json.decode(body, type=shape)  # which takes the last of what is named twice
        _NAMES.decode(body.decode())
        return decoded
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as cause:
        english = "the body is not as described: {cause}"
        raise RequestError("malformed", Message("body-is-not", english, cause=str(cause))) from None


def query_of(request: Request, shape: type[A]) -> A:
    """Decode the query of a request; raises `RequestError` for an unknown or repeated name."""
    if len(request.scope["query_string"]) > MAX_QUERY_BYTES:  # to take it apart costs 10 ms
        english = "a query has at most {most} bytes"
        raise RequestError("malformed", Message("query-too-long", english, most=MAX_QUERY_BYTES))
    items = request.query_params.multi_items()
    if len({name for name, _ in items}) != len(items):
        raise RequestError("malformed", Message("names-once", "a query names each thing once"))
    try:
        return msgspec.convert(dict(items), shape, strict=False)
    except msgspec.ValidationError as cause:
        english = "the query is not as described: {cause}"
        raise RequestError("malformed", Message("query-is-not", english, cause=str(cause))) from None


def number_of(text: str, why: Message) -> int:
    """Return the number that 1 to 9 ASCII digits are; raises `RequestError` for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RequestError("malformed", why)
    return int(text)


def tagged(request: Request, response: Response) -> Response:
    """Return a response with a tag of what it says, by which a client asks again: 304 if it has just that."""
    if "etag" not in response.headers:
        response.headers["ETag"] = f'"{blake2b(response.body, digest_size=16).hexdigest()}"'
    response.headers["Cache-Control"] = "no-cache"
    if not FILES.is_not_modified(response.headers, request.headers):
        return response
    of_body = ("content-encoding", "content-length", "content-type")
    return Response(None, 304, {name: value for name, value in response.headers.items() if name not in of_body})


def key_of(request: Request) -> str | None:
    """Return the key in the header `Authorization: Bearer KEY`; None without it: a spectator. Raises `RequestError`."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, key = header.partition(" ")
    if scheme.lower() != "bearer" or not key.strip() or len(key) > MAX_KEY_LETTERS:
        raise RequestError("key-refused")
    return key.strip()

"""Errors as problem JSON (RFC 9457): every error of kifu has a kind and a status here."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from ..errors import (
    BotError,
    Conflict,
    EngineError,
    GameError,
    GameFailed,
    KeyRefused,
    KeyReused,
    KifuError,
    LogError,
    MatchError,
    MatchFull,
    MissingExtra,
    NewerRules,
    NoMatch,
    OptionError,
    Rewound,
    StoreError,
    TraceError,
    TrustError,
)
from ..game import RuleViolation
from ..text.sanitize import sanitize
from ..text.texts import Texts
from .http_codec import RequestError, encode_json
from .response_shapes import Problem

KINDS: dict[type[KifuError], tuple[str, int]] = {
    RuleViolation: ("rule-violation", 422),
    OptionError: ("option", 422),
    KeyReused: ("key-reused", 422),
    MatchFull: ("not-now", 409),
    NewerRules: ("newer-rules", 503),
    MatchError: ("not-now", 409),
    GameFailed: ("internal", 500),
    GameError: ("no-game", 404),
    NoMatch: ("no-match", 404),
    Rewound: ("rewound", 409),
    Conflict: ("conflict", 409),
    KeyRefused: ("key-refused", 401),
    StoreError: ("store", 503),
    LogError: ("store", 503),
    TraceError: ("internal", 500),
    TrustError: ("internal", 500),
    EngineError: ("internal", 500),
    BotError: ("internal", 500),
    MissingExtra: ("internal", 500),
}
"""Every error of kifu, its kind, and its HTTP status."""
TRUST_KINDS = ("commitment", "signature")
"""The kinds of a `TrustError` that are about the request."""
STATUS = {
    **dict(KINDS.values()),
    **dict.fromkeys(TRUST_KINDS, 422),
    "malformed": 400,
    "no-such-page": 404,
    "wrong-method": 405,
    "too-large": 413,
    "not-json": 415,
    "too-many": 429,
    "bot-tables": 429,
    "wrong-host": 421,
    "busy": 503,
    "late": 503,
    "internal": 500,
}
RETRY_S = 2
"""When to try again after the store failed."""
SHOWN_IN_FULL = {"option", "not-now", "newer-rules", "malformed", *TRUST_KINDS}
"""Kinds whose message is about the request itself, and is shown in `detail`."""


def kind_of(error: Exception) -> str:
    """Return the kind of an error; `internal` if it is not kifu's."""
    if isinstance(error, RequestError):
        return error.kind
    if isinstance(error, TrustError) and error.kind in TRUST_KINDS:
        return error.kind
    return next((KINDS[each][0] for each in type(error).__mro__ if each in KINDS), "internal")


def problem_response(error: Exception, texts: Texts, **more: Any) -> Response:
    """Return the problem response of an error in one language; `more` are the members that only some kinds have."""
    kind = kind_of(error)
    status = STATUS[kind]
    title = texts.format(f"problem-{kind}")
    detail = more.pop("detail", None) or _detail(error, kind, texts) or title
    problem = Problem(type=f"urn:kifu:problem:{kind}", title=title, status=status, detail=detail, **more)
    headers = dict(error.headers) if isinstance(error, RequestError) else {}
    if kind in ("store", "newer-rules"):
        headers["Retry-After"] = str(RETRY_S)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    headers["Content-Language"] = texts.lang
    return Response(encode_json(problem), status, headers, "application/problem+json")


def _detail(error: Exception, kind: str, texts: Texts) -> str | None:
    if isinstance(error, RequestError):
        return sanitize(texts.message(error.why), 300)
    if kind in SHOWN_IN_FULL and isinstance(error, KifuError):
        return sanitize(texts.message(error.summary), 300)
    return None

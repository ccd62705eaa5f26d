"""Errors as problem JSON (RFC 9457): every error of kifu has a kind and a status here."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from .. import errors
from ..errors import Conflict, KifuError, MatchFull, TrustError
from ..game import RuleViolation
from ..text.sanitize import sanitize
from ..text.texts import Texts
from . import access_log
from .context import AppContext, lang_of
from .http_codec import SAFE, RequestError, encode_bytes, encode_json
from .response_shapes import Problem
from .work import Asking

KINDS: dict[type[KifuError], tuple[str, int]] = {
    RuleViolation: ("rule-violation", 422),
    errors.OptionError: ("option", 422),
    errors.KeyReused: ("key-reused", 422),
    errors.MatchFull: ("not-now", 409),
    errors.NewerRules: ("newer-rules", 503),
    errors.MatchError: ("not-now", 409),
    errors.GameFailed: ("internal", 500),
    errors.GameMissing: ("no-game", 404),
    errors.GameError: ("no-game", 404),
    errors.NoMatch: ("no-match", 404),
    errors.Rewound: ("rewound", 409),
    errors.Conflict: ("conflict", 409),
    errors.KeyRefused: ("key-refused", 401),
    errors.StoreError: ("store", 503),
    errors.LogError: ("store", 503),
    errors.TraceError: ("internal", 500),
    errors.TrustError: ("internal", 500),
    errors.EngineError: ("internal", 500),
    errors.BotError: ("internal", 500),
    errors.MissingExtra: ("internal", 500),
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


async def answer_to(request: Request, error: Exception) -> Response:
    """Return the response to a request that has failed, in the client's language; without more than its seat may know.

    That a client has left is no fault of ours.
    """
    if isinstance(error, ClientDisconnect):
        error = RequestError("malformed")
    elif isinstance(error, HTTPException):
        kind = "wrong-method" if error.status_code == 405 else "no-such-page"
        error = RequestError(kind, headers=dict(error.headers or {}))
    context: AppContext = request.state.context
    texts, kind = Texts(lang_of(request), __package__), kind_of(error)
    more: dict[str, Any] = {}
    if isinstance(error, RuleViolation | Conflict):
        match = request.path_params["match"]
        about = await context.work.run(Asking(request.state.client, match), context.host.about, match)
        presenter = context.presenter_of(about, texts.lang)
        if isinstance(error, RuleViolation):
            more = presenter.violation(error)
        else:
            more = {"count": error.count, "meanwhile": presenter.history(error.meanwhile)}
            if error.mark is not None:
                more["mark"] = encode_bytes(error.mark)
    request.state.problem = kind
    if isinstance(error, MatchFull):
        context.metrics.refused.labels("events_per_match").inc()
    if kind in ("internal", "store") and not isinstance(error, RequestError):
        request.state.cause = access_log.cause_of(error)
        access_log.failure("a request failed", error)
    return problem_response(error, texts, **more)


def problem_response(error: Exception, texts: Texts, **more: Any) -> Response:
    """Return the problem response of an error in one language; `more` are the members that only some kinds have."""
    kind = kind_of(error)
    status = STATUS[kind]
    title = texts.format(f"problem-{kind}")
    detail = more.pop("detail", None) or _detail(error, kind, texts) or title
    problem = Problem(type=f"urn:kifu:problem:{kind}", title=title, status=status, detail=detail, **more)
    headers = {**SAFE, **(error.headers if isinstance(error, RequestError) else {})}
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

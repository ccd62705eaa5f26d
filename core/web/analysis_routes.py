"""The routes of the analysis of a match that has ended (`docs/analysis.md`).

An analysis says no more than the log, which anyone may read once the match has ended; it is shown wherever the log is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import UNSET
from starlette.requests import Request

from ..errors import MatchError, Message
from ..log import read_bytes
from ..match import AnyMatch
from ..page import LANGS
from ..page.remarks import Remark
from . import request_shapes, response_shapes
from .analyses import Analyser, Analyses, Progress, lines_of
from .context import AppContext, context_of, texts_of
from .http_codec import query_of
from .route import Reply, Route


async def analysis(request: Request) -> Reply:
    """Return how far the analysis of a match has come, and what it says once it is done."""
    query_of(request, request_shapes.NoQuery)
    context = context_of(request)
    raw = await log_of(context, request.path_params["match"])
    return Reply(await _response(request, raw, await context.call("read", _analyses(context).progress, raw)))


async def analyse(request: Request) -> Reply:
    """Begin the analysis of a match that has ended, unless it is there; return how far it has come."""
    query_of(request, request_shapes.NoQuery)
    context = context_of(request)
    raw = await log_of(context, request.path_params["match"])
    progress = await context.call("read", _analyses(context).begin, raw, request.state.client)
    return Reply(await _response(request, raw, progress), 202)


async def analysis_file(request: Request) -> Reply:
    """Return an analysis as the file that `replay analyse -o` writes."""
    query_of(request, request_shapes.NoQuery)
    context = context_of(request)
    raw = await log_of(context, request.path_params["match"])
    progress = await context.call("read", _analyses(context).progress, raw)
    if progress.state != "done":
        raise MatchError(Message("not-analysed", "it has not been analysed yet"))
    headers = {"Content-Disposition": 'attachment; filename="match.analysis"'}
    return Reply(progress.content, media_type="application/x-ndjson", headers=headers)


async def log_of(context: AppContext, match: str) -> bytes:
    """Return the log of a match; raises `MatchError` while it goes on."""
    return await context.call("read", context.host.log, match)


async def remarks_on(context: AppContext, raw: bytes, client: str) -> Sequence[Remark] | None:
    """Return the remarks of an analysis that is done; None if there is none."""
    if context.analyses is None:
        return None
    progress = await context.call("read", context.analyses.progress, raw)
    return await _remarks_of(context, raw, progress, client) if progress.state == "done" else None


def read_match(raw: bytes, find: Callable[[str], Any]) -> AnyMatch:
    """Return the match of a log; raises `LogError` if there is none in it."""
    reading = read_bytes(raw, find)
    if reading.match is None:
        raise reading.error("match.log")
    return reading.match


def _analyses(context: AppContext) -> Analyses:
    if context.analyses is None:
        raise MatchError(Message("no-analysis-here", "this server analyses no matches"))
    return context.analyses


async def _response(request: Request, raw: bytes, progress: Progress) -> response_shapes.Analysis:
    context, done = context_of(request), progress.state == "done"
    said = await _remarks_of(context, raw, progress, request.state.client) if done else None
    lang = LANGS.index(texts_of(request).lang)
    remarks = UNSET if said is None else [_remark(each, lang) for each in said]
    return response_shapes.Analysis(state=progress.state, done=progress.done, of=progress.of, remarks=remarks)


def _remark(remark: Remark, lang: int) -> response_shapes.AnalysisRemark:
    return response_shapes.AnalysisRemark(
        seq=remark.seq,
        seat=remark.seat,
        swing=remark.swing,
        turning_point=remark.turning_point,
        text=list(remark.text[lang]),
    )


async def _remarks_of(context: AppContext, raw: bytes, progress: Progress, client: str) -> Sequence[Remark]:
    assert context.analyses is not None
    content = progress.content
    key = "remarks", sha256(raw).digest(), sha256(content).digest()
    make = partial(_remarks, context.analyses.analyser, raw, content, context.find)
    return await context.computed(client, key, make, lambda _: len(content))


def _remarks(analyser: Analyser, raw: bytes, content: bytes, find: Callable[[str], Any]) -> Sequence[Remark]:
    return analyser.remarks(read_match(raw, find), lines_of(content))


ANALYSIS_ROUTES = (
    Route(
        *("GET", "/api/matches/{match}/analysis", analysis, "Return the analysis of a match that has ended."),
        response=response_shapes.Analysis,
        problems=("no-match", "not-now"),
    ),
    Route(
        *("POST", "/api/matches/{match}/analysis", analyse, "Analyse a match that has ended, when its turn comes."),
        response=response_shapes.Analysis,
        status=202,
        problems=("no-match", "not-now", "busy"),
    ),
    Route(
        *("GET", "/api/matches/{match}/analysis/file", analysis_file, "Return an analysis as its JSON lines."),
        response="application/x-ndjson",
        problems=("no-match", "not-now"),
    ),
)

"""The routes of a match that has ended: its analysis (`docs/analysis.md`), and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from ..errors import MatchError, Message
from ..log import read_bytes
from ..match import AnyMatch
from ..page import LANGS
from ..page import page as export_page
from ..page.remarks import Remark
from ..text.sections import score_rows
from ..text.texts import Texts
from . import response_shapes
from .analyses import Analyses, Progress, lines_of
from .context import Asked, route
from .http_codec import encode_json
from .presenters import shaped


@route("GET", "/api/matches/{match}/analysis", problems=("not-now",))
async def analysis(asked: Asked) -> response_shapes.Analysis:
    """Return the analysis of a match that has ended."""
    raw = await log_of(asked)
    return await _response(asked, raw, await asked.call(_analyses(asked).progress, raw))


@route("POST", "/api/matches/{match}/analysis", status=202, problems=("not-now", "busy"))
async def analyse(asked: Asked) -> response_shapes.Analysis:
    """Analyse a match that has ended, when its turn comes."""
    raw = await log_of(asked)
    return await _response(asked, raw, await asked.call(_analyses(asked).begin, raw, asked.client))


@route(
    "GET",
    "/api/matches/{match}/analysis/file",
    "application/x-ndjson",
    problems=("not-now",),
    headers={"Content-Disposition": 'attachment; filename="match.analysis"'},
)
async def analysis_file(asked: Asked) -> bytes:
    """Return an analysis as its JSON lines."""
    raw = await log_of(asked)
    progress = await asked.call(_analyses(asked).progress, raw)
    if progress.state != "done":
        raise MatchError(Message("not-analysed", "it has not been analysed yet"))
    return progress.content


async def log_of(asked: Asked) -> bytes:
    """Return the log of a match; raises `MatchError` while it goes on."""
    return await asked.call(asked.context.host.log, asked.match)


def read_match(raw: bytes, find: Callable[[str], Any]) -> AnyMatch:
    """Return the match of a log; raises `LogError` if there is none in it."""
    reading = read_bytes(raw, find)
    if reading.match is None:
        raise reading.error("match.log")
    return reading.match


def _analyses(asked: Asked) -> Analyses:
    if asked.context.analyses is None:
        raise MatchError(Message("no-analysis-here", "this server analyses no matches"))
    return asked.context.analyses


async def _response(asked: Asked, raw: bytes, progress: Progress) -> response_shapes.Analysis:
    shown, said = shaped(response_shapes.Analysis, progress), await _remarks(asked, raw, progress)
    if said is not None:
        lang = LANGS.index(asked.lang)
        shown.remarks = [shaped(response_shapes.AnalysisRemark, each, text=list(each.text[lang])) for each in said]
    return shown


async def _remarks(asked: Asked, raw: bytes, progress: Progress) -> Sequence[Remark] | None:
    """Return the remarks of an analysis; None unless it is done."""
    content, find, analyser = progress.content, asked.context.find, _analyses(asked).analyser
    if progress.state != "done":
        return None
    key = "remarks", sha256(raw).digest(), sha256(content).digest()
    return await asked.computed(
        key, lambda: analyser.remarks(read_match(raw, find), lines_of(content)), lambda _: len(content)
    )


@route(
    "GET",
    "/api/matches/{match}/log",
    "application/octet-stream",
    problems=("not-now",),
    headers={"Content-Disposition": 'attachment; filename="match.log"'},
)
async def log(asked: Asked) -> bytes:
    """Return the log of a match that has ended."""
    return await log_of(asked)


@route(
    "GET",
    "/api/matches/{match}/page",
    "text/html",
    problems=("not-now",),
    headers={"Content-Security-Policy": "sandbox allow-scripts allow-modals"},
)
async def page(asked: Asked) -> bytes:
    """Return a match that has ended as a page to step through."""
    context, lang, raw, remarks = asked.context, asked.lang, await log_of(asked), None
    if context.analyses is not None:
        remarks = await _remarks(asked, raw, await asked.call(context.analyses.progress, raw))
    key = "page", sha256(raw + repr((lang, remarks)).encode()).digest()
    return await asked.computed(
        key, lambda: export_page(read_match(raw, context.find), lang=lang, remarks=remarks).encode(), len
    )


@route("GET", "/api/matches/{match}/scores", response_shapes.Scores, problems=("not-now",))
async def scores(asked: Asked) -> bytes:
    """Return the score sheet of a match that has ended."""
    context, lang, raw = asked.context, asked.lang, await log_of(asked)
    key = "scores", sha256(raw).digest(), lang
    return await asked.computed(key, partial(_scores, raw, context.find, lang), len)


def _scores(raw: bytes, find: Callable[[str], Any], lang: str) -> bytes:
    match = read_match(raw, find)
    rows = score_rows(match.game, match.steps, len(match.header.seats), [Texts(lang, __package__)])
    shown = [shaped(response_shapes.ScoreRow, row, label=row.labels[0]) for row in rows]
    return encode_json(response_shapes.Scores(rows=shown))

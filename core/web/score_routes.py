"""The route of what a match that has ended came to, step by step: what its score sheet is drawn from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

from starlette.requests import Request

from ..game import TABLE, AnyGame, Fact
from ..text.sanitize import sanitize
from ..text.sections import SectionCounter
from ..text.texts import Texts
from . import request_shapes, response_shapes, scene_shapes
from .analysis_routes import log_of, read_match
from .context import context_of, texts_of
from .http_codec import encode_json, query_of
from .route import Reply, Route


async def scores(request: Request) -> Reply:
    """Return the facts before the seats of a match that has ended, wherever one of them changed."""
    query_of(request, request_shapes.NoQuery)
    context = context_of(request)
    raw = await log_of(context, request.path_params["match"])
    client, lang = request.state.client, texts_of(request).lang
    key = "scores", sha256(raw).digest(), lang
    return Reply(await context.computed(client, key, partial(_scores, raw, context.find, lang), len))


def _scores(raw: bytes, find: Callable[[str], Any], lang: str) -> bytes:
    match = read_match(raw, find)
    game, counter = match.game, SectionCounter()
    begins: dict[int, Any] = {}
    changes: list[response_shapes.ScoreChange] = []
    labels: set[str] = set()
    before: list[tuple[Fact, ...]] | None = None
    for at, state in enumerate(match.states):
        facts = [place.facts for place in game.scene(game.view(state, TABLE)).places]
        if facts != before:
            changes.append(response_shapes.ScoreChange(at=at, seats=[list(map(_fact, each)) for each in facts]))
            labels.update(fact.label for each in facts for fact in each)
        before = facts
    for step in match.steps:
        section = counter.count(step, step.notes_for(TABLE))
        if section is not None:
            begins[step.seq] = (section.kind.value, section.number)
    named = _labels(game, sorted(labels), lang)
    scores = response_shapes.Scores(count=len(match.events), begins=begins, changes=changes, labels=named)
    return encode_json(scores)


def _fact(fact: Fact) -> scene_shapes.FactResponse:
    value = fact.value if isinstance(fact.value, int) else sanitize(fact.value)
    return scene_shapes.FactResponse(label=fact.label, value=value, of=fact.of)


def _labels(game: AnyGame, keys: list[str], lang: str) -> dict[str, str]:
    texts = Texts(lang, __package__)
    return {key: texts.label(key, game) for key in keys}


SCORE_ROUTES = (
    Route(
        *(
            "GET",
            "/api/matches/{match}/scores",
            scores,
            "Return what each seat of a match that has ended had, step by step.",
        ),
        response=response_shapes.Scores,
        problems=("no-match", "not-now"),
    ),
)

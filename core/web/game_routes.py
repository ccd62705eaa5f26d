"""The routes of what is the same for every match: the games, and how each is played."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from starlette.requests import Request

from ..errors import GameError, Message
from ..match import registry
from ..text.sanitize import sanitize
from ..text.texts import Texts
from . import game_shapes, request_shapes
from .context import context_of, texts_of
from .http_codec import query_of
from .presenters import game_response, lesson_response
from .route import Reply, Route

MAX_DETAIL = 400
"""The width of a broken game's error, in terminal cells."""


async def games(request: Request) -> Reply:
    """Return the games that may be opened, and the bots."""
    query_of(request, request_shapes.NoQuery)
    context, lang = context_of(request), texts_of(request).lang
    listed = await context.call("read", lambda: [_game_or_error(context.find, name, lang) for name in context.games()])
    return Reply(
        game_shapes.Games(
            games=[each for each in listed if isinstance(each, game_shapes.GameResponse)],
            broken=[each for each in listed if isinstance(each, game_shapes.BrokenGame)],
            bots=list(context.bots),
            analysis=context.analyses is not None,
        )
    )


def _game_or_error(
    find: Callable[[str], Any], name: str, lang: str
) -> game_shapes.GameResponse | game_shapes.BrokenGame:
    """Return a game, or its error if it is broken: one broken package hides no other game."""
    try:
        return _game(find, name, lang)
    except GameError as error:
        return game_shapes.BrokenGame(sanitize(name), sanitize(Texts(lang).message(error.why), MAX_DETAIL))


@cache
def _game(find: Callable[[str], Any], name: str, lang: str) -> game_shapes.GameResponse:
    return registry.described(name, lambda game: game_response(game, lang), find)


async def lesson(request: Request) -> Reply:
    """Return how a game is played, for somebody who does not know it."""
    query_of(request, request_shapes.NoQuery)
    context, lang, name = context_of(request), texts_of(request).lang, request.path_params["game"]
    if name not in context.games():
        raise GameError(name, Message("not-played-here", "not played here"))
    found = await context.call("read", _lesson, context.find, name, lang)
    if found is None:
        raise GameError(name, Message("no-lesson", "has no lesson"))
    return Reply(found)


@cache
def _lesson(find: Callable[[str], Any], name: str, lang: str) -> game_shapes.Lesson | None:
    return lesson_response(find(name), lang)


GAME_ROUTES = (
    Route("GET", "/api/games", games, "Return the games that may be opened, and the bots.", game_shapes.Games),
    Route(
        *(
            "GET",
            "/api/games/{game}/lesson",
            lesson,
            "Return how a game is played, to learn it.",
            game_shapes.Lesson,
        ),
        problems=("no-game",),
    ),
)

"""Games over HTTP: their options as a form, and the routes of what is the same for every match of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, get_args, get_origin

import attrs
import msgspec

from ..errors import GameError, Message
from ..game import AnyGame, SectionKind, is_mapping, is_pairs
from ..match import registry
from ..page.lesson import Table, lesson_data
from ..page.lesson import lesson as lesson_of
from ..text.sanitize import sanitize
from ..text.texts import Texts
from ..wire import plain, wire_of
from ..wire.option_text import is_typed, value_text
from . import response_shapes
from .context import Asked, route
from .presenters import scene_keys, shaped

KINDS = {bool: "bool", int: "int", str: "text"}


def option_responses(game: AnyGame, texts: Texts) -> list[response_shapes.OptionResponse]:
    """Return each option of a game, with its label, kind and default."""
    defaults = plain(wire_of(game).plain_options(game.options()))
    fields = wire_of(game).option_fields
    return [_option_response(game, name, field, texts, defaults[name]) for name, field in fields.items()]


def _option_response(
    game: AnyGame, name: str, field: Any, texts: Texts, default: Any
) -> response_shapes.OptionResponse:
    kind, label = _kind(field), texts.label(f"option-{name}", game)
    more: dict[str, Any] = {each: field.metadata[each] for each in ("suggested",) if each in field.metadata}
    if kind == "choice":
        more["choices"] = list(get_args(field.type))
        words = [texts.find(f"option-{name}-{each}", game) for each in more["choices"]]
        more["choice_labels"] = [each or str(value) for each, value in zip(words, more["choices"], strict=True)]
    elif kind == "typed":
        more["typed"] = value_text(default)
    return response_shapes.OptionResponse(name=name, label=label, kind=kind, default=default, **more)


def _kind(field: Any) -> str:
    if field.metadata.get("names") == "seat":
        return "seat"
    if is_typed(field) or is_mapping(field):
        return "typed"
    if get_origin(field.type) is Literal:
        return "choice"
    return KINDS[getattr(field.type, "__supertype__", field.type)]


@cache
def game_response(game: AnyGame, lang: str) -> response_shapes.GameResponse:
    """Return what is the same for every match of a game, in one language."""
    texts, found = Texts(lang, __package__), lesson_of(game, lang)
    return response_shapes.GameResponse(
        game=game.name,
        title=texts.title(game),
        designer=texts.find("designer", game) or "",
        rules_version=game.version,
        seats=list(game.seats),
        deals=game.has_deal,
        secrets=game.has_secrets,
        options=option_responses(game, texts),
        commands=[
            response_shapes.CommandSchema(tag=tag, label=texts.label(f"command-{tag}", game), fields=fields_of(kind))
            for kind, tag in game.wire.items()
        ],
        sections={kind.value: texts.section(kind.value, "{number}", game) for kind in SectionKind},
        rules={rule.number: texts.rule(rule, game) for rule in game.book},
        readings=texts.readings(game),
        lesson=None if found is None else shaped(response_shapes.LessonSummary, found),
    )


@cache
def lesson_response(game: AnyGame, lang: str) -> response_shapes.Lesson | None:
    """Return how a game is played, in one language; None if it has no lesson."""
    found = lesson_of(game, lang)
    if found is None:
        return None
    texts = Texts(lang, __package__)
    scenes = [block.scene for block in found.blocks if isinstance(block, Table)]
    labels = {key: texts.label(key, game) for scene in scenes for key in scene_keys(scene, ())}
    data = lesson_data(found)
    return msgspec.convert({"seats": data["seats"], "labels": labels, "blocks": data["blocks"]}, response_shapes.Lesson)


def fields_of(command: type) -> dict[str, Any]:
    """Return the JSON schema of a command's fields; that of any object if JSON lacks one of their types."""
    try:
        _, components = msgspec.json.schema_components([command])
        (schema,) = components.values()
    except (TypeError, ValueError):
        return {"type": "object"}
    fields = attrs.fields(attrs.resolve_types(command))
    maps = {field.name: {"type": "object"} for field in fields if is_mapping(field) and not is_pairs(field)}
    properties = {**schema.get("properties", {}), **maps}
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


MAX_DETAIL = 400
"""The width of a broken game's error, in terminal cells."""


@route("GET", "/api/games")
async def games(asked: Asked) -> response_shapes.Games:
    """Return the games that may be opened, and the bots."""
    context = asked.context
    listed = await asked.call(lambda: [_game_or_error(context.find, name, asked.lang) for name in context.games()])
    return response_shapes.Games(
        games=[each for each in listed if isinstance(each, response_shapes.GameResponse)],
        broken=[each for each in listed if isinstance(each, response_shapes.BrokenGame)],
        bots=list(context.bots),
        analysis=context.analyses is not None,
    )


def _game_or_error(
    find: Callable[[str], Any], name: str, lang: str
) -> response_shapes.GameResponse | response_shapes.BrokenGame:
    """Return a game, or its error if it is broken: one broken package hides no other game."""
    try:
        return registry.described(name, lambda game: game_response(game, lang), find)
    except GameError as error:
        return response_shapes.BrokenGame(sanitize(name), sanitize(Texts(lang).message(error.why), MAX_DETAIL))


@route("GET", "/api/games/{game}/lesson", problems=("no-game",))
async def lesson(asked: Asked) -> response_shapes.Lesson:
    """Return how a game is played, to learn it."""
    context, name = asked.context, asked.request.path_params["game"]
    if name not in context.games():
        raise GameError(name, Message("not-played-here", "not played here"))
    found = await asked.call(lambda: lesson_response(context.find(name), asked.lang))
    if found is None:
        raise GameError(name, Message("no-lesson", "has no lesson"))
    return found

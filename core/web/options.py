"""The options of a game as JSON, for a form that opens a match."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import attrs

from ..game import AnyGame
from ..text.texts import Texts
from ..wire import plain, wire_of
from ..wire.option_text import is_typed, value_text
from . import game_shapes

KINDS = {bool: "bool", int: "int", str: "text"}


def option_responses(game: AnyGame, texts: Texts) -> list[game_shapes.OptionResponse]:
    """Return each option of a game, with its label, kind and default."""
    defaults = plain(wire_of(game).plain_options(game.options()))
    return [_option_response(game, field, texts, defaults[field.name]) for field in _fields(game)]


def _fields(game: AnyGame) -> tuple[Any, ...]:
    return tuple(attrs.fields(attrs.resolve_types(game.options)))


def _is_map(field: Any) -> bool:
    return bool(field.metadata.get("wire") == "map")


def _entry_types(field: Any) -> tuple[Any, Any]:
    """Return the types of a map's keys and values."""
    key, value = get_args(get_args(field.type)[0])
    return getattr(key, "__supertype__", key), getattr(value, "__supertype__", value)


def _option_response(game: AnyGame, field: Any, texts: Texts, default: Any) -> game_shapes.OptionResponse:
    key, kind = f"option-{field.name}", _kind(field)
    more: dict[str, Any] = {}
    if kind == "choice":
        more = {"choices": list(get_args(field.type))}
    elif kind == "map":
        more = {
            part: game_shapes.MapEntry(kind=KINDS[each], label=texts.label(f"{key}-{part}", game))  # type: ignore[arg-type]
            for part, each in zip(("key", "value"), _entry_types(field), strict=True)
        }
    elif kind == "typed":
        more = {"typed": value_text(default)}
    return game_shapes.OptionResponse(name=field.name, label=texts.label(key, game), kind=kind, default=default, **more)


def _kind(field: Any) -> str:
    if field.metadata.get("names") == "seat":
        return "seat"
    if is_typed(field):
        return "typed"
    if _is_map(field):
        return "map"
    if get_origin(field.type) is Literal:
        return "choice"
    return KINDS[getattr(field.type, "__supertype__", field.type)]

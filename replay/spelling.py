"""The options of a game as they are typed and printed: `first=0 long=true`."""

from __future__ import annotations

from collections.abc import Iterable
from types import UnionType
from typing import Any, get_args, get_origin

import attrs

from ..core.errors import OptionError
from ..core.game import Game
from ..core.legible import legible
from ..core.wire import wire_of

BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def spell(value: Any) -> str:
    """Write a value as it would be typed."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(f"{spell(key)}:{spell(item)}" for key, item in value.items())
    return legible(str(value))


def read_options(game: Game[Any, Any, Any], typed: Iterable[str]) -> dict[str, Any]:
    """Read `NAME=VALUE` by the types of the game's options; raises `OptionError`."""
    fields = attrs.fields_dict(attrs.resolve_types(game.options))
    values: dict[str, Any] = {}
    for each in typed:
        name, equals, value = each.partition("=")
        if not equals:
            raise OptionError(name, "give it as NAME=VALUE")
        if name in values:
            raise OptionError(name, "it is given twice")
        values[name] = _read(name, value, fields[name]) if name in fields else value
    wire_of(game).options(values)
    return values


def _read(name: str, text: str, field: Any) -> Any:
    try:
        if field.metadata.get("wire") == "map":
            key, item = get_args(get_args(field.type)[0])
            pairs = (pair.partition(":") for pair in text.split(",") if pair)
            return {_value(left, key): _value(right, item) for left, _, right in pairs}
        return _value(text, field.type)
    except (ValueError, KeyError):
        raise OptionError(name, f"{legible(text)!r} is no {_called(field)}") from None


def _value(text: str, kind: Any) -> Any:
    if kind is bool:
        return BOOLS[text.lower()]
    if kind is int:
        return int(text)
    if get_origin(kind) is UnionType:
        return int(text) if text.lstrip("-").isdecimal() and int in get_args(kind) else text
    return text


def _called(field: Any) -> str:
    if field.metadata.get("wire") == "map":
        return "map such as 1:2,3:0"
    return {bool: "true or false", int: "whole number"}.get(field.type, "value of it")

"""The options of a game as they are typed and printed: `first=0 long=true`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..core.game import Game
from ..core.text.sanitize import sanitize
from ..core.wire import wire_of
from .call_errors import CallError, UserMessage

BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def format_value(value: Any) -> str:
    """Format an option's value as it is typed."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(f"{format_value(key)}:{format_value(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ",".join(map(format_value, value))
    return sanitize(str(value))


def parse_options(game: Game[Any, Any, Any], typed: Iterable[str]) -> dict[str, Any]:
    """Parse `NAME=VALUE` arguments by the types of the game's options.

    Returns the values by name; raises `CallError`, or the game's `OptionError`.
    """
    fields = attrs.fields_dict(attrs.resolve_types(game.options))
    values: dict[str, Any] = {}
    for each in typed:
        name, equals, value = each.partition("=")
        if not equals:
            raise CallError("option-form", "option {option}: give it as NAME=VALUE", option=ascii(name[:60]))
        if name in values:
            raise CallError("option-twice", "option {option}: it is given twice", option=ascii(name[:60]))
        if name not in fields:
            raise CallError(
                "option-unknown",
                "option {option}: there is no such option; there are: {known}",
                option=ascii(name[:60]),
                known=", ".join(sorted(fields)),
            )
        values[name] = _parse(name, value, fields[name])
    wire_of(game).options(values)
    return values


def _parse(name: str, text: str, field: Any) -> Any:
    try:
        if field.metadata.get("wire") == "map":
            key, item = get_args(get_args(field.type)[0])
            pairs = (pair.partition(":") for pair in text.split(",") if pair)
            return {_value(left, key): _value(right, item) for left, _, right in pairs}
        return _value(text, field.type)
    except (ValueError, KeyError):
        option, value = ascii(name[:60]), repr(sanitize(text))
        raise CallError(
            "option-value", "option {option}: {value} is no {kind}", option=option, value=value, kind=_type_name(field)
        ) from None


def _value(text: str, kind: Any) -> Any:
    kind = getattr(kind, "__supertype__", kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind is bool:
        return BOOLS[text.lower()]
    if kind is int:
        return int(text)
    if origin is Literal:  # what is none of them is refused by its own name
        return next((each for each in args if format_value(each) == text), text)
    if origin is tuple:
        return _items(text, args)
    if origin in (Union, UnionType):
        return _of_some_kind(text, args)
    return text


def _items(text: str, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """Parse the items of a tuple, between commas."""
    items = text.split(",") if text else []
    each = kinds[:1] * len(items) if kinds[1:] == (Ellipsis,) else kinds
    if len(each) != len(items):
        raise ValueError(text)
    return tuple(_value(item, kind) for item, kind in zip(items, each, strict=True))


def _of_some_kind(text: str, kinds: tuple[Any, ...]) -> Any:
    """Parse a value of the first kind that takes it; a text is one if nothing else takes it."""
    if type(None) in kinds and text.lower() in ("none", ""):
        return None
    for kind in kinds:
        with suppress(ValueError, KeyError):
            value = _value(text, kind) if kind not in (str, type(None)) else text
            if not isinstance(value, str):
                return value
    if any(kind is str or get_origin(kind) is Literal for kind in kinds):
        return text
    raise ValueError(text)


def _type_name(field: Any) -> UserMessage:
    if field.metadata.get("wire") == "map":
        return UserMessage("a-map", "map such as 1:2,3:0")
    if field.type is bool:
        return UserMessage("a-bool", "true or false")
    return UserMessage("an-int", "whole number") if field.type is int else UserMessage("a-value", "value of it")

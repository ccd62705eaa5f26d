"""The options of a game as they are typed and printed: `first=0 long=true`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from ..core.game import Game
from ..core.text.sanitize import sanitize
from ..core.wire import wire_of
from ..core.wire.option_text import typed_value, value_text
from .call_errors import CallError, UserMessage


def format_value(value: Any) -> str:
    """Format an option's value as it is typed, safe to print."""
    return sanitize(value_text(value)) if isinstance(value, str) else value_text(value)


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
        return typed_value(text, field)
    except (ValueError, KeyError):
        option, value = ascii(name[:60]), repr(sanitize(text))
        raise CallError(
            "option-value", "option {option}: {value} is no {kind}", option=option, value=value, kind=_type_name(field)
        ) from None


def _type_name(field: Any) -> UserMessage:
    if field.metadata.get("wire") == "map":
        return UserMessage("a-map", "map such as 1:2,3:0")
    if field.type is bool:
        return UserMessage("a-bool", "true or false")
    return UserMessage("an-int", "whole number") if field.type is int else UserMessage("a-value", "value of it")

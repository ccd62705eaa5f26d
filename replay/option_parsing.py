"""The options of a game: as they are typed and printed (`first=0 long=true`), and what values others may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args, get_origin

from ..core.game import AnyGame, Game
from ..core.text.sanitize import sanitize
from ..core.wire import wire_of
from ..core.wire.option_text import value_text
from .call_errors import CallError


def format_value(value: Any) -> str:
    """Format an option's value as it is typed, safe to print."""
    return sanitize(value_text(value)) if isinstance(value, str) else value_text(value)


def parse_options(game: Game[Any, Any, Any], typed: Iterable[str]) -> dict[str, Any]:
    """Parse `NAME=VALUE` arguments by the types of the game's options.

    Returns the values by name; raises `CallError`, or the game's `OptionError`.
    """
    texts: dict[str, str] = {}
    for each in typed:
        name, equals, value = each.partition("=")
        if not equals:
            raise CallError("option-form", "option {option}: give it as NAME=VALUE", option=repr(name[:60]))
        if name in texts:
            raise CallError("option-twice", "option {option}: it is given twice", option=repr(name[:60]))
        texts[name] = value
    wire = wire_of(game)
    values = wire.json_options(texts)
    wire.options(values)
    return values


def option_values(game: AnyGame) -> Iterator[tuple[str, list[Any]]]:
    """Yield each option with its values, the default first: of a number that and the next, of a text that alone."""
    defaults = wire_of(game).plain_options(game.options())
    for name, option in wire_of(game).option_fields.items():
        default = defaults[name]
        if isinstance(default, bool):
            yield name, [default, not default]
        elif get_origin(option.type) is Literal:
            yield name, [default, *(each for each in get_args(option.type) if each != default)]
        elif isinstance(default, int):
            yield name, [default, option.metadata.get("suggested", default + 1)]
        else:
            yield name, [default]

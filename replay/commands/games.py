"""`replay games`: the installed games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
from rich.text import Text

from ...core import registry
from ...core.game import Game
from ...core.text.texts import Texts
from ...core.wire import plain as as_data
from ...core.wire import wire_of
from ..option_parsing import format_value
from ..options import JsonOption, LangOption, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.typeset import block

INDENT = 38


def games(lang: LangOption = None, json: JsonOption = False, plain: PlainOption = False) -> int:
    """List the installed games with their seats, their options and the commands in their logs."""
    texts, writer = texts_for(lang), ConsoleWriter(plain=plain)
    for place, name in enumerate(registry.names()):
        game = registry.find(name)
        if json:
            writer.json(_data(game))
            continue
        if place:
            writer.print("")
        writer.print(_section(game, texts), *_listed(game, texts, writer.width))
    return 0


def _section(game: Game[Any, Any, Any], texts: Texts) -> Text:
    least, most = game.seats[0], game.seats[-1]
    seats = texts.format("seats-from-to" if most > least else "seats-exactly", least=least, most=most)
    rules = texts.format("rules-version", version=game.rules)
    return Text.assemble((game.name, "bold"), f"  {texts.title(game)}", (f"  {seats}, {rules}", "dim"))


def _listed(game: Game[Any, Any, Any], texts: Texts, width: int) -> Iterator[Text]:
    for name, value in _options(game).items():
        head = Text.assemble((f"  {texts.format('option')} ", "dim"), f"{name}={format_value(value)}")
        yield from block(head, INDENT, Text(texts.label(f"option-{name}", game)), width)
    for command, tag in game.wire.items():
        fields = ", ".join(field.name for field in attrs.fields(command))
        head = Text.assemble((f"  {texts.format('command')} ", "dim"), f"{tag}({fields})")
        yield from block(head, INDENT, Text(texts.label(f"command-{tag}", game)), width)


def _options(game: Game[Any, Any, Any]) -> dict[str, Any]:
    return wire_of(game).plain_options(game.options())


def _data(game: Game[Any, Any, Any]) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules": game.rules,
        "seats": list(game.seats),
        "options": as_data(_options(game)),
        "commands": {tag: [field.name for field in attrs.fields(kind)] for kind, tag in game.wire.items()},
    }

"""`replay games`: the installed games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs
from rich.text import Text

from ...core.errors import GameError
from ...core.game import AnyGame, SmallWorld
from ...core.match import registry
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.wire import plain as as_data
from ...core.wire import wire_of
from ..call_errors import error_text
from ..option_parsing import format_value
from ..options import JsonOption, LangOption, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.typeset import block

INDENT = 38
ERROR_CELLS = 400


def games(lang: LangOption = None, json: JsonOption = False, plain: PlainOption = False) -> int:
    """List the installed games with their seats, their options, the commands in their logs, and their small worlds.

    A small world is a part of a game that can be solved exactly.

    A game that cannot be used is named with its error; the exit code is then 1.
    """
    texts, writer = texts_for(lang), ConsoleWriter(plain=plain)
    broken = False
    for place, name in enumerate(registry.names()):
        try:
            if json:
                writer.json(registry.described(name, _data))
                continue
            lines = registry.described(name, partial(_lines, texts=texts, width=writer.width))
        except GameError as error:
            broken = True
            if json:
                writer.json({"name": sanitize(name), "error": sanitize(error.why, ERROR_CELLS)})
                continue
            lines = [Text.assemble((f"✗ {sanitize(error_text(error, texts), ERROR_CELLS)}", "bold red"))]
        writer.print(*([""] if place else []), *lines)
    return int(broken)


def _lines(game: AnyGame, texts: Texts, width: int) -> list[Text]:
    return [_section(game, texts), *_listed(game, texts, width)]


def _section(game: AnyGame, texts: Texts) -> Text:
    least, most = game.seats[0], game.seats[-1]
    seats = texts.format("seats-from-to" if most > least else "seats-exactly", least=least, most=most)
    rules = texts.format("rules-version", version=game.rules)
    return Text.assemble((game.name, "bold"), f"  {texts.title(game)}", (f"  {seats}, {rules}", "dim"))


def _listed(game: AnyGame, texts: Texts, width: int) -> Iterator[Text]:
    for name, value in _options(game).items():
        head = Text.assemble((f"  {texts.format('option')} ", "dim"), f"{name}={format_value(value)}")
        yield from block(head, INDENT, Text(texts.label(f"option-{name}", game)), width)
    for command, tag in game.wire.items():
        fields = ", ".join(field.name for field in attrs.fields(command))
        head = Text.assemble((f"  {texts.format('command')} ", "dim"), f"{tag}({fields})")
        yield from block(head, INDENT, Text(texts.label(f"command-{tag}", game)), width)
    for small in game.small_worlds:
        options = " ".join(f"{name}={format_value(value)}" for name, value in small.options.items())
        head = Text.assemble(
            (f"  {texts.format('small-world')} ", "dim"), _number_of_seats(small.seats, texts), f" {options}".rstrip()
        )
        yield from block(head, INDENT, Text(_part(small, texts)), width)


def _number_of_seats(seats: int, texts: Texts) -> str:
    return texts.format("seats-exactly", least=seats)


def _part(small: SmallWorld, texts: Texts) -> str:
    """Say how much of a game a small world is."""
    if small.last_events is None:
        return texts.format("small-world-whole")
    if small.longest is None:
        return texts.format("small-world-ending", events=small.last_events)
    return texts.format("small-world-cut", events=small.last_events, longest=small.longest)


def _options(game: AnyGame) -> dict[str, Any]:
    return wire_of(game).plain_options(game.options())


def _data(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules": game.rules,
        "seats": list(game.seats),
        "options": as_data(_options(game)),
        "commands": {tag: [field.name for field in attrs.fields(kind)] for kind, tag in game.wire.items()},
        "small_worlds": as_data([attrs.asdict(small, recurse=False) for small in game.small_worlds]),
    }

"""`replay games`: the games that there are, and of one also who sees what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from textwrap import indent
from typing import Any, get_args

import attrs
import click
from rich.text import Text

from ...core.errors import GameError
from ...core.game import AnyGame, Secrecy
from ...core.match import registry
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ...core.wire import plain as as_data
from ...core.wire import wire_of
from ..browser.typescript import types_of
from ..call_errors import error_text
from ..command import verb
from ..option_parsing import format_value
from ..options import game_of, output_options
from ..render.console import Output
from ..render.typeset import block

INDENT = 38
ERROR_CELLS = 400


@verb("replay games take_and_share")
@click.argument(
    "name",
    nargs=-1,
    metavar="[GAME…]",
    help="Only these games, by name, file or PACKAGE.MODULE:GAME, each with its table of secrets.",
)
@click.option("--types", is_flag=True, help="Print the types of these games for TypeScript, for the npm package kifu.")
@output_options
def games(name: tuple[str, ...], types: bool, output: Output) -> int:
    """List the games with their seats, their options, and the commands in their logs.

    Of games that are named, also print the table of secrets: every field of the state and of the commands, who sees it,
    and what everybody else sees of it. A game that cannot be used is named with its error; the exit code is then 1.
    """
    texts, writer = output.texts, output.writer
    if types:
        found = types_of([game_of(each) for each in name or registry.names()])
        click.echo(f'import "kifu";\n\ndeclare module "kifu" {{\n{indent(found, "  ")}}}')
        return 0
    broken = False
    for place, each in enumerate(name or registry.names()):
        try:
            game = game_of(each).name if name else each
            if output.json:
                writer.json(registry.described(game, partial(_data, named=bool(name))))
                continue
            lines = registry.described(game, partial(_lines, named=bool(name), texts=texts, width=writer.width))
        except GameError as error:
            broken = True
            if output.json:
                writer.json({"name": sanitize(each), "error": sanitize(error.why, ERROR_CELLS)})
                continue
            lines = [Text.assemble((f"✗ {sanitize(error_text(error, texts), ERROR_CELLS)}", "bold red"))]
        writer.print(*([""] if place else []), *lines)
    return int(broken)


def _lines(game: AnyGame, named: bool, texts: Texts, width: int) -> list[Text]:
    secrets = _secrets(game, texts, width) if named else ()
    return [_section(game, texts), *_listed(game, texts, width), *secrets]


def _secrets(game: AnyGame, texts: Texts, width: int) -> Iterator[Text]:
    """Yield the table of secrets: a line for each field, below the class that it is of."""
    yield Text(texts.format("secrets-title"), "bold")
    if not game.has_secrets:
        yield Text(f"  {texts.format('secrets-none')}")
        return
    of = ""
    for row in game.secrecies():
        if row.of != of:
            of = row.of
            yield Text(f"  {of}", "dim")
        yield from block(Text(f"    {row.field}"), INDENT, Text(secrecy_text(row, texts)), width)


def secrecy_text(row: Secrecy, texts: Texts) -> str:
    """Return who sees a field, and what the others see of it."""
    if row.sees == "hand":
        return texts.format("secrets-hand", function=row.why)
    who = row.why if row.sees == "some" else texts.format(f"secrets-{row.sees}")
    if row.sees == "everybody":
        return who
    return f"{who}{texts.semicolon}{texts.format(f'secrets-others-{row.others}')}"


def _section(game: AnyGame, texts: Texts) -> Text:
    least, most = game.seats[0], game.seats[-1]
    seats = texts.format("seats-from-to" if most > least else "seats-exactly", least=least, most=most)
    rules = texts.format("rules-version", version=game.version)
    return Text.assemble((game.name, "bold"), f"  {texts.title(game)}", (f"  {seats}{texts.comma}{rules}", "dim"))


def _listed(game: AnyGame, texts: Texts, width: int) -> Iterator[Text]:
    for name, value in wire_of(game).plain_options(game.options()).items():
        head = Text.assemble((f"  {texts.format('option')} ", "dim"), f"{name}={format_value(value)}")
        yield from block(head, INDENT, Text(_meaning(name, game, texts)), width)
    for command, tag in game.wire.items():
        fields = ", ".join(field.name for field in attrs.fields(command))
        head = Text.assemble((f"  {texts.format('command')} ", "dim"), f"{tag}({fields})")
        yield from block(head, INDENT, Text(texts.label(f"command-{tag}", game)), width)


def _meaning(name: str, game: AnyGame, texts: Texts) -> str:
    """Return what an option is, and what each value of a choice means."""
    values = get_args(wire_of(game).option_fields[name].type)
    words = [(each, texts.find(f"option-{name}-{each}", game)) for each in values]
    meanings = [f"{each}{texts.colon}{meaning}" for each, meaning in words if meaning]
    return texts.semicolon.join([texts.label(f"option-{name}", game), *meanings])


def _data(game: AnyGame, named: bool) -> dict[str, Any]:
    secrets = {"secrets": [attrs.asdict(row) for row in game.secrecies()]} if named else {}
    return {
        "name": game.name,
        "rules": game.version,
        "seats": list(game.seats),
        "options": as_data(wire_of(game).plain_options(game.options())),
        "commands": {tag: [field.name for field in attrs.fields(kind)] for kind, tag in game.wire.items()},
        **secrets,
    }

"""The English of a game, derived from its names and annotations: a message catalogue in Fluent's syntax.

A catalogue of the game's own overrides single messages of it; another language has to say all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, get_args

import attrs
from attrs import frozen

from .marks import MarkedField, marked_fields, option_name
from .rule_book import RuleBook
from .seats import Index, Seat
from .secrets import show_of, sizes_of
from .shapes import ROWS, choices_of, depth_of, is_a, is_number, is_row_of_choices, row_of, without_none
from .violation import beside_seat


@frozen(eq=False)
class Catalogues:
    """Message catalogues that are no files: their sources by language."""

    sources: Mapping[str, str]


WON = """note-won = { SEATS($seats) } { COUNT($seats) ->
    [0] wins
    [one] wins
   *[other] share the victory
} with { POINTS($points) }."""


def words(name: str) -> str:
    """Return a name as words: `high_card` is "high card"."""
    return name.replace("_", " ").replace("-", " ").strip()


@frozen
class Derives:
    """Which parts of a game's table are derived: only these are put into words here."""

    notes: bool
    scene: bool
    parts: bool


def english_of(
    name: str,
    state: type,
    by_seat: frozenset[str],
    commands: Mapping[str, type],
    table_commands: frozenset[type],
    options: type,
    book: type[RuleBook],
    derives: Derives,
) -> str:
    """Return the catalogue of a game; each message stands on a line of its own."""
    lines = [f"game = {words(name).title()}", "designer = unknown"]
    lines += [f"option-{name} = {words(name)}" for name in (option_name(each.name) for each in attrs.fields(options))]
    for tag, kind in commands.items():
        lines.append(f"command-{tag} = {words(tag)}")
        lines += _command(tag, kind, derives, is_deal=kind in table_commands)
    for each in marked_fields(state):
        if each.name != "options":
            lines += _notes_of_field(each, each.name in by_seat) if derives.notes else ()
            lines += _labels_of_field(each, each.name in by_seat) if derives.scene else ()
    lines += [WON] if derives.notes else []
    lines += ["fact-points = points"] if derives.scene else []
    lines += [f"violation-{rule.number} = {{ SEAT($seat) }} broke the rule: {_escaped(rule.sentence)}" for rule in book]
    return "\n".join(dict.fromkeys(lines)) + "\n"  # two fields may have parts of one kind


def _escaped(text: str) -> str:
    """Return a text as it stands in a message."""
    return text.replace("{", '{"{"}').replace("}", '{"}"}') if "{" in text or "}" in text else text


def _command(tag: str, kind: type, derives: Derives, *, is_deal: bool) -> Iterator[str]:
    """Yield the messages of a command: its notes, its fields, and its buttons."""
    fields = marked_fields(kind)
    if derives.notes:
        yield from _notes_of_command(tag, fields, is_deal=is_deal)
    if is_deal:
        return
    if derives.parts and not fields:
        yield f"part-do-{tag} = {words(tag)}"
    for each in fields:
        yield f"field-{tag}-{each.name} = {words(each.name)}"
        if derives.parts:
            yield from _buttons(tag, each, alone=len(fields) == 1)


def _notes_of_command(tag: str, fields: list[MarkedField], *, is_deal: bool) -> Iterator[str]:
    """Yield what is told of a command, and to whoever does not see all of it."""
    values = [_value(beside_seat(each.name), each.kind) for each in fields]
    shown = [value for value, each in zip(values, fields, strict=True) if not show_of(each)]
    if is_deal:
        yield f"note-{tag} = The table: {words(tag)}{_after(shown)}."
        return
    yield f"note-{tag} = {{ SEAT($seat) }}: {words(tag)}{_after(values)}."
    if len(shown) < len(values):
        yield f"note-{tag}-unseen = {{ SEAT($seat) }}: {words(tag)}{_after(shown)} (face down)."


def _after(values: list[str]) -> str:
    return " " + ", ".join(values) if values else ""


def _buttons(tag: str, field: MarkedField, *, alone: bool) -> Iterator[str]:
    """Yield the labels of the buttons that stand for the values of a field."""
    name, mark, kind = field.name, field.mark, field.kind
    if depth_of(kind) is not None:
        return
    if mark.thing != "card":
        if mark.thing != "seat" and mark.board is None:  # a seat has a name
            yield f"part-{mark.thing} = {words(mark.thing)} {{ $number }}"
        return
    label = words(tag) if alone else words(name)
    choices = choices_of(without_none(kind) or kind)
    if choices is None:
        if _holds(kind, int):
            number = _value("number", kind) if is_number(kind) else "{ $number }"
            yield f"part-{tag}-{name} = {label} {number}"
        return
    for choice in choices:
        value = choice.value if isinstance(choice, Enum) else choice
        value = str(value).lower() if isinstance(value, bool) else value
        if isinstance(value, str):
            yield f"part-{tag}-{name}-{value} = {label}: {words(value)}"
    if any(isinstance(each, int) and not isinstance(each, bool) for each in choices):
        yield f"part-{tag}-{name} = {label} {{ $number }}"


def _holds(kind: Any, wanted: type) -> bool:
    kind = without_none(kind) or kind
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind is wanted or any(_holds(each, wanted) for each in get_args(kind) if each is not Ellipsis)


def _value(name: str, kind: Any) -> str:
    """Return how a message shows the value of a field."""
    depth, seats = depth_of(kind), depth_of(kind, Seat)
    if depth is not None:
        return f"{{ {'CARD' if depth == 0 else 'CARDS'}(${name}) }}"
    if seats is not None:
        return f"{{ {'SEAT' if seats == 0 else 'SEATS'}(${name}) }}"
    if is_a(kind, Index):
        return f"{{ NTH(${name}) }}"
    if is_number(without_none(kind) or kind) or isinstance(kind, str):
        return f"{{ ${name} }}"
    return f"{words(name)} {{ LIST(${name}) }}" if row_of(kind) is not None else f"{words(name)} {{ ${name} }}"


def _notes_of_field(field: MarkedField, by_seat: bool) -> Iterator[str]:
    """Yield the notes that a field of the state has changed."""
    name, mark, kind = field.name, field.mark, field.kind
    who = "{ SEAT($seat) }, " if by_seat else ""
    if depth_of(kind) is None:
        each = row_of(kind) if by_seat else None
        yield f"note-{name}-now = {who}{words(name)}: {_value('value', each or kind).removeprefix('value ')}."
        return
    if mark.board is not None and not by_seat:
        yield f"note-{name}-space = {{ $space }}: {{ CARD($card) }}."
        yield f"note-{name}-unseen = {{ $space }} is seen no more."
        return
    number = " { $row }" if (depth_of(kind) or 0) - by_seat == ROWS else ""
    yield f"note-{name}-gained = {who}{words(name)}{number}: {{ CARDS($cards) }}."
    if sizes_of(field) is not None:
        yield f"note-{name}-more = {who}{words(name)}: {{ $count }} more, face down."


def _labels_of_field(field: MarkedField, by_seat: bool) -> Iterator[str]:
    """Yield the label of a field of the state, as a zone, a mark of seats, or a fact."""
    name, kind = field.name, field.kind
    each = (row_of(kind) if by_seat else None) or kind
    if field.mark.board is not None or depth_of(kind) is not None or is_row_of_choices(each):
        yield f"zone-{name} = {words(name)}"
        return
    if by_seat and (without_none(each) or each) is bool:
        yield f"mark-{name} = {words(name)}"
    elif row_of(each) is None:
        yield f"fact-{name} = {words(name)}"

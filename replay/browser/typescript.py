"""`kifu.d.ts`: the types of the npm package, of the shapes of the HTTP API, and of each game's classes."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ... import new
from ...core.game import AnyGame, is_mapping, is_pairs, option_name
from ...core.wire import wire_of

SHAPES = ("GameResponse", "Observation", "HistoryEntry", "Problem")
"""The shapes that the package returns; what they refer to comes with them."""
KINDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
PLAIN: dict[Any, str] = {
    int: "number",
    float: "number",
    bool: "boolean",
    str: "string",
    type(None): "null",
    None: "null",
}
CALLS = Path(__file__).parent / "calls.d.ts.in"


def declarations(games: Sequence[AnyGame]) -> str:
    """Return the whole file, with the types of these games."""
    from ...core.web.openapi import openapi_document  # the types of a game need no extra

    schemas = openapi_document()["components"]["schemas"]
    shapes = "\n".join(_interface(name, schemas[name]) for name in sorted(_reached(schemas)))
    return f"{shapes}\n{CALLS.read_text('utf-8')}\n{types_of(games)}"


def types_of(games: Sequence[AnyGame]) -> str:
    """Return the interface `Games`: of each game its options, its commands and its views.

    Another file adds a game of its own to it: `declare module "kifu" { … }` around what this returns.
    """
    lines = ["/** What each game has: the options of a new match, the commands of its seats, and its views. */"]
    lines.append("export interface Games {")
    for game in games:
        options = "; ".join(f"{name}?: {_of_field(each)}" for name, each in wire_of(game).option_fields.items())
        commands = (f'{{ tag: "{tag}"; fields: {_of_class(kind)} }}' for kind, tag in game.wire.items())
        lines.append(f"  {json.dumps(game.name)}: {{")
        lines.append(f"    options: {{ {options} }};")
        lines.append(f"    command: {' | '.join(commands)};")
        lines.append(f"    view: {_of_class(_view_class(game))};")
        lines.append("  };")
    return "\n".join([*lines, "}", ""])


def _view_class(game: AnyGame) -> type:
    seats = [str(seat) for seat in range(game.seats[0])]
    return type(new(game, seats).view(None))


def _of_class(kind: Any) -> str:
    """Return the type of an attrs class as the engine gives it: an object by the names of its fields."""
    fields = [f"{option_name(each.name)}: {_of_field(each)}" for each in attrs.fields(attrs.resolve_types(kind))]
    return f"{{ {'; '.join(fields)} }}" if fields else "Record<string, never>"


def _of_field(field: Any) -> str:
    if is_mapping(field) and not is_pairs(field):
        return f"Record<string, {_of(get_args(get_args(field.type)[0])[1])}>"
    return _of(field.type)


def _of(kind: Any) -> str:
    """Return the type of values with this annotation."""
    origin, args = get_origin(kind), get_args(kind)
    if hasattr(kind, "__supertype__"):
        return _of(kind.__supertype__)
    if kind in PLAIN:
        return PLAIN[kind]
    if origin is Literal:
        return " | ".join(map(json.dumps, args))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " | ".join(json.dumps(member.value) for member in kind)
    if origin in (Union, types.UnionType):
        return " | ".join(map(_of, args))
    if origin is tuple and args[1:] != (Ellipsis,):
        return f"readonly [{', '.join(map(_of, args))}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Readonly<Record<string, {_of(args[1])}>>"
    if origin in (tuple, list, frozenset, set):
        inner = _of(args[0])
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    return _of_class(kind) if attrs.has(kind) else "unknown"


def _reached(schemas: dict[str, Any]) -> set[str]:
    """Return the names of the shapes, and of all that they refer to."""
    found: set[str] = set()
    waiting = list(SHAPES)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(schemas[name])
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for each in schema.values():
            yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _interface(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    lines.append(f"export interface {name} {{")
    for field, each in schema.get("properties", {}).items():
        if "description" in each:
            lines.append(f"  /** {each['description']} */")
        lines.append(f"  {field}{'' if field in required else '?'}: {_type(each)};")
    return "\n".join([*lines, "}\n"])


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if schema.get("type") == "array":
        inner = _inner(schema.get("items"))
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    if schema.get("type") == "object":
        return f"Record<string, {_inner(schema.get('additionalProperties'))}>"
    return KINDS.get(str(schema.get("type")), "unknown")


def _inner(schema: Any) -> str:
    return _type(schema) if isinstance(schema, dict) and schema else "unknown"

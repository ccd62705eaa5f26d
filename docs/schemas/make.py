"""The JSON Schema of a game's matches in JSON, derived from its command classes and options (`docs/json-form.md`).

`python docs/schemas/make.py` writes that of every installed game, `… make.py GAME` prints that of another.
"""

import json
import sys
import types
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import kifu
from kifu.core.errors import GameError
from kifu.core.game import AnyGame, is_mapping, is_pairs
from kifu.core.log.json_form import VERSION
from kifu.core.match import registry
from kifu.core.match.header import FORMAT
from kifu.core.wire import FORMAT_TAGS, REFUSED, RULES, TAKEBACK, wire_of
from kifu.core.wire.exact import MAX_ACTOR_LETTERS, MAX_ID_BYTES

Schema = dict[str, Any]

NULL: Schema = {"type": "null"}
INT: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}


def schema_of(game: AnyGame) -> Schema:
    """Return the schema of the matches of this game: of its current rules version, with any number of seats."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"a match of {game.name}, rules version {game.version}, in kifu's JSON form {VERSION}",
        **_map(
            {
                "kifu_json": {"const": VERSION},
                "header": _header(game),
                "events": {"type": "array", "items": _event(game)},
                "end": {"anyOf": [NULL, *_ends(game)]},
            },
            optional=("end",),
        ),
    }


def _header(game: AnyGame) -> Schema:
    options = {name: _field(game, field) for name, field in wire_of(game).option_fields.items()}
    known: dict[str, Schema] = {
        "kifu": {"const": FORMAT},
        "game": {"const": game.name},
        "rules": {"const": game.version},
        "seats": {"type": "array", "items": TEXT, "minItems": game.seats[0], "maxItems": game.seats[-1]},
        "options": _map(options, optional=tuple(options)),
        "seed": {"anyOf": [NULL, _bytes(32)]},
        "match": TEXT,
        "started": {"anyOf": [NULL, COUNT]},
        "engine": TEXT,
        "layout": COUNT,
        "fork": _map({"match": TEXT, "seq": {"type": "integer", "minimum": -1}}),
    }
    forked = {"dependentSchemas": {"fork": {"properties": {"seed": NULL}}}}
    return {**_map(known, optional=("layout", "fork")), **forked, "additionalProperties": True}


def _event(game: AnyGame) -> Schema:
    """Return the schema of an event: the common keys, then the fields of each tag."""
    commands = {tag: _command(game, kind) for kind, tag in game.wire.items()}
    version = {**COUNT, "minimum": 1}
    seat = {"type": "integer", "minimum": -1, "maximum": game.seats[-1] - 1}
    of_format = {
        TAKEBACK: {"to": {"type": "integer", "minimum": -1}},
        RULES: {"to": version, "layout": version},
        REFUSED: {"to": version, "event": COUNT, "seat": {"anyOf": [NULL, seat]}, "field": TEXT},
    }
    known = {"at": COUNT, "id": _bytes(0, MAX_ID_BYTES), "by": {**TEXT, "maxLength": MAX_ACTOR_LETTERS}}
    meta = {"type": "object", "minProperties": 1, "properties": known}
    common = _map(
        {
            "seq": COUNT,
            "seat": seat,
            "meta": {"anyOf": [NULL, meta]},
            "tag": {"enum": [*commands, *FORMAT_TAGS.values()]},
            "fields": {"type": "object"},
            "digest": {"anyOf": [NULL, _bytes(8)]},
            "chain": _bytes(16),
        },
        optional=("seq", "meta", "digest", "chain"),
    )
    kinds: list[Schema] = [{"tag": {"const": tag}, "fields": fields} for tag, fields in commands.items()]
    for tag, fields in of_format.items():
        kinds.append({"tag": {"const": tag}, "fields": _map(fields), "seat": {"const": -1}})
    return {**common, "anyOf": [{"properties": each} for each in kinds]}


def _ends(game: AnyGame) -> Iterator[Schema]:
    seats = {"minItems": game.seats[0], "maxItems": game.seats[-1]}
    points = {"type": "array", "items": INT, **seats}
    winners = {"type": "array", "items": {**COUNT, "maximum": game.seats[-1] - 1}, "uniqueItems": True}
    for end, one, other in (("over", points, winners), ("abandoned", NULL, NULL)):
        parts = {"events": COUNT, "points": one, "winners": other, "sign": _bytes(64), "chain": _bytes(16)}
        yield _map({"end": {"const": end}, **parts}, ("sign", "chain"))


def _command(game: AnyGame, kind: Any) -> Schema:
    return _map({field.name: _field(game, field) for field in attrs.fields(attrs.resolve_types(kind))})


def _field(game: AnyGame, field: Any) -> Schema:
    if not is_mapping(field) or is_pairs(field):
        return _value(game, field.type)
    key, value = get_args(get_args(field.type)[0])
    names = {} if key is str else {"propertyNames": {"pattern": "^(0|-?[1-9][0-9]*)$"}}
    return {"type": "object", **names, "additionalProperties": _value(game, value)}


def _value(game: AnyGame, kind: Any) -> Schema:
    """Return the schema of values with this annotation; raises `GameError` if JSON cannot hold them."""
    origin, args = get_origin(kind), get_args(kind)
    if hasattr(kind, "__supertype__"):
        return _value(game, kind.__supertype__)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin is Literal:
        return {"enum": list(args)}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_value(game, arg) for arg in args]}
    if origin is tuple and args[1:] == (Ellipsis,):
        return {"type": "array", "items": _value(game, args[0])}
    if origin is tuple:
        size = {"minItems": len(args), "maxItems": len(args)}
        return {"type": "array", "prefixItems": [_value(game, arg) for arg in args], **size}
    if attrs.has(kind):
        return _command(game, kind)
    raise GameError(game.name, f"a field of {kind} has no place in JSON")


_PLAIN: dict[Any, Schema] = {int: INT, bool: {"type": "boolean"}, str: TEXT, type(None): NULL}


def _bytes(least: int, most: int | None = None) -> Schema:
    """Return the schema of `least` to `most` bytes in hex digits; of exactly `least` bytes without `most`."""
    return {"type": "string", "pattern": f"^([0-9a-f]{{2}}){{{least},{least if most is None else most}}}$"}


def _map(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def text(game: AnyGame) -> str:
    """Return the schema as the file has it."""
    return json.dumps(schema_of(game), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        sys.stdout.write(text(registry.resolve(asked)))
    for name in kifu.games.names() if len(sys.argv) == 1 else ():
        Path(__file__).with_name(f"{name}.json").write_text(text(kifu.games.find(name)), "utf-8")

"""`kifu.d.mts`: the types of the npm package, its values made from the shapes of the HTTP API.

`python -m kifu.replay.browser.typescript` prints it; a test holds that the file in `package/` is that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...core.web.openapi import openapi_document

SHAPES = ("GameResponse", "Observation", "HistoryEntry", "Problem")
"""The shapes that the package returns; what they refer to comes with them."""
KINDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
CALLS = Path(__file__).parent / "calls.d.ts.in"


def declarations() -> str:
    """Return the whole file."""
    schemas = openapi_document()["components"]["schemas"]
    shapes = "\n".join(_interface(name, schemas[name]) for name in sorted(_reached(schemas)))
    return f"// Made by kifu.replay.browser.typescript: do not edit.\n\n{shapes}\n{CALLS.read_text('utf-8')}"


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
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        return f"Record<string, {_inner(schema.get('additionalProperties'))}>"
    return KINDS.get(str(schema.get("type")), "unknown")


def _inner(schema: Any) -> str:
    return _type(schema) if isinstance(schema, dict) and schema else "unknown"


if __name__ == "__main__":
    sys.stdout.write(declarations())

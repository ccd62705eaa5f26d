"""The document `/openapi.json`, generated from the routes and shapes that are served."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from ..game import Board, Face, Fact, Place, Result, Scene, Thing, Zone
from .context import Route
from .problem import STATUS
from .response_shapes import EndedResponse, HistoryEntry, Problem
from .routes import ROUTES

REF = "#/components/schemas/{name}"
ALWAYS = ("too-many", "store", "newer-rules", "internal")
VALUES = (Board, Face, Fact, Place, Result, Scene, Thing, Zone)
"""The values of a game that responses hold as they are."""
NUMBERS, NUMBER = ("number", "seat"), {"type": "integer", "minimum": 0, "maximum": 10**9 - 1}
"""Parts of a path that are numbers, and which."""
HEADERS = {"Content-Language": {"schema": {"type": "string", "enum": ["en", "ja"]}}}


@cache
def openapi_document() -> dict[str, Any]:
    """Return the description of the whole API (OpenAPI 3.1)."""
    shapes = {shape for route in ROUTES for shape in (route.response, route.body) if isinstance(shape, type)}
    ordered = sorted(shapes | {Problem, HistoryEntry, EndedResponse}, key=lambda shape: shape.__name__)
    _, schemas = msgspec.json.schema_components(ordered, ref_template=REF)
    for value in VALUES:
        _require_all(schemas[value.__name__])
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kifu",
            "version": version("kifu"),
            "description": (
                "Live matches of tabletop games. The key of a seat goes into the header `Authorization: Bearer KEY`; "
                "`Accept-Language` (en, ja) chooses the language. `/api/matches/{match}/events` is a stream of "
                'Server-Sent Events: `{"event": HistoryEntry}` for each event, whose number is its `id`, '
                '`{"about": About}` at first and when the match changes, `{"away": {seat: since when, in milliseconds '
                'since the Unix epoch}}` when somebody goes or comes, at the end `{"ended": EndedResponse or null}`.'
            ),
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _require_all(schema: dict[str, Any]) -> None:
    """Say that all fields are always there: their defaults are for who makes such a value."""
    schema["required"] = list(schema["properties"])
    for each in schema["properties"].values():
        each.pop("default", None)


def _operation(route: Route) -> dict[str, Any]:
    kinds = ["no-match"] if "{match}" in route.path else []
    kinds += ["key-refused"] if route.key != "none" else []
    kinds += [*route.problems, *ALWAYS, *(["malformed"] if route.path.startswith("/api") else [])]
    if route.body is not None:
        kinds += ["malformed", "too-large", "not-json"]
    statuses: dict[int, list[str]] = {}
    for kind in dict.fromkeys(kinds):
        statuses.setdefault(STATUS[kind], []).append(kind)
    operation: dict[str, Any] = {
        "operationId": route.endpoint.__name__,
        "summary": route.summary,
        "parameters": [*_in_path(route), *_in_query(route)],
        "responses": {
            str(route.status): {"description": route.summary, "content": _content(route.response)},
            **{str(status): _problem(kinds) for status, kinds in sorted(statuses.items())},
        },
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(route.body)}
    if route.key != "none":
        operation["security"] = [{"key": []}] if route.key == "required" else [{}, {"key": []}]
    return operation


def _content(shape: type | str) -> dict[str, Any]:
    if isinstance(shape, str):
        return {shape: {}}
    return {"application/json": {"schema": {"$ref": REF.format(name=shape.__name__)}}}


def _problem(kinds: list[str]) -> dict[str, Any]:
    return {
        "description": ", ".join(f"`{kind}`" for kind in kinds),
        "headers": HEADERS,
        "content": {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}},
    }


def _in_path(route: Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": NUMBER if name in NUMBERS else {"type": "string"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]


def _in_query(route: Route) -> list[dict[str, Any]]:
    if route.query is None:
        return []
    schema = msgspec.json.schema_components([route.query], ref_template=REF)[1][route.query.__name__]
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": each}
        for name, each in schema["properties"].items()
    ]

"""What is public is a list: `tests/public_api.txt` has the names, signatures and fields, the games, calls and routes.

A change of the list is a change of what kifu promises (`docs/stability.md`). Write it anew with
`python tests/test_public_api.py`, read the difference, and tell it in the changelog.
"""

import inspect
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import distribution, metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from kifu import games
from kifu.core.errors import MissingExtra
from kifu.core.wire import wire_of

LIST = Path(__file__).with_name("public_api.txt")
ROOMS = ["kifu", *(f"kifu.core.{room}" for room in (
    "game", "wire", "text", "match", "log", "trust", "trace", "page", "stores", "host", "web", "env", "testing"
))]  # fmt: skip


def members(kind: type) -> Iterator[str]:
    """Yield the fields of a class, then its public methods and properties, sorted."""
    for field in attrs.fields(kind) if attrs.has(kind) else ():
        if not field.name.startswith("_"):
            yield f"{field.name}: {plain(type_of(kind, field))}{'' if field.default is attrs.NOTHING else ' = …'}"
    slots = {field.name for field in attrs.fields(kind)} if attrs.has(kind) else set()
    for name, value in sorted(inspect.getmembers_static(kind)):
        if name.startswith("_") or name in slots or not defined_here(kind, name):
            continue
        if isinstance(value, property):
            yield f"{name} -> {plain(value.fget.__annotations__.get('return'))}"
        elif isinstance(value, (staticmethod, classmethod)) or inspect.isfunction(value):
            yield f"{name}{signature(getattr(value, '__func__', value))}"


def type_of(kind: type, field: Any) -> Any:
    """The type of a field as it is written; `attrs.resolve_types` changes that of the field itself."""
    written = (inspect.get_annotations(base) for base in kind.__mro__)
    return next((each[field.name] for each in written if field.name in each), field.type)


def defined_here(kind: type, name: str) -> bool:
    """Whether kifu defines the member, not a library or Python itself."""
    owner = next(base for base in kind.__mro__ if name in vars(base))
    return owner.__module__.partition(".")[0] == "kifu"


def plain(annotation: Any) -> str:
    """A type as it is written, whichever Python shows it."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text.replace("'", ""))


def signature(function: Any) -> str:
    """Parameters with their types, `…` for a default, and what is returned."""
    try:
        found = inspect.signature(function)
    except (ValueError, TypeError):
        return ""
    empty = inspect.Parameter.empty
    shown = [
        each.replace(
            annotation=empty if each.annotation is empty else Written(plain(each.annotation)),
            default=empty if each.default is empty else Written("…"),
        )
        for each in found.parameters.values()
    ]
    returned = empty if found.return_annotation is empty else Written(plain(found.return_annotation))
    return str(found.replace(parameters=shown, return_annotation=returned))


class Written:
    """A text that shows itself without quotes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def names_of(module: ModuleType) -> list[str]:
    """What a room exports, or what a module of `kifu.core.text` defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return sorted(
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_") and name not in dir(attrs)
    )


def owner_of(name: str, value: Any) -> str | None:
    """The room from which `kifu` has the name."""
    room = ".".join(str(getattr(value, "__module__", "")).split(".")[:3])
    return room if room in ROOMS[1:] and name in import_module(room).__all__ else None


def listed(room: str) -> list[str]:
    """The lines of a room: `room.name…`, then a line for each member."""
    if room in OTHERS:
        return list(OTHERS[room]())
    lines: list[str] = []
    module = import_module(room)
    for name in names_of(module):
        value = getattr(module, name, None)
        if value is None or isinstance(value, ModuleType):
            place = value.__name__ if value else f"{room}.{name}"
            lines += [f"{room}.{name}: module {place}"] if place in ROOMS else listed(place)
            continue
        if room == "kifu" and (owner := owner_of(name, value)):
            lines.append(f"kifu.{name} = {owner}.{name}")
            continue
        is_class = isinstance(value, type)
        lines.append(f"{room}.{name}{signature(value) if inspect.isroutine(value) else ''}")
        if is_class and value.__module__.partition(".")[0] == "kifu":
            lines += [f"    {each}" for each in members(value)]
    return lines


def package() -> Iterator[str]:
    """What is asked for by name when kifu is installed or extended."""
    yield from sorted(f"extra {each}" for each in metadata("kifu").get_all("Provides-Extra"))
    yield from sorted(f"entry points {each.group}: {each.name}" for each in distribution("kifu").entry_points)


def names_in_games() -> Iterator[str]:
    """What logs and people cite for ever: a game's options, its commands with their fields, and its rules."""
    for game in map(games.find, games.names()):
        kinds = {"options": game.options, **wire_of(game).tags}
        yield f"{game.name}: {' '.join(rule.number for rule in game.book)}"
        yield from (
            f"    {' '.join([tag, *(each.name for each in attrs.fields(kind))])}" for tag, kind in kinds.items()
        )


def calls() -> Iterator[str]:
    """The verbs of `replay`, each with its arguments and options."""
    from kifu.replay.app import program

    context = program.make_context("replay", [], resilient_parsing=True)
    groups = [("replay", program)]
    for path, group in groups:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            groups += [(f"{path} {name}", command)] if hasattr(command, "list_commands") else []
            takes = ["/".join([*each.opts, *each.secondary_opts]) for each in command.params]
            yield " ".join([path, name, *takes])


def routes() -> Iterator[str]:
    """The routes of the web API, each with its query, shapes and problems; then the fields of each shape."""
    from kifu.core.web.openapi import openapi_document

    document = openapi_document()
    for path, methods in sorted(document["paths"].items()):
        for method, operation in methods.items():
            names = re.findall(r'schemas/(\w+)|`([a-z-]+)`|"name": "(\w+)"', json.dumps(operation))
            yield " ".join([method.upper(), path, *sorted({"".join(each) for each in names})])
    for name, shape in sorted(document["components"]["schemas"].items()):
        fields = {each: "" if each in shape.get("required", ()) else "?" for each in shape.get("properties", ())}
        yield " ".join([name, *(f"{each}{optional}" for each, optional in fields.items())])


OTHERS = {"the package": package, "games": names_in_games, "replay": calls, "the web API": routes}


@pytest.mark.parametrize("room", [*ROOMS, *OTHERS])
def test_a_room_promises_what_the_list_says(room: str) -> None:
    try:
        now = listed(room)
    except (MissingExtra, ModuleNotFoundError) as missing:  # a module that a room names may need numpy
        pytest.skip(f"needs an extra: {missing}")
    assert now == stored()[room], f"{LIST.name} says otherwise: see the head of this file"


def stored() -> dict[str, list[str]]:
    """The lines of each room in the list."""
    rooms = LIST.read_text("utf-8").split("# ")[1:]
    return {lines[0]: lines[1:] for lines in (room.rstrip("\n").split("\n") for room in rooms)}


if __name__ == "__main__":
    LIST.write_text("".join(f"# {room}\n" + "\n".join(listed(room)) + "\n\n" for room in [*ROOMS, *OTHERS]), "utf-8")
    sys.exit()

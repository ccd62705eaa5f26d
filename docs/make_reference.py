"""What the site puts into docs/game-reference.md and docs/cli.md: tables of docstrings and of help (`made`).

A table stands in the place of `<!-- made: KIND MODULE NAME -->`: the functions of a game, the public functions of a
module, the verbs of `replay`, or classes with the names of their fields.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from types import ModuleType

import attrs
from kifu.core import game
from kifu.core.game import declarations, extras, marks, past, protocols, scene
from kifu.replay import app

MODULES = {
    "game": game.game,
    "extras": extras,
    "past": past,
    "marks": marks,
    "declarations": declarations,
    "scene": scene,
    "verbs": app,
}
MADE = re.compile(r"<!-- made: (\w+) (\w+) (\S+) -->")
YOURS = ("start", "to_act", "apply", "legal", "result")
"""The functions that every game has."""


def words(text: str) -> str:
    """Return the first sentence of a docstring as it stands in a cell, without the verb that functions begin with."""
    paragraph = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    paragraph = re.split(r"(?<!e\.g)\. ", paragraph)[0].rstrip(".")
    said = re.sub(r"^(Returns?|Mark|Declare) ", "", paragraph)
    return said[:1].lower() + said[1:]


def fields_of(module: ModuleType, name: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class, each with its docstring."""
    tree = ast.parse(inspect.getsource(module))
    body = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name).body
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            yield field.target.id, str(ast.literal_eval(text.value))


def arguments() -> Mapping[str, str]:
    """Return what each function of a part is called with, as the protocols say it."""
    found = dict(re.findall(r"`(\w+)(\([\w, ]+\))`", inspect.getdoc(protocols.Rules) or ""))
    kinds = [each for each in vars(protocols).values() if getattr(each, "_is_protocol", False)]
    known = {name for names in protocols.PART_FUNCTIONS.values() for name in names}
    for kind in kinds:
        for name in known & vars(kind).keys():
            names = [each for each in inspect.signature(getattr(kind, name)).parameters if each != "self"]
            found[name] = f"({', '.join(names)})"
    return found


def functions(module: ModuleType, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the functions of a game: those that every game has, then those that it may have."""
    yield "function", "", "what it returns or does"
    called, texts = arguments(), dict(fields_of(module, name))
    parts = {name: part for part, names in protocols.PART_FUNCTIONS.items() for name in names}
    for function in sorted(called.keys() & texts.keys(), key=lambda each: (each not in YOURS, list(parts).index(each))):
        whose = "yours" if function in YOURS else "if needed" if parts[function] == "rules" else "derived"
        yield f"`{function}{called[function]}`", whose, words(texts[function])


def module(module: ModuleType, kind: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the functions of a module that a game may import."""
    yield kind, "what it says"
    for name, function in vars(module).items():
        own = getattr(function, "__module__", "") == module.__name__
        if own and name in game.__all__ and not name.startswith("is_"):
            names = [each for each in inspect.signature(function).parameters if each != "kind"]
            shown = f"@{name}" if kind == "declaration" else name
            yield (
                f"`{shown}({', '.join(names)})`".replace("()`", "`" if kind == "declaration" else "()`"),
                words(function.__doc__),
            )


def verbs(module: ModuleType, name: str) -> Iterator[tuple[str, ...]]:
    """Yield the verbs of the command line by group."""
    yield "verb", "what it does"
    for group, summaries in getattr(module, name).items():
        yield f"**{group}**", ""
        for verb, summary in summaries.items():
            yield f"`replay {verb}`", summary.rstrip(".")


def classes(module: ModuleType, names: str) -> Iterator[tuple[str, ...]]:
    """Yield some classes, each with its fields; their docstrings say more."""
    yield "class", "fields", "what it is"
    for kind in (getattr(module, name) for name in names.split(",")):
        yield f"`{kind.__name__}`", ", ".join(f"`{field.name}`" for field in attrs.fields(kind)), words(kind.__doc__)


KINDS: Mapping[str, Callable[[ModuleType, str], Iterator[tuple[str, ...]]]] = {
    "functions": functions,
    "module": module,
    "verbs": verbs,
    "classes": classes,
}


def table(kind: str, name: str, what: str) -> str:
    """Return a table in Markdown."""
    head, *rows = KINDS[kind](MODULES[name], what)
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |") for line in lines)


def made(page: str) -> str:
    """Return the page with its tables."""
    return MADE.sub(lambda found: table(found[1], found[2], found[3]), page)

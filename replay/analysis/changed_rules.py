"""The rules that a change concerns, read from the source of a game: of two engines, or of an option.

A *unit* is a function, a method, or one statement of a module or class. A changed unit concerns the rules that it
names, in its code (`Rule.TS_6`) or its docstring ("TS-4 to TS-6"); one that names none concerns those of the units that
use it.
An option is read where an attribute of something called `options` has its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ...core.game import AnyGame

Sources = Mapping[str, str]
"""Source by module name."""

NUMBER = re.compile(r"[A-Z]+(?:-[A-Z]*\d+)+")
RANGE = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern})")


@frozen
class Unit:
    """A piece of source: its code without docstrings, the names it uses, the rules it names."""

    code: str
    uses: frozenset[str]
    rules: frozenset[str]


Units = dict[str, Unit]
"""By module and name, e.g. `kifu.games.cake.rules.winner`."""


def rules_between(game: AnyGame, ours: Sources, theirs: Sources) -> frozenset[str]:
    """Return the rules that the differences between two engines' sources of a game concern."""
    one, other = _units(ours, game), _units(theirs, game)
    changed = [name for name in {*one, *other} if _code(one, name) != _code(other, name)]
    return _concerned(changed, one, game) | _concerned(changed, other, game)


def rules_of_options(game: AnyGame, sources: Sources, options: Iterable[str]) -> frozenset[str]:
    """Return the rules that the code which reads one of these options concerns."""
    units, names = _units(sources, game), frozenset(f"options.{name}" for name in options)
    return _concerned([name for name, unit in units.items() if unit.uses & names], units, game)


def _code(units: Units, name: str) -> str | None:
    return units[name].code if name in units else None


def _concerned(changed: Iterable[str], units: Units, game: AnyGame) -> frozenset[str]:
    """Return the rules that units name, and for those that name none, what names them uses them."""
    numbers = {rule.number for rule in game.book}
    rules: set[str] = set()
    seen: set[str] = set()
    left = [name for name in changed if name in units]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        named = units[name].rules & numbers
        rules |= named
        if not named:
            short = name.rpartition(".")[2]
            left += [user for user, unit in units.items() if short in unit.uses]
    return frozenset(rules)


def _units(sources: Sources, game: AnyGame) -> Units:
    units: Units = {}
    for module, source in sources.items():
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        units.update((f"{module}.{name}", unit) for name, unit in _of_body(tree.body, game))
    return units


def _of_body(body: list[ast.stmt], game: AnyGame) -> Iterator[tuple[str, Unit]]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from ((f"{statement.name}.{name}", unit) for name, unit in _of_body(statement.body, game))
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement.name, _unit(statement, game)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            for name in _targets(statement):
                yield name, _unit(statement, game, name)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def _unit(statement: ast.stmt, game: AnyGame, name: str = "") -> Unit:
    docstring = ""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(statement) is not None:
        docstring = ast.get_docstring(statement) or ""
        statement.body = statement.body[1:]
    nodes = list(ast.walk(statement))
    uses = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    uses |= {node.attr for node in attributes}
    uses |= {f"options.{node.attr}" for node in attributes if _is_options(node.value)}
    members = {member.name: member.number for member in game.book}
    rules = {members[each] for each in (*uses, name) if each in members} | set(_in_text(docstring, game))
    return Unit(ast.dump(statement), frozenset(uses), frozenset(rules))


def _is_options(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name == "options"


def _in_text(text: str, game: AnyGame) -> Iterator[str]:
    """Yield the rules that a docstring names, also by a range."""
    order = [rule.number for rule in game.book]
    for first, last in RANGE.findall(text):
        if first in order and last in order:
            yield from order[order.index(first) : order.index(last) + 1]
    yield from (number for number in NUMBER.findall(text) if number in order)

"""The messages of a room in one language, read from their source."""

from functools import cache
from importlib.resources import files

from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor


class Uses(Visitor):
    """The variables and functions of a message."""

    def __init__(self, message: ast.Message) -> None:
        self.variables: set[str] = set()
        self.functions: set[str] = set()
        self.visit(message)

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.variables.add(node.id.name)

    def visit_FunctionReference(self, node: ast.FunctionReference) -> None:
        self.functions.add(node.id.name)
        self.generic_visit(node)


@cache
def catalogue(room: str, lang: str) -> dict[str, Uses]:
    source = files(room).joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")
    body = FluentParser().parse(source).body
    junk = [entry.content for entry in body if isinstance(entry, ast.Junk)]
    assert not junk, junk
    keys = [entry.id.name for entry in body if isinstance(entry, ast.Message)]
    assert len(keys) == len(set(keys)), "a key twice"
    return {entry.id.name: Uses(entry) for entry in body if isinstance(entry, ast.Message)}

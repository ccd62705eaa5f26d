"""The message catalogues of a package, read from their source: keys, variables and functions of each message."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from attrs import frozen
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from ..game import Game
from ..text.texts import FALLBACK, Texts


@frozen
class MessageUses:
    """The names in the pattern of a message: its variables and its functions."""

    variables: frozenset[str]
    functions: frozenset[str]


Catalogue = Mapping[str, MessageUses]
"""The messages of one language by key."""


class _Uses(Visitor):
    def __init__(self, message: ast.Message) -> None:
        self.variables: set[str] = set()
        self.functions: set[str] = set()
        self.visit(message)

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802 (fluent's name)
        self.variables.add(node.id.name)

    def visit_FunctionReference(self, node: ast.FunctionReference) -> None:  # noqa: N802 (fluent's name)
        self.functions.add(node.id.name)
        self.generic_visit(node)


@cache
def languages_of(package: str) -> tuple[str, ...]:
    """Return the languages that a package has a catalogue in, sorted."""
    folder = files(package).joinpath("texts")
    names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(".ftl") for name in names if name.endswith(".ftl")))


def source_of(package: str, lang: str) -> str:
    """Return the source of a catalogue; raises `OSError` if there is none."""
    return files(package).joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def catalogue_of(source: str) -> Catalogue:
    """Return the messages in the source of a catalogue; raises `AssertionError` for junk and for a repeated key."""
    body = FluentParser().parse(source).body
    junk = [entry.content for entry in body if isinstance(entry, ast.Junk)]
    assert not junk, f"this is no message: {junk[0]}"
    messages = [entry for entry in body if isinstance(entry, ast.Message)]
    keys = [message.id.name for message in messages]
    twice = {key for key in keys if keys.count(key) > 1}
    assert not twice, f"the message {min(twice)} is there twice"
    return {message.id.name: _uses(message) for message in messages}


def _uses(message: ast.Message) -> MessageUses:
    uses = _Uses(message)
    return MessageUses(frozenset(uses.variables), frozenset(uses.functions))


def words_of(game: Game[Any, Any, Any]) -> list[Texts]:
    """Return the texts of each language of the game; of English for a game without catalogues."""
    return [_texts(lang) for lang in languages_of(game.texts) or (FALLBACK,)]


@cache
def _texts(lang: str) -> Texts:
    return Texts(lang)

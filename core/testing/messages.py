"""The message catalogues of a package, read from their source: keys, variables and functions of each message."""

from __future__ import annotations

import ast as python
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from attrs import frozen
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from ..errors import Message
from ..game import Game
from ..text.texts import FALLBACK, Texts


@frozen(eq=False)
class MessageUses:
    """What a message uses: the variables and the functions in its pattern, in all of its variants."""

    source: ast.Message
    variables: frozenset[str]
    functions: frozenset[str]

    def used(self, given: Given) -> set[str]:
        """Return the variables that are used with these values: of a selection by a known word those of one variant."""
        words = {name: word for name, word in given if word is not None}
        return set(_used(self.source.value, words))


Given = frozenset[tuple[str, str | None]]
"""The names of the values that a message is given, and those values that are a word to select by."""

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


def _used(node: Any, words: Mapping[str, str]) -> Iterator[str]:
    if isinstance(node, ast.VariableReference):
        yield node.id.name
        return
    if isinstance(node, ast.SelectExpression):
        yield from _used(node.selector, words)
        chosen = words.get(node.selector.id.name) if isinstance(node.selector, ast.VariableReference) else None
        variants = [each for each in node.variants if _key(each) == chosen] or [
            each for each in node.variants if each.default
        ]
        for variant in node.variants if chosen is None else variants:
            yield from _used(variant.value, words)
        return
    for value in vars(node).values() if isinstance(node, ast.BaseNode) else ():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.BaseNode):
                yield from _used(each, words)


def _key(variant: ast.Variant) -> str:
    return variant.key.name if isinstance(variant.key, ast.Identifier) else str(variant.key.value)


def given_of(values: Mapping[str, Any]) -> Given:
    """Return what a message is given, of which words are those that a catalogue could select by."""
    return frozenset((name, _word(value)) for name, value in values.items())


def _word(value: Any) -> str | None:
    value = value.value if isinstance(value, Enum) else value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return value if isinstance(value, str) and re.fullmatch("[a-z][a-z_-]*", value) else None


@cache
def languages_of(package: str) -> tuple[str, ...]:
    """Return the languages that a package has a catalogue in, sorted."""
    folder = files(package).joinpath("texts")
    names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(".ftl") for name in names if name.endswith(".ftl")))


def source_of(package: str, lang: str) -> str:
    """Return the source of a catalogue; raises `OSError` if there is none."""
    return files(package).joinpath("texts", f"{lang}.ftl").read_text(encoding="utf-8")


@cache
def made_in_source(package: str) -> frozenset[tuple[str, Given]]:
    """Return the messages that the modules of a package make: their keys, each with the values that it is given.

    Without those that kifu's own catalogue has, and those whose values are not written down.
    """
    ours = {f"message-{key}" for key in _keys_of(Message.package)}
    calls = [call for path in _modules(files(package)) for call in _calls(path.read_text(encoding="utf-8"))]
    made = [(f"message-{call.args[0].value}", call.keywords) for call in calls]  # type: ignore[attr-defined]
    return frozenset(
        (key, frozenset((str(each.arg), None) for each in keywords))
        for key, keywords in made
        if key not in ours and all(each.arg for each in keywords)
    )


@cache
def _keys_of(package: str) -> frozenset[str]:
    sources = [source_of(package, lang) for lang in languages_of(package)]
    return frozenset(key for each in sources for key in re.findall(r"(?m)^message-([\w-]+) *=", each))


def _modules(folder: Traversable) -> Iterator[Traversable]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _modules(each)
        elif each.name.endswith(".py"):
            yield each


def _calls(source: str) -> Iterator[python.Call]:
    """Yield the calls of `Message` with a key that is written down."""
    for node in python.walk(python.parse(source)):
        if isinstance(node, python.Call) and node.args and isinstance(node.args[0], python.Constant):
            name = node.func.attr if isinstance(node.func, python.Attribute) else getattr(node.func, "id", None)
            if name == "Message" and isinstance(node.args[0].value, str):
                yield node


def catalogue_of(source: str) -> Catalogue:
    """Parse the source of a catalogue; raises `AssertionError` for what is no message or comes twice."""
    messages = [message for chunk in re.split(r"(?m)^(?=[a-zA-Z-])", source) for message in _messages(chunk)]
    keys = [key for key, _ in messages]
    twice = {key for key in keys if keys.count(key) > 1}
    assert not twice, f"the message {min(twice)} is there twice"
    return dict(messages)


@lru_cache(maxsize=8192)
def _messages(source: str) -> list[tuple[str, MessageUses]]:
    """Parse a part of a catalogue, which begins with a key; a catalogue that is changed in one is parsed in one."""
    body = FluentParser().parse(source).body
    junk = [entry.content for entry in body if isinstance(entry, ast.Junk)]
    assert not junk, f"this is no message: {junk[0]}"
    return [(entry.id.name, _uses(entry)) for entry in body if isinstance(entry, ast.Message)]


def _uses(message: ast.Message) -> MessageUses:
    uses = _Uses(message)
    return MessageUses(message, frozenset(uses.variables), frozenset(uses.functions))


def words_of(game: Game[Any, Any, Any]) -> list[Texts]:
    """Return the texts of each language of the game; of English for a game without catalogues."""
    return [_texts(lang) for lang in languages_of(game.texts) or (FALLBACK,)]


@cache
def _texts(lang: str) -> Texts:
    return Texts(lang)

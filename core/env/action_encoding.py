"""The encoding of commands as actions: a command is a sequence of tokens, and an action is the number of a token."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..errors import GameError
from ..game import AnyGame, encoding_of
from .view_numbers import Writer, is_enum, plain_kind, row_writer

WAIT, END = 0, 1
"""The action of a seat that is not to act; and the token that ends a list or a word."""

Token = tuple[str, Any]
"""A kind (`wait`, `end`, `nil`, `bool`, `tag`, `value`) and a value."""

FIRST: tuple[Token, ...] = (("wait", None), ("end", None), ("nil", None), ("bool", False), ("bool", True))

Turned = Callable[[Any], Any]
"""Returns the value of a field as somebody else counts its seats."""

NO_TURNS: Mapping[str, Turned] = types.MappingProxyType({})
"""Of a command in which nobody counts otherwise."""


class ActionEncoding:
    """The actions of one game, the same for any number of seats and any options.

    The tokens are those of `FIRST`, the tags of the game's commands, the values of fields that are a `Literal` or an
    enum, and the game's vocabulary, in this order.
    """

    turns: Mapping[type, Mapping[str, Turned]] = types.MappingProxyType({})
    """By the class of a command: its fields that are turned before they are encoded."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        named = [("value", value) for kind in game.wire for value in _named(_fields(game, kind))]
        tokens = (*FIRST, *(("tag", tag) for tag in game.wire.values()), *named)
        vocabulary = [("value", value) for value in encoding_of(game).vocabulary]
        self.tokens: tuple[Token, ...] = tuple(dict.fromkeys((*tokens, *vocabulary)))
        self._numbers = {token: number for number, token in enumerate(self.tokens)}
        self._tags = {kind: self._numbers["tag", tag] for kind, tag in game.wire.items()}
        self._encoders = {kind: [(name, self._encoder(of)) for name, of in _fields(game, kind)] for kind in game.wire}

    def __reduce__(self) -> tuple[Any, ...]:
        return action_encoding_of, (self.game,)

    def __deepcopy__(self, _: Any) -> ActionEncoding:
        return self

    def __len__(self) -> int:
        return len(self.tokens)

    def tag(self, kind: type) -> int:
        """Return the action of the tag of this command class."""
        return self._tags[kind]

    def encode(self, command: Any) -> tuple[int, ...]:
        """Return the actions of a command: its tag, then each field in order. No command is a prefix of another.

        Raises `GameError` for a value that is not in the game's vocabulary.
        """
        kind = type(command)
        encoded, turns = [self._tags[kind]], self.turns.get(kind, NO_TURNS)
        for name, encoder in self._encoders[kind]:
            value = getattr(command, name)
            encoder(turns[name](value) if name in turns else value, encoded)
        return tuple(encoded)

    def label(self, action: int) -> str:
        """Return the token of an action as text; raises `GameError` for a number that no action has."""
        if not 0 <= action < len(self.tokens):
            raise GameError(self.game.name, f"there is no action {action}; there are 0 to {len(self.tokens) - 1}")
        kind, value = self.tokens[action]
        return kind if value is None else str(value).lower() if kind == "bool" else str(value)

    def _number(self, kind: str, value: Any) -> int:
        try:
            return self._numbers[kind, value]
        except KeyError:
            raise GameError(self.game.name, f"{value!r} is in a command but not in the game's vocabulary") from None

    def _encoder(self, kind: Any) -> Writer:
        """Return what writes the actions of values of this annotation; raises `GameError` for one without any."""
        kind = plain_kind(kind)
        origin, args = get_origin(kind), get_args(kind)
        if kind is str:
            return self._word
        if origin is tuple and args[1:] == (Ellipsis,):
            return self._list(self._encoder(args[0]))
        if origin is tuple:
            return row_writer([(itemgetter(at), self._encoder(arg)) for at, arg in enumerate(args)])
        if kind is int:
            return self._int
        if kind is bool or origin is Literal or is_enum(kind) or _is_choice(origin, args):
            return self._one
        if attrs.has(kind):
            return row_writer([(attrgetter(name), self._encoder(of)) for name, of in _fields(self.game, kind)])
        raise GameError(self.game.name, f"a command has a field of {kind}, which cannot be encoded")

    def _int(self, value: int, encoded: list[int]) -> None:
        encoded.append(self._number("value", value))

    def _one(self, value: Any, encoded: list[int]) -> None:
        plain = value.value if isinstance(value, Enum) else value
        token = "nil" if plain is None else "bool" if isinstance(plain, bool) else "value"
        encoded.append(self._number(token, plain))

    def _word(self, value: str, encoded: list[int]) -> None:
        """Append the one action of a word that is in the vocabulary, such as `d3`; else its letters."""
        known = self._numbers.get(("value", value)) if len(value) > 1 else None
        if known is not None:
            encoded.append(known)
            return
        encoded += [self._number("value", letter) for letter in value]
        encoded.append(END)

    @staticmethod
    def _list(item: Writer) -> Writer:
        def encode(values: tuple[Any, ...], encoded: list[int]) -> None:
            for value in values:
                item(value, encoded)
            encoded.append(END)

        return encode


@lru_cache(maxsize=64)
def action_encoding_of(game: AnyGame) -> ActionEncoding:
    """Return the action encoding of a game, made once."""
    return ActionEncoding(game)


def _fields(game: AnyGame, kind: Any) -> list[tuple[str, Any]]:
    if not attrs.has(kind):
        raise GameError(game.name, f"{kind!r} is no attrs class, and so no command")
    return [(field.name, field.type) for field in attrs.fields(attrs.resolve_types(kind))]


def _named(fields: list[tuple[str, Any]]) -> Iterator[Any]:
    """Yield the values that the annotations of these fields list: of each `Literal` and enum."""
    for _, kind in fields:
        yield from _values(kind)


def _values(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Literal:
        yield from (value for value in get_args(kind) if value is not None and not isinstance(value, bool))
    elif is_enum(kind):
        yield from (member.value for member in kind)
    elif isinstance(kind, type) and attrs.has(kind):
        yield from _named([(field.name, field.type) for field in attrs.fields(attrs.resolve_types(kind))])
    else:
        for arg in get_args(kind):
            yield from _values(arg)


def _is_choice(origin: Any, args: tuple[Any, ...]) -> bool:
    """Return True if an annotation is a union of types with one token each."""
    return origin in (Union, types.UnionType) and all(
        arg in (int, str, bool, type(None)) or hasattr(arg, "__supertype__") or get_origin(arg) is Literal
        for arg in args
    )

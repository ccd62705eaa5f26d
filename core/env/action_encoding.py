"""The encoding of commands as actions: a command is a sequence of tokens, and an action is the number of a token."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..errors import GameError
from ..game import AnyGame
from .alike import Alike, Sorter, by_field, by_item, by_token
from .memo import Memo, holds_bool, is_told_by_equality, plain_kind

WAIT, END = 0, 1
"""The action of a seat that is not to act; and the token that ends a list or a word."""

Token = tuple[str, Any]
"""A kind (`wait`, `end`, `nil`, `bool`, `tag`, `value`) and a value."""

FIRST: tuple[Token, ...] = (("wait", None), ("end", None), ("nil", None), ("bool", False), ("bool", True))

TokenEncoder = Callable[[Any, list[int]], None]
"""Appends the actions of a value to a list."""

Turned = Callable[[Any], Any]
"""Returns the value of a field as somebody else counts its seats."""

Reader = tuple[Callable[[Any], Any], Callable[[Any], tuple[int, ...]]]
"""What returns the fields of a command of one class, or its only one, and what returns the actions of these."""

NO_TURNS: Mapping[str, Turned] = types.MappingProxyType({})


class ActionEncoding:
    """The actions of one game, the same for any number of seats and any options.

    The tokens are those of `FIRST`, the tags of the game's commands, the values of fields that are a `Literal` or an
    enum, and the game's vocabulary, in this order.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        named = [("value", value) for kind in game.wire for value in _named(_fields(game, kind))]
        tokens = (*FIRST, *(("tag", tag) for tag in game.wire.values()), *named)
        vocabulary = [("value", value) for value in game.vocabulary]
        self.tokens: tuple[Token, ...] = tuple(dict.fromkeys((*tokens, *vocabulary)))
        self._numbers = {token: number for number, token in enumerate(self.tokens)}
        self._ints = {value: number for (_, value), number in self._numbers.items() if type(value) is int}
        self._tags = {kind: self._numbers["tag", tag] for kind, tag in game.wire.items()}
        self._encoders = {kind: [(name, self._encoder(of)) for name, of in _fields(game, kind)] for kind in game.wire}
        self._readers = {kind: self.reader(kind) for kind in game.wire}
        self._item = Memo(self._item_action)
        self._sorters = {kind: self.sorter(kind) for kind in game.wire}

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
        fields, actions = self._readers[type(command)]
        return actions(fields(command))

    def alike(self, commands: Sequence[Any]) -> Alike:
        """Return commands of one class, told apart place by place."""
        return self._sorters[type(next(iter(commands)))](commands)

    def reader(self, kind: type, turns: Mapping[str, Turned] = NO_TURNS) -> Reader:
        """Return what encodes commands of a class, the fields that `turns` names turned before."""
        tag, fields = self._tags[kind], _fields(self.game, kind)
        encoders = [_after(turns.get(name), encoder) for name, encoder in self._encoders[kind]]
        names = [name for name, _ in fields]

        def of_one(field: Any) -> tuple[int, ...]:
            encoded = [tag]
            encoders[0](field, encoded)
            return tuple(encoded)

        def of_several(values: Any) -> tuple[int, ...]:
            encoded = [tag]
            for encoder, value in zip(encoders, values, strict=True):
                encoder(value, encoded)
            return tuple(encoded)

        if not names:
            return type, lambda _: (tag,)
        actions = of_one if len(names) == 1 else of_several
        known = Memo(actions)

        def of_known(values: Any) -> tuple[int, ...]:
            try:
                return known[values]
            except TypeError:  # a stranger's list, which no memo takes
                return actions(values)

        is_told = all(is_told_by_equality(of) and not holds_bool(of) for _, of in fields)
        return attrgetter(*names), of_known if is_told else actions

    def sorter(self, kind: type, turns: Mapping[str, Turned] = NO_TURNS) -> Sorter:
        """Return what tells commands of a class apart, place by place, the fields that `turns` names turned before."""
        fields, encoders = _fields(self.game, kind), self._encoders[kind]
        if fields and all(_is_one_token(of) for _, of in fields):
            numbers = [self._number_of(of, turns.get(name), encoders[at][1]) for at, (name, of) in enumerate(fields)]
            return by_field([name for name, _ in fields], numbers)
        if len(fields) == 1 and encoders[0][1] == self._int_list:
            (name,) = (name for name, _ in fields)
            return by_item(kind, name, turns.get(name), self._item.__getitem__)
        return by_token(*self.reader(kind, turns))

    def _number_of(self, kind: Any, turn: Turned | None, encoder: TokenEncoder) -> Callable[[Any], int]:
        """Return what gives the action of a field that is one token."""
        write = _after(turn, encoder)

        def number(value: Any) -> int:
            encoded: list[int] = []
            write(value, encoded)
            return encoded[0]

        known = Memo(number)
        if kind is bool:
            known.update({flag: number(flag) for flag in (False, True)})  # so an int in its place cannot come first
        return known.__getitem__ if kind is bool or (is_told_by_equality(kind) and not holds_bool(kind)) else number

    def encode_public(self, tag: str, fields: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the actions of what may be seen of a command: its tag, and those of its public fields.

        Of a field that the command does not have, as a count of what is hidden, the numbers that are actions.
        """
        kind = next(kind for kind, own in self.game.wire.items() if own == tag)
        encoded, encoders = [self._tags[kind]], dict(self._encoders[kind])
        for name, value in fields.items():
            try:
                encoders[name](value, encoded)
            except (KeyError, TypeError, GameError):  # another field than the command's, or another value of it
                encoded += self.of_ints(value)
        return tuple(encoded)

    def of_ints(self, value: Any) -> list[int]:
        """Return the actions of the ints in a plain value; those that have none are left out."""
        if isinstance(value, list | tuple):
            return [action for each in value for action in self.of_ints(each)]
        action = self._ints.get(value) if type(value) is int else None
        return [] if action is None else [action]

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

    def _encoder(self, kind: Any) -> TokenEncoder:
        """Return the encoder of values of this annotation; raises `GameError` for one that cannot be encoded."""
        origin, args = get_origin(kind), get_args(kind)
        if hasattr(kind, "__supertype__"):
            return self._encoder(kind.__supertype__)
        if kind is str:
            return self._word
        if origin is tuple and args[1:] == (Ellipsis,):
            return self._int_list if plain_kind(args[0]) is int else self._list(args[0], self._encoder(args[0]))
        if origin is tuple:
            return self._row([self._encoder(arg) for arg in args])
        if kind is int:
            return self._int
        if kind is bool or origin is Literal or _is_enum(kind) or _is_choice(origin, args):
            return self._one
        if attrs.has(kind):
            return self._object([(name, self._encoder(of)) for name, of in _fields(self.game, kind)])
        raise GameError(self.game.name, f"a command has a field of {kind}, which cannot be encoded")

    def _int_list(self, values: tuple[int, ...], encoded: list[int]) -> None:
        ints = self._ints
        try:
            encoded += [ints[value] for value in values]
        except (KeyError, TypeError):
            for value in values:
                self._int(value, encoded)
        encoded.append(END)

    def _item_action(self, value: int | None) -> int:
        """Return the action of an item of a list of ints; None is the list's end."""
        encoded: list[int] = []
        if value is not None:
            self._int(value, encoded)
        return encoded[0] if encoded else END

    def _int(self, value: int, encoded: list[int]) -> None:
        action = self._ints.get(value)
        encoded.append(self._number("value", value) if action is None else action)

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
    def _object(fields: list[tuple[str, TokenEncoder]]) -> TokenEncoder:
        def encode(value: Any, encoded: list[int]) -> None:
            for name, field in fields:
                field(getattr(value, name), encoded)

        return encode

    @staticmethod
    def _list(kind: Any, item: TokenEncoder) -> TokenEncoder:
        def actions(value: Any) -> list[int]:
            encoded: list[int] = []
            item(value, encoded)
            return encoded

        known = Memo(actions) if is_told_by_equality(kind) and not holds_bool(kind) else None

        def encode(values: tuple[Any, ...], encoded: list[int]) -> None:
            for value in values:
                try:
                    encoded += actions(value) if known is None else known[value]
                except (TypeError, GameError):  # of a value that cannot be encoded the beginning stands
                    item(value, encoded)
            encoded.append(END)

        return encode

    @staticmethod
    def _row(items: list[TokenEncoder]) -> TokenEncoder:
        def encode(values: tuple[Any, ...], encoded: list[int]) -> None:
            for item, value in zip(items, values, strict=True):
                item(value, encoded)

        return encode


@lru_cache(maxsize=64)
def action_encoding_of(game: AnyGame) -> ActionEncoding:
    """Return the action encoding of a game, made once."""
    return ActionEncoding(game)


def _after(turn: Turned | None, encoder: TokenEncoder) -> TokenEncoder:
    """Return what appends the actions of a value that is turned before, if it is to be."""
    return encoder if turn is None else lambda value, encoded: encoder(turn(value), encoded)


def _fields(game: AnyGame, kind: Any) -> list[tuple[str, Any]]:
    if not attrs.has(kind):
        raise GameError(game.name, f"{kind!r} is no attrs class, and so no command")
    return [(field.name, field.type) for field in attrs.fields(attrs.resolve_types(kind))]


def _is_one_token(kind: Any) -> bool:
    """Return True if each value of this annotation is one token, so that there are few of them."""
    kind = plain_kind(kind)
    origin = get_origin(kind)
    return kind in (int, bool) or origin is Literal or _is_enum(kind) or _is_choice(origin, get_args(kind))


def _named(fields: list[tuple[str, Any]]) -> Iterator[Any]:
    """Yield the values that the annotations of these fields list: of each `Literal` and enum."""
    for _, kind in fields:
        yield from _values(kind)


def _values(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Literal:
        yield from (value for value in get_args(kind) if value is not None and not isinstance(value, bool))
    elif _is_enum(kind):
        yield from (member.value for member in kind)
    elif isinstance(kind, type) and attrs.has(kind):
        yield from _named([(field.name, field.type) for field in attrs.fields(attrs.resolve_types(kind))])
    else:
        for arg in get_args(kind):
            yield from _values(arg)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_choice(origin: Any, args: tuple[Any, ...]) -> bool:
    """Return True if an annotation is a union of types with one token each."""
    return origin in (Union, types.UnionType) and all(
        arg in (int, str, bool, type(None)) or hasattr(arg, "__supertype__") or get_origin(arg) is Literal
        for arg in args
    )

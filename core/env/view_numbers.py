"""Values of a view as numbers: how many each takes, what writes them, and what packs them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter, itemgetter
from struct import pack as pack_numbers
from typing import Any, Literal, Union, get_args, get_origin

import attrs

from ..errors import GameError
from ..game import AnyGame

NOTHING, UNSEEN = 0, 1
"""The padding behind the end of a list; and the number of None, which a view has for what it may not show."""

MIN_LENGTH = 16
"""Lists have room for the whole deck, and for this many items at least."""

NUMBER = 4
"""Bytes of a number, of int32 as of float32."""

Writer = Callable[[Any, list[int]], None]
"""Appends the numbers of a value to a list."""


def maker(write: Writer, room: int) -> Callable[[Any], bytes]:
    """Return what packs the numbers of a value."""
    pack = packer(room)

    def make(value: Any) -> bytes:
        numbers: list[int] = []
        write(value, numbers)
        return pack(numbers)

    return make


def packer(room: int) -> Callable[[list[int]], bytes]:
    """Return what packs numbers, padding behind them; of a list that has no room, its length and its latest numbers."""

    def pack(numbers: list[int]) -> bytes:
        if len(numbers) > room:  # `Encoding.sizes` says too little: a match goes on all the same, law 9 tells it
            numbers = numbers[:1] + numbers[len(numbers) - room + 1 :]
        return pack_numbers(f"{len(numbers)}i{NUMBER * (room - len(numbers))}x", *numbers)

    return pack


def cost(game: AnyGame, kind: Any) -> tuple[int, int]:
    """Return how many numbers a value takes: a fixed count, and a count for each card of the deck, in its lists."""
    kind, args = plain_kind(kind), _parts(kind)
    if kind is str:
        return 1, 1
    if _is_list(kind):
        own, inside = cost(game, args[0])
        return 1, own + inside
    if get_origin(kind) is tuple:
        return _sum([cost(game, arg) for arg in args])
    if attrs.has(kind):
        return row_cost(game, kind)
    if get_origin(kind) in (Union, types.UnionType):
        costs = [cost(game, arg) for arg in args]
        return max(own for own, _ in costs) + (_classes(args) > 1), max(inside for _, inside in costs)
    if kind in (int, bool, type(None)) or get_origin(kind) is Literal or _is_enum(kind):
        return 1, 0
    raise GameError(game.name, f"its view has a field of {kind}, which cannot be observed")


def row_cost(game: AnyGame, kind: Any) -> tuple[int, int]:
    """Return how many numbers the fields of an attrs class take together."""
    return _sum([cost(game, field.type) for field in attrs.fields(attrs.resolve_types(kind))])


def writer(game: AnyGame, kind: Any) -> Writer:
    """Return what appends the numbers of a value of this annotation."""
    kind, args = plain_kind(kind), _parts(kind)
    if kind is str:
        return _write_text
    if _is_list(kind):
        return _list_writer(writer(game, args[0]))
    if get_origin(kind) is tuple:
        return _row_writer([(itemgetter(at), writer(game, arg)) for at, arg in enumerate(args)])
    if attrs.has(kind):
        fields = attrs.fields(kind)
        return _row_writer([(attrgetter(field.name), writer(game, field.type)) for field in fields])
    if get_origin(kind) in (Union, types.UnionType):
        return _union_writer(game, args)
    if get_origin(kind) is Literal or _is_enum(kind):
        numbers = {value: 2 + at for at, value in enumerate(args or kind)}
        return lambda value, numbered: numbered.append(numbers[value])
    return _write_int


def _write_int(value: int | None, numbers: list[int]) -> None:
    numbers.append(UNSEEN if value is None else value + 2 if value >= 0 else value)


def _write_text(value: str, numbers: list[int]) -> None:
    numbers.append(2 + len(value))
    numbers += map(ord, value)


def _list_writer(item: Writer) -> Writer:
    def write(values: Any, numbers: list[int]) -> None:
        numbers.append(2 + len(values))
        for value in sorted(values) if isinstance(values, frozenset) else values:
            item(value, numbers)

    return write


def _row_writer(items: list[tuple[Callable[[Any], Any], Writer]]) -> Writer:
    def write(value: Any, numbers: list[int]) -> None:
        for get, item in items:
            item(get(value), numbers)

    return write


def _union_writer(game: AnyGame, args: tuple[Any, ...]) -> Writer:
    """Return the writer of a union: None is `UNSEEN`, any other value is as its own class writes it."""
    several = _classes(args) > 1
    writers: Mapping[Any, tuple[int, Writer]] = {
        _class_of(arg): (at, writer(game, arg)) for at, arg in enumerate(args) if arg is not type(None)
    }
    only = next(iter(writers.values()))  # also of a stranger's list where a tuple is declared

    def write(value: Any, numbers: list[int]) -> None:
        if value is None:
            numbers.append(UNSEEN)
            return
        at, item = writers[type(value)] if several else only
        if several:
            numbers.append(2 + at)
        item(value, numbers)

    return write


def _classes(args: tuple[Any, ...]) -> int:
    return sum(arg is not type(None) for arg in args)


def _class_of(kind: Any) -> Any:
    """Return the class of the values of this annotation."""
    plain = plain_kind(kind)
    return type(get_args(plain)[0]) if get_origin(plain) is Literal else get_origin(plain) or plain


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(plain_kind(kind))


def _is_list(kind: Any) -> bool:
    origin, args = get_origin(kind), get_args(kind)
    return origin is frozenset or (origin is tuple and args[1:] == (Ellipsis,))


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _sum(costs: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(own for own, _ in costs), sum(inside for _, inside in costs)


def plain_kind(kind: Any) -> Any:
    """Return the class behind a `NewType`."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind

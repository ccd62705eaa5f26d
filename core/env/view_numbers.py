"""Values of a view as numbers: how many each takes, what writes them, and what packs them."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from enum import Enum
from operator import attrgetter, itemgetter
from struct import pack as pack_numbers
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from attrs import frozen

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


@frozen
class Numbers:
    """The numbers of the values of one annotation."""

    own: int
    """How many each takes whatever the deck is."""
    inside: int
    """How many more for each card of the deck, in its lists."""
    write: Writer


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


def numbers_of(game: AnyGame, kind: Any) -> Numbers:
    """Return the numbers of values of this annotation; raises `GameError` for one that cannot be observed."""
    kind = plain_kind(kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind is str:
        return Numbers(1, 1, _write_text)
    if origin is frozenset or (origin is tuple and args[1:] == (Ellipsis,)):
        item = numbers_of(game, args[0])
        return Numbers(1, item.own + item.inside, _list_writer(item.write))
    if origin is tuple:
        return _of_row([(itemgetter(at), numbers_of(game, arg)) for at, arg in enumerate(args)])
    if attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind))
        return _of_row([(attrgetter(field.name), numbers_of(game, field.type)) for field in fields])
    if origin in (Union, types.UnionType):
        return _of_union(game, args)
    if origin is Literal or is_enum(kind):
        numbers = {value: 2 + at for at, value in enumerate(args or kind)}
        return Numbers(1, 0, lambda value, numbered: numbered.append(numbers[value]))
    if kind in (int, bool, type(None)):
        return Numbers(1, 0, _write_int)
    raise GameError(game.name, f"its view has a field of {kind}, which cannot be observed")


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


def _of_row(items: list[tuple[Callable[[Any], Any], Numbers]]) -> Numbers:
    own, inside = sum(of.own for _, of in items), sum(of.inside for _, of in items)
    return Numbers(own, inside, row_writer([(get, of.write) for get, of in items]))


def row_writer(items: list[tuple[Callable[[Any], Any], Writer]]) -> Writer:
    """Return what writes parts of a value, one after the other."""

    def write(value: Any, numbers: list[int]) -> None:
        for get, item in items:
            item(get(value), numbers)

    return write


def _of_union(game: AnyGame, args: Iterable[Any]) -> Numbers:
    """Return the numbers of a union: None is `UNSEEN`, any other value is as its own class writes it."""
    every = [(at, arg, numbers_of(game, arg)) for at, arg in enumerate(args) if arg is not type(None)]
    several = len(every) > 1
    writers = {_class_of(arg): (at, of.write) for at, arg, of in every}
    only = next(iter(writers.values()))  # also of a stranger's list where a tuple is declared

    def write(value: Any, numbers: list[int]) -> None:
        if value is None:
            numbers.append(UNSEEN)
            return
        at, item = writers[type(value)] if several else only
        if several:
            numbers.append(2 + at)
        item(value, numbers)

    own, inside = max(1, *(of.own for *_, of in every)), max(of.inside for *_, of in every)
    return Numbers(own + several, inside, write)


def _class_of(kind: Any) -> Any:
    """Return the class of the values of this annotation."""
    plain = plain_kind(kind)
    return type(get_args(plain)[0]) if get_origin(plain) is Literal else get_origin(plain) or plain


def is_enum(kind: Any) -> bool:
    """Return True if an annotation is an enum."""
    return isinstance(kind, type) and issubclass(kind, Enum)


def plain_kind(kind: Any) -> Any:
    """Return the class behind a `NewType`."""
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind

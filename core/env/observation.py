"""Observations as numbers: the whole view of a seat, at fixed places of an array of fixed size."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter, itemgetter
from struct import Struct
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import numpy as np

from ..errors import GameError
from ..game import TABLE, AnyGame, Seat
from .memo import NUMBER, Memo, memo, plain_kind
from .view_encoder import Part, ViewEncoder

NOTHING, UNSEEN = 0, 1
"""The padding behind the end of a list; and the number of None, which a view has for what it may not show."""

CONSTANT_FIELDS = ("options",)
"""Fields of a view that never change during a match, and so are not encoded."""

MIN_LENGTH = 16
"""Lists have room for the whole deck, and for this many items at least."""

Writer = Callable[[Any, list[int]], None]
"""Appends the numbers of a value to a list."""


class ObservationEncoder(ViewEncoder):
    """Turns the views of a game into arrays of int32.

    Each field of the view has its own place (`places`), in the order of the class:

    - An int n is n + 2, a negative one n; a bool is an int; a member of an enum or `Literal` is its index + 2.
    - A list is its length + 2, then its items; a text likewise, its letters as code points. There is room for as
      many as `Game.sizes` says, or as the deck has cards or lie there now; of a longer one its latest are there.
    - An attrs object is its fields, after the index of its class + 2 if there are several.

    The last place has the seat's actions so far of an incomplete command.
    """

    dtype = np.dtype(np.int32)

    def __init__(self, game: AnyGame, state: Any) -> None:
        """Compute the layout, for matches with the seats and cards of `state`, which must be dealt."""
        kind: Any = type(game.view(state, Seat(0)))
        if not attrs.has(kind):
            raise GameError(game.name, f"its view is no attrs class but {kind.__name__}")
        fields = attrs.fields(attrs.resolve_types(kind))
        if unknown := set(game.sizes) - {field.name for field in fields}:
            raise GameError(game.name, f"`sizes` names {min(unknown)!r}, which is no field of its view")
        deck, whole = max(MIN_LENGTH, len(list(game.cards(state)))), game.view(state, TABLE)
        self.places: dict[str, slice] = {}
        self.size = 0
        parts = []
        for field in fields:
            if field.name in CONSTANT_FIELDS:
                continue
            own, inside = cost(game, field.type)
            write = writer(game, field.type)
            lies: list[int] = []  # the spaces of a board, which may be more than there are cards
            write(getattr(whole, field.name), lies)
            declared = game.sizes.get(field.name)
            room = max(own + inside * deck, len(lies)) if declared is None else own + inside * declared
            self._place(field.name, room)
            parts.append(Part(field.name, field.type, room, _maker(write, room)))
        super().__init__(game, state, parts)
        encoded = [_row_cost(game, command) for command in game.wire]  # a list's `end` takes the place of its length
        longest = 2 + max(own + inside * deck for own, inside in encoded)
        self._place(self._tokens_name(), longest)
        self._pack_tokens = _packer(longest)

    def space(self) -> Any:
        """Return the Gymnasium space of its arrays."""
        from gymnasium.spaces import Box

        return Box(-(2**31), 2**31 - 1, (self.size,), np.int32)

    def _begun(self, tokens: tuple[int, ...]) -> bytes:
        return self._pack_tokens([2 + len(tokens), *[2 + action for action in tokens]])

    def _place(self, name: str, room: int) -> None:
        self.places[name] = slice(self.size, self.size + room)
        self.size += room

    def check_room(self, view: Any) -> None:
        """Raise `GameError` if a list of a view has more items than there is room for, and name its field."""
        for part in self._parts:
            name, room = part.name, part.numbers
            (own, inside), numbers = cost(self.game, part.kind), list[int]()
            writer(self.game, part.kind)(getattr(view, name), numbers)
            if len(numbers) > room:
                items = -(-(len(numbers) - own) // max(inside, 1))
                why = (
                    f"field {name!r} of a view takes {len(numbers)} numbers here, and there is room for {room}: "
                    f"declare the most that it can have as `Game(sizes={{{name!r}: …}})`, {items} or more (of lists "
                    "in lists all items, of texts all letters)"
                )
                raise GameError(self.game.name, why)


def _maker(write: Writer, room: int) -> Callable[[Any], bytes]:
    pack = _packer(room)

    def make(value: Any) -> bytes:
        numbers: list[int] = []
        write(value, numbers)
        return pack(numbers)

    return make


def _packer(room: int) -> Callable[[list[int]], bytes]:
    """Return what packs numbers, padding behind them; of a list that has no room, its length and its latest numbers."""
    packs = Memo(lambda count: Struct(f"{count}i{NUMBER * (room - count)}x").pack)

    def pack(numbers: list[int]) -> bytes:
        if len(numbers) > room:  # `Game.sizes` says too little: a match goes on all the same, law 9 tells the author
            numbers = numbers[:1] + numbers[len(numbers) - room + 1 :]
        return packs[len(numbers)](*numbers)

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
        return _row_cost(game, kind)
    if get_origin(kind) in (Union, types.UnionType):
        costs = [cost(game, arg) for arg in args]
        return max(own for own, _ in costs) + (_classes(args) > 1), max(inside for _, inside in costs)
    if kind in (int, bool, type(None)) or get_origin(kind) is Literal or _is_enum(kind):
        return 1, 0
    raise GameError(game.name, f"its view has a field of {kind}, which cannot be observed")


def _row_cost(game: AnyGame, kind: Any) -> tuple[int, int]:
    return _sum([cost(game, field.type) for field in attrs.fields(attrs.resolve_types(kind))])


def writer(game: AnyGame, kind: Any) -> Writer:
    """Return what appends the numbers of a value of this annotation."""
    kind, args = plain_kind(kind), _parts(kind)
    if kind is str:
        return _write_text
    if _is_list(kind):
        return _write_ints if _is_number(args[0]) else _list_writer(args[0], writer(game, args[0]))
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


def _number(value: int | None) -> int:
    return UNSEEN if value is None else value + 2 if value >= 0 else value


_numbers = Memo(_number).__getitem__


def _write_int(value: int | None, numbers: list[int]) -> None:
    numbers.append(_number(value))


def _write_text(value: str, numbers: list[int]) -> None:
    numbers.append(2 + len(value))
    numbers += map(ord, value)


def _write_ints(values: Any, numbers: list[int]) -> None:
    """Write a list of ints, which most lists are, in one go."""
    numbers.append(2 + len(values))
    numbers += map(_numbers, sorted(values) if isinstance(values, frozenset) else values)


def _write_seen_ints(values: Any, numbers: list[int]) -> None:
    """Write a list of ints, or None, which a hand mostly is."""
    if values is None:
        numbers.append(UNSEEN)
    else:
        numbers.append(2 + len(values))
        numbers += map(_numbers, values)


def _write_rows(rows: Any, numbers: list[int]) -> None:
    """Write a list of such lists in one go: the hands of all."""
    numbers.append(2 + len(rows))
    for row in rows:
        if row is None:
            numbers.append(UNSEEN)
        else:
            numbers.append(2 + len(row))
            numbers += map(_numbers, row)


def _list_writer(kind: Any, item: Writer) -> Writer:
    if attrs.has(kind):
        return _object_list_writer(kind, item)
    if item is _write_seen_ints:
        return _write_rows

    def write(values: Any, numbers: list[int]) -> None:
        numbers.append(2 + len(values))
        for value in sorted(values) if isinstance(values, frozenset) else values:
            item(value, numbers)

    return write


def _object_list_writer(kind: Any, item: Writer) -> Writer:
    def numbers_of(value: Any) -> list[int]:
        numbers: list[int] = []
        item(value, numbers)
        return numbers

    known = memo(kind, numbers_of, MIN_LENGTH)

    def write(values: Any, numbers: list[int]) -> None:
        numbers.append(2 + len(values))
        for value in values:
            try:
                numbers += known[value]
            except TypeError:  # a stranger's list or map, which no memo takes
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
    if not several and any(get_origin(arg) is tuple and writer(game, arg) is _write_ints for arg in args):
        return _write_seen_ints
    if not several and any(map(_is_number, args)):
        return _write_int
    writers: Mapping[Any, tuple[int, Writer]] = {
        _class_of(arg): (at, writer(game, arg)) for at, arg in enumerate(args) if arg is not type(None)
    }

    def write(value: Any, numbers: list[int]) -> None:
        if value is None:
            numbers.append(UNSEEN)
            return
        at, item = writers[type(value)]
        if several:
            numbers.append(2 + at)
        item(value, numbers)

    return write


def _is_number(kind: Any) -> bool:
    """Return True for an int or a bool, or None in its place."""
    args = [arg for arg in _parts(kind) if arg is not type(None)]
    is_union = get_origin(kind) in (Union, types.UnionType)
    return _is_number(args[0]) if is_union and len(args) == 1 else plain_kind(kind) in (int, bool)


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

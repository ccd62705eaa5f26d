"""Observations as numbers: the whole view of a seat, at fixed places of an array of fixed size."""

from __future__ import annotations

import types
from array import array
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter, itemgetter
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import numpy as np

from ..errors import GameError
from ..game import TABLE, AnyGame, Seat

NOTHING, UNSEEN = 0, 1
"""The padding behind the end of a list; and the number of None, which a view has for what it may not show."""

TOKENS = "tokens"
"""The name of the last place: the seat's actions so far of an incomplete command."""

CONSTANT_FIELDS = ("options",)
"""Fields of a view that never change during a match, and so are not encoded."""

INT32 = 4
"""Bytes of a number."""

MIN_LENGTH = 16
"""Lists have room for the whole deck, and for this many items at least."""

Array = Any
"""A numpy array of int32."""

Writer = Callable[[Any, list[int]], None]
"""Appends the numbers of a value to a list."""


class ObservationEncoder:
    """Turns the views of a game into arrays.

    Each field of the view has its own place (`places`), in the order of the class:

    - An int n is n + 2, a negative one n; a bool is an int; a member of an enum or `Literal` is its index + 2.
    - A list is its length + 2, then its items; a text likewise, its letters as code points. There is room for as
      many as `Game.sizes` says, or as the deck has cards or lie there now; of a longer one its latest are there.
    - An attrs object is its fields, after the index of its class + 2 if there are several.

    The last place has the seat's actions so far of an incomplete command.
    """

    def __init__(self, game: AnyGame, state: Any) -> None:
        """Compute the layout, for matches with the seats and cards of `state`, which must be dealt."""
        self.game = game
        self._state = state
        kind: Any = type(game.view(state, Seat(0)))
        if not attrs.has(kind):
            raise GameError(game.name, f"its view is no attrs class but {kind.__name__}")
        fields = attrs.fields(attrs.resolve_types(kind))
        if unknown := set(game.sizes) - {field.name for field in fields}:
            raise GameError(game.name, f"`sizes` names {min(unknown)!r}, which is no field of its view")
        deck, whole = max(MIN_LENGTH, len(list(game.cards(state)))), game.view(state, TABLE)
        self.places: dict[str, slice] = {}
        self._runs: list[tuple[int, list[tuple[Callable[[Any], Any], Writer]]]] = []
        """The end of each run of the array, and its fields: single numbers, then one that may not fill its place."""
        self.size = 0
        run: list[tuple[Callable[[Any], Any], Writer]] = []
        for field in fields:
            if field.name in CONSTANT_FIELDS:
                continue
            own, inside = cost(game, field.type)
            write = writer(game, field.type)
            lies: list[int] = []  # the spaces of a board, which may be more than there are cards
            write(getattr(whole, field.name), lies)
            declared = game.sizes.get(field.name)
            room = max(own + inside * deck, len(lies)) if declared is None else own + inside * declared
            self.places[field.name] = slice(self.size, self.size + room)
            self.size += room
            run.append((attrgetter(field.name), write))
            if (own, inside) != (1, 0):
                self._runs.append((self.size, run))
                run = []
        self._runs.append((self.size, run))
        encoded = [_row_cost(game, command) for command in game.wire]  # a list's `end` takes the place of its length
        longest = 2 + max(own + inside * deck for own, inside in encoded)
        self.places[TOKENS] = slice(self.size, self.size + longest)
        self.size += longest
        self._padding = bytes(INT32 * self.size)

    def __reduce__(self) -> tuple[Any, ...]:
        return ObservationEncoder, (self.game, self._state)

    def __deepcopy__(self, _: Any) -> ObservationEncoder:
        return self

    def space(self) -> Any:
        """Return the Gymnasium space of its arrays."""
        from gymnasium.spaces import Box

        return Box(-(2**31), 2**31 - 1, (self.size,), np.int32)

    def observe(self, state: Any, viewer: Seat | None, tokens: tuple[int, ...] = ()) -> Array:
        """Return the view of a seat, and its actions so far of an incomplete command, as an int32 array."""
        return self.encode(self.game.view(state, viewer), tokens)

    def encode(self, view: Any, tokens: tuple[int, ...] = ()) -> Array:
        """Return a view as an array of int32 of `size` numbers, and the actions so far behind it."""
        written = array("i")
        for end, fields in self._runs:
            numbers: list[int] = []
            for get, write in fields:
                write(get(view), numbers)
            self._write(written, numbers, end)
        self._write(written, [2 + len(tokens), *[2 + action for action in tokens]], self.size)
        return np.frombuffer(written, np.int32)

    def _write(self, written: array[int], numbers: list[int], end: int) -> None:
        """Append numbers, then padding up to `end`; of a list that has no room, its length and its latest numbers."""
        beyond = len(written) + len(numbers) - end
        if beyond > 0:  # `Game.sizes` says too little: a match goes on all the same, and law 9 tells the author
            length = end - self._place(end).start
            numbers = numbers[: len(numbers) - beyond - length + 1] + numbers[len(numbers) - length + 1 :]
        written.fromlist(numbers)
        missing = end - len(written)
        written.frombytes(self._padding[: INT32 * missing])

    def _place(self, end: int) -> slice:
        """Return the place that ends here."""
        return next(place for place in self.places.values() if place.stop == end)

    def check_room(self, view: Any) -> None:
        """Raise `GameError` if a list of a view has more items than there is room for, and name its field."""
        for name, place in self.places.items():
            if name == TOKENS:
                continue
            kind = attrs.fields_dict(attrs.resolve_types(type(view)))[name].type
            (own, inside), numbers = cost(self.game, kind), list[int]()
            writer(self.game, kind)(getattr(view, name), numbers)
            room = place.stop - place.start
            if len(numbers) > room:
                items = -(-(len(numbers) - own) // max(inside, 1))
                why = (
                    f"field {name!r} of a view takes {len(numbers)} numbers here, and there is room for {room}: "
                    f"declare the most that it can have as `Game(sizes={{{name!r}: …}})`, {items} or more (of lists "
                    "in lists all items, of texts all letters)"
                )
                raise GameError(self.game.name, why)


def cost(game: AnyGame, kind: Any) -> tuple[int, int]:
    """Return how many numbers a value takes: a fixed count, and a count for each card of the deck, in its lists."""
    kind, args = _plain(kind), _parts(kind)
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
    kind, args = _plain(kind), _parts(kind)
    if kind is str:
        return _write_text
    if _is_list(kind):
        return _write_ints if _plain(args[0]) is int else _list_writer(writer(game, args[0]))
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


def _write_ints(values: Any, numbers: list[int]) -> None:
    """Write a list of ints, which most lists are, in one go."""
    numbers.append(2 + len(values))
    ordered = sorted(values) if isinstance(values, frozenset) else values
    numbers += [value + 2 if value >= 0 else value for value in ordered]


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

    def write(value: Any, numbers: list[int]) -> None:
        if value is None:
            numbers.append(UNSEEN)
            return
        at, item = writers[type(value)]
        if several:
            numbers.append(2 + at)
        item(value, numbers)

    return write


def _classes(args: tuple[Any, ...]) -> int:
    return sum(arg is not type(None) for arg in args)


def _class_of(kind: Any) -> Any:
    """Return the class of the values of this annotation."""
    plain = _plain(kind)
    return type(get_args(plain)[0]) if get_origin(plain) is Literal else get_origin(plain) or plain


def _plain(kind: Any) -> Any:
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(_plain(kind))


def _is_list(kind: Any) -> bool:
    origin, args = get_origin(kind), get_args(kind)
    return origin is frozenset or (origin is tuple and args[1:] == (Ellipsis,))


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _sum(costs: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(own for own, _ in costs), sum(inside for _, inside in costs)

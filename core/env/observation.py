"""What a seat sees as numbers: its view, whole, at fixed places of an array of fixed size."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from enum import Enum
from operator import attrgetter, itemgetter
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import numpy as np

from ..errors import GameError
from ..game import Game, Seat

NOTHING, UNSEEN = 0, 1
"""What stands behind the end of a list; and what stands for None, which a view has where it may not show a thing."""

SAID = "said"
"""The name of the last place: what the seat has spelled of its command, as actions."""

SETTLED = ("options",)
"""Fields of a view that are the same all match long, and so no part of what is observed."""

LEAST = 16
"""Lists are given room for the whole deck, and for so many things at least."""

Array = Any
"""A numpy array of int32."""

Writer = Callable[[Any, list[int]], None]
"""Appends the numbers of a value."""


class ObservationEncoder:
    """Turns the views of a game into arrays.

    Each field of the view has its own place (`places`), in the order of the class. An int is itself and 2 more, or
    itself below 0; a bool is an int; a member of an enum or `Literal` is its place among them; a letter is its code
    point. A list or a text is its length, then its items; a nested one likewise. An attrs object is its fields, after
    the place of its class where there are several. Last comes what the seat has spelled of its command.
    """

    def __init__(self, game: Game[Any, Any, Any], state: Any) -> None:
        """Lay the array out, for matches of so many seats and cards as this one, dealt, has."""
        self.game = game
        self._state = state
        kind: Any = type(game.view(state, Seat(0)))
        if not attrs.has(kind):
            raise GameError(game.name, f"its view is no attrs class but {kind.__name__}")
        most = max(LEAST, len(list(game.cards(state))))
        self.places: dict[str, slice] = {}
        self._fields: list[tuple[str, slice, Writer]] = []
        self.size = 0
        for field in attrs.fields(attrs.resolve_types(kind)):
            if field.name in SETTLED:
                continue
            own, inside = _cost(game, field.type)
            place = slice(self.size, self.size + own + inside * most)
            self.places[field.name] = place
            self._fields.append((field.name, place, _writer(game, field.type)))
            self.size = place.stop
        encoded = [_row_cost(game, command) for command in game.wire]  # a list's `end` takes the place of its length
        longest = 2 + max(own + inside * most for own, inside in encoded)
        self.places[SAID] = slice(self.size, self.size + longest)
        self.size += longest

    def __reduce__(self) -> tuple[Any, ...]:
        return ObservationEncoder, (self.game, self._state)

    def __deepcopy__(self, _: Any) -> ObservationEncoder:
        return self

    def space(self) -> Any:
        """Return the Gymnasium space of its arrays."""
        from gymnasium.spaces import Box

        return Box(-(2**31), 2**31 - 1, (self.size,), np.int32)

    def observe(self, state: Any, viewer: Seat | None, tokens: tuple[int, ...] = ()) -> Array:
        """Give what this seat may look at now, and what it has spelled of its command."""
        return self.encode(self.game.view(state, viewer), tokens)

    def encode(self, view: Any, tokens: tuple[int, ...] = ()) -> Array:
        """Return a view as an array of int32 of `size` numbers, and the actions so far behind it."""
        array: Array = np.zeros(self.size, np.int32)
        for name, place, write in self._fields:
            numbers: list[int] = []
            write(getattr(view, name), numbers)
            self._put(array, name, place, numbers)
        self._put(array, SAID, self.places[SAID], [2 + len(tokens), *(2 + action for action in tokens)])
        return array

    def _put(self, array: Array, name: str, place: slice, numbers: list[int]) -> None:
        if len(numbers) > place.stop - place.start:
            why = f"field {name!r} of a view has {len(numbers)} numbers, more than the whole deck would need"
            raise GameError(self.game.name, why)
        array[place.start : place.start + len(numbers)] = numbers


def _cost(game: Game[Any, Any, Any], kind: Any) -> tuple[int, int]:
    """Count the numbers of a value: its own, and those inside its lists for each card of the deck."""
    kind, args = _plain(kind), _parts(kind)
    if kind is str:
        return 1, 1
    if _is_list(kind):
        own, inside = _cost(game, args[0])
        return 1, own + inside
    if get_origin(kind) is tuple:
        return _sum([_cost(game, arg) for arg in args])
    if attrs.has(kind):
        return _row_cost(game, kind)
    if get_origin(kind) in (Union, types.UnionType):
        costs = [_cost(game, arg) for arg in args]
        return max(own for own, _ in costs) + (_classes(args) > 1), max(inside for _, inside in costs)
    if kind in (int, bool, type(None)) or get_origin(kind) is Literal or _is_enum(kind):
        return 1, 0
    raise GameError(game.name, f"its view has a field of {kind}, which cannot be observed")


def _row_cost(game: Game[Any, Any, Any], kind: Any) -> tuple[int, int]:
    return _sum([_cost(game, field.type) for field in attrs.fields(attrs.resolve_types(kind))])


def _writer(game: Game[Any, Any, Any], kind: Any) -> Writer:
    kind, args = _plain(kind), _parts(kind)
    if kind is str:
        return _write_text
    if _is_list(kind):
        return _list_writer(_writer(game, args[0]))
    if get_origin(kind) is tuple:
        return _row_writer([(itemgetter(at), _writer(game, arg)) for at, arg in enumerate(args)])
    if attrs.has(kind):
        fields = attrs.fields(kind)
        return _row_writer([(attrgetter(field.name), _writer(game, field.type)) for field in fields])
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


def _union_writer(game: Game[Any, Any, Any], args: tuple[Any, ...]) -> Writer:
    """Write None as unseen, and any other value as its own kind would be, after the place of its class."""
    several = _classes(args) > 1
    writers: Mapping[Any, tuple[int, Writer]] = {
        _class_of(arg): (at, _writer(game, arg)) for at, arg in enumerate(args) if arg is not type(None)
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
    """Name the class that a value of this annotation has."""
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

"""A view as planes for networks: 0 and 1, one place for each thing that can be so."""

from __future__ import annotations

import types
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any, Literal, Union, get_args, get_origin

import attrs
import numpy as np

from ..errors import GameError
from ..game import TABLE, AnyGame, Card, Seat
from .action_encoding import action_encoding_of
from .memo import NUMBER, Anew, Memo, memo, plain_kind
from .observation import CONSTANT_FIELDS, MIN_LENGTH, cost, writer
from .relative import by_seat
from .view_encoder import Array, Part, ViewEncoder

Planes = Any
"""A memory view of floats, which is quicker to write single numbers into than an array of numpy."""

Writer = Callable[[Any, Planes, int], None]
"""Writes a value into an array of zeros, from this place on."""

Bounds = list[tuple[float, float]]
"""The least and the most that each number of a part can be."""

UNIT = (0.0, 1.0)

SEQUENCE = "sequence"
"""In `Game.planes`: the order of a list of cards tells something."""

SPELLED = 12
"""The most actions of a command that has been begun of which each has a plane; the last one stands for those behind."""


LARGE = 1 << 16
"""A field of more numbers, most of them 0, is written into the array itself."""

UNKNOWN = 1 << 32
"""A letter that is not in the vocabulary is its code point divided by this."""


class PlaneEncoder(ViewEncoder):
    """Turns the views of a game into arrays of float32.

    A list of cards is how often each card is in it; a `sequence` of cards one plane a place; a seat, an enum or a
    text one place for each that there is; an int is divided by the size of the deck; None has a place of its own. What
    is more than a table has, as an int above the size of the deck, is drawn in below the bounds of `space`.
    Two views of a seat give equal arrays only if they differ in nothing but the order of cards in a list that is no
    `sequence`.
    """

    dtype = np.dtype(np.float32)

    def __init__(self, game: AnyGame, state: Any) -> None:
        """Lay the array out, for matches of so many seats and cards as this one, dealt, has."""
        view = game.view(state, Seat(0))
        kind: Any = type(view)
        if not attrs.has(kind):
            raise GameError(game.name, f"its view is no attrs class but {kind.__name__}")
        seats = len(game.scene(view).places)
        sizes = _Sizes(game, seats, Counter(game.cards(state)), game.view(state, TABLE))
        listed = by_seat(game, kind, seats)
        self.places: dict[str, slice] = {}
        self._bounds: Bounds = []
        parts = []
        for field in attrs.fields(attrs.resolve_types(kind)):
            if field.name not in CONSTANT_FIELDS:
                bounds, writer = sizes.field(field.name, field.type, by_seat=field.name in listed)
                self._place(field.name, bounds)
                make = partial(_as_bytes, writer, len(bounds)) if len(bounds) <= LARGE else partial(partial, writer)
                parts.append(Part(field.name, field.type, len(bounds), make))
        super().__init__(game, state, parts)
        self._has_large = any(part.numbers > LARGE for part in parts)
        self._actions = len(action_encoding_of(game))
        self._place(self._tokens_name(), [(0.0, 2.0)] * (SPELLED * self._actions))
        self.size = len(self._bounds)
        self._rooms = [*(part.numbers for part in parts), SPELLED * self._actions]

    def space(self) -> Any:
        """Return the Gymnasium space of its arrays."""
        from gymnasium.spaces import Box

        bounds: Array = np.asarray(self._bounds, np.float32)
        return Box(bounds[:, 0], bounds[:, 1], dtype=np.float32)

    def with_tokens(self, seen: Sequence[Any], tokens: tuple[int, ...]) -> Array:
        """Return the observation that begins with what was `seen`, the actions so far behind it."""
        if not self._has_large:
            return super().with_tokens(seen, tokens)
        array: Array = np.zeros(self.size, np.float32)  # the system hands out zeros that nobody has to write
        planes = memoryview(array)
        start = 0
        for made, numbers in zip((*seen, self._tokens[tokens]), self._rooms, strict=True):
            if callable(made):
                made(planes, start)
            else:
                planes[start : start + numbers] = memoryview(made).cast("f")
            start += numbers
        return array

    def _begun(self, tokens: tuple[int, ...]) -> bytes:
        planes = array("f", bytes(NUMBER * SPELLED * self._actions))
        last = (SPELLED - 1) * self._actions
        for at, action in enumerate(tokens):
            planes[min(at * self._actions, last) + action] += 1
        if len(tokens) > SPELLED:
            planes[last:] = array("f", [drawn_in(np.float32(each), 1) for each in planes[last:]])
        return planes.tobytes()

    def _place(self, name: str, bounds: Bounds) -> None:
        self.places[name] = slice(len(self._bounds), len(self._bounds) + len(bounds))
        self._bounds += bounds


def _as_planes(write: Writer, room: int, value: Any) -> Planes:
    planes = memoryview(bytearray(NUMBER * room)).cast("f")
    write(value, planes, 0)
    return planes


def _as_bytes(write: Writer, room: int, value: Any) -> bytes:
    return _as_planes(write, room, value).tobytes()  # type: ignore[no-any-return]


class _Sizes:
    """How many numbers a value of an annotation takes at a table, and what writes them."""

    def __init__(self, game: AnyGame, seats: int, deck: Counter[Any], whole: Any) -> None:
        self._game, self._seats, self._whole = game, seats, whole
        self._cards = {card: at for at, card in enumerate(sorted(deck, key=lambda each: (str(type(each)), each)))}
        self._most = max(MIN_LENGTH, deck.total())
        letters = [each for each in game.vocabulary if isinstance(each, str)]
        self._letters = {letter: at for at, letter in enumerate(dict.fromkeys(letters))}
        self._deck = deck

    def field(self, name: str, kind: Any, *, by_seat: bool) -> tuple[Bounds, Writer]:
        """Lay out a field of the view: a list by seat as one part a seat."""
        if by_seat:
            return self._several(get_args(kind)[0], self._seats)
        if self._game.planes.get(name) == SEQUENCE:
            return self._several(get_args(kind)[0], 2 * self._seats)
        declared = self._game.sizes.get(name)
        if kind is str:
            return self._text(declared or self._most)
        if _is_flat(self._game, kind) and get_args(kind)[0] is not Card:
            lies = len(getattr(self._whole, name))  # spaces of a board may be more than there are cards
            return self._several(get_args(kind)[0], declared or max(self._most, lies))
        return self.of(kind) if declared is None else self._stream(kind, declared)

    def of(self, kind: Any) -> tuple[Bounds, Writer]:
        """Lay out a value of this annotation."""
        origin, args = get_origin(kind), get_args(kind)
        if kind is Card:
            return self._one_of(self._cards)
        if kind is Seat:
            return self._one_of({seat: seat for seat in range(self._seats)})
        if hasattr(kind, "__supertype__"):
            return self.of(kind.__supertype__)
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin is frozenset:
            return self._counts({seat: seat for seat in range(self._seats)}, {})
        if origin is tuple and args[1:] == (Ellipsis,):
            return self._counts(self._cards, self._deck) if args[0] is Card else self._several(args[0], self._most)
        if origin is tuple:
            return _row([(itemgetter(at), *self.of(arg)) for at, arg in enumerate(args)])
        if attrs.has(kind):
            fields = attrs.fields(attrs.resolve_types(kind))
            return _row([(attrgetter(field.name), *self.of(field.type)) for field in fields])
        if origin is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
            return self._one_of({value: at for at, value in enumerate(args or kind)})
        if kind is str:
            return self._text(self._most)
        return self._number(is_bool=kind is bool)

    def _one_of(self, places: dict[Any, int]) -> tuple[Bounds, Writer]:
        def write(value: Any, planes: Planes, start: int) -> None:
            at = places.get(value)
            if at is not None:
                planes[start + at] = 1

        return [UNIT] * len(places), write

    def _counts(self, places: dict[Any, int], most: Mapping[Any, int]) -> tuple[Bounds, Writer]:
        """Write how often each of these is in a list: up to as often as it is in the deck as it is."""
        limits = [most.get(value, 1) for value in places]
        least = min(limits, default=0)

        def write(values: Any, planes: Planes, start: int) -> None:
            if least and len({*values}) == len(values):  # each once, which is mostly so
                for at in map(places.get, values):
                    if at is not None:
                        planes[start + at] = 1
                return
            beyond = set()
            for value in values:
                at = places.get(value)
                if at is not None:
                    planes[start + at] += 1
                    if planes[start + at] > limits[at]:
                        beyond.add(at)
            for at in beyond:
                planes[start + at] = drawn_in(np.float32(planes[start + at]), limits[at])

        return [(0.0, limit + 1.0) for limit in limits], write

    def _several(self, item: Any, most: int) -> tuple[Bounds, Writer]:
        """Write how many items there are, then each at its place."""
        bounds, one = self.of(item)
        size = len(bounds)
        scale = self._most

        parts = memo(item, partial(_as_planes, one, size), size)
        kept = attrs.has(item) and not isinstance(parts, Anew)

        def write(values: Any, planes: Planes, start: int) -> None:
            latest = values[-most:]  # `Game.sizes` may say too little: a match goes on all the same
            planes[start] = len(latest) / scale
            start += 1
            for value in latest:
                try:
                    if kept:
                        planes[start : start + size] = parts[value]
                    else:
                        one(value, planes, start)
                except TypeError:  # a stranger's list or map, which no memo takes
                    one(value, planes, start)
                start += size

        return [(0.0, most / scale), *bounds * most], write

    def _union(self, args: tuple[Any, ...]) -> tuple[Bounds, Writer]:
        """Write a 1 in the place of the value's class, None first, then the value in the part of that class."""
        kinds = [arg for arg in args if arg is not type(None)]
        laid = [self.of(arg) for arg in kinds]
        begins = [1 + len(kinds) + sum(len(bounds) for bounds, _ in laid[:at]) for at in range(len(kinds))]
        classes = [_class_of(arg) for arg in kinds]

        def write(value: Any, planes: Planes, start: int) -> None:
            if value is None:
                planes[start] = 1
                return
            at = 0 if len(classes) == 1 else classes.index(type(value))
            planes[start + 1 + at] = 1
            laid[at][1](value, planes, start + begins[at])

        return [UNIT] * (1 + len(kinds)) + [each for bounds, _ in laid for each in bounds], write

    def _number(self, *, is_bool: bool) -> tuple[Bounds, Writer]:
        scale = self._most
        scaled = Memo(lambda value: value if is_bool and value in (0, 1) else drawn_in(value / scale, 1))

        def write(value: Any, planes: Planes, start: int) -> None:
            planes[start] = scaled[value]

        return [(-2.0, 2.0)], write

    def _text(self, most: int) -> tuple[Bounds, Writer]:
        """Write the length, then each letter as its place in the vocabulary, between 0 and 1; others as less."""
        letters = self._letters

        def write(value: str, planes: Planes, start: int) -> None:
            latest = value[-most:]
            planes[start] = len(latest) / most
            for at, letter in enumerate(latest, start + 1):
                known = letters.get(letter)
                planes[at] = ord(letter) / UNKNOWN if known is None else (1 + known) / len(letters)

        return [UNIT] * (1 + most), write

    def _stream(self, kind: Any, most: int) -> tuple[Bounds, Writer]:
        """Write the numbers of the whole encoding one after the other, the latest ones where there is no more room."""
        own, inside = cost(self._game, kind)
        write, scale, size = writer(self._game, kind), self._most, own + inside * most

        def stream(value: Any, planes: Planes, start: int) -> None:
            numbers: list[int] = []
            write(value, numbers)
            for at, number in enumerate(numbers[-size:], start):
                planes[at] = drawn_in(number / scale, 1)

        return [(-2.0, 2.0)] * size, stream


def _is_flat(game: AnyGame, kind: Any) -> bool:
    """Return True for lists of values that hold no list and no text themselves."""
    args = get_args(kind)
    return get_origin(kind) is tuple and args[1:] == (Ellipsis,) and cost(game, args[0])[1] == 0


def _row(items: list[tuple[Callable[[Any], Any], Bounds, Writer]]) -> tuple[Bounds, Writer]:
    begins = [sum(len(bounds) for _, bounds, _ in items[:at]) for at in range(len(items))]

    def write(value: Any, planes: Planes, start: int) -> None:
        for (get, _, one), begin in zip(items, begins, strict=True):
            one(get(value), planes, start + begin)

    return [each for _, bounds, _ in items for each in bounds], write


def drawn_in(value: Any, most: float) -> Any:
    """Return a number; a size beyond `most` is compressed, in order, to one between `most` and `most` + 1."""
    beyond = abs(value) - most
    return value if beyond <= 0 else (most + beyond / (1 + beyond)) * (1 if value > 0 else -1)


def _class_of(kind: Any) -> Any:
    kind = plain_kind(kind)
    return get_origin(kind) or kind

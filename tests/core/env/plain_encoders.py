"""Both encodings of a view as the docs tell them, each view walked anew: what the encoders must give, slowly."""

import types
from collections import Counter
from enum import Enum
from typing import Literal, Union, get_args, get_origin

import attrs
import numpy as np
from kifu.core.env import action_encoding_of
from kifu.core.env.planes import drawn_in
from kifu.core.env.relative import by_seat, view_turns
from kifu.core.game import TABLE, Card, Seat

UNIONS = (Union, types.UnionType)


def relative_view(game, view, seat, seats):
    """Return a seat's view with its seats counted from it, lists by seat begun with its own."""
    turns = view_turns(game, type(view), seats)
    return attrs.evolve(view, **{name: turn(getattr(view, name), seat, seats) for name, turn in turns})


def fields_of(kind):
    return [field for field in attrs.fields(attrs.resolve_types(kind)) if field.name != "options"]


def class_behind(kind):
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    return kind


def some(kind):
    """Return the annotations of a union but None."""
    return [arg for arg in get_args(kind) if arg is not type(None)]


def choice(kinds, value):
    classes = [get_origin(class_behind(kind)) or class_behind(kind) for kind in kinds]
    classes = [type(get_args(kind)[0]) if each is Literal else each for kind, each in zip(kinds, classes, strict=True)]
    return classes.index(type(value)) if len(kinds) > 1 else 0


def is_list(kind):
    return get_origin(kind) is frozenset or (get_origin(kind) is tuple and get_args(kind)[1:] == (Ellipsis,))


def members(kind):
    """Return the values of an enum or `Literal`, else None."""
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    return get_args(kind) if get_origin(kind) is Literal else tuple(kind) if is_enum else None


def numbers(kind, value):
    """Return a value in the encoding `whole`, without padding."""
    kind = class_behind(kind)
    if value is None:
        return [1]
    if get_origin(kind) in UNIONS:
        kinds = some(kind)
        at = choice(kinds, value)
        return ([2 + at] if len(kinds) > 1 else []) + numbers(kinds[at], value)
    if members(kind) is not None:
        return [2 + members(kind).index(value)]
    if kind is str:
        return [2 + len(value), *map(ord, value)]
    if is_list(kind):
        items = sorted(value) if get_origin(kind) is frozenset else value
        return [2 + len(items), *(number for item in items for number in numbers(get_args(kind)[0], item))]
    if get_origin(kind) is tuple:
        return [number for of, item in zip(get_args(kind), value, strict=True) for number in numbers(of, item)]
    if attrs.has(kind):
        return [
            n
            for field in attrs.fields(attrs.resolve_types(kind))
            for n in numbers(field.type, getattr(value, field.name))
        ]
    return [value + 2 if value >= 0 else value]


def whole(encoder, view, tokens):
    """Return the array of a view; how much room each field has, the encoder tells."""
    rooms = [part.numbers for part in encoder._parts]
    rooms.append(encoder.size - sum(rooms))
    written = [numbers(field.type, getattr(view, field.name)) for field in fields_of(type(view))]
    array = []
    for some, room in zip([*written, [2 + len(tokens), *(2 + action for action in tokens)]], rooms, strict=True):
        fitting = some if len(some) <= room else some[:1] + some[len(some) - room + 1 :]
        array += [*fitting, *[0] * (room - len(fitting))]
    return np.array(array, np.int32)


def following(encoded, place):
    """Return the first place from this one on where commands differ by their actions, and the actions there."""
    while len({each[place] for each in encoded}) == 1:
        place += 1
    return place, tuple(sorted({each[place] for each in encoded}))


class Planes:
    """The encoding `planes` at a table of so many seats and cards as this state has."""

    def __init__(self, game, state):
        self.game, self.seats = game, len(game.scene(game.view(state, Seat(0))).places)
        self.deck, self.table = Counter(game.cards(state)), game.view(state, TABLE)
        self.cards = sorted(self.deck, key=lambda each: (str(type(each)), each))
        self.most = max(16, self.deck.total())
        self.letters = [*dict.fromkeys(each for each in game.vocabulary if isinstance(each, str))]
        self.listed = by_seat(game, type(game.view(state, Seat(0))), self.seats)

    def encode(self, encoder, view, tokens):
        planes = [
            each for field in fields_of(type(view)) for each in self.field(encoder, field, getattr(view, field.name))
        ]
        count = len(action_encoding_of(self.game))
        begun = [Counter() for _ in range(12)]
        for at, action in enumerate(tokens):
            begun[min(at, 11)][action] += 1
        planes += [drawn_in(np.float32(each[action]), 1) for each in begun for action in range(count)]
        return np.array(planes, np.float32)

    def field(self, encoder, field, value):
        room = next(part.numbers for part in encoder._parts if part.name == field.name)
        item = (get_args(field.type) or (None,))[0]
        if field.name in self.listed:
            return self.several(item, self.seats, value)
        if self.game.planes.get(field.name) == "sequence":
            return self.several(item, 2 * self.seats, value)
        declared = self.game.sizes.get(field.name)
        if field.type is str:
            return self.text(declared or self.most, value)
        if is_list(field.type) and get_origin(field.type) is tuple and item is not Card and self.is_flat(item):
            return self.several(item, declared or max(self.most, len(getattr(self.table, field.name))), value)
        if declared is not None:
            stream = [drawn_in(number / self.most, 1) for number in numbers(field.type, value)[-room:]]
            return stream + [0.0] * (room - len(stream))
        return self.of(field.type, value)

    def is_flat(self, kind):
        """Return True if there is no list and no text in the values."""
        kind = class_behind(kind)
        if attrs.has(kind):
            return all(self.is_flat(field.type) for field in attrs.fields(attrs.resolve_types(kind)))
        inner = () if members(kind) is not None else [arg for arg in get_args(kind) if arg is not Ellipsis]
        return kind is not str and not is_list(kind) and all(map(self.is_flat, inner))

    def of(self, kind, value, blank=False):
        """Return the planes of a value, or as many zeros."""
        if kind in (Card, Seat):
            return [float(not blank and each == value) for each in (self.cards if kind is Card else range(self.seats))]
        kind = class_behind(kind)
        origin, args = get_origin(kind), get_args(kind)
        if origin in UNIONS:
            kinds = some(kind)
            at = None if blank or value is None else choice(kinds, value)
            flags = [float(not blank and value is None), *(float(at == each) for each in range(len(kinds)))]
            return flags + [n for each, of in enumerate(kinds) for n in self.of(of, value, blank=each != at)]
        if origin is frozenset or (is_list(kind) and args[0] is Card):
            cards = self.cards if origin is tuple else range(self.seats)
            limits = self.deck if origin is tuple else Counter(dict.fromkeys(cards, 1))
            return [0.0 if blank else drawn_in(np.float32([*value].count(each)), limits[each]) for each in cards]
        if is_list(kind):
            return self.several(args[0], self.most, () if blank else value)
        if origin is tuple:
            return [n for at, of in enumerate(args) for n in self.of(of, None if blank else value[at], blank)]
        if attrs.has(kind):
            fields = attrs.fields(attrs.resolve_types(kind))
            return [n for f in fields for n in self.of(f.type, None if blank else getattr(value, f.name), blank)]
        if members(kind) is not None:
            return [float(not blank and each == value) for each in members(kind)]
        if kind is str:
            return self.text(self.most, "" if blank else value)
        return [0.0 if blank else float(value) if isinstance(value, bool) else drawn_in(value / self.most, 1)]

    def several(self, kind, most, values):
        latest = values[-most:]
        planes = [n for value in latest for n in self.of(kind, value)]
        size = len(planes) // len(latest) if latest else len(self.of(kind, None, blank=True))
        return [len(latest) / self.most, *planes, *[0.0] * (size * (most - len(latest)))]

    def text(self, most, value):
        latest = value[-most:]
        known = {letter: (1 + at) / len(self.letters) for at, letter in enumerate(self.letters)}
        planes = [known.get(letter, ord(letter) / 2**32) for letter in latest]
        return [len(latest) / most, *planes, *[0.0] * (most - len(latest))]

"""A view as numbers, as the docs tell it, walked anew: what the encoder must give, slowly."""

import types
from enum import Enum
from typing import Literal, Union, get_args, get_origin

import attrs
import numpy as np
from kifu.core.env.relative import view_turns

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
    """Return a value in numbers, without padding."""
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

"""Seats counted from the one who looks: its own seat is 0, its left neighbour 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, get_args, get_origin

import attrs

from ..game import AnyGame, Seat, encoding_of
from .action_encoding import ActionEncoding, Turned

Turn = Callable[[Any, int, int], Any]
"""Returns a value as a seat of so many sees it."""


class RelativeEncoding(ActionEncoding):
    """The actions of a game as one seat counts: the same numbers, with the seats in them counted from itself."""

    def __init__(self, encoding: ActionEncoding, seat: int, seats: int) -> None:
        self.__dict__.update(encoding.__dict__)
        self._made_of = encoding, seat, seats
        self.turns = {
            kind: {name: _turned(turn, seat, seats) for name, turn in turns}
            for kind, turns in _command_turns(self.game).items()
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return RelativeEncoding, self._made_of


def _turned(turn: Turn, seat: int, seats: int) -> Turned:
    return lambda value: turn(value, seat, seats)


@lru_cache(maxsize=64)
def _command_turns(game: AnyGame) -> dict[type, list[tuple[str, Turn]]]:
    """Return by the class of a command its fields that have seats in them, each with what counts them from a seat."""
    found = {}
    for kind, tag in game.wire.items():
        fields = attrs.fields(attrs.resolve_types(kind))
        listed = {field.name for field in fields if f"{tag}.{field.name}" in encoding_of(game).by_seat}
        found[kind] = _turns(fields, listed)
    return found


@lru_cache(maxsize=256)
def view_turns(game: AnyGame, kind: Any, seats: int) -> list[tuple[str, Turn]]:
    """Return the fields of a view that have seats in them, each with what counts them from a seat."""
    return _turns(attrs.fields(attrs.resolve_types(kind)), by_seat(game, kind, seats))


def by_seat(game: AnyGame, kind: Any, seats: int) -> frozenset[str]:
    """Return the fields of a view that are lists with one item a seat.

    They are those that have as many items as there are seats before the first event, and those that
    `Encoding.by_seat` names.
    """
    first = game.view(game.start(game.options(), seats), Seat(0))
    own = {
        field.name
        for field in attrs.fields(attrs.resolve_types(kind))
        if get_origin(field.type) is tuple and len(getattr(first, field.name) or ()) == seats
    }
    return frozenset(own.union(encoding_of(game).by_seat))


def _turns(fields: Any, listed: Any) -> list[tuple[str, Turn]]:
    turns = []
    for field in fields:
        turn = _turn(field.type)
        if field.name in listed:
            turn = _rotation(turn)
        if turn is not None:
            turns.append((field.name, turn))
    return turns


def _turn(kind: Any) -> Turn | None:
    """Return what counts the seats in values of this annotation from a seat; None if there are none in it."""
    origin, args = get_origin(kind), get_args(kind)
    if kind is Seat:
        return _seat_turn
    if attrs.has(kind):
        inner = _turns(attrs.fields(attrs.resolve_types(kind)), ())
        return _class_turn(inner) if inner else None
    turns = [_turn(arg) for arg in args if arg is not Ellipsis and arg is not type(None)]
    if not any(turns):
        return None
    if origin is frozenset:
        return lambda value, seat, seats: frozenset(_seat_turn(each, seat, seats) for each in value)
    if origin is tuple and args[1:] == (Ellipsis,):
        return _list_turn(turns[0])
    if origin is tuple:
        return lambda value, seat, seats: tuple(
            each if turn is None else turn(each, seat, seats) for each, turn in zip(value, turns, strict=True)
        )
    only = next(turn for turn in turns if turn is not None)
    return lambda value, seat, seats: None if value is None else only(value, seat, seats)


def _seat_turn(value: int, seat: int, seats: int) -> int:
    return (value - seat) % seats if 0 <= value < seats else value


def _list_turn(item: Turn | None) -> Turn:
    return lambda value, seat, seats: tuple(each if item is None else item(each, seat, seats) for each in value)


def _class_turn(inner: list[tuple[str, Turn]]) -> Turn:
    return lambda value, seat, seats: attrs.evolve(
        value, **{name: turn(getattr(value, name), seat, seats) for name, turn in inner}
    )


def _rotation(item: Turn | None) -> Turn:
    def rotate(value: Any, seat: int, seats: int) -> Any:
        if len(value) != seats:  # nothing is there yet
            return value
        turned = (*value[seat:], *value[:seat])
        return turned if item is None else tuple(item(each, seat, seats) for each in turned)

    return rotate

"""Observations as numbers: the whole view of a seat, at fixed places of an array of fixed size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np

from ..errors import GameError
from ..game import TABLE, AnyGame, Seat, encoding_of
from .relative import Turn, view_turns
from .view_numbers import MIN_LENGTH, Numbers, maker, numbers_of, packer

CONSTANT_FIELDS = ("options",)
"""Fields of a view that never change during a match, and so are not encoded."""

TOKENS = "tokens"
"""The name of the last place: the seat's actions so far of an incomplete command."""

Array = Any
"""A numpy array."""


@attrs.frozen
class Part:
    """A field of the view: its name, the numbers of its values, the room for them, and what makes a buffer of one."""

    name: str
    of: Numbers
    room: int
    write: Callable[[Any], Any]


class ObservationEncoder:
    """Turns the views of a game into arrays of int32.

    Each field of the view has its own place (`places`), in the order of the class:

    - An int n is n + 2, a negative one n; a bool is an int; a member of an enum or `Literal` is its index + 2.
    - A list is its length + 2, then its items; a text likewise, its letters as code points. There is room for as
      many as `Encoding.sizes` says, or as the deck has cards or lie there now; of a longer one its latest are there.
    - An attrs object is its fields, after the index of its class + 2 if there are several.

    The last place has the seat's actions so far of an incomplete command.
    """

    def __init__(self, game: AnyGame, state: Any) -> None:
        """Compute the layout, for matches with the seats and cards of `state`, which must be dealt."""
        kind: Any = type(game.view(state, Seat(0)))
        if not attrs.has(kind):
            raise GameError(game.name, f"its view is no attrs class but {kind.__name__}")
        fields = attrs.fields(attrs.resolve_types(kind))
        if unknown := set(encoding_of(game).sizes) - {field.name for field in fields}:
            raise GameError(game.name, f"`sizes` names {min(unknown)!r}, which is no field of its view")
        deck, whole = max(MIN_LENGTH, len(list(game.cards(state)))), game.view(state, TABLE)
        self.game, self._state = game, state
        self._counted: tuple[int, int] | None = None
        self.places: dict[str, slice] = {}
        self.size = 0
        self._parts: list[Part] = []
        for field in fields:
            if field.name in CONSTANT_FIELDS:
                continue
            of = numbers_of(game, field.type)
            lies: list[int] = []  # the spaces of a board, which may be more than there are cards
            of.write(getattr(whole, field.name), lies)
            declared = encoding_of(game).sizes.get(field.name)
            room = max(of.own + of.inside * deck, len(lies)) if declared is None else of.own + of.inside * declared
            self._place(field.name, room)
            self._parts.append(Part(field.name, of, room, maker(of.write, room)))
        encoded = [numbers_of(game, command) for command in game.wire]  # a list's `end` takes the place of its length
        longest = 2 + max(of.own + of.inside * deck for of in encoded)
        self._place(self._tokens_name(), longest)
        self._pack_tokens = packer(longest)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self.game, self._state, self._counted)

    def __deepcopy__(self, _: Any) -> ObservationEncoder:
        return self

    def counted_from(self, seat: int, seats: int) -> ObservationEncoder:
        """Return the encoder of what one seat of so many sees, that counts seats from it: its own is 0."""
        encoder: ObservationEncoder = object.__new__(ObservationEncoder)
        encoder.__dict__.update(self.__dict__)
        encoder._counted = seat, seats
        kind: Any = type(self.game.view(self._state, Seat(0)))
        turns = dict(view_turns(self.game, kind, seats))
        encoder._parts = [
            attrs.evolve(part, write=partial(_turned, part.write, turns[part.name], seat, seats))
            if part.name in turns
            else part
            for part in self._parts
        ]
        return encoder

    def observe(self, state: Any, viewer: int | None, tokens: tuple[int, ...] = ()) -> Array:
        """Return what this seat may look at now, and its actions so far of an incomplete command, as an array."""
        return self.encode(self.game.view(state, viewer), tokens)

    def encode(self, view: Any, tokens: tuple[int, ...] = ()) -> Array:
        """Return a view as an array of `size` numbers, and the actions so far behind it."""
        return self.with_tokens(self.seen(view), tokens)

    def seen(self, view: Any) -> list[Any]:
        """Return the numbers of a view, field by field: an observation begins with them."""
        return [part.write(getattr(view, part.name)) for part in self._parts]

    def with_tokens(self, seen: Sequence[Any], tokens: tuple[int, ...]) -> Array:
        """Return the observation that begins with what was `seen`, the actions so far behind it."""
        return np.frombuffer(bytearray().join((*seen, self._begun(tokens))), np.int32)

    def space(self) -> Any:
        """Return the Gymnasium space of its arrays."""
        from gymnasium.spaces import Box

        return Box(-(2**31), 2**31 - 1, (self.size,), np.int32)

    def _begun(self, tokens: tuple[int, ...]) -> bytes:
        return self._pack_tokens([2 + len(tokens), *[2 + action for action in tokens]])

    def _place(self, name: str, room: int) -> None:
        self.places[name] = slice(self.size, self.size + room)
        self.size += room

    def _tokens_name(self) -> str:
        """Return the name of the last part in `places`, which no field of the view has."""
        name = TOKENS
        while name in self.places:
            name += "_"
        return name

    def check_room(self, view: Any) -> None:
        """Raise `GameError` if a list of a view has more items than there is room for, and name its field."""
        for part in self._parts:
            name, room, numbers = part.name, part.room, list[int]()
            part.of.write(getattr(view, name), numbers)
            if len(numbers) > room:
                items = -(-(len(numbers) - part.of.own) // max(part.of.inside, 1))
                why = (
                    f"field {name!r} of a view takes {len(numbers)} numbers here, and there is room for {room}: "
                    f"declare the most that it can have as `Encoding(sizes={{{name!r}: …}})`, {items} or more (of "
                    "lists in lists all items, of texts all letters)"
                )
                raise GameError(self.game.name, why)


def _turned(write: Callable[[Any], Any], turn: Turn, seat: int, seats: int, value: Any) -> Any:
    return write(turn(value, seat, seats))


def _made_again(game: AnyGame, state: Any, counted: tuple[int, int] | None) -> ObservationEncoder:
    """Return an encoder as it was pickled."""
    encoder = ObservationEncoder(game, state)
    return encoder if counted is None else encoder.counted_from(*counted)

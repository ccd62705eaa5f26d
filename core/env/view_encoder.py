"""What both encodings of views have in common: an array is joined of the bytes of each field, made once a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter, getitem
from typing import Any

import attrs
import numpy as np

from ..game import AnyGame, Seat
from .memo import Memo, memo
from .relative import Turn, view_turns

TOKENS = "tokens"
"""The name of the last place: the seat's actions so far of an incomplete command."""
Array = Any
"""A numpy array."""


@attrs.frozen
class Part:
    """A field of the view: its name, its annotation, how many numbers it has, and what makes a buffer of a value."""

    name: str
    kind: Any
    numbers: int
    write: Callable[[Any], Any]


class ViewEncoder:
    """Turns the views of a game into arrays: field by field, each a part of fixed size, then the actions so far."""

    dtype: Any
    places: dict[str, slice]

    def __init__(self, game: AnyGame, state: Any, parts: Sequence[Part]) -> None:
        """Take the parts of the view; `state` is what the layout was computed of."""
        self.game, self._state, self._parts = game, state, [*parts]
        self._counted: tuple[Seat, int] | None = None
        names = [part.name for part in parts]
        self._values: Callable[[Any], Any] = (
            attrgetter(*names) if len(names) > 1 else lambda view: [getattr(view, name) for name in names]
        )
        self._tokens = Memo(self._begun, most=64)
        self._memos = [memo(part.kind, part.write, part.numbers) for part in self._parts]

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.game, self._state, self._counted)

    def __deepcopy__(self, _: Any) -> ViewEncoder:
        return self

    def counted_from(self, seat: Seat, seats: int) -> ViewEncoder:
        """Return the encoder of what one seat of so many sees, that counts seats from it: its own is 0."""
        encoder: ViewEncoder = object.__new__(type(self))
        encoder.__dict__.update(self.__dict__)
        encoder._counted = seat, seats
        kind: Any = type(self.game.view(self._state, Seat(0)))
        turns = dict(view_turns(self.game, kind, seats))
        encoder._parts, encoder._memos = [], []
        for part, kept in zip(self._parts, self._memos, strict=True):
            if part.name in turns:  # the others are the same for all seats
                write = partial(_turned, part.write, turns[part.name], seat, seats)
                part, kept = attrs.evolve(part, write=write), memo(part.kind, write, part.numbers)
            encoder._parts.append(part)
            encoder._memos.append(kept)
        return encoder

    def observe(self, state: Any, viewer: Seat | None, tokens: tuple[int, ...] = ()) -> Array:
        """Return what this seat may look at now, and its actions so far of an incomplete command, as an array."""
        return self.encode(self.game.view(state, viewer), tokens)

    def encode(self, view: Any, tokens: tuple[int, ...] = ()) -> Array:
        """Return a view as an array of `size` numbers, and the actions so far behind it."""
        return self.with_tokens(self.seen(view), tokens)

    def seen(self, view: Any) -> list[Any]:
        """Return the numbers of a view, field by field: an observation begins with them."""
        values = self._values(view)
        try:
            return [*map(getitem, self._memos, values)]
        except TypeError:  # a stranger's list or map, which no memo takes
            return [each.make(value) for each, value in zip(self._memos, values, strict=True)]

    def with_tokens(self, seen: Sequence[Any], tokens: tuple[int, ...]) -> Array:
        """Return the observation that begins with what was `seen`, the actions so far behind it."""
        return np.frombuffer(bytearray().join((*seen, self._tokens[tokens])), self.dtype)

    def _tokens_name(self) -> str:
        """Return the name of the last part in `places`, which no field of the view has."""
        name = TOKENS
        while name in self.places:
            name += "_"
        return name

    def _begun(self, tokens: tuple[int, ...]) -> bytes:
        """Return the last part: the seat's actions so far of an incomplete command."""
        raise NotImplementedError


def _turned(write: Callable[[Any], Any], turn: Turn, seat: int, seats: int, value: Any) -> Any:
    return write(turn(value, seat, seats))


def _made_again(kind: Any, game: AnyGame, state: Any, counted: tuple[Seat, int] | None) -> Any:
    """Return an encoder as it was pickled."""
    encoder = kind(game, state)
    return encoder if counted is None else encoder.counted_from(*counted)

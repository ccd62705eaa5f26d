"""The legal commands of a seat as a sequence: counted, sliced, drawn from and looked in without being made."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice
from operator import eq
from typing import Any, Generic, overload

from ..game import TABLE, C, Game, RuleViolation
from ..wire import wire_of

MAX_LEGAL = 2000
"""The most legal commands of a seat to draw from at random, or to show a seat or a bot: of more the first so many."""


class _Commands(Sequence[C], Generic[C]):
    """Commands that are equal to a list of the same, and shown without being made."""

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, _Commands | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        first = ", ".join(map(repr, islice(self, 3)))
        return f"<{len(self)} commands: {first}{', …' if len(self) > 3 else ''}>"


class LegalCommands(_Commands[C]):
    """The legal commands of a seat in a state, those of a class together; each is made when it is asked for.

    Knows the whole state, so it is for who may know that: a bot and a player get `first`.
    """

    def __init__(self, game: Game[Any, C, Any], state: Any, seat: int, limit: int = sys.maxsize) -> None:
        self._game, self._state, self._seat, self._limit = game, state, seat, limit

    @cached_property
    def kinds(self) -> Sequence[Sequence[C]]:
        """The commands of each class, in the order of first occurrence."""
        if self._game.legal_by_kind is not None:
            return self._game.legal_by_kind(self._state, self._seat, self._limit)
        return by_kind(self._game.legal(self._state, self._seat))

    def _up_to(self, number: int | None) -> LegalCommands[C]:
        """Return the first commands where the game can list them alone, else all: to count all may take long."""
        if number is None or number < 0 or self._game.legal_by_kind is None:
            return self
        return LegalCommands(self._game, self._state, self._seat, min(number, self._limit))

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(map(len, self.kinds)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __bool__(self) -> bool:
        return any(self.kinds)

    def __iter__(self) -> Iterator[C]:
        return chain.from_iterable(self.kinds)

    @overload
    def __getitem__(self, place: int) -> C: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[C]: ...
    def __getitem__(self, place: int | slice) -> C | Sequence[C]:
        if isinstance(place, slice):
            forward = place.step is None or place.step > 0
            first = self._up_to(place.stop) if forward and (place.start or 0) >= 0 else self
            return _Slice(first, range(*place.indices(len(first))))
        try:
            place = range(len(self))[place]
        except IndexError:
            raise IndexError(f"there are {len(self)} legal commands: no number {place}") from None
        kind = bisect_right(self._ends, place)
        return self.kinds[kind][place - (self._ends[kind - 1] if kind else 0)]

    def __contains__(self, command: object) -> bool:
        if self._seat == TABLE or type(command) not in self._game.wire:
            return False
        if self._game.open_ended(self._state, self._seat):  # the rules accept more than is listed
            return any(command in kind for kind in self.kinds)
        try:
            exact: Any = wire_of(self._game).exact(command)
            self._game.apply(self._state, self._seat, exact)
        except RuleViolation:
            return False
        return True

    def none(self) -> LegalCommands[C]:
        """Return no commands, as of a match that was abandoned."""
        return LegalCommands(self._game, self._state, TABLE)

    def count(self, value: Any) -> int:
        """Return 1 if the command is legal, else 0."""
        return int(value in self)


class _Slice(_Commands[C]):
    """Some of the legal commands, by their places."""

    def __init__(self, whole: LegalCommands[C], places: range) -> None:
        self._whole, self._places = whole, places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[C]:
        places = self._places
        if places.step > 0 and places.start < MAX_LEGAL:  # from the front it is quicker to go through them
            return islice(self._whole, places.start, places.stop, places.step)
        return map(self._whole.__getitem__, places)

    @overload
    def __getitem__(self, place: int) -> C: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[C]: ...
    def __getitem__(self, place: int | slice) -> C | Sequence[C]:
        if isinstance(place, slice):
            return _Slice(self._whole, self._places[place])
        return self._whole[self._places[place]]


def first_legal(game: Game[Any, C, Any], state: Any, seat: int) -> tuple[tuple[C, ...], bool]:
    """Return the first `MAX_LEGAL` legal commands of a seat, made, and whether there are more."""
    found = tuple(islice(game.legal(state, seat), MAX_LEGAL + 1))
    return found[:MAX_LEGAL], len(found) > MAX_LEGAL


def first_by_kind(game: Game[Any, C, Any], state: Any, seat: int) -> Sequence[Sequence[C]]:
    """Return the first `MAX_LEGAL` legal commands of a seat, those of a class together; they need not be made."""
    if game.legal_by_kind is not None:
        return game.legal_by_kind(state, seat, MAX_LEGAL)
    return by_kind(islice(game.legal(state, seat), MAX_LEGAL))


def by_kind(commands: Iterable[C]) -> list[list[C]]:
    """Return commands by their class, in the order of first occurrence."""
    listed = list(commands)
    kinds = dict.fromkeys(map(type, listed))
    return [listed] if len(kinds) == 1 else [[each for each in listed if type(each) is kind] for kind in kinds]

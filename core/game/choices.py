"""Sequences of commands that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

V = TypeVar("V")


class MadeOnAccess(Sequence[V]):
    """The commands of `legal_by_kind`, each made of its value when it is asked for."""

    def __init__(self, make: Callable[[Any], V], values: Sequence[Any]) -> None:
        self.make, self.values = make, values

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> MadeOnAccess[V]: ...
    def __getitem__(self, place: int | slice) -> V | MadeOnAccess[V]:
        if isinstance(place, slice):
            return MadeOnAccess(self.make, self.values[place])
        return self.make(self.values[place])

    def __iter__(self) -> Iterator[V]:
        return map(self.make, self.values)

"""Sequences of commands that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

V = TypeVar("V")


class MadeOnAccess(Sequence[V]):
    """The commands of `legal_by_kind`, each made of its value when it is asked for."""

    def __init__(self, make: Callable[[Any], V], values: Sequence[Any]) -> None:
        self.make, self.values = make, values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, number: Any) -> Any:
        return self.make(self.values[number])

    def __iter__(self) -> Iterator[V]:
        return map(self.make, self.values)

"""The inspections of some targets, counted without making each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, repeat
from typing import Any

from attrs import frozen

from .model import Charge, Inspect, Target

AGAINST_ONE: tuple[Charge, ...] = ("no_pair", "all_colours")
"""The charges against one target alone (PAL-14, PAL-15)."""

_named = lru_cache(maxsize=2**14)(Inspect)
"""The command of a charge and its targets, mostly made before: a turn has dozens to choose from."""


@frozen(slots=False, eq=False)
class Inspections(Sequence[Inspect]):
    """The inspections of some targets: counted when they are listed, made when they are asked for."""

    colours: Sequence[Charge]
    """The charges that name a colour, against one target or two."""
    targets: Sequence[Target]
    by_colour: int
    """How many there are for each of `colours`."""
    total: int

    @classmethod
    def of(cls, colours: Sequence[Charge], targets: Sequence[Target]) -> Inspections:
        """Return all inspections of these targets by these colours, and by the other charges."""
        ones = len(targets)
        by_colour = ones * (ones + 1) // 2
        return cls(colours, targets, by_colour, len(colours) * by_colour + len(AGAINST_ONE) * ones)

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[Inspect]:
        ones = [(target,) for target in self.targets]
        ones_and_twos = [*ones, *combinations(self.targets, 2)]
        named = [map(_named, repeat(charge), ones_and_twos) for charge in self.colours]
        return chain(*named, *[map(_named, repeat(charge), ones) for charge in AGAINST_ONE])

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < self.total:
            raise IndexError(number)
        targets = len(self.targets)
        charge, at = divmod(number, self.by_colour)
        if charge < len(self.colours):
            return _named(self.colours[charge], (self.targets[at],) if at < targets else self._two(at - targets))
        charge, at = divmod(number - len(self.colours) * self.by_colour, targets)
        return _named(AGAINST_ONE[charge], (self.targets[at],))

    def _two(self, number: int) -> tuple[Target, Target]:
        """Return one of the choices of two targets, in the order of `combinations`."""
        targets = self.targets
        first, others = 0, len(targets) - 1
        while number >= others:
            number -= others
            first, others = first + 1, others - 1
        return targets[first], targets[first + 1 + number]

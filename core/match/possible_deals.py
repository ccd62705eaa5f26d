"""What a deal of which not everything is known may have been: the game's own deals, with what is known in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, islice, product
from math import factorial, prod
from typing import Any

from ..game import TABLE, AnyGame, RuleViolation, Shuffler, TableRule, check_turn
from ..game.shapes import depth_of, types_of
from ..wire import wire_of
from .assumed import UNKNOWN, Place, assumed_leaves, leaves, replaced, unknown_places
from .fold import call_game
from .header import SEED_BYTES

SEED = bytes(SEED_BYTES)
"""What is drawn for a record is the same each time."""
FEW = 5_000
"""A deal of at most so many arrangements is tried in all of them, one of more in some."""
MANY_PLACES = 100
"""A deal with more unknown places has too many arrangements to count."""
SAMPLES = 30
"""So many deals are drawn of one that is not tried in all arrangements."""


class PossibleDeals:
    """The deals that the game may make in a state, as far as they fit what a record tells of one.

    `told` is the tag, None for any, and the fields of the deal, with `UNKNOWN` in them.
    """

    def __init__(self, game: AnyGame, state: Any, tag: str | None, told: Any) -> None:
        self._game, self._state, self._told = game, state, told
        self.refused = out_of_turn(game, state, TABLE)
        """Why there is none; None if there are some."""
        if self.refused is None:
            self.tag, fields = self._sample(0)
            if tag not in (None, self.tag):
                self.refused = RuleViolation(TableRule.ORDER, TABLE, expected=self.tag)
            values = _counted(fields)
            self.varies = any(_counted(self._sample(number)[1]) != values for number in (1, 2))
            """Whether a deal is no arrangement of always the same cards."""

    def _sample(self, number: int) -> tuple[str, dict[str, Any]]:
        command = call_game(self._game, self._game.deal, self._state, Shuffler(SEED, number))
        return wire_of(self._game).encode(command)

    def drawn(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of some deals."""
        for number in range(SAMPLES):
            yield self._pinned(self._sample(number)[1])

    def arrangements(self) -> Iterator[dict[str, Any]] | None:
        """Return the fields of all deals; None if they are too many to try, or cannot be listed."""
        fields = self._pinned(self._sample(0)[1])
        groups = self._open(fields)
        if self.varies or sum(map(len, groups)) > MANY_PLACES:
            return None
        counts = [Counter(group.values()) for group in groups]
        if prod(factorial(each.total()) // prod(map(factorial, each.values())) for each in counts) > FEW:
            return None
        return (
            replaced(
                fields,
                {
                    place: value
                    for group, order in zip(groups, orders, strict=True)
                    for place, value in zip(group, order, strict=True)
                },
            )
            for orders in product(*[list(_orders(tuple(group.values()))) for group in groups])
        )

    def exchanges(self, fields: dict[str, Any]) -> Iterator[tuple[Any, Any, dict[Place, Any]]]:
        """Yield each two unknown values of a deal that may change places, and them by their new places."""
        for group in self._open(fields):
            for (one, value), (other, its) in combinations(group.items(), 2):
                if value != its:
                    yield value, its, {one: its, other: value}

    def _open(self, fields: dict[str, Any]) -> list[dict[Place, Any]]:
        """Return the values that are unknown by their places, in groups within which they may be exchanged."""
        groups: dict[Any, dict[Place, Any]] = {}
        for place, value in assumed_leaves(fields, set(unknown_places(self._told))):
            groups.setdefault((self._group(place), type(value)), {})[place] = value
        return list(groups.values())

    def _group(self, place: Place) -> int | str:
        """Return what names the values among which one may change places: cards, or those of its field."""
        kind = wire_of(self._game).tags[self.tag]
        return 0 if not place or depth_of(types_of(kind)[str(place[0])]) is not None else place[0]

    def _pinned(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a deal with what is known in its place: what lay there goes where that came from."""
        have, done = dict(leaves(fields)), set()
        for place, value in leaves(self._told):
            if value is UNKNOWN or place not in have:
                continue
            done.add(place)
            if have[place] != value:
                others = (each for each in have if each not in done and have[each] == value)
                for other in islice((each for each in others if self._group(each) == self._group(place)), 1):
                    have[other] = have[place]
                have[place] = value
        return replaced(fields, have)  # type: ignore[no-any-return]


def out_of_turn(game: AnyGame, state: Any, seat: int) -> RuleViolation | None:
    """Return the violation of OVER or TURN by a seat, or the table, that may not act now; None if it may."""
    try:
        check_turn(game.to_act(state), seat, deals=seat == TABLE)
    except RuleViolation as violation:
        return violation
    return None


def fits(told: Any, made: Any) -> bool:
    """Return True if plain data is what is told, whatever stands for `UNKNOWN`."""
    if told is UNKNOWN:
        return True
    if isinstance(told, Mapping):
        return (
            isinstance(made, Mapping) and told.keys() == made.keys() and all(fits(told[key], made[key]) for key in told)
        )
    if isinstance(told, tuple | list):
        return isinstance(made, tuple | list) and len(told) == len(made) and all(map(fits, told, made))
    return told.__class__ is made.__class__ and bool(told == made)


def _counted(fields: Any) -> Counter[Any]:
    return Counter(value for _, value in leaves(fields))


def _orders(values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield each order of these values once, the given one first."""
    if not values:
        yield ()
    for first in dict.fromkeys(values):
        left = list(values)
        left.remove(first)
        for order in _orders(tuple(left)):
            yield (first, *order)

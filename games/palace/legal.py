"""The legal commands of Palace, listed without trying each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product, repeat
from math import comb
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Seat
from ...core.tabletop import remove_cards
from .model import (
    COLOUR_CHARGES,
    COLOUR_SIZES,
    COLOURS,
    Build,
    Cards,
    Charge,
    Command,
    Draw,
    Inspect,
    Quake,
    State,
    Target,
)
from .rules import FULL_HAND, QUAKE_SIZE, has_fewest, open_cards, to_act

FEW = 6
"""The builds of a hand of at most so many cards are cached: there are only 210 such hands."""

DRAW = Draw()
QUAKES = tuple([Quake(colour) for colour in COLOURS])

AGAINST_ONE: tuple[Charge, ...] = ("no_pair", "all_colours")
"""The charges against one target alone (PAL-14, PAL-15)."""


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    return chain.from_iterable(_kinds(state, seat))


def legal_by_kind(state: State, seat: Seat, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, those of a kind together, without making each inspection."""
    kinds: list[Sequence[Command]] = []
    for commands in _kinds(state, seat):
        if commands and limit:
            kinds.append(commands if len(commands) <= limit else list(islice(commands, limit)))
            limit -= len(kinds[-1])
    return kinds


def _kinds(state: State, seat: Seat) -> list[Sequence[Command]]:
    """Return the commands of each kind that the seat may give now, in the order of `legal`."""
    if seat == TABLE or seat not in to_act(state):
        return []
    hand = state.hands[seat]
    builds = _builds(hand, has_fewest(state, seat))
    if len(hand) >= FULL_HAND:
        return [builds]
    quakes = [quake for quake in QUAKES if hand.count(quake.colour) >= QUAKE_SIZE]
    return [(DRAW,), builds, _inspections(state, seat), quakes]


def _builds(hand: Cards, two: bool) -> Sequence[Build]:
    return _builds_of_few(hand, two) if len(hand) <= FEW else tuple(_builds_of(hand, two))


@cache
def _builds_of_few(hand: Cards, two: bool) -> tuple[Build, ...]:
    return tuple(_builds_of(hand, two))


def _builds_of(hand: Cards, two: bool) -> Iterator[Build]:
    singles = map(Build, zip(bundles(hand)))
    return chain(singles, map(Build, _pairs(hand))) if two else singles


def bundles(hand: Cards) -> Iterator[Cards]:
    """Yield every choice of one or more cards of the hand, ascending; cards of one colour are alike."""
    stacks = [[(colour,) * count for count in range(hand.count(colour) + 1)] for colour in COLOURS]
    choices = product(*stacks)
    next(choices)  # no card of any colour
    for red, yellow, green, blue in choices:
        yield red + yellow + green + blue


def _pairs(hand: Cards) -> Iterator[tuple[Cards, Cards]]:
    """Yield every choice of two palaces from one hand, in either order: the order must not depend on their cards."""
    for bundle in bundles(hand):
        for other in bundles(remove_cards(hand, bundle)):
            yield bundle, other


_named = lru_cache(maxsize=2**14)(Inspect)
"""The command of a charge and its targets, mostly made before: a turn has dozens to choose from."""


@frozen(eq=False)
class Inspections(Sequence[Inspect]):
    """The inspections of some targets: counted when their number is asked for, made when they are."""

    colours: Sequence[Charge]
    """The charges that name a colour, against one target or two."""
    targets: Sequence[Target]

    def __len__(self) -> int:
        targets = len(self.targets)
        return len(self.colours) * comb(targets + 1, 2) + len(AGAINST_ONE) * targets

    def __iter__(self) -> Iterator[Inspect]:
        ones = [(target,) for target in self.targets]
        ones_and_twos = [*ones, *combinations(self.targets, 2)]
        named = [map(_named, repeat(charge), ones_and_twos) for charge in self.colours]
        return chain(*named, *[map(_named, repeat(charge), ones) for charge in AGAINST_ONE])

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        targets = len(self.targets)
        charge, at = divmod(number, comb(targets + 1, 2))
        if charge < len(self.colours):
            two = at >= targets
            named = next(islice(combinations(self.targets, 2), at - targets, None)) if two else (self.targets[at],)
            return _named(self.colours[charge], named)
        charge, at = divmod(number - len(self.colours) * comb(targets + 1, 2), targets)
        return _named(AGAINST_ONE[charge], (self.targets[at],))


def _inspections(state: State, seat: Seat) -> Inspections:
    targets = [
        (Seat(owner), each.number)
        for owner, palaces in enumerate(state.palaces)
        if owner != seat
        for each in palaces
        if not each.verified
    ]
    shown = open_cards(state)
    named = zip(COLOURS, COLOUR_CHARGES, strict=True)
    return Inspections([charge for colour, charge in named if shown.count(colour) < COLOUR_SIZES[colour]], targets)

"""The legal commands of Palace, listed without trying each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product, repeat
from typing import Any

from attrs import frozen

from ...core.game import TABLE, Seat
from ...core.tabletop import remove_cards
from .model import (
    COLOUR_CHARGES,
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
from .rules import FULL_HAND, QUAKE_SIZE, has_fewest, is_open, to_act

FEW = {False: 10, True: 6}
"""The builds, of one palace or of two, of a hand of at most so many cards are cached: there are 1001 such hands."""

DRAW = Draw()
DRAWS = (DRAW,)
QUAKES = tuple([Quake(colour) for colour in COLOURS])
SEATS = tuple(map(Seat, range(6)))
NAMED = tuple(zip(COLOURS, COLOUR_CHARGES, strict=True))

AGAINST_ONE: tuple[Charge, ...] = ("no_pair", "all_colours")
"""The charges against one target alone (PAL-14, PAL-15)."""


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    return chain.from_iterable(_kinds(state, seat))


def legal_by_kind(state: State, seat: Seat, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, those of a kind together, without making each inspection."""
    kinds: list[Sequence[Command]] = []
    for commands in _kinds(state, seat):
        count = len(commands)
        if count and limit:
            kinds.append(commands if count <= limit else list(islice(commands, limit)))
            limit -= min(count, limit)
    return kinds


def _kinds(state: State, seat: Seat) -> list[Sequence[Command]]:
    """Return the commands of each kind that the seat may give now, in the order of `legal`."""
    if seat == TABLE or seat not in to_act(state):
        return []
    hand = state.hands[seat]
    builds = _builds(hand, has_fewest(state, seat))
    if len(hand) >= FULL_HAND:
        return [builds]
    kinds: list[Sequence[Command]] = [DRAWS, builds, _inspections(state, seat)]
    if len(hand) >= QUAKE_SIZE:
        kinds.append([QUAKES[colour] for colour in COLOURS if hand.count(colour) >= QUAKE_SIZE])
    return kinds


def _builds(hand: Cards, two: bool) -> Sequence[Build]:
    return _builds_of_few(hand, two) if len(hand) <= FEW[two] else tuple(_builds_of(hand, two))


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


def _inspections(state: State, seat: Seat) -> Inspections:
    targets = [
        (owner, each.number)
        for owner, palaces in zip(SEATS, state.palaces, strict=False)
        if owner != seat
        for each in palaces
        if not each.verified
    ]
    hidden = state.pile  # one card there spares counting those that lie open
    return Inspections.of(
        [charge for colour, charge in NAMED if colour in hidden or not is_open(state, colour)], targets
    )

"""The legal commands of Palace, listed without trying each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product, repeat
from typing import overload

from ...core import game as k
from .model import Build, Cards, Charge, Command, Draw, Inspect, Quake, State, Target
from .rules import COLOUR_CHARGES, COLOURS, FULL_HAND, QUAKE_SIZE, has_fewest, is_open, to_act

FEW = {False: 10, True: 6}
"""The builds, of one palace or of two, of a hand of at most so many cards are cached: there are 1001 such hands."""

DRAW = Draw()
DRAWS = (DRAW,)
QUAKES = tuple([Quake(colour) for colour in COLOURS])
SEATS = tuple(map(k.Seat, range(6)))
NAMED = tuple(zip(COLOURS, COLOUR_CHARGES, strict=True))
AGAINST_ONE: tuple[Charge, ...] = ("no_pair", "all_colours")
"""The charges against one palace alone (PAL-14, PAL-15)."""


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    return chain.from_iterable(_kinds(state, seat))


def legal_by_kind(state: State, seat: int, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, those of a kind together, without making each inspection."""
    kinds: list[Sequence[Command]] = []
    for commands in _kinds(state, seat):
        count = len(commands)
        if count and limit:
            kinds.append(commands if count <= limit else list(islice(commands, limit)))
            limit -= min(count, limit)
    return kinds


def _kinds(state: State, seat: int) -> list[Sequence[Command]]:
    """Return the commands of each kind that the seat may give now, in the order of `legal`."""
    if seat == k.TABLE or seat not in to_act(state):
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
        for other in bundles(k.remove_cards(hand, bundle)):
            yield bundle, other


def _inspections(state: State, seat: int) -> Inspections:
    """Return the inspections of others' palaces: by a colour of which not all lies open, then by the other charges."""
    targets = [
        (owner, each.number)
        for owner, palaces in zip(SEATS, state.palaces, strict=False)
        if owner != seat
        for each in palaces
        if not each.verified
    ]
    hidden = state.pile  # one card there spares counting those that lie open
    return Inspections([charge for colour, charge in NAMED if colour in hidden or not is_open(state, colour)], targets)


_named = lru_cache(maxsize=2**14)(Inspect)
"""The command of a charge and its targets, mostly made before: a turn has dozens to choose from."""


class Inspections(Sequence[Inspect]):
    """The inspections of some targets: counted when they are listed, made when they are asked for."""

    def __init__(self, colours: Sequence[Charge], targets: Sequence[Target]) -> None:
        self.colours, self.targets = colours, targets
        self.by_colour = len(targets) * (len(targets) + 1) // 2
        self.total = len(colours) * self.by_colour + len(AGAINST_ONE) * len(targets)

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[Inspect]:
        ones = [(target,) for target in self.targets]
        ones_and_twos = [*ones, *combinations(self.targets, 2)]
        named = [map(_named, repeat(charge), ones_and_twos) for charge in self.colours]
        return chain(*named, *[map(_named, repeat(charge), ones) for charge in AGAINST_ONE])

    @overload
    def __getitem__(self, number: int) -> Inspect: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Inspect]: ...
    def __getitem__(self, number: int | slice) -> Inspect | Sequence[Inspect]:
        if isinstance(number, slice):
            return k.MadeOnAccess(self._one, range(self.total)[number])
        return self._one(range(self.total)[number])

    def _one(self, number: int) -> Inspect:
        ones = len(self.targets)
        charge, at = divmod(number, self.by_colour)
        if charge >= len(self.colours):
            charge, at = divmod(number - len(self.colours) * self.by_colour, ones)
            return _named(AGAINST_ONE[charge], (self.targets[at],))
        two = next(islice(combinations(self.targets, 2), at - ones, None)) if at >= ones else (self.targets[at],)
        return _named(self.colours[charge], two)

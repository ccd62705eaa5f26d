"""The legal commands of Palace, listed without trying each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain, combinations, product, repeat

from ...core.game import TABLE, Seat
from ...core.tabletop import remove_cards
from .model import COLOUR_CHARGES, COLOUR_SIZES, COLOURS, Build, Cards, Command, Draw, Inspect, Quake, State
from .rules import FULL_HAND, QUAKE_SIZE, has_fewest, open_cards, to_act

FEW = 6
"""The builds of a hand of at most so many cards are cached: there are only 210 such hands."""

DRAW = Draw()
QUAKES = tuple([Quake(colour) for colour in COLOURS])


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now."""
    if seat == TABLE or seat not in to_act(state):
        return iter(())
    hand = state.hands[seat]
    if len(hand) >= FULL_HAND:
        return _builds(state, seat)
    quakes = [quake for quake in QUAKES if hand.count(quake.colour) >= QUAKE_SIZE]
    return chain((DRAW,), _builds(state, seat), _inspections(state, seat), quakes)


def _builds(state: State, seat: Seat) -> Iterator[Build]:
    hand, two = state.hands[seat], has_fewest(state, seat)
    return iter(_builds_of_few(hand, two)) if len(hand) <= FEW else _builds_of(hand, two)


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


def _inspections(state: State, seat: Seat) -> Iterator[Inspect]:
    targets = [
        (Seat(owner), each.number)
        for owner, palaces in enumerate(state.palaces)
        if owner != seat
        for each in palaces
        if not each.verified
    ]
    singles = [(target,) for target in targets]
    ones_and_twos = [*singles, *combinations(targets, 2)]
    shown = open_cards(state)
    return chain(
        *[
            map(_named, repeat(charge), ones_and_twos)
            for colour, charge in zip(COLOURS, COLOUR_CHARGES, strict=True)
            if shown.count(colour) < COLOUR_SIZES[colour]
        ],
        map(_named, repeat("no_pair"), singles),
        map(_named, repeat("all_colours"), singles),
    )

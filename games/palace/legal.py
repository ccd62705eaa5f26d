"""The legal commands of Palace, listed without trying each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice, product

from ...core.game import TABLE, Seat, remove_cards
from .inspections import Inspections
from .model import (
    COLOUR_CHARGES,
    COLOURS,
    Build,
    Cards,
    Command,
    Draw,
    Quake,
    State,
)
from .rules import FULL_HAND, QUAKE_SIZE, has_fewest, is_open, to_act

FEW = {False: 10, True: 6}
"""The builds, of one palace or of two, of a hand of at most so many cards are cached: there are 1001 such hands."""

DRAW = Draw()
DRAWS = (DRAW,)
QUAKES = tuple([Quake(colour) for colour in COLOURS])
SEATS = tuple(map(Seat, range(6)))
NAMED = tuple(zip(COLOURS, COLOUR_CHARGES, strict=True))


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

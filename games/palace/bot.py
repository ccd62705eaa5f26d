"""Hints for bots that play Palace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import factorial, prod

from ...core.game import Card, Hints, Seat, ordered_sum
from .belief import against, determinize_history, liking, risk_of
from .legal import DRAW, QUAKES, bundles
from .model import Build, Cards, Charge, Command, Inspect, Options, Palace, Quake, State, Target
from .rules import (
    CHARGES,
    COLOUR_CHARGES,
    COLOUR_SIZES,
    COLOURS,
    END,
    FULL_HAND,
    QUAKE_SIZE,
    end_places_in,
    falls,
    has_fewest,
    is_open,
    is_over,
)

PALACE = 3.0
"""The weight of a palace that stands at the end."""
PER_CARD = 0.4
"""The weight of a card in hand while there are turns to come."""
DRAWS_PER_TURN = 0.3
"""The part of all turns that are draws."""
DANGER_LEVELS = 4
"""Into so many parts the danger of a palace is divided, so that builds are weighed once."""
WON_END, SHARED_END, LOST_END = 6.0, 1.0, -3.0
"""The weight of a draw that ends the game, for a seat that wins by it, shares the victory or does not."""
LEADERS_PALACE, LESS_BEHIND, LEAST_PALACE = 2.2, 0.4, 0.1
"""The value of pulling down a palace of the rival who is ahead, less for each palace that one is behind, at least.

It is the same for a large one: who pays for its cards pulls down the large, and lets a rival with many small ones win.
"""
LAST_ROUNDS = 2
"""With so many rounds left a card in hand begins to lose its value."""
RISKY_ROUNDS = 8
"""With so many rounds left, or more, a palace is as much in danger as it can be."""
SHAKEN = 0.1
"""The probability that an earthquake makes a verified palace fall."""
LAST_CARD = 0.02
"""The value of a card in hand at the end, where cards decide between equals."""
MAX_BUILDS = 6
"""The most ways to build that are weighed, the best first."""
MAX_SUSPECTS = 3
"""Of so many palaces two are charged together in playouts, the best first."""
MAX_JUDGED = 8
"""Palaces of more cards are judged as of so many."""
MIN_WEIGHT = 0.05
"""The least weight of a command."""
DRAW_WEIGHT = 1.0
"""The weight of a draw, before its bonus."""
FREE_LOSSES = 2
"""The palaces per seat that may be pulled down before draws get a bonus."""
DRAW_BONUS = 0.1
"""What a draw gains for each further palace per seat that was pulled down.

Palaces built again and pulled down again bring nobody nearer to the end of the game.
"""


Weighed = Iterable[tuple[Command, float]]


def priors(state: State, seat: int) -> Weighed:
    """Weigh a command by the palaces that it wins, keeps standing or pulls down."""
    left = _draws_left(state)
    return _weighed(state, seat, left, float(left == 0), _inspections(state, seat))


def playout_priors(state: State, seat: int) -> Weighed:
    """Weigh a command by what the seat may see: neither what lies face down in others' palaces, nor where END is."""
    end_is_next, left = _end_ahead(state.options, state.seats, len(state.pile))
    return _weighed(state, seat, left, end_is_next, _suspicions(state, seat))


def _weighed(state: State, seat: int, left: float, end_is_next: float, inspections: Weighed) -> Weighed:
    """Weigh the commands with so many cards above END, which is the next with this probability."""
    hand, rounds = state.hands[seat], _rounds(state, left)
    builds = _builds(hand, has_fewest(state, seat), _danger_level(rounds), len(hand) >= rounds)
    if len(hand) >= FULL_HAND:
        return builds
    others = chain(builds, inspections, _quakes(state, seat))
    draw = _draw_weight(state, seat, rounds, end_is_next)
    if draw < MIN_WEIGHT:  # weights are above 0: all others have so much more
        return chain([(DRAW, MIN_WEIGHT)], ((command, weight + MIN_WEIGHT - draw) for command, weight in others))
    return chain([(DRAW, draw)], others)


def _rounds(state: State, left: float) -> float:
    """Return how many turns each seat still has before END is drawn, if `DRAWS_PER_TURN` of all turns are draws."""
    return left / (state.seats * DRAWS_PER_TURN)


def _draws_left(state: State) -> int:
    """Return how many cards lie above END in this state; in the mean over states, how many may lie there."""
    return state.pile.index(END) if END in state.pile else len(state.pile)


@cache
def _end_ahead(options: Options, seats: int, pile: int) -> tuple[float, float]:
    """Return how likely END is the next card, and how many lie above it in the mean, as all seats know."""
    above = end_places_in(pile, options, seats)
    return ((0 in above) / len(above), sum(above) / len(above)) if above else (0.0, 0.0)


def _danger_level(rounds: float) -> int:
    """Return in how many of `DANGER_LEVELS` parts of the worst danger a new palace is."""
    return min(int(rounds * DANGER_LEVELS / RISKY_ROUNDS), DANGER_LEVELS)


def _draw_weight(state: State, seat: int, rounds: float, end_is_next: float) -> float:
    """Weigh a draw: one that ends the game is good for a seat that wins by it, and bad for all others."""
    if end_is_next == 1:
        return _end_weight(state, seat)
    losses = max(_gone(state) / state.seats - FREE_LOSSES, 0)
    # with as many cards as rounds there is no turn left to lay down one more
    going_on = (MIN_WEIGHT if len(state.hands[seat]) >= rounds else DRAW_WEIGHT) + DRAW_BONUS * losses
    return (1 - end_is_next) * going_on + end_is_next * _end_weight(state, seat) if end_is_next else going_on


def _end_weight(state: State, seat: int) -> float:
    """Weigh the end of the game now (PAL-18)."""
    standing = [(len(palaces), len(hand)) for palaces, hand in zip(state.palaces, state.hands, strict=True)]
    others = max(each for other, each in enumerate(standing) if other != seat)
    if standing[seat] == others:
        return SHARED_END
    return WON_END if standing[seat] > others else LOST_END


def _gone(state: State) -> int:
    """Return the number of palaces that were built and do not stand any more."""
    return sum(state.built) - sum(map(len, state.palaces))


@cache
def _builds(hand: Cards, two: bool, level: int, last: bool) -> tuple[tuple[Command, float], ...]:
    """List the palaces that promise most for the cards that they take."""
    ones = _best(((each,), _promise(each, level, last)) for each in bundles(hand))
    twos: Iterable[tuple[tuple[Cards, ...], float]] = ()
    if two:
        pairs = combinations_with_replacement(sorted(ones), 2)
        twos = ((one + other, a + b) for (one, a), (other, b) in pairs if _has(hand, one[0] + other[0]))
    best = _best(chain(ones, twos))
    return tuple((Build(order), max(weight, MIN_WEIGHT)) for palaces, weight in best for order in _orders(palaces))


def _orders(palaces: tuple[Cards, ...]) -> Iterable[tuple[Cards, ...]]:
    """Return the palaces in each order: one that always laid them ascending would show what lies in them."""
    return dict.fromkeys((palaces, palaces[::-1]))


def _best(builds: Iterable[tuple[tuple[Cards, ...], float]]) -> list[tuple[tuple[Cards, ...], float]]:
    return sorted(builds, key=lambda each: -each[1])[:MAX_BUILDS]


def _has(hand: Cards, cards: Cards) -> bool:
    return all(hand.count(colour) >= cards.count(colour) for colour in COLOURS)


def _promise(palace: Cards, level: int, last: bool) -> float:
    """Estimate the worth of a palace that may fall before the end, less that of its cards."""
    danger = level / DANGER_LEVELS * risk_of(palace)
    return PALACE * (1 - danger) - (LAST_CARD if last and level == 0 else PER_CARD) * len(palace)


def _inspections(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Yield the charges that hold against one palace, or two."""
    targets = [(target, weight, against(cards)) for target, weight, cards in _suspects(state, seat)]
    for charge in _open_charges(state):
        guilty = [(target, weight) for target, weight, charges in targets if charge in charges]
        yield from ((Inspect(charge, (target,)), weight) for target, weight in guilty)
        if charge in COLOUR_CHARGES:
            yield from ((Inspect(charge, (one, other)), a + b) for (one, a), (other, b) in combinations(guilty, 2))


def _suspects(state: State, seat: int) -> Iterator[tuple[Target, float, Cards]]:
    """Yield the palaces of others that lie face down, what it is worth to pull each down, and its cards."""
    rivalry = _rivalry(state, seat)
    for owner, palaces in enumerate(state.palaces):
        if owner != seat:
            yield from [
                ((Seat(owner), each.number), rivalry[owner], each.cards) for each in palaces if not each.verified
            ]


def _suspicions(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Yield each charge against each palace, and colours against two, by how likely it holds if all lie face down."""
    targets = [(target, weight, _odds(len(cards))) for target, weight, cards in _suspects(state, seat)]
    for charge in _open_charges(state):
        weights = [(target, weight * odds[charge]) for target, weight, odds in targets if odds[charge]]
        yield from ((Inspect(charge, (target,)), weight) for target, weight in weights)
        if charge in COLOUR_CHARGES:
            best = sorted(weights, key=lambda each: -each[1])[:MAX_SUSPECTS]
            yield from (
                (Inspect(charge, tuple(sorted((one, other)))), a + b) for (one, a), (other, b) in combinations(best, 2)
            )


@cache
def _odds(size: int) -> Mapping[Charge, float]:
    """Return how likely each charge holds against a palace of so many cards, as builders would lay it."""
    likely = {palace: _lay(palace) for palace in combinations_with_replacement(COLOURS, min(size, MAX_JUDGED))}
    whole = ordered_sum(likely.values())
    return {
        charge: ordered_sum(weight for palace, weight in likely.items() if charge in against(palace)) / whole
        for charge in CHARGES
    }


def _lay(palace: Cards) -> float:
    """Return how likely a palace of these cards is, beside others of its size."""
    orders = factorial(len(palace)) // prod(factorial(palace.count(colour)) for colour in COLOURS)
    liked = liking(palace) if len(palace) > 1 else 1.0  # of one card: all charges but one hold
    return liked * (orders * prod(COLOUR_SIZES[colour] for colour in palace))


def _open_charges(state: State) -> Iterator[Charge]:
    """Yield the charges that may be made (PAL-13)."""
    for charge in CHARGES:
        if charge not in COLOUR_CHARGES or not is_open(state, Card(COLOUR_CHARGES.index(charge))):
            yield charge


def _rivalry(state: State, seat: int) -> Sequence[float]:
    """Return for each seat what it is worth to pull down a palace of it: most for who is ahead of all others."""
    standing = [len(palaces) for palaces in state.palaces]
    most = max(count for other, count in enumerate(standing) if other != seat)
    return [max(LEADERS_PALACE - LESS_BEHIND * (most - count), LEAST_PALACE) for count in standing]


def _quakes(state: State, seat: int) -> Iterator[tuple[Quake, float]]:
    for quake in QUAKES:
        if state.hands[seat].count(quake.colour) >= QUAKE_SIZE:
            fallen = [sum(falls(each, quake.colour) for each in palaces) for palaces in state.palaces]
            own = fallen[seat]
            gain = (sum(fallen) - own) / (state.seats - 1) - own
            yield quake, max(PALACE * gain - QUAKE_SIZE * PER_CARD, MIN_WEIGHT)


def evaluate(state: State) -> Sequence[float]:
    """Return how many of each seat's palaces are likely to stand at the end, and the value of the cards in its hand.

    The fewer rounds are left, the safer is what stands, and the less is a card worth.
    """
    rounds = 0 if is_over(state) else _rounds(state, _draws_left(state))
    danger, per_card = min(rounds / RISKY_ROUNDS, 1), LAST_CARD + PER_CARD / PALACE * min(rounds / LAST_ROUNDS, 1)
    return [
        ordered_sum(1 - danger * _risk(each) for each in palaces) + per_card * len(hand)
        for palaces, hand in zip(state.palaces, state.hands, strict=True)
    ]


def _risk(palace: Palace) -> float:
    """Return how likely the palace falls while many rounds are left."""
    return SHAKEN if palace.verified else risk_of(palace.cards)


HINTS = Hints(
    priors=priors,
    evaluate=evaluate,
    determinize_history=determinize_history,
    rollouts=24,
    playout_priors=playout_priors,
    playout_depth=12,
)

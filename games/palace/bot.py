"""Hints for bots that play Palace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, combinations, combinations_with_replacement

from ...core.game import Card, Hints, ObservedEvent, RedactedCommand, Seat, Shuffler, evolve, ordered_sum, weight_of
from .legal import DRAW, QUAKES, bundles
from .model import (
    CHARGES,
    COLOUR_CHARGES,
    COLOUR_SIZES,
    COLOURS,
    END,
    Build,
    Cards,
    Charge,
    Command,
    Inspect,
    Palace,
    Quake,
    State,
)
from .rules import FULL_HAND, QUAKE_SIZE, falls, has_fewest, holds, is_over, open_cards
from .view import View, determinize

PALACE = 3.0
"""The weight of a palace that stands at the end."""
PER_CARD = 0.4
"""The weight of a card in hand while there are turns to come."""
ACCUSED = 0.85
"""The probability that a palace is accused of lacking a colour before the end; it is any of the four."""
NO_PAIR, ALL_COLOURS = 0.15, 0.05
"""The probability that it is accused of having no pair, and of having all colours."""
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
CARE = 8.0
"""How often the likelihood halves that a palace was built, with all of the risk that it has."""
GRAINS = 2**16
"""Into so many parts a probability is divided for a draw."""
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


def priors(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    """Weigh a command by the palaces that it wins, keeps standing or pulls down."""
    hand, rounds = state.hands[seat], _rounds_left(state)
    builds = _builds(hand, has_fewest(state, seat), _danger_level(rounds), len(hand) >= rounds)
    if len(hand) >= FULL_HAND:
        return iter(builds)
    others: Iterator[tuple[Command, float]] = chain(builds, _inspections(state, seat), _quakes(state, seat))
    draw = _draw_weight(state, seat, rounds)
    if draw < MIN_WEIGHT:  # weights are above 0: all others have so much more
        others = ((command, weight + MIN_WEIGHT - draw) for command, weight in others)
    return chain([(DRAW, max(draw, MIN_WEIGHT))], others)


def _rounds_left(state: State) -> float:
    """Return how many turns each seat still has before END is drawn, if one turn in two is a draw."""
    return _draws_left(state) / (state.seats * DRAWS_PER_TURN)


def _draws_left(state: State) -> int:
    """Return how many cards lie above END in this state; in the mean over states, how many may lie there."""
    return state.pile.index(END) if END in state.pile else len(state.pile)


def _danger_level(rounds: float) -> int:
    """Return in how many of `DANGER_LEVELS` parts of the worst danger a new palace is."""
    return min(int(rounds * DANGER_LEVELS / RISKY_ROUNDS), DANGER_LEVELS)


def _draw_weight(state: State, seat: Seat, rounds: float) -> float:
    """Weigh a draw: one that ends the game is good for a seat that wins by it, and bad for all others."""
    if _draws_left(state) == 0:
        return _end_weight(state, seat)
    losses = max(_gone(state) / state.seats - FREE_LOSSES, 0)
    # with as many cards as rounds there is no turn left to lay down one more
    return (MIN_WEIGHT if len(state.hands[seat]) >= rounds else DRAW_WEIGHT) + DRAW_BONUS * losses


def _end_weight(state: State, seat: Seat) -> float:
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
    danger = level / DANGER_LEVELS * _risk_of(palace)
    return PALACE * (1 - danger) - (LAST_CARD if last and level == 0 else PER_CARD) * len(palace)


@cache
def _risk_of(palace: Cards) -> float:
    """Estimate how likely a palace falls while many rounds are left."""
    against = _against(palace)
    colours = len(against.intersection(COLOUR_CHARGES)) / len(COLOUR_CHARGES)
    return min(ACCUSED * colours + NO_PAIR * ("no_pair" in against) + ALL_COLOURS * ("all_colours" in against), 1)


@cache
def _against(palace: Cards) -> frozenset[Charge]:
    """Return the charges that hold against a palace."""
    return frozenset(charge for charge in CHARGES if holds(charge, palace))


def _inspections(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    """Yield the charges that hold against one palace, or two."""
    rivalry = _rivalry(state, seat)
    targets = [
        ((Seat(owner), each.number), rivalry[owner], _against(each.cards))
        for owner, palaces in enumerate(state.palaces)
        if owner != seat
        for each in palaces
        if not each.verified
    ]
    shown = open_cards(state)
    for charge in CHARGES:
        colour = COLOUR_CHARGES.index(charge) if charge in COLOUR_CHARGES else None
        if colour is not None and shown.count(Card(colour)) == COLOUR_SIZES[colour]:
            continue
        guilty = [(target, weight) for target, weight, against in targets if charge in against]
        yield from ((Inspect(charge, (target,)), weight) for target, weight in guilty)
        if colour is not None:
            yield from ((Inspect(charge, (one, other)), a + b) for (one, a), (other, b) in combinations(guilty, 2))


def _rivalry(state: State, seat: Seat) -> Sequence[float]:
    """Return for each seat what it is worth to pull down a palace of it: most for who is ahead of all others."""
    standing = [len(palaces) for palaces in state.palaces]
    most = max(count for other, count in enumerate(standing) if other != seat)
    return [max(LEADERS_PALACE - LESS_BEHIND * (most - count), LEAST_PALACE) for count in standing]


def _quakes(state: State, seat: Seat) -> Iterator[tuple[Quake, float]]:
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
    rounds = 0 if is_over(state) else _rounds_left(state)
    danger, per_card = min(rounds / RISKY_ROUNDS, 1), LAST_CARD + PER_CARD / PALACE * min(rounds / LAST_ROUNDS, 1)
    return [
        ordered_sum(1 - danger * _risk(each) for each in palaces) + per_card * len(hand)
        for palaces, hand in zip(state.palaces, state.hands, strict=True)
    ]


def _risk(palace: Palace) -> float:
    """Return how likely the palace falls while many rounds are left."""
    return SHAKEN if palace.verified else _risk_of(palace.cards)


class Known:
    """Cards that went to a hand face up, each with the number of the first palace that it may be in since."""

    def __init__(self) -> None:
        self.built = 0
        self.cards: list[tuple[Card, int]] = []

    def gain(self, cards: Cards) -> None:
        """Add cards that were taken to the hand."""
        self.cards += [(card, self.built) for card in cards]

    def lose(self, cards: Cards, palace: int) -> None:
        """Take away what has come to light in a palace."""
        for card in cards:
            of_it = [each for each in self.cards if each[0] == card and each[1] <= palace]
            if of_it:
                self.cards.remove(of_it[0])


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states that agrees with who took which cards of palaces pulled down."""
    known = [Known() for _ in range(view.seats)]
    for observed in seen:
        match observed.command:
            case Build(palaces):
                known[observed.seat].built += len(palaces)
            case RedactedCommand("build", ((_, sizes),)):
                known[observed.seat].built += len(sizes)
            case Quake(colour):
                hand = known[observed.seat]
                hand.lose((colour,) * QUAKE_SIZE, hand.built)
            case Inspect():
                _judged(known, observed)
    return partial(_draw, view, known)


def _judged(known: list[Known], observed: ObservedEvent[Command]) -> None:
    for note in observed.notes:
        if note.key in ("charge-holds", "charge-fails"):
            values = dict(note.values)
            known[values["owner"]].lose(values["cards"], values["palace"])
            if note.key == "charge-holds":
                known[observed.seat].gain(values["cards"])


Place = tuple[str, int, int]
"""The place of a card that a view does not show: `hand`, `pile` or `palace`, the seat, and the palace's number."""


def _draw(view: View, known: list[Known], shuffler: Shuffler) -> State:
    """Draw a state, then exchange cards in it so that known ones lie where they may be, as far as possible."""
    state = determinize(view, shuffler)
    where: list[Place] = []
    cards: list[Card] = []
    for seat, hand in enumerate(state.hands):
        if view.hands[seat] is None:
            where += [("hand", seat, 0)] * len(hand)
            cards += hand
            for each in state.palaces[seat]:
                if not each.verified:
                    where += [("palace", seat, each.number)] * len(each.cards)
                    cards += each.cards
    pillars = [card for card in state.pile if card != END]
    where += [("pile", 0, 0)] * len(pillars)
    cards += pillars

    free = list(shuffler.shuffle(range(len(cards))))
    wanted = [(first, seat, card) for seat, each in enumerate(known) for card, first in each.cards]
    for first, seat, card in sorted(wanted, reverse=True):  # those that may be in the fewest places first
        place = next((at for at in free if _may_lie(where[at], seat, first)), None)
        found = next((at for at in free if cards[at] == card), None)
        if place is not None and found is not None:
            cards[place], cards[found] = cards[found], cards[place]
            free.remove(place)
    _as_builders_would(where, cards, free, shuffler)
    return _laid(state, where, cards)


def _as_builders_would(where: list[Place], cards: list[Card], free: Sequence[int], shuffler: Shuffler) -> None:
    """Exchange cards of palaces that lie face down: one that fewer charges hold against is likelier to be built.

    These are steps of the algorithm of Metropolis. A palace of one card is left alone: all charges but one hold.
    """
    spots: dict[Place, list[int]] = {}
    for at, place in enumerate(where):
        if place[0] == "palace":
            spots.setdefault(place, []).append(at)
    movable = frozenset(free)
    for own in spots.values():
        for at in own if len(own) > 1 else ():
            other = free[shuffler.below(len(free))] if at in movable else at
            if cards[other] == cards[at] or other in own:
                continue
            touched = [own, spots.get(where[other], ())]
            before = _likelihood(cards, touched)
            cards[at], cards[other] = cards[other], cards[at]
            after = _likelihood(cards, touched)
            if after < before and shuffler.below(GRAINS) * before >= GRAINS * after:
                cards[at], cards[other] = cards[other], cards[at]


def _likelihood(cards: list[Card], palaces: Sequence[Sequence[int]]) -> float:
    """Return how likely builders are to build such palaces, among all of their sizes."""
    likelihood = 1.0
    for spots in palaces:
        if len(spots) > 1:
            likelihood *= _liking(tuple(sorted([cards[at] for at in spots])))
    return likelihood


@cache
def _liking(palace: Cards) -> float:
    return weight_of(-CARE * _risk_of(palace))


def _may_lie(place: Place, seat: int, first: int) -> bool:
    kind, of, number = place
    return of == seat and (kind == "hand" or (kind == "palace" and number >= first))


def _laid(state: State, where: list[Place], cards: list[Card]) -> State:
    """Put the cards back where they lie."""
    lying: dict[Place, list[Card]] = {}
    for place, card in zip(where, cards, strict=True):
        lying.setdefault(place, []).append(card)

    def found(kind: str, seat: int, number: int, cards: Cards) -> Cards:
        return tuple(sorted(lying.get((kind, seat, number), cards)))

    pillars = iter(lying.get(("pile", 0, 0), ()))
    return evolve(
        state,
        hands=tuple([found("hand", seat, 0, hand) for seat, hand in enumerate(state.hands)]),
        palaces=tuple(
            tuple([evolve(each, cards=found("palace", seat, each.number, each.cards)) for each in palaces])
            for seat, palaces in enumerate(state.palaces)
        ),
        pile=tuple([card if card == END else next(pillars) for card in state.pile]),
    )


HINTS = Hints(
    priors=priors, evaluate=evaluate, determinize_history=determinize_history, iterations=800, playout_depth=12
)

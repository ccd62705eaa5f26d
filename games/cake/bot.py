"""Hints for bots that play Marie's cake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations

from ...core.game import Card, Hints, ObservedEvent, Shuffler, draw_cards, evolve, ordered_sum, remove_cards, weight_of
from .model import Cards, Claim, Command, Open, Settle, State, Take, Vote
from .rules import MAX_EATEN, VALUES, legal, scores
from .view import View, determinize

STEPS = 1.5
"""How often a weight doubles with each point that a command gains."""
MORE = 1.0
"""The value of one more round for a rank that is kept already: another card of it may come."""
LATER = 0.3
"""The value of one more round for a card that may still be eaten: by then the useless ones are better known."""


def priors(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Weigh each command by the pair that it brings, kept or eaten as is best."""
    return ((command, weight_of(STEPS * _gain(state, seat, command))) for command in legal(state, seat))


def _gain(state: State, seat: int, command: Command) -> float:
    match command:
        case Take(cards):
            return _value(state, seat, cards)
        case Claim(owner):
            return _value(state, seat, state.pairs[owner])
        case Settle(eat):
            return _settled(state.kept[seat], state.acquired, eat, _rounds_left(state))
        case Vote(content):
            return _own(state, seat) if content else _others(state, seat)
        case _:
            return 0.0


def _own(state: State, seat: int) -> float:
    return _value(state, seat, state.pairs[seat])


def _others(state: State, seat: int) -> float:
    """Estimate the pair that a dispute brings: the worse half of the others'."""
    values = sorted(_value(state, seat, pair) for owner, pair in enumerate(state.pairs) if owner != seat)
    return ordered_sum(values) / len(values)


def _value(state: State, seat: int, pair: Cards) -> float:
    """Estimate the value of a pair to the seat, kept or eaten as is best."""
    return _best(state.kept[seat], pair, MAX_EATEN - len(state.eaten[seat]), _rounds_left(state))


def _rounds_left(state: State) -> int:
    return sum(map(bool, state.piles))


@lru_cache(maxsize=2**14)
def _best(kept: Cards, pair: Cards, most: int, left: int) -> float:
    """Estimate the value of a pair of which at most so many cards are eaten; playouts ask the same again and again."""
    choices = chain.from_iterable(combinations(pair, number) for number in range(most + 1))
    return max(_settled(kept, pair, eat, left) for eat in choices)


@lru_cache(maxsize=2**14)
def _settled(kept: Cards, pair: Cards, eat: Cards, left: int) -> float:
    """Estimate what is gained if these cards of the pair are eaten and the others kept, with so many rounds left."""
    gain = len(eat) * (1 - LATER * left)
    for rank in sorted(set(pair)):
        before = kept.count(rank)
        after = before + pair.count(rank) - eat.count(rank)
        gain += VALUES[after] - VALUES[before]
        if after and not before:
            gain += MORE * left
    return gain


def evaluate(state: State) -> Sequence[float]:
    """Return each seat's points, with what one more round may bring to each rank kept and what may still be eaten."""
    left = _rounds_left(state)
    return [
        points + left * (MORE * len(set(kept)) + LATER * (MAX_EATEN - len(eaten)))
        for points, kept, eaten in zip(scores(state), state.kept, state.eaten, strict=True)
    ]


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states that keeps what the others ate, which lay face up, and what the seat handed on."""
    eaten: list[list[Card]] = [[] for _ in range(view.seats)]
    held: Cards = ()
    handed_on: Cards = ()
    for observed in seen:
        match observed.command:
            case Settle(eat):
                eaten[observed.seat] += eat
            case Open():
                handed_on = ()
            case Take(cards) if observed.seat == view.viewer:
                handed_on = remove_cards(held, cards)
        for note in observed.notes:
            values = dict(note.values)
            if note.key in ("looked", "received") and values["seat"] == view.viewer:
                held = values["cards"]
    known = evolve(view, eaten=tuple(tuple(sorted(cards)) for cards in eaten))
    return partial(_draw, known, handed_on if view.phase == "take" else ())


def _draw(view: View, handed_on: Cards, shuffler: Shuffler) -> State:
    """Draw a state in which the cards that the viewer handed on lie before the brothers after him, and in the hand."""
    if handed_on and view.viewer is not None:
        pool, pairs = list(shuffler.shuffle(handed_on)), list(view.pairs)
        for place in range((view.viewer - view.elder) % view.seats + 1, view.seats):
            seat = (view.elder + place) % view.seats
            pairs[seat] = draw_cards(pairs[seat], view.pair_sizes[seat], pool)
        view = evolve(view, pairs=tuple(pairs), hand=tuple(sorted(pool)))
    return determinize(view, shuffler)


HINTS = Hints(priors=priors, evaluate=evaluate, determinize_history=determinize_history)

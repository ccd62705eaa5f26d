"""Hints for bots that play Take & Share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import permutations

from ...core.game import Card, Hints, ObservedEvent, RedactedCommand, Shuffler, add_each, evolve, ordered_sum, weight_of
from .model import Cards, Command, Play, Share, State
from .rules import SUITS, is_over, legal, number, score, suit
from .view import View, determinize

PLACES = {seats: tuple(permutations(range(seats))) for seats in (3, 4)}
STEPS = 1.5
"""How often a weight doubles with each point that a share gains over the others."""
CLOSE = 12
"""How far behind, in numbers, a seat may be in a suit and still hope for it."""
TRIES = 8

Place = tuple[int, int]
"""A card in hand: the seat, and which of its cards."""


def priors(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Weigh a card by whether it takes the trick, and a share by what it gains over the other seats."""
    if len(state.trick) == state.seats:
        return _shares(state, seat)
    return ((play, _promise(state, seat, play)) for play in legal(state, seat) if isinstance(play, Play))


def _promise(state: State, seat: int, play: Play) -> float:
    card, trick = play.card, state.trick
    if not trick:
        return _lead(state, seat, card)
    led = suit(trick[0])
    if all(suit(each) == led for each in (*trick, card)):
        takes = all(number(card) > number(each) for each in trick)
    else:
        takes = all(number(card) < number(each) for each in trick)
    if not takes:
        return 1.0
    return 8.0 if len(trick) == state.seats - 1 else 3.0


def _lead(state: State, seat: int, card: Card) -> float:
    others = [hand for other, hand in enumerate(state.hands) if other != seat]
    rivals = [max((each for each in hand if suit(each) == suit(card)), default=None) for hand in others]
    if None in rivals:  # a seat will throw another suit, and the lowest takes the trick
        return 1 + 3 / number(card)
    return 4.0 if all(card > rival for rival in rivals if rival is not None) else 1.0


def _shares(state: State, seat: int) -> Iterator[tuple[Share, float]]:
    shares, seats = state.shares, state.seats
    gains = _gains(state)
    for order in PLACES[seats]:
        lost = ordered_sum(gains[other][order[other]] for other in range(seats) if other != seat)
        gain = gains[seat][order[seat]] - lost / (seats - 1)
        yield Share(tuple([shares[place] for place in order])), weight_of(STEPS * gain)


def _gains(state: State) -> list[list[float]]:
    """Estimate for each seat the value of each of the share cards."""
    sums = [[0] * len(SUITS) for _ in state.piles]
    counts = [[0] * len(SUITS) for _ in state.piles]
    for seat, pile in enumerate(state.piles):
        for card in pile:
            sums[seat][suit(card)] += number(card)
            counts[seat][suit(card)] += 1
    gains = []
    for seat in range(state.seats):
        row = []
        for card in state.shares:
            of = suit(card)
            ahead = sums[seat][of] + number(card) - max([sums[o][of] for o in range(state.seats) if o != seat])
            row.append((counts[seat][of] + 1) * min(max(0.5 + ahead / CLOSE / 2, 0), 1) + number(card) / 10)
        gains.append(row)
    return gains


def evaluate(state: State) -> Sequence[float]:
    """Return each seat's totals, with the points of the running deal."""
    if is_over(state) or not any(state.piles) or not any(state.hands):
        return state.totals
    return add_each(state.totals, score(state.piles))


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states that keeps every seat's pile, and the suits that it could not follow."""
    seats = view.seats
    piles: list[Cards] = [()] * seats
    lacks: list[set[int]] = [set() for _ in range(seats)]
    trick: Cards = ()
    for observed in seen:
        match observed.command:
            case RedactedCommand("deal"):
                piles, lacks, trick = [()] * seats, [set() for _ in range(seats)], ()
            case Play(card):
                trick = trick if len(trick) < seats else ()
                if trick and suit(card) != suit(trick[0]):
                    lacks[observed.seat].add(suit(trick[0]))
                trick = (*trick, card)
            case Share(cards):
                piles = [(*pile, card) for pile, card in zip(piles, cards, strict=True)]
                trick = ()
    return partial(_draw, evolve(view, piles=tuple(piles)), lacks)


def _draw(view: View, lacks: list[set[int]], shuffler: Shuffler) -> State:
    """Draw a state whose hands have none of the suits that they lack: few tries fail, and the last one is taken."""
    hidden = [seat for seat, hand in enumerate(view.hands) if hand is None]
    for _ in range(TRIES):
        state = determinize(view, shuffler)
        hands = [list(hand) for hand in state.hands]
        places = shuffler.shuffle([(seat, place) for seat in hidden for place in range(len(hands[seat]))])
        if all(_fits(hands, place, places, lacks) for place in places):
            break
    return evolve(state, hands=tuple([tuple(sorted(hand)) for hand in hands]))


def _fits(hands: list[list[Card]], misfit: Place, places: Sequence[Place], lacks: list[set[int]]) -> bool:
    """Exchange the card at a place for another's if it may not lie there; return True if it may now."""
    seat, place = misfit
    card = hands[seat][place]
    if suit(card) not in lacks[seat]:
        return True
    for other, at in places:
        if suit(card) not in lacks[other] and suit(hands[other][at]) not in lacks[seat]:
            hands[seat][place], hands[other][at] = hands[other][at], card
            return True
    return False


HINTS = Hints(priors=priors, evaluate=evaluate, determinize_history=determinize_history)

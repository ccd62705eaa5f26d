"""Hints for bots that play MABR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice

import attrs

from ...core.game import Hints, Index, ObservedEvent, Seat, Shuffler
from .legal import MAX_CLAIMED, known
from .lexicon import Lexicon
from .model import FIXED, GOAL_WORD, GOALS, Command, Conceal, Draw, Judge, Kanas, Pass, Places, State, Swap, Word
from .rules import is_first_round, may_pass_after_void, score
from .search import abbreviations, stock_of, word_sets
from .view import View, determinize

BEST = 8
"""The most words, and the most abbreviations, that are weighed."""
HELD = 0.25
"""The expected points of a face-down card."""
LEAST = 0.01

JUDGEMENTS: tuple[tuple[Command, float], ...] = ((Judge(True), 1.0), (Judge(False), LEAST))
CONCEAL: tuple[tuple[Command, float], ...] = ((Conceal(), 1.0),)


def priors(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    """Weigh a word by the points that it brings, an abbreviation by those that its cards may bring later."""
    if state.declared is not None:
        return iter(JUDGEMENTS)
    if state.look:
        return iter(CONCEAL)
    return _turn(state, seat)


def _turn(state: State, seat: Seat) -> Iterator[tuple[Command, float]]:
    draws = _draws(state)
    yield from draws
    if not is_first_round(state):
        yield from _words(state, seat)
    if not draws or not is_first_round(state) or may_pass_after_void(state):
        yield Pass(), LEAST


def _draws(state: State) -> list[tuple[Command, float]]:
    """List the unused abbreviations that bring the most."""
    some = _drawable(known(state.options), tuple(map(len, state.stacks)))
    return list(islice((each for each in some if each[0].abbreviation not in state.used), BEST))


@lru_cache(maxsize=4096)
def _drawable(words: Lexicon, sizes: tuple[int, ...]) -> list[tuple[Draw, float]]:
    stock = stock_of(sizes)
    return [draw for need, draw in _promising(words) if need & stock == need]


@lru_cache(maxsize=16)
def _promising(words: Lexicon) -> list[tuple[int, tuple[Draw, float]]]:
    """List the abbreviations of a lexicon, those that promise most first, each with the stock that it needs."""
    weighed = sorted([(_promise(each), each, need) for need, each in abbreviations(words)], reverse=True)
    return [(need, (Draw(abbreviation), weight)) for weight, abbreviation, need in weighed]


def _promise(abbreviation: str) -> float:
    return HELD * sum([2 if letter in "GZDBP" else 1 for letter in abbreviation])


def _words(state: State, seat: Seat) -> list[tuple[Command, float]]:
    """List the words that the row can truly lay, those that bring the most points first."""
    row, turned, options = state.rows[seat], state.turned[seat], state.options
    short_of_goal = min(GOALS[state.seats] - score(state, seat), MAX_CLAIMED + 1)
    return best_words(known(options), options.min_word, short_of_goal, row, turned)


_FIXED_LETTERS = {kana: letter for letter, kana in FIXED.items()}


@lru_cache(maxsize=4096)
def best_words(
    words: Lexicon, least: int, short_of_goal: int, row: Kanas, turned: Places
) -> list[tuple[Command, float]]:
    """List the words that these cards and the fixed ones can lay, each card used once, and their points."""
    sets, best = word_sets(words), list[tuple[Command, float]]()
    places: dict[str, Index | str] = {**_FIXED_LETTERS, **{kana: Index(place) for place, kana in enumerate(row)}}
    down = [kana for place, kana in enumerate(row) if place not in turned]
    for points, some in sets.most_points(row, down, least):
        fit = some if points < short_of_goal else some & sets.longer(GOAL_WORD)
        for kanas, word in islice(sets.listed(fit), BEST - len(best)):
            best.append((Word(word, tuple([places[kana] for kana in kanas])), float(points)))
        if len(best) == BEST:
            break
    return best


def evaluate(state: State) -> Sequence[float]:
    """Return each seat's points and the expected points of its face-down cards."""
    rows = zip(state.rows, state.turned, strict=True)
    return [score(state, seat) + HELD * (len(row) - len(up)) for seat, (row, up) in enumerate(rows)]


def determinize_history(view: View, seen: Sequence[ObservedEvent[Command]]) -> Callable[[Shuffler], State]:
    """Return a sampler of states in which every kana that the seat has seen lies where it was last known to be."""
    memory = KnownCards(view.seats)
    for observed in seen:
        memory.observe(observed)
    kanas = tuple(
        tuple([shown or memory.kanas[seat].get(place) for place, shown in enumerate(row)])
        for seat, row in enumerate(view.kanas)
    )
    return partial(determinize, attrs.evolve(view, kanas=kanas))


class KnownCards:
    """The kana that a seat knows, by place, and the places that lie face up."""

    def __init__(self, seats: int) -> None:
        self.kanas: list[dict[int, str]] = [{} for _ in range(seats)]
        self.up: list[set[int]] = [set() for _ in range(seats)]
        self.declared: tuple[int | str, ...] = ()
        """The cards of the last word."""

    def observe(self, observed: ObservedEvent[Command]) -> None:
        """Add what one observed event shows."""
        values = {note.key: dict(note.values) for note in observed.notes}
        place: int | None = None
        match observed.command:
            case Swap(place, other, at):
                self._exchange(observed.seat, place, other, at)
            case Word(cards=cards):
                self.declared = cards
        if "looks" in values:
            places = values["drew"]["places"] if place is None else (place,)
            self.kanas[values["looks"]["seat"]].update(zip(places, values["looks"]["cards"], strict=True))
        for key in ("right", "wrong"):
            if key in values:
                seat, cards = values[key]["seat"], values[key]["cards"]
                new = [card for card in self.declared if isinstance(card, int) and card not in self.up[seat]]
                self.kanas[seat].update(zip(new, cards, strict=False))  # those after the wrong one stay unseen
                if key == "right":
                    self.up[seat].update(new)

    def _exchange(self, seat: Seat, place: int, other: Seat, at: int) -> None:
        """Follow two cards that change places."""
        given, got = self.kanas[seat].pop(place, None), self.kanas[other].pop(at, None)
        if given is not None:
            self.kanas[other][at] = given
        if got is not None:
            self.kanas[seat][place] = got


HINTS = Hints(priors=priors, evaluate=evaluate, determinize_history=determinize_history, iterations=60)

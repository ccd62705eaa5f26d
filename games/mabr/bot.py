"""Hints for bots that play MABR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import islice
from operator import itemgetter, or_

import attrs
from attrs import frozen

from ...core.game import Hints, Index, ObservedEvent, Seat, Shuffler, evolve
from .legal import MAX_CLAIMED
from .lexicon import Lexicon
from .model import (
    FIXED_LETTERS,
    KANA,
    LETTER,
    LETTERS,
    Command,
    Conceal,
    Draw,
    Judge,
    Kanas,
    Pass,
    Places,
    State,
    Swap,
    Word,
    laid,
    value,
)
from .rules import GOAL_WORD, GOALS, has_leave_to_pass, is_first_round, score
from .search import WordIndex, abbreviations, can_be_spelled, draws_left, index_of, known, stock_of
from .view import View, determinize

BEST = 8
"""The most words, and the most abbreviations, that are weighed."""
HELD = 0.25
"""The expected points of a face-down card."""
DRAWN = 0.9
"""What a point on a card that is drawn is worth while nobody is near the goal: long abbreviations make long words."""
NEAR = 6
"""So many points before the goal somebody is near it: a card that is drawn is worth less, a swap may save the match."""
BLOCKED, DISTURBED = 3.0, 1.0
"""What a point of a rival's word is worth that a swap makes impossible: of one that reaches the goal, of any other."""
PATIENCE = 12
"""In so many rounds swaps lose their worth, for who only hinders others brings nobody nearer to the end."""
LOOKS = {"easy": 2, "normal": 3}
"""How many looks at cards a bot of a level remembers, the latest ones; one that is not named forgets none."""
LEAST = 0.01

JUDGEMENTS: tuple[tuple[Command, float], ...] = ((Judge(True), 1.0), (Judge(False), LEAST))
CONCEAL: tuple[tuple[Command, float], ...] = ((Conceal(), 1.0),)


def priors(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Weigh a word by the points that it brings, an abbreviation by those that its cards may bring later."""
    if state.declared is not None:
        return iter(JUDGEMENTS)
    if state.look:
        return iter(CONCEAL)
    return _turn(state, seat)


def _turn(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    draws, worth = _draws(state) or [(draw, 0.0) for draw in draws_left(state)], _worth_of_draws(state)
    yield from ((draw, max(weight * worth, LEAST)) for draw, weight in draws)
    if not is_first_round(state):
        yield from _words(state, seat)
        yield from _swaps(state, seat)
    if not draws or has_leave_to_pass(state):
        yield Pass(), LEAST


def _draws(state: State) -> list[tuple[Command, float]]:
    """List the unused abbreviations that bring the most."""
    some = _drawable(known(state.options), tuple(map(len, state.stacks)))
    return list(islice((each for each in some if each[0].abbreviation not in state.used), BEST))


def _worth_of_draws(state: State) -> float:
    """Return what is left of the worth of a draw: nothing in the last turn, little if somebody is near the goal."""
    if state.reached is not None:
        return 0
    missing = min(GOALS[state.seats] - score(state, Seat(seat)) for seat in range(state.seats))
    return min(missing / NEAR, 1)


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
    return DRAWN * sum([2 if letter in "GZDBP" else 1 for letter in abbreviation])


def _words(state: State, seat: int) -> list[tuple[Command, float]]:
    """List the words that the row can truly lay, those that bring the most points first."""
    row, turned, options = state.rows[seat], state.turned[seat], state.options
    short_of_goal = min(GOALS[state.seats] - score(state, seat), MAX_CLAIMED + 1)
    return best_words(known(options), options.min_word, short_of_goal, row, turned)


def _swaps(state: State, seat: int) -> Iterator[tuple[Command, float]]:
    """Yield swaps that take a card out of the best word of each rival who is near the goal and has a turn left."""
    patience = 1 - state.turns / (PATIENCE * state.seats)
    for rival in map(Seat, range(state.seats) if patience > 0 else ()):
        missing = GOALS[state.seats] - score(state, rival)
        if rival == seat or missing > NEAR or rival == state.reached:
            continue
        for word, points in _words(state, rival)[:1]:
            worth = patience * points * (BLOCKED if points >= missing else DISTURBED)
            yield from ((swap, worth) for swap in _taking_out(state, seat, rival, word))


def _taking_out(state: State, seat: int, rival: int, word: Command) -> Iterator[Swap]:
    """Yield for each face-down card that a rival's word needs a swap for the seat's latest card of its letter."""
    assert isinstance(word, Word)
    row, turned, own = state.rows[rival], state.turned[rival], state.rows[seat]
    for card in word.cards:
        if isinstance(card, int) and card not in turned:
            letter = LETTER[row[card]]
            places = [at for at, kana in enumerate(own) if LETTER[kana] == letter and at not in state.turned[seat]]
            if places:
                yield Swap(Index(places[-1]), Seat(rival), card)


@frozen(eq=False)
class WordSets:
    """The words of a lexicon that one card for each kana can lay."""

    index: WordIndex
    """They descend by how they are laid, then by how they are written."""
    within: Sequence[Sequence[int]]
    """By letter, and by each set of its kana, bit by bit: the words that have no other kana of the letter."""

    def most_points(self, row: Iterable[str], down: Iterable[str], least: int) -> Iterator[tuple[int, int]]:
        """Yield how many points can be brought, most first, and the words that do.

        They are laid with the kana of a row, of which `down` lie face down, and have at least so many kana.
        """
        found, held = self.index.longer(least), [0] * len(LETTERS)
        for kana in row:
            number, bit = _BITS[kana]
            held[number] |= bit
        for within, some in zip(self.within, held, strict=True):
            found &= within[some]
        digits: list[int] = []
        """The points of all words at once: by binary digit, the words of which it is 1."""
        for kana in down:
            carried, at = found & self.index.with_kana[kana][0], value(kana) - 1
            while carried:
                digits += [0] * (at + 1 - len(digits))
                digits[at], carried, at = digits[at] ^ carried, digits[at] & carried, at + 1
        return filter(itemgetter(0), _descending(found, digits))

    def listed(self, some: int) -> Iterator[tuple[str, str]]:
        """Yield the words of a set, in their order, each as laid and as written."""
        while some:
            bits = some.bit_length()
            yield self.index.laid[-bits], self.index.words[-bits]
            some ^= 1 << bits - 1


_BITS = {kana: (LETTERS.index(letter), 1 << KANA[letter].index(kana)) for kana, letter in LETTER.items()}


def _descending(some: int, digits: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of some words, given by digits, the highest first, and the words that have it."""
    if not digits:
        yield 0, some
        return
    *lower, highest = digits
    for part, more in ((some & highest, 1 << len(lower)), (some & ~highest, 0)):
        if part:
            yield from [(number + more, words) for number, words in _descending(part, lower)]


@lru_cache(maxsize=16)
def word_sets(lexicon: Lexicon) -> WordSets:
    """Index the words of a lexicon by the kana that they need."""
    pairs = [(laid(word), word) for word in lexicon.words]
    fit = sorted([pair for pair in pairs if _is_once(pair[0]) and can_be_spelled(pair[0])], reverse=True)
    index = index_of([(word, kanas) for kanas, word in fit])
    return WordSets(index, [_within(kanas, index) for kanas in KANA.values()])


def _is_once(kanas: str) -> bool:
    return len({*kanas}) == len(kanas)


def _within(kanas: str, index: WordIndex) -> list[int]:
    """Return for each set of the kana of a letter, bit by bit, which of these words have no other kana of it."""
    others = [[kana for at, kana in enumerate(kanas) if not held >> at & 1] for held in range(1 << len(kanas))]
    return [index.all & ~reduce(or_, [index.with_kana[kana][0] for kana in each], 0) for each in others]


@lru_cache(maxsize=4096)
def best_words(
    words: Lexicon, least: int, short_of_goal: int, row: Kanas, turned: Places
) -> list[tuple[Command, float]]:
    """List the words that these cards and the fixed ones can lay, each card used once, and their points."""
    sets, best = word_sets(words), list[tuple[Command, float]]()
    places: dict[str, Index | str] = {**FIXED_LETTERS, **{kana: Index(place) for place, kana in enumerate(row)}}
    down = [kana for place, kana in enumerate(row) if place not in turned]
    for points, some in sets.most_points(row, down, least):
        fit = some if points < short_of_goal else some & sets.index.longer(GOAL_WORD)
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
    return partial(determinize, evolve(view, kanas=kanas))


def remembered(history: Sequence[ObservedEvent[Command]], level: str) -> Sequence[ObservedEvent[Command]]:
    """Return the history without the looks at cards that a bot of this level has forgotten.

    What a wrong word showed to all nobody forgets: so every wrong guess teaches something, and the match ends.
    """
    looks = [at for at, observed in enumerate(history) if any(note.key == "looks" for note in observed.notes)]
    gone = set(looks[: -LOOKS[level]]) if level in LOOKS else set()
    return [_without_look(observed) if at in gone else observed for at, observed in enumerate(history)]


def _without_look(observed: ObservedEvent[Command]) -> ObservedEvent[Command]:
    return attrs.evolve(observed, notes=tuple(note for note in observed.notes if note.key != "looks"))


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

    def _exchange(self, seat: int, place: int, other: int, at: int) -> None:
        """Follow two cards that change places."""
        given, got = self.kanas[seat].pop(place, None), self.kanas[other].pop(at, None)
        if given is not None:
            self.kanas[other][at] = given
        if got is not None:
            self.kanas[seat][place] = got


HINTS = Hints(
    priors=priors,
    evaluate=evaluate,
    determinize_history=determinize_history,
    remembered=remembered,
    iterations=60,
)

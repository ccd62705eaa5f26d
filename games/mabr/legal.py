"""Every command that a seat of MABR may give now.

What a seat's own face-down cards are never shows here: they are listed with every kana that could be said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice, product

from ...core.game import TABLE, Seat
from . import lexicon
from .model import FIXED, GOAL_WORD, GOALS, KANA, LETTER, Command, Conceal, Draw, Judge, Pass, State, Swap, Word, value
from .rules import claimed, is_first_round, may_pass_after_void, score, to_act
from .search import Spelled, drawable, layable, spellings

SUGGESTED = "kifu-ja-1"
"""The lexicon of what `legal` lists before a table judge, who accepts other words too."""

SUGGESTIONS = 200
"""So many of its common words at most are listed before a table judge."""

MAX_CLAIMED = (GOAL_WORD - 1) * max(map(value, LETTER))
"""The most points that a word can claim that is too short to reach the goal."""


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now; before a table judge those that the shipped lexicon suggests."""
    if seat == TABLE or seat not in to_act(state):
        return
    if state.declared is not None:
        yield Judge(True)
        yield Judge(False)
        return
    if state.look:
        yield Conceal()
        return
    draws = _draws(state)
    yield from draws
    if not is_first_round(state) or not draws or may_pass_after_void(state):
        yield Pass()
    if is_first_round(state):
        return
    yield from _swaps(state, seat)
    yield from _words(state, seat)


def open_ended(state: State, seat: Seat) -> bool:
    """Tell whether the seat may declare more than `legal` lists: whatever the other seats may accept (MABR-R7)."""
    free = state.declared is None and not state.look
    return state.options.judge == "table" and free and seat != TABLE and seat in to_act(state)


def _draws(state: State) -> list[Draw]:
    used = frozenset(state.used)
    if state.options.judge == "lexicon":
        known = drawable(lexicon.find(state.options.lexicon), state.stacks)
        return [Draw(abbreviation) for abbreviation in known if abbreviation not in used]
    suggested = set(drawable(lexicon.find(SUGGESTED), state.stacks)) - used
    shortest = next((each for each in spellings(state.stacks) if each not in used), None)
    return list(map(Draw, sorted(suggested | {shortest} if shortest else suggested)))


def _swaps(state: State, seat: Seat) -> Iterator[Swap]:
    mine = _face_down(state, seat)
    for other in range(state.seats):
        if other != seat:
            theirs = _face_down(state, Seat(other))
            for place, letter in mine:
                for at, same in theirs:
                    if letter == same:
                        yield Swap(place, Seat(other), at)


def _face_down(state: State, seat: Seat) -> list[tuple[int, str]]:
    turned = state.turned[seat]
    return [(place, LETTER[kana]) for place, kana in enumerate(state.rows[seat]) if place not in turned]


def _words(state: State, seat: Seat) -> Iterator[Word]:
    """Yield each word in each way of saying which card is which of its letters (MABR-7, MABR-8)."""
    least, at_table = state.options.min_word, state.options.judge == "table"
    known = lexicon.find(SUGGESTED if at_table else state.options.lexicon)
    letters = "".join(sorted([LETTER[kana] for kana in state.rows[seat]]))
    sources = _sources(state, seat)
    down = frozenset(place for place, _ in _face_down(state, seat))
    up = state.turned[seat]
    short_of_goal = GOALS[state.seats] - score(state, seat)
    long_enough = (each for each in layable(known, letters, common=at_table) if len(each.word) >= least)
    for spelled in islice(long_enough, SUGGESTIONS if at_table else None):
        word = spelled.word
        said: Iterator[Word] = map(partial(Word, word), _ways(spelled, sources))
        if up:
            said = (each for each in said if not down.isdisjoint(each.cards))
        if len(word) < GOAL_WORD and short_of_goal <= MAX_CLAIMED:
            said = (each for each in said if claimed(state, seat, each) < short_of_goal)
        yield from said


def _ways(spelled: Spelled, sources: dict[str, tuple[int | str, ...]]) -> Iterator[tuple[int | str, ...]]:
    """Go through the ways of saying which card is which letter of a word, each card once."""
    ways = product(*[sources[kana] for kana in spelled.laid])
    return (cards for cards in ways if len(set(cards)) == len(cards)) if spelled.repeats else ways


def _sources(state: State, seat: Seat) -> dict[str, tuple[int | str, ...]]:
    """Give for each kana the cards that can be said to be it: of its letter and face down, or showing it."""
    row = state.rows[seat]
    sources: dict[str, tuple[int | str, ...]] = {kana: (letter,) for letter, kana in FIXED.items()}
    face_down = _face_down(state, seat)
    for letter, kanas in KANA.items():
        places = tuple(place for place, of in face_down if of == letter)
        sources.update(dict.fromkeys(kanas, places))
    for place in state.turned[seat]:
        sources[row[place]] += (place,)
    return sources

"""Every command that a seat of MABR may give now.

What a seat's own face-down cards are never shows here: they are listed with every kana that could be said of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from ...core.game import TABLE, Seat
from . import lexicon
from .lexicon import Lexicon
from .model import (
    GOAL_WORD,
    GOALS,
    KANA,
    LETTER,
    Command,
    Conceal,
    Draw,
    Judge,
    Options,
    Pass,
    State,
    Swap,
    value,
)
from .row import FirstWords, Row, Wanted, row_of, shown
from .rules import is_first_round, may_pass_after_void, score, to_act
from .search import WHOLE_STOCK, abbreviations, spellings, stock_of

SUGGESTED = "kifu-ja-2"
"""The lexicon of what `legal` lists before a table judge, who accepts other words too, if the options name none."""

SUGGESTIONS = 200
"""So many of its common words at most are listed before a table judge."""

MAX_CLAIMED = (GOAL_WORD - 1) * max(map(value, LETTER))
"""The most points that a word can claim that is too short to reach the goal."""

JUDGEMENTS = (Judge(True), Judge(False))
CONCEAL = (Conceal(),)
PASS = (Pass(),)


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield every command that the seat may give now; before a table judge those that a lexicon suggests."""
    before_words, may_say_words = _before_words(state, seat)
    yield from chain.from_iterable(before_words)
    if may_say_words:
        yield from _row(state, seat).words()


def legal_by_kind(state: State, seat: Seat, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands of `legal`, those of a kind together, without making each of them."""
    kinds: list[Sequence[Command]] = []
    left = limit
    before_words, may_say_words = _before_words(state, seat)
    for commands in before_words:
        kinds.append(commands if len(commands) <= left else commands[:left])
        left -= len(kinds[-1])
    if left and may_say_words:
        kinds.append(FirstWords(_row(state, seat), left, limit))
    return [commands for commands in kinds if commands]


def open_ended(state: State, seat: Seat) -> bool:
    """Return whether the seat may declare more than `legal` lists: whatever the other seats may accept (MABR-R7)."""
    free = state.declared is None and not state.look
    return state.options.judge == "table" and free and seat != TABLE and seat in to_act(state)


def _before_words(state: State, seat: Seat) -> tuple[list[Sequence[Command]], bool]:
    """List the commands that come before the words, those of a kind together, and return whether words do come."""
    if seat == TABLE or seat not in to_act(state):
        return [], False
    if state.declared is not None:
        return [JUDGEMENTS], False
    if state.look:
        return [CONCEAL], False
    options = state.options
    draws = _draws(known(options), tuple(map(len, state.stacks)), state.used, options.judge == "table")
    if is_first_round(state):
        return ([draws, PASS] if not draws or may_pass_after_void(state) else [draws]), False
    return [draws, PASS, _swaps(tuple(map(shown, state.rows, state.turned)), seat)], True


def known(options: Options) -> Lexicon:
    """Return the lexicon that judges, or that suggests words and abbreviations before a table judge."""
    return lexicon.find(options.lexicon if lexicon.is_known(options.lexicon) else SUGGESTED)


@lru_cache(maxsize=1024)
def _draws(words: Lexicon, sizes: tuple[int, ...], used: tuple[str, ...], at_table: bool) -> tuple[Draw, ...]:
    """List the draws from stacks of these sizes; before a table judge the shortest spelling that is left, too."""
    draws, bits = _all_draws(words)
    gone = sum({bits[each] for each in used if each in bits}) | WHOLE_STOCK ^ stock_of(sizes)
    left = [draw for need, draw in draws if not need & gone]
    if at_table:
        stacks = [("",) * size for size in sizes]
        shortest = next((each for each in spellings(stacks) if each not in used), None)
        if shortest is not None and shortest not in {each.abbreviation for each in left}:
            left = sorted([*left, Draw(shortest)], key=attrgetter("abbreviation"))
    return tuple(left)


@lru_cache(maxsize=16)
def _all_draws(words: Lexicon) -> tuple[list[tuple[int, Draw]], dict[str, int]]:
    """Return all draws, ascending, each with its letters as `stock_of` and a bit of its own; and that bit of each."""
    known = abbreviations(words)
    bits = {each: WHOLE_STOCK + 1 << number for number, (_, each) in enumerate(known)}
    return [(need | bits[each], Draw(each)) for need, each in known], bits


_swap = lru_cache(maxsize=4096)(Swap)  # a swap is the same object in all lists


@lru_cache(maxsize=1024)
def _swaps(rows: tuple[str, ...], seat: Seat) -> tuple[Swap, ...]:
    """List the swaps of face-down cards of one letter (MABR-10), of rows as `shown`."""
    mine = [(place, letter) for place, letter in enumerate(rows[seat]) if letter in KANA]
    swaps = []
    for other, theirs in enumerate(rows):
        if other != seat:
            for place, letter in mine:
                if letter in theirs:
                    swaps += [_swap(place, Seat(other), at) for at, same in enumerate(theirs) if same == letter]
    return tuple(swaps)


def _row(state: State, seat: Seat) -> Row:
    at_table = state.options.judge == "table"
    short_of_goal = GOALS[state.seats] - score(state, seat)
    asked = Wanted(
        known(state.options),
        state.options.min_word,
        short_of_goal if short_of_goal <= MAX_CLAIMED else None,
        SUGGESTIONS if at_table else None,
    )
    return row_of(shown(state.rows[seat], state.turned[seat]), asked)

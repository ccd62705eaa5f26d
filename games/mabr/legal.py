"""Every command that a seat of MABR may give now.

What a seat's own face-down cards are never shows here: they are listed with every kana that could be said of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ...core import game as k
from .model import KANA, LETTER, Command, Conceal, Judge, Pass, State, Swap, value
from .row import FirstWords, Row, row_of, shown
from .rules import GOAL_WORD, GOALS, has_leave_to_pass, is_first_round, score, to_act
from .search import draws_left, known

SUGGESTIONS = 200
"""So many of its common words at most are listed before a table judge."""

MAX_CLAIMED = (GOAL_WORD - 1) * max(map(value, LETTER))
"""The most points that a word can claim that is too short to reach the goal."""

JUDGEMENTS = (Judge(True), Judge(False))
CONCEAL = (Conceal(),)
PASS = (Pass(),)


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every command that the seat may give now; before a table judge those that a lexicon suggests."""
    before_words, may_say_words = _before_words(state, seat)
    yield from chain.from_iterable(before_words)
    if may_say_words:
        yield from _row(state, seat).words()


def legal_by_kind(state: State, seat: int, limit: int) -> list[Sequence[Command]]:
    """Return the first `limit` commands, those of a kind together, without making each of them."""
    kinds: list[Sequence[Command]] = []
    left = limit
    before_words, may_say_words = _before_words(state, seat)
    for commands in before_words:
        kinds.append(commands if len(commands) <= left else commands[:left])
        left -= len(kinds[-1])
    if left and may_say_words:
        kinds.append(FirstWords(_row(state, seat), left))
    return [commands for commands in kinds if commands]


def open_ended(state: State, seat: int) -> bool:
    """Return whether the seat may declare more than `legal` lists: whatever the other seats may accept (MABR-R7)."""
    free = state.declared is None and not state.look
    return state.options.judge == "table" and free and seat != k.TABLE and seat in to_act(state)


def _before_words(state: State, seat: int) -> tuple[list[Sequence[Command]], bool]:
    """List the commands that come before the words, those of a kind together, and return whether words do come."""
    if seat == k.TABLE or seat not in to_act(state):
        return [], False
    if state.declared is not None:
        return [JUDGEMENTS], False
    if state.look:
        return [CONCEAL], False
    draws = draws_left(state)
    passes = PASS if not draws or has_leave_to_pass(state) else ()
    if is_first_round(state):
        return [draws, passes], False
    return [draws, passes, _swaps(tuple(map(shown, state.rows, state.turned)), seat)], True


_swap = lru_cache(maxsize=4096)(Swap)  # a swap is the same object in all lists


@lru_cache(maxsize=1024)
def _swaps(rows: tuple[str, ...], seat: int) -> tuple[Swap, ...]:
    """List the swaps of face-down cards of one letter (MABR-10), of rows as `shown`."""
    mine = [(place, letter) for place, letter in enumerate(rows[seat]) if letter in KANA]
    swaps = []
    for other, theirs in enumerate(rows):
        if other != seat:
            for place, letter in mine:
                if letter in theirs:
                    swaps += [_swap(place, k.Seat(other), at) for at, same in enumerate(theirs) if same == letter]
    return tuple(swaps)


def _row(state: State, seat: int) -> Row:
    at_table = state.options.judge == "table"
    short_of_goal = GOALS[state.seats] - score(state, seat)
    return row_of(
        shown(state.rows[seat], state.turned[seat]),
        known(state.options),
        state.options.min_word,
        short_of_goal if short_of_goal <= MAX_CLAIMED else None,
        SUGGESTIONS if at_table else None,
    )

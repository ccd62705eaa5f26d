"""Heap: seats take one or two pebbles in turn, without a deal or secrets. Its options give each kind of result.

`last` wins who takes the last pebble; `level` counts pebbles, and may be a draw; `teams` does so for partners, seats 0
and 2 against 1 and 3; `together` all win if nobody takes two at the end, else all lose; `out` eliminates who empties a
heap, and lays out another; `again` lets a seat put one back, and ends when a position comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kifu.core import game as k

KINDS = ("last", "level", "teams", "together", "out", "again")
PEBBLES = 7
RULES = """
H-1 Seven pebbles lie on a heap.
H-2 A seat takes one or two; where the heap may be filled, it may put one back that it has.
H-3 It ends as the options say.
"""


@k.options
class Options:
    """How it ends."""

    kind: Literal["last", "level", "teams", "together", "out", "again"] = "last"


@k.command("take", rule="H-2")
class Take:
    count: int


@k.state
class State:
    options: Options
    heap: int
    taken: tuple[int, ...]
    turn: k.Seat
    out: tuple[bool, ...]
    last: int
    past: tuple[int, ...]


def start(options: Options, seats: int) -> State:
    return State(options, PEBBLES, (0,) * seats, k.Seat(0), (False,) * seats, 0, (PEBBLES,))


def is_over(state: State) -> bool:
    if state.options.kind == "out":
        return sum(state.out) == len(state.out) - 1
    return not state.heap or (state.options.kind == "again" and state.past.count(state.past[-1]) == 3)


def to_act(state: State) -> frozenset[int]:
    return k.NOBODY if is_over(state) else k.ALONE[state.turn]


def least(state: State) -> int:
    return -1 if state.options.kind == "again" else 1


def apply(state: State, seat: int, command: Take) -> State:
    if command.count not in (-1, 1, 2):
        raise k.malformed_command(seat, "there is no such number")
    if not max(least(state), -state.taken[seat]) <= command.count <= state.heap:
        raise k.Illegal("H-2", count=command.count)
    heap, taken = state.heap - command.count, k.replace_at(state.taken, seat, state.taken[seat] + command.count)
    out = state.out
    if state.options.kind == "out" and not heap:
        heap, taken, out = sum(taken), (0,) * len(taken), k.replace_at(out, seat, True)
    turn = next(
        k.Seat((seat + step) % len(out)) for step in range(1, len(out) + 1) if not out[(seat + step) % len(out)]
    )
    past = (*state.past, heap) if state.options.kind == "again" else state.past
    return k.evolve(state, heap=heap, taken=taken, out=out, turn=turn, last=command.count, past=past)


def legal(state: State, seat: int) -> Iterator[Take]:
    low = max(least(state), -state.taken[seat])
    return (Take(count) for count in (-1, 1, 2) if low <= count <= state.heap)


def scores(state: State) -> tuple[int, ...]:
    if state.options.kind == "together":
        return (PEBBLES - state.heap,) * len(state.taken)
    if state.options.kind == "out":
        return tuple(int(not out) for out in state.out)
    return state.taken


def result(state: State) -> k.Result | None:
    if not is_over(state):
        return None
    seats, points = range(len(state.taken)), scores(state)
    match state.options.kind:
        case "last":
            return k.Result(points, (k.Seat((state.turn - 1) % len(seats)),))
        case "together":
            return k.Result(points, tuple(map(k.Seat, seats)) if state.last == 1 else (), (0,) * len(seats))
        case "teams":
            teams = tuple(seat % 2 for seat in seats)
            sums = [sum(points[seat] for seat in seats if teams[seat] == team) for team in (0, 1)]
            return k.Result(points, k.winners_by([sums[team] for team in teams]), teams)
    return k.Result(points, k.winners_by(points))


def cards(state: State) -> Iterator[str]:
    return iter(("pebble",) * (state.heap + sum(state.taken)))


GAME = k.Game.of(
    __name__,
    seats=range(2, 5),
    state=State,
    book=RULES,
    extras=(k.Encoding(vocabulary=(-1, 1, 2), sizes={"past": 2000}),),
)

"""Heap: seats take one or two pebbles in turn, without a deal or secrets. Its options give each kind of result.

`last` wins who takes the last pebble; `level` counts pebbles, and may be a draw; `teams` does so for partners, seats 0
and 2 against 1 and 3; `together` all win if nobody takes two at the end, else all lose; `out` eliminates who empties a
heap, and lays out another; `again` lets a seat put one back, and ends when a position comes again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import frozen
from kifu.core.game import (
    ALONE,
    NOBODY,
    Face,
    Fact,
    Game,
    Note,
    Part,
    Place,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Scene,
    Seat,
    SectionKind,
    Shuffler,
    Step,
    Thing,
    Zone,
    check_turn,
    evolve,
    malformed_command,
    pits,
    replace_at,
    winners_by,
)

KINDS = ("last", "level", "teams", "together", "out", "again")
PEBBLES = 7


class Rule(RuleBook):
    H_1 = "H-1", "Seven pebbles lie on a heap."
    H_2 = "H-2", "A seat takes one or two; where the heap may be filled, it may put one back that it has."
    H_3 = "H-3", "It ends as the options say."


@frozen
class Options:
    """How it ends."""

    kind: Literal["last", "level", "teams", "together", "out", "again"] = "last"


@frozen(slots=False)
class Take:
    count: int


@frozen(slots=False)
class State:
    options: Options
    heap: int
    taken: tuple[int, ...]
    turn: Seat
    out: tuple[bool, ...]
    last: int
    past: tuple[int, ...]


def start(options: Options, seats: int) -> State:
    return State(options, PEBBLES, (0,) * seats, Seat(0), (False,) * seats, 0, (PEBBLES,))


def is_over(state: State) -> bool:
    if state.options.kind == "out":
        return sum(state.out) == len(state.out) - 1
    return not state.heap or (state.options.kind == "again" and state.past.count(state.past[-1]) == 3)


def to_act(state: State) -> frozenset[Seat]:
    return NOBODY if is_over(state) else ALONE[state.turn]


def least(state: State) -> int:
    return -1 if state.options.kind == "again" else 1


def apply(state: State, seat: Seat, command: Take) -> State:
    if command.count not in (-1, 1, 2):
        raise malformed_command(seat, "there is no such number")
    check_turn(to_act(state), seat)
    if not max(least(state), -state.taken[seat]) <= command.count <= state.heap:
        raise RuleViolation(Rule.H_2, seat, count=command.count)
    heap, taken = state.heap - command.count, replace_at(state.taken, seat, state.taken[seat] + command.count)
    out = state.out
    if state.options.kind == "out" and not heap:
        heap, taken, out = sum(taken), (0,) * len(taken), replace_at(out, seat, True)
    turn = next(Seat((seat + step) % len(out)) for step in range(1, len(out) + 1) if not out[(seat + step) % len(out)])
    past = (*state.past, heap) if state.options.kind == "again" else state.past
    return evolve(state, heap=heap, taken=taken, out=out, turn=turn, last=command.count, past=past)


def legal(state: State, seat: Seat) -> Iterator[Take]:
    if seat in to_act(state):
        low = max(least(state), -state.taken[seat])
        yield from (Take(count) for count in (-1, 1, 2) if low <= count <= state.heap)


def scores(state: State) -> tuple[int, ...]:
    if state.options.kind == "together":
        return (PEBBLES - state.heap,) * len(state.taken)
    if state.options.kind == "out":
        return tuple(int(not out) for out in state.out)
    return state.taken


def result(state: State) -> Result | None:
    if not is_over(state):
        return None
    seats, points = range(len(state.taken)), scores(state)
    match state.options.kind:
        case "last":
            return Result(points, (Seat((state.turn - 1) % len(seats)),))
        case "together":
            return Result(points, tuple(map(Seat, seats)) if state.last == 1 else (), (0,) * len(seats))
        case "teams":
            teams = tuple(seat % 2 for seat in seats)
            sums = [sum(points[seat] for seat in seats if teams[seat] == team) for team in (0, 1)]
            return Result(points, winners_by([sums[team] for team in teams]), teams)
    return Result(points, winners_by(points))


@frozen
class View:
    viewer: Seat | None
    state: State
    past: tuple[int, ...]


def view(state: State, viewer: Seat | None) -> View:
    return View(viewer, state, state.past)


def redact(command: Take, seat: Seat, viewer: Seat | None) -> Take | RedactedCommand:
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
    return view.state


def explain(step: Step[State, Take], viewer: Seat | None) -> Iterator[Note]:
    before = step.before
    if before == start(before.options, len(before.taken)):
        yield Note.of("laid-out", Rule.H_1, begins=SectionKind.ROUND)
    yield Note.of("taken", Rule.H_2, begins=SectionKind.TURN, seat=step.seat, count=step.command.count)
    ended = result(step.after)
    if ended is not None:
        yield Note.of("ended", Rule.H_3, seats=ended.winners, points=ended.points)


def cards(state: State) -> Iterator[str]:
    return iter(("pebble",) * (state.heap + sum(state.taken)))


def scene(view: View) -> Scene:
    state = view.state
    heap = Thing((face("pebble"),) if state.heap else (), state.heap)
    numbers = tuple(Thing((Face(str(count)),), part=("count", count)) for count in (-1, 1, 2))
    zones = (Zone("zone-heap", (heap,), pits(["heap"])), Zone("zone-numbers", numbers))
    points = scores(state)
    return Scene(
        view.viewer, Place(None, zones), tuple(_place(state, seat, points[seat]) for seat in range(len(points)))
    )


def _place(state: State, seat: int, points: int) -> Place:
    marks = ("mark-out",) if state.out[seat] else ()
    return Place(seat, (), (Fact("fact-points", points),), marks)


def face(pebble: str) -> Face:
    return Face("", "blue", shape="piece")


def parts(command: Take) -> tuple[Part, ...]:
    return (("count", command.count),)


GAME: Game[State, Take, View] = Game(
    name="heap",
    rules=1,
    seats=range(2, 5),
    options=Options,
    book=Rule,
    wire={Take: "take"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    view=view,
    redact=redact,
    determinize=determinize,
    cards=cards,
    result=result,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
    scores=scores,
    sizes={"past": 2000, "state": 2000},
    vocabulary=(-1, 1, 2),
)

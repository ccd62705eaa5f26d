"""Reversi: discs on a board, black and white, turned over where they are enclosed. The most discs win."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from kifu.core import game as k

SIZES = (4, 6, 8)
EIGHT_WAYS = tuple((right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up)


class Rule(k.RuleBook):
    """The rulebook, a sentence a member: `REV_1` is rule REV-1. A ruling of your own is `REV_R1`."""

    REV_1 = "Two black and two white discs lie crosswise in the middle; seat 0 has black and begins."
    REV_2 = "A seat places a disc on an empty space where discs of the other seat are turned over."
    REV_3 = "Discs between the new one and another of the same seat, in any of eight directions, are turned over."
    REV_4 = "Who can turn none over passes, and nobody else does."
    REV_5 = "It ends when nobody can turn any over. The most discs win; with as many each it is a draw."


@k.options
class Options:
    """The options of the game; each has a default."""

    size: Literal[4, 6, 8] = 8
    """How many spaces a side of the board has."""


@k.command("place")
class Place:
    """A disc on a space, e.g. `d3`."""

    space: str


@k.command("pass")
class Pass:
    """No disc can be placed."""


Command = Place | Pass


@k.state
class State:
    """The whole board. What can be derived is not stored."""

    options: Options
    discs: tuple[k.Seat | None, ...]
    """Whose disc lies on each space, from `a1` along the rows; None: nothing."""
    turn: k.Seat | None
    """The seat that is to act; None once the game is over."""


@k.view_of(State)
class View:
    """What one seat may look at now: everything lies open. `viewer` None is a spectator, -1 the table."""

    viewer: int | None
    options: Options
    discs: tuple[k.Seat | None, ...]
    turn: k.Seat | None


@cache
def names(size: int) -> tuple[str, ...]:
    """Return the names of the spaces, from `a1` along the rows."""
    return tuple(f"{chr(ord('a') + column)}{row}" for row in range(1, size + 1) for column in range(size))


@cache
def lines(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each space the spaces in each of the eight directions, the nearest first."""
    return tuple(
        tuple(_line(size, row, column, right, up) for right, up in EIGHT_WAYS)
        for row in range(size)
        for column in range(size)
    )


def _line(size: int, row: int, column: int, right: int, up: int) -> tuple[int, ...]:
    steps = [(row + up * step, column + right * step) for step in range(1, size)]
    return tuple(y * size + x for y, x in steps if 0 <= y < size and 0 <= x < size)


BLACK, WHITE = k.Seat(0), k.Seat(1)


def start(options: Options, seats: int) -> State:
    """Return the state before the first event (REV-1)."""
    size = options.size
    discs: list[k.Seat | None] = [None] * size**2
    low = (size // 2 - 1) * (size + 1)
    discs[low] = discs[low + size + 1] = WHITE
    discs[low + 1] = discs[low + size] = BLACK
    return State(options, tuple(discs), BLACK)


def to_act(state: State) -> frozenset[int]:
    """Return the seat that is to act, nobody once the game is over."""
    return k.NOBODY if state.turn is None else k.ALONE[state.turn]


def apply(state: State, seat: int, command: Command) -> State:
    """Return the state after a command; raises `Illegal` if a rule forbids it."""
    return _place(state, seat, command.space) if isinstance(command, Place) else _pass(state, seat)


def _place(state: State, seat: int, name: str) -> State:
    """Place a disc, and turn over what it encloses (REV-2, REV-3)."""
    spaces = names(state.options.size)
    if name not in spaces:
        raise k.malformed_command(seat, "there is no such space")
    at = spaces.index(name)
    turned = enclosed(state, seat, at)
    if not turned:
        raise k.Illegal("REV-2", space=name)

    discs = list(state.discs)
    for space in (at, *turned):
        discs[space] = k.Seat(seat)
    after = k.evolve(state, discs=tuple(discs), turn=other(seat))
    if can_place(after, other(seat)):
        return after
    return after if can_place(after, seat) else k.evolve(after, turn=None)  # REV-5


def _pass(state: State, seat: int) -> State:
    """Pass, where no disc can be placed (REV-4)."""
    if can_place(state, seat):
        raise k.Illegal("REV-4")

    return k.evolve(state, turn=other(seat))


def other(seat: int) -> k.Seat:
    """Return the other seat."""
    return WHITE if seat == BLACK else BLACK


def enclosed(state: State, seat: int, at: int) -> list[int]:
    """Return the spaces whose discs a disc of a seat there would turn over (REV-3); none if the space is taken."""
    discs = state.discs
    found: list[int] = []
    for line in lines(state.options.size)[at] if discs[at] is None else ():
        passed: list[int] = []
        for space in line:
            owner = discs[space]
            if owner is None:
                break
            if owner == seat:
                found += passed
                break
            passed.append(space)
    return found


def can_place(state: State, seat: int) -> bool:
    """Return True if a seat can enclose anything."""
    return any(enclosed(state, seat, at) for at in range(len(state.discs)))


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat that is to act."""
    spaces = [name for at, name in enumerate(names(state.options.size)) if enclosed(state, seat, at)]
    yield from map(Place, spaces) if spaces else [Pass()]


def count(discs: Sequence[k.Seat | None]) -> tuple[int, int]:
    """Return the number of discs of each seat."""
    return discs.count(BLACK), discs.count(WHITE)


def scores(state: State) -> tuple[int, ...]:
    """Return the score of each seat so far."""
    return count(state.discs)


def result(state: State) -> k.Result | None:
    """Return the discs of each seat, and who has the most, once the game is over (REV-5); both have won a draw."""
    return None if state.turn is not None else k.Result(scores(state), k.winners_by(scores(state)))


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step; the text of each is the message `note-KEY`."""
    before, after = step.before, step.after
    if before == start(before.options, 2):  # the set-up has no event: the first step tells it
        yield k.Note.of("set-up", Rule.REV_1, begins=k.SectionKind.ROUND, seats=(0, 1))
    if isinstance(step.command, Place):
        turned = sum(old is not None and old != new for old, new in zip(before.discs, after.discs, strict=True))
        yield k.Note.of("placed", Rule.REV_2, begins=k.SectionKind.TURN, seat=step.seat, space=step.command.space)
        yield k.Note.of("turned", Rule.REV_3, count=turned, points=scores(after))
    else:
        yield k.Note.of("passed", Rule.REV_4, begins=k.SectionKind.TURN, seat=step.seat)
    ended = result(after)
    if ended is not None:
        yield k.Note.of("won", Rule.REV_5, seats=ended.winners, points=ended.points)


def face(owner: int) -> k.Face:
    """Return how a disc looks."""
    return k.Face("○", "white", shape="piece") if owner else k.Face("●", "ink", shape="piece")


def scene(view: View) -> k.Scene:
    """Return the board in the middle, then both seats with their number of discs."""
    size = view.options.size
    board = k.grid(size, size)
    things = {name: _thing(name, owner) for name, owner in zip(names(size), view.discs, strict=True)}
    zone = k.Zone("zone-board", k.lay(board, things, k.Thing(count=0)), board)
    points = count(view.discs)
    seats = tuple(
        k.Place(seat, facts=(k.Fact("fact-discs", points[seat]),), marks=("mark-white" if seat else "mark-black",))
        for seat in (0, 1)
    )
    return k.Scene(view.viewer, k.Place(None, (zone,)), seats)


def _thing(name: str, owner: k.Seat | None) -> k.Thing:
    """Return what lies on a space: an empty one can be clicked as well."""
    return k.Thing(() if owner is None else (face(owner),), 0 if owner is None else 1, part=("space", name))


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the things that a command names: a click on one chooses the command."""
    return (("pass", "turn"),) if isinstance(command, Pass) else (("space", command.space),)


GAME = k.Game.of(
    __name__,
    seats=range(2, 3),
    state=State,
    book=Rule,
    texts=__name__,
    extras=(k.Encoding(vocabulary=names(max(SIZES)), longest=max(SIZES) ** 2 + 20),),
)

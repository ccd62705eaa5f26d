"""The rules of Reversi, in the order of their numbers: checks first, then one change. Nothing is dealt or hidden."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from kifu.core.game import (
    ALONE,
    NOBODY,
    RedactedCommand,
    Result,
    RuleViolation,
    Seat,
    Shuffler,
    check_turn,
    copy_fields,
    evolve,
    malformed_command,
    winners_by,
)

from .model import Command, Options, Pass, Place, Rule, State, View, lines, names

BLACK, WHITE = Seat(0), Seat(1)


def start(options: Options, seats: int) -> State:
    """Return the state before the first event (REV-1)."""
    size = options.size
    discs: list[Seat | None] = [None] * size**2
    low = (size // 2 - 1) * (size + 1)
    discs[low] = discs[low + size + 1] = WHITE
    discs[low + 1] = discs[low + size] = BLACK
    return State(options, tuple(discs), BLACK)


def to_act(state: State) -> frozenset[Seat]:
    """Return the seat that is to act, nobody once the game is over."""
    return NOBODY if state.turn is None else ALONE[state.turn]


def apply(state: State, seat: Seat, command: Command) -> State:
    """Return the state after a command; raises `RuleViolation` if a rule forbids it."""
    match command:
        case Place():
            return _place(state, seat, command)
        case Pass():
            return _pass(state, seat)
        case _:
            assert_never(command)


def _place(state: State, seat: Seat, place: Place) -> State:
    """Place a disc, and turn over what it encloses (REV-2, REV-3)."""
    spaces = names(state.options.size)
    if place.space not in spaces:
        raise malformed_command(seat, "there is no such space")
    check_turn(to_act(state), seat)
    at = spaces.index(place.space)
    turned = enclosed(state, seat, at)
    if not turned:
        raise RuleViolation(Rule.REV_2, seat, space=place.space)

    discs = list(state.discs)
    for space in (at, *turned):
        discs[space] = seat
    after = evolve(state, discs=tuple(discs), turn=other(seat))
    if can_place(after, other(seat)):
        return after
    return after if can_place(after, seat) else evolve(after, turn=None)  # REV-5


def _pass(state: State, seat: Seat) -> State:
    """Pass, where no disc can be placed (REV-4)."""
    check_turn(to_act(state), seat)
    if can_place(state, seat):
        raise RuleViolation(Rule.REV_4, seat)

    return evolve(state, turn=other(seat))


def other(seat: Seat) -> Seat:
    """Return the other seat."""
    return WHITE if seat == BLACK else BLACK


def enclosed(state: State, seat: Seat, at: int) -> list[int]:
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


def can_place(state: State, seat: Seat) -> bool:
    """Return True if a seat can enclose anything."""
    return any(enclosed(state, seat, at) for at in range(len(state.discs)))


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield exactly the commands that `apply` accepts from a seat."""
    if seat != state.turn:
        return
    spaces = [name for at, name in enumerate(names(state.options.size)) if enclosed(state, seat, at)]
    yield from map(Place, spaces) if spaces else [Pass()]


def count(discs: Sequence[Seat | None]) -> tuple[int, int]:
    """Return the number of discs of each seat."""
    return discs.count(BLACK), discs.count(WHITE)


def scores(state: State) -> tuple[int, ...]:
    """Return the score of each seat so far."""
    return count(state.discs)


def result(state: State) -> Result | None:
    """Return the discs of each seat, and who has the most, once the game is over (REV-5); both have won a draw."""
    return None if state.turn is not None else Result(scores(state), winners_by(scores(state)))


def cards(state: State) -> Iterator[str]:
    """Yield what is never lost: the spaces of the board."""
    return (name for name, _ in zip(names(state.options.size), state.discs, strict=True))


def view(state: State, viewer: Seat | None) -> View:
    """Return what a seat may look at now: everything."""
    return copy_fields(View, state, viewer=viewer)


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command as it is: everybody sees it."""
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
    """Return the one state that has this view."""
    return copy_fields(State, view)

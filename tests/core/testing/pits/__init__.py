"""Pits: a board without a deal and without secrets. Seeds are sown round four pits, and a match may be a draw.

Two seats with two pits each, two seeds in every pit. A seat sows one of its pits; a last seed that falls into an own
pit that was empty is taken. It ends when a seat cannot sow, or after twelve moves; what lies before a seat is its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from kifu.core.game import (
    ALONE,
    NOBODY,
    TABLE,
    Game,
    Note,
    RedactedCommand,
    Result,
    RuleBook,
    RuleViolation,
    Seat,
    SectionKind,
    Step,
    TableRule,
    check_turn,
    evolve,
    malformed_command,
    winners_by,
)
from kifu.core.game.board import pits as pits_board
from kifu.core.game.scene import Face, Fact, Part, Place, Scene, Thing, Zone
from kifu.core.game.shuffle import Shuffler

PITS, MOVES = 4, 12
OWN = ((0, 1), (2, 3))


class Rule(RuleBook):
    P_1 = "P-1", "Two seeds lie in each pit."
    P_2 = "P-2", "A seat sows one of its own pits that is not empty."
    P_3 = "P-3", "A last seed that falls into an empty pit of one's own is taken."
    P_4 = "P-4", "It ends when the next seat cannot sow, or after twelve moves."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Sow:
    pit: int


@frozen(slots=False)
class State:
    pits: tuple[int, ...]
    stores: tuple[int, int]
    moves: int


def start(options: Options, seats: int) -> State:
    return State((2,) * PITS, (0, 0), 0)


def to_act(state: State) -> frozenset[Seat]:
    seat = Seat(state.moves % 2)
    over = state.moves == MOVES or not any(state.pits[pit] for pit in OWN[seat])
    return NOBODY if over else ALONE[seat]


def apply(state: State, seat: Seat, command: Sow) -> State:
    if not 0 <= command.pit < PITS:
        raise malformed_command(seat, "there is no such pit")
    check_turn(to_act(state), seat)
    if command.pit not in OWN[seat] or not state.pits[command.pit]:
        raise RuleViolation(Rule.P_2, seat, pit=command.pit)
    pits = list(state.pits)
    seeds, pits[command.pit], at = pits[command.pit], 0, command.pit
    for _ in range(seeds):
        at = (at + 1) % PITS
        pits[at] += 1
    stores = list(state.stores)
    if at in OWN[seat] and pits[at] == 1:
        stores[seat] += 1
        pits[at] = 0
    return evolve(state, pits=tuple(pits), stores=(stores[0], stores[1]), moves=state.moves + 1)


def legal(state: State, seat: Seat) -> Iterator[Sow]:
    if seat not in to_act(state):
        return iter(())
    return (Sow(pit) for pit in OWN[seat] if state.pits[pit])


def scores(state: State) -> tuple[int, int]:
    own = [sum(state.pits[pit] for pit in pits) if not to_act(state) else 0 for pits in OWN]
    return state.stores[0] + own[0], state.stores[1] + own[1]


def result(state: State) -> Result | None:
    return None if to_act(state) else Result(scores(state), winners_by(scores(state)))


def cards(state: State) -> Iterator[str]:
    return iter(("seed",) * (sum(state.pits) + sum(state.stores)))


@frozen
class View:
    viewer: Seat | None
    state: State


def view(state: State, viewer: Seat | None) -> View:
    return View(viewer, state)


def redact(command: Sow, seat: Seat, viewer: Seat | None) -> Sow | RedactedCommand:
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
    return view.state


def explain(step: Step[State, Sow], viewer: Seat | None) -> Iterator[Note]:
    taken = step.after.stores[step.seat] - step.before.stores[step.seat]
    if step.before.moves == 0:
        yield Note.of("laid-out", Rule.P_1, begins=SectionKind.DEAL)
    yield Note.of("sown", Rule.P_2, begins=SectionKind.TURN, seat=step.seat, number=step.command.pit + 1)
    if taken:
        yield Note.of("taken", Rule.P_3, seat=step.seat, number=step.command.pit + 1)
    ended = result(step.after)
    if ended is not None:
        yield Note.of("won", Rule.P_4, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    seats = (Seat(0), Seat(1))
    return Scene(view.viewer, Place(None), tuple(_place(view.state, seat) for seat in seats))


def _place(state: State, seat: Seat) -> Place:
    things = tuple(_seeds(state.pits[pit], pit) for pit in OWN[seat])
    zone = Zone("zone-pits", things, pits_board([str(pit + 1) for pit in OWN[seat]]))
    return Place(seat, (zone,), (Fact("fact-points", scores(state)[seat]),))


def _seeds(count: int, pit: int) -> Thing:
    return Thing((face("seed"),) if count else (), count, part=("pit", pit + 1))


def face(seed: str) -> Face:
    return Face("", "orange", shape="piece")


def parts(command: Sow) -> tuple[Part, ...]:
    return (("pit", command.pit + 1),)


GAME: Game[State, Sow, View] = Game(
    name="pits",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Sow: "sow"},
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
)
START = start(Options(), 2)
FULL = State((0, 2, 2, 2), (0, 2), 2)
OVER = State((0, 0, 4, 4), (0, 0), 2)
BROKEN_RULES = (
    (TableRule.FORM, START, Seat(0), Sow(4)),
    (TableRule.TURN, START, Seat(1), Sow(2)),
    (TableRule.OVER, OVER, Seat(0), Sow(0)),
    (Rule.P_2, START, Seat(0), Sow(2)),
    (Rule.P_2, FULL, Seat(0), Sow(0)),
)
assert TABLE not in to_act(START)

"""Pits: a board without a deal and without secrets. Seeds are sown round four pits, and a match may be a draw.

Two seats with two pits each, two seeds in every pit. A seat sows one of its pits; a last seed that falls into an own
pit that was empty is taken. It ends when a seat cannot sow, or after twelve moves; what lies before a seat is its own.
Its notes and its scene are written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from kifu.core.game import (
    ALONE,
    NOBODY,
    TABLE,
    Face,
    Fact,
    Game,
    Illegal,
    NoOptions,
    Note,
    Place,
    Result,
    RuleBook,
    Scene,
    SectionKind,
    Step,
    TableRule,
    Thing,
    Zone,
    command,
    evolve,
    malformed_command,
    public,
    state,
    view_of,
    winners_by,
)
from kifu.core.game import pits as pits_board

PITS, MOVES = 4, 12
OWN = ((0, 1), (2, 3))
TEXTS = """
note-laid-out = All is laid out.
note-sown = { SEAT($seat) } sows pit { $number }.
note-captured = The last seed of pit { $number } is { SEAT($seat) }'s.
zone-pits = pits
fact-points = points
note-won = { SEATS($seats) } wins: { POINTS($points) }.
"""


class Rule(RuleBook):
    P_1 = "Two seeds lie in each pit."
    P_2 = "A seat sows one of its own pits that is not empty."
    P_3 = "A last seed that falls into an empty pit of one's own is taken."
    P_4 = "It ends when the next seat cannot sow, or after twelve moves."


@command("sow", rule="P-2")
class Sow:
    pit: int = public(thing="pit")


@state
class State:
    pits: tuple[int, ...] = public()
    stores: tuple[int, ...] = public()
    moves: int = public()


@view_of(State)
class View:
    viewer: int | None
    pits: tuple[int, ...]
    stores: tuple[int, ...]
    moves: int


def start(options: NoOptions, seats: int) -> State:
    return State((2,) * PITS, (0, 0), 0)


def to_act(state: State | View) -> frozenset[int]:
    seat = state.moves % 2
    over = state.moves == MOVES or not any(state.pits[pit] for pit in OWN[seat])
    return NOBODY if over else ALONE[seat]


def apply(state: State, seat: int, command: Sow) -> State:
    if not 0 <= command.pit < PITS:
        raise malformed_command(seat, "there is no such pit")
    if command.pit not in OWN[seat] or not state.pits[command.pit]:
        raise Illegal("P-2", pit=command.pit)
    pits = list(state.pits)
    seeds, pits[command.pit], at = pits[command.pit], 0, command.pit
    for _ in range(seeds):
        at = (at + 1) % PITS
        pits[at] += 1
    stores = list(state.stores)
    if at in OWN[seat] and pits[at] == 1:
        stores[seat] += 1
        pits[at] = 0
    return evolve(state, pits=tuple(pits), stores=tuple(stores), moves=state.moves + 1)


def legal(state: State, seat: int) -> Iterator[Sow]:
    return (Sow(pit) for pit in OWN[seat] if state.pits[pit])


def scores(state: State | View) -> tuple[int, int]:
    own = [sum(state.pits[pit] for pit in pits) if not to_act(state) else 0 for pits in OWN]
    return state.stores[0] + own[0], state.stores[1] + own[1]


def result(state: State) -> Result | None:
    return None if to_act(state) else Result(scores(state), winners_by(scores(state)))


def cards(state: State) -> Iterator[str]:
    return iter(("seed",) * (sum(state.pits) + sum(state.stores)))


def explain(step: Step[State, Sow], viewer: int | None) -> Iterator[Note]:
    taken = step.after.stores[step.seat] - step.before.stores[step.seat]
    if step.before.moves == 0:
        yield Note.of("laid-out", Rule.P_1, begins=SectionKind.DEAL)
    yield Note.of("sown", Rule.P_2, begins=SectionKind.TURN, seat=step.seat, number=step.command.pit + 1)
    if taken:
        yield Note.of("captured", Rule.P_3, seat=step.seat, number=step.command.pit + 1)
    ended = result(step.after)
    if ended is not None:
        yield Note.of("won", Rule.P_4, seats=ended.winners, points=ended.points)


def scene(view: View) -> Scene:
    return Scene(view.viewer, Place(None), tuple(_place(view, seat) for seat in (0, 1)))


def _place(view: View, seat: int) -> Place:
    things = tuple(_seeds(view.pits[pit], pit) for pit in OWN[seat])
    zone = Zone("zone-pits", things, pits_board([str(pit + 1) for pit in OWN[seat]]))
    return Place(seat, (zone,), (Fact("fact-points", scores(view)[seat]),))


def _seeds(count: int, pit: int) -> Thing:
    return Thing((face("seed"),) if count else (), count, part=("pit", pit))


def face(seed: str) -> Face:
    return Face("", "orange", shape="piece")


GAME = Game.of(__name__, seats=range(2, 3), state=State, book=Rule, texts={"en": TEXTS})
START = start(NoOptions(), 2)
FULL = State((0, 2, 2, 2), (0, 2), 2)
OVER = State((0, 0, 4, 4), (0, 0), 2)
BROKEN_RULES = (
    (TableRule.FORM, START, 0, Sow(4)),
    (TableRule.TURN, START, 1, Sow(2)),
    (TableRule.OVER, OVER, 0, Sow(0)),
    (Rule.P_2, START, 0, Sow(2)),
    (Rule.P_2, FULL, 0, Sow(0)),
)
assert TABLE not in to_act(START)

"""Pebbles, a game of other people that is at its third rules version: the seats take pebbles from a heap in turn.

Version 2 gave things better names: `grab n` became `take pebbles`, the option `stones` became `heap`, and the state
holds the options. Version 3 changed a ruling: who takes the last pebble, and had won until then, now loses. The old
reading lives on as `last="wins"`, which the upcast writes into the header of every older log. Each of these changed
what a state is made of, and so its layout.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from kifu.core.errors import OptionError
from kifu.core.game import (
    Fact,
    Game,
    Note,
    Past,
    Place,
    Result,
    RuleBook,
    RuleViolation,
    Scene,
    Seat,
    Step,
    Upcast,
    check_turn,
    command,
    options,
    state,
)


class Rule(RuleBook):
    PEB_1 = "PEB-1", "A turn takes one to three pebbles, and no more than there are."
    PEB_R1 = "PEB-R1", "Who takes the last pebble loses, all others win."


@options
class Options:
    heap: int = 10
    last: Literal["wins", "loses"] = "loses"


@command("take")
class Take:
    pebbles: int


@state
class State:
    options: Options
    heap: int
    turn: Seat
    taken: tuple[int, ...]


def start(options: Options, seats: int) -> State:
    return State(options, options.heap, Seat(0), (0,) * seats)


def check_options(options: Options, seats: int) -> None:
    if options.heap < 1:
        raise OptionError("heap", f"it has at least one pebble, not {options.heap}")
    if options.last not in ("wins", "loses"):
        raise OptionError("last", f"it wins or loses, not {options.last!r}")


def to_act(state: State) -> frozenset[Seat]:
    return frozenset({state.turn}) if state.heap else frozenset()


def apply(state: State, seat: Seat, take: Take) -> State:
    check_turn(to_act(state), seat)
    if not 1 <= take.pebbles <= min(3, state.heap):
        raise RuleViolation(Rule.PEB_1, seat, pebbles=take.pebbles, heap=state.heap)
    seats = len(state.taken)
    taken = tuple(each + take.pebbles * (place == seat) for place, each in enumerate(state.taken))
    return State(state.options, state.heap - take.pebbles, Seat((seat + 1) % seats), taken)


def legal(state: State, seat: Seat) -> Iterator[Take]:
    return (Take(pebbles) for pebbles in range(1, min(3, state.heap) + 1) if seat in to_act(state))


def result(state: State) -> Result | None:
    if state.heap:
        return None
    last = (state.turn - 1) % len(state.taken)
    wins = state.options.last == "wins"
    return Result(state.taken, tuple(Seat(seat) for seat in range(len(state.taken)) if (seat == last) is wins))


def explain(step: Step[State, Take], viewer: Seat | None) -> Iterator[Note]:
    yield Note.of("took", Rule.PEB_1, seat=step.seat)


def scene(state: State) -> Scene:
    places = tuple(Place(seat, facts=(Fact("fact-taken", taken),)) for seat, taken in enumerate(state.taken))
    return Scene(None, Place(None, facts=(Fact("fact-heap", state.heap),)), places)


def _named(header: Mapping[str, Any]) -> Mapping[str, Any]:
    options = dict(header["options"])
    return {**header, "options": {"heap": options.pop("stones"), **options}}


def _take(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
    return seat, {"grab": "take"}[tag], {"pebbles": fields["n"]}


def _as_it_was(header: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**header, "options": {**header["options"], "last": "wins"}}


HERE: Any = sys.modules[__name__]
GAME: Game[State, Take, State] = Game(
    name="pebbles",
    seats=range(2, 4),
    state=State,
    commands=(Take,),
    rules=HERE,
    options=Options,
    book=Rule,
    table=HERE,
    version=3,
    past=Past(3, {1: Upcast(header=_named, event=_take), 2: Upcast(header=_as_it_was)}),
    texts="pebbles",
)

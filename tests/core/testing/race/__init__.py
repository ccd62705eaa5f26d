"""Race: two seats bring two runners each home by dice that are rolled each turn; whoever is met goes back to the start.

Everything lies open, and chance comes in the middle of the match: nobody can tell which of two dice was rolled first.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from kifu.core.game import (
    ALONE,
    DEALER,
    NOBODY,
    TABLE,
    Face,
    Fact,
    Game,
    Note,
    Part,
    Place,
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
    copy_fields,
    evolve,
    lay,
    malformed_command,
    replace_at,
    track,
)

HOME = 8
TRACK = track([str(space) for space in range(1, HOME)], HOME - 1)


class Rule(RuleBook):
    R_1 = "R-1", "Both roll a die; the higher one begins with these two, equal ones are rolled again."
    R_2 = "R-2", "Each turn two dice are rolled, and each moves a runner; what goes beyond the track is home."
    R_3 = "R-3", "A runner that is met goes back to the start."
    R_4 = "R-4", "Who has both runners home first wins."


@frozen
class Options:
    """There is nothing to agree on."""


@frozen(slots=False)
class Roll:
    dice: tuple[int, ...]


@frozen(slots=False)
class Run:
    space: int
    die: int


Command = Roll | Run


@frozen(slots=False)
class State:
    runners: tuple[tuple[int, ...], ...]
    """Where each seat's runners are, ascending: 0 at the start, `HOME` at home."""
    dice: tuple[int, ...]
    """Those that are still to be run, ascending."""
    turn: Seat | None
    """None until the first roll has told who begins."""


@frozen(slots=False)
class View:
    viewer: Seat | None
    runners: tuple[tuple[int, ...], ...]
    dice: tuple[int, ...]
    turn: Seat | None


def start(options: Options, seats: int) -> State:
    return State(((0, 0), (0, 0)), (), None)


def to_act(s: State) -> frozenset[Seat]:
    if (HOME, HOME) in s.runners:
        return NOBODY
    return ALONE[s.turn] if s.turn is not None and s.dice else DEALER


def deal(s: State, shuffler: Shuffler) -> Roll:
    return Roll((1 + shuffler.below(6), 1 + shuffler.below(6)))


def apply(s: State, seat: Seat, c: Command) -> State:
    if isinstance(c, Roll):
        if len(c.dice) != 2 or not all(1 <= die <= 6 for die in c.dice):
            raise malformed_command(seat, "two dice from 1 to 6 are rolled")
        check_turn(to_act(s), seat, deals=True)
        dice = tuple(sorted(c.dice))
        if s.turn is None:
            return s if dice[0] == dice[1] else evolve(s, dice=dice, turn=Seat(int(c.dice[0] < c.dice[1])))
        return evolve(s, dice=dice)
    if not 0 <= c.space < HOME or not 1 <= c.die <= 6:
        raise malformed_command(seat, "there is no such space or die")
    check_turn(to_act(s), seat)
    if c.space not in s.runners[seat] or c.die not in s.dice:
        raise RuleViolation(Rule.R_2, seat, space=c.space, die=c.die)
    to, other = min(HOME, c.space + c.die), Seat(1 - seat)
    runners = replace_at(s.runners, seat, _moved(s.runners[seat], c.space, to))
    met = HOME - to  # the other one runs the other way
    if 0 < to < HOME and met in s.runners[other]:
        runners = replace_at(runners, other, tuple(sorted(0 if at == met else at for at in runners[other])))
    left = s.dice[1:] if s.dice[0] == c.die else s.dice[:1]
    over = runners[seat] == (HOME, HOME)
    return evolve(s, runners=runners, dice=() if over else left, turn=seat if left or over else other)


def _moved(runners: tuple[int, ...], space: int, to: int) -> tuple[int, ...]:
    at = runners.index(space)
    return tuple(sorted((*runners[:at], to, *runners[at + 1 :])))


def legal(s: State, seat: Seat) -> Iterator[Run]:
    if seat != TABLE and seat in to_act(s):
        yield from (Run(at, die) for at in sorted({*s.runners[seat]} - {HOME}) for die in sorted({*s.dice}))


def scores(s: State | View) -> tuple[int, ...]:
    return tuple(runners.count(HOME) for runners in s.runners)


def result(s: State) -> Result | None:
    return None if to_act(s) else Result(scores(s), (Seat(s.runners.index((HOME, HOME))),))


def view(s: State, viewer: Seat | None) -> View:
    return copy_fields(View, s, viewer=viewer)


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    c, after = step.command, step.after
    if isinstance(c, Roll):
        rule = Rule.R_1 if step.before.turn is None else Rule.R_2
        yield Note.of("rolled", rule, begins=SectionKind.TURN, dice=c.dice)
        return
    yield Note.of("runs", Rule.R_2, seat=step.seat, space=c.space, die=c.die)
    if sum(after.runners[1 - step.seat]) < sum(step.before.runners[1 - step.seat]):
        yield Note.of("met", Rule.R_3, seat=Seat(1 - step.seat))
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.R_4, seats=ended.winners, points=ended.points)


def face(seat: Seat) -> Face:
    return Face("○" if seat else "●", shape="piece")


def scene(v: View) -> Scene:
    things = {}
    for seat in (1, 0):
        for at in range(1, HOME):
            count = v.runners[seat].count(at)
            if count:
                part = ("space", at) if v.turn == seat else None
                things[str(at if seat == 0 else HOME - at)] = Thing((face(Seat(seat)),), count, part=part)
    dice = tuple(Thing((Face(str(die), shape="die"),), part=("die", die)) for die in sorted({*v.dice}))
    middle = (Zone("zone-track", lay(TRACK, things, Thing(count=0)), TRACK), Zone("zone-dice", dice))
    return Scene(v.viewer, Place(None, middle), tuple(_place(v, Seat(seat)) for seat in (0, 1)))


def _place(v: View, seat: Seat) -> Place:
    waiting = v.runners[seat].count(0)
    start = (Thing((face(seat),), waiting, part=("space", 0) if v.turn == seat else None),) if waiting else ()
    return Place(seat, (Zone("zone-start", start),), (Fact("fact-home", scores(v)[seat], 2),))


def parts(c: Command) -> tuple[Part, ...]:
    return () if isinstance(c, Roll) else (("space", c.space), ("die", c.die))


GAME: Game[State, Command, View] = Game(
    name="race",
    rules=1,
    seats=range(2, 3),
    options=Options,
    book=Rule,
    wire={Roll: "roll", Run: "run"},
    start=start,
    to_act=to_act,
    apply=apply,
    legal=legal,
    deal=deal,
    cards=lambda s: (seat for seat, runners in enumerate(s.runners) for _ in runners),
    view=view,
    redact=lambda command, seat, viewer: command,
    determinize=lambda v, shuffler: copy_fields(State, v),
    result=result,
    scores=scores,
    explain=explain,
    scene=scene,
    parts=parts,
    face=face,
    texts=__name__,
)

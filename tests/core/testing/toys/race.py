"""Race: two seats bring two runners each home by dice that are rolled each turn; whoever is met goes back to the start.

Everything lies open, and chance comes in the middle of the match: nobody can tell which of two dice was rolled first.
"""

from __future__ import annotations

from collections.abc import Iterator

from kifu.core import game as k

HOME = 8
RULES = """
R-1 Both roll a die; the higher one begins with these two, equal ones are rolled again.
R-2 Each turn two dice are rolled, and each moves a runner; what goes beyond the track is home.
R-3 A runner that is met goes back to the start.
R-4 Who has both runners home first wins.
"""


@k.command("roll", rule="R-2")
class Roll:
    dice: tuple[int, ...] = k.public()


@k.command("run", rule="R-2")
class Run:
    space: int = k.public()
    die: int = k.public()


Command = Roll | Run


@k.state
class State:
    runners: tuple[tuple[int, ...], ...] = k.public()
    """Where each seat's runners are, ascending: 0 at the start, `HOME` at home."""
    dice: tuple[int, ...] = k.public()
    """Those that are still to be run, ascending."""
    turn: k.Seat | None = k.public()
    """None until the first roll has told who begins."""


def start(options: k.NoOptions, seats: int) -> State:
    return State(((0, 0), (0, 0)), (), None)


def to_act(s: State) -> frozenset[int]:
    if (HOME, HOME) in s.runners:
        return k.NOBODY
    return k.ALONE[s.turn] if s.turn is not None and s.dice else k.DEALER


def deal(s: State, shuffler: k.Shuffler) -> Roll:
    return Roll((1 + shuffler.below(6), 1 + shuffler.below(6)))


def apply(s: State, seat: int, c: Command) -> State:
    if isinstance(c, Roll):
        if len(c.dice) != 2 or not all(1 <= die <= 6 for die in c.dice):
            raise k.malformed_command(seat, "two dice from 1 to 6 are rolled")
        dice = tuple(sorted(c.dice))
        if s.turn is None:
            return s if dice[0] == dice[1] else k.evolve(s, dice=dice, turn=k.Seat(int(c.dice[0] < c.dice[1])))
        return k.evolve(s, dice=dice)
    if not 0 <= c.space < HOME or not 1 <= c.die <= 6:
        raise k.malformed_command(seat, "there is no such space or die")
    if c.space not in s.runners[seat] or c.die not in s.dice:
        raise k.Illegal("R-2", space=c.space, die=c.die)
    to, other = min(HOME, c.space + c.die), 1 - seat
    runners = k.replace_at(s.runners, seat, _moved(s.runners[seat], c.space, to))
    met = HOME - to  # the other one runs the other way
    if 0 < to < HOME and met in s.runners[other]:
        runners = k.replace_at(runners, other, tuple(sorted(0 if at == met else at for at in runners[other])))
    left = s.dice[1:] if s.dice[0] == c.die else s.dice[:1]
    over = runners[seat] == (HOME, HOME)
    return k.evolve(s, runners=runners, dice=() if over else left, turn=seat if left or over else other)


def _moved(runners: tuple[int, ...], space: int, to: int) -> tuple[int, ...]:
    at = runners.index(space)
    return tuple(sorted((*runners[:at], to, *runners[at + 1 :])))


def legal(s: State, seat: int) -> Iterator[Run]:
    return (Run(at, die) for at in sorted({*s.runners[seat]} - {HOME}) for die in sorted({*s.dice}))


def scores(s: State) -> tuple[int, ...]:
    return tuple(runners.count(HOME) for runners in s.runners)


def result(s: State) -> k.Result | None:
    return None if to_act(s) else k.Result(scores(s), (s.runners.index((HOME, HOME)),))


def cards(s: State) -> Iterator[int]:
    return (seat for seat, runners in enumerate(s.runners) for _ in runners)


GAME = k.Game.of(__name__, seats=range(2, 3), state=State, book=RULES)

"""Wolves: hidden roles. At night the wolves choose whom they eat; by day all vote somebody out, who shows the role."""

from typing import Any, Literal

from kifu.core import game as k

RULES = """
WO-1 Every seat gets a role, face down: wolves, as many as agreed, and villagers. Wolves know each other.
WO-2 At night everybody points at a seat in secret, but only the wolves' pointing counts.
WO-3 By day everybody points at a seat in secret, and all is shown at once.
WO-4 You point at another seat that is not out.
WO-5 The seat that most point at is out and shows its role; where two are level, nobody is. Day follows night.
WO-6 The village wins when all wolves are out; the wolves win when the villagers are no more than they are.
"""
VILLAGER, WOLF = k.Card(0), k.Card(1)
Roles = tuple[k.Card, ...]
Aim = Literal[0, 1, 2, 3, 4, 5, 6]
SEATS: tuple[Aim, ...] = (0, 1, 2, 3, 4, 5, 6)


@k.options
class Options:
    wolves: Literal[1, 2] = 1


@k.command("deal", rule="WO-1")
class Deal:
    roles: Roles = k.secret()


@k.command("point", rule="WO-2")
class Point:
    at: Aim = k.secret(thing="seat")


def who_knows(state: Any, viewer: int | None) -> tuple[bool, ...]:
    """The seat itself; wolves those of wolves; everybody those who are out, and all in the end."""
    is_wolf = viewer is not None and state.roles[viewer] == WOLF
    over = not to_act(state)
    return tuple(
        state.is_dealt and (over or state.out[seat] or seat == viewer or (is_wolf and role == WOLF))
        for seat, role in enumerate(state.roles)
    )


@k.state
class State:
    options: Options
    roles: Roles = k.seen_by(who_knows, sizes="", rule="WO-1")
    out: tuple[bool, ...] = k.public(rule="WO-5")
    aims: tuple[Aim | None, ...] = k.own(rule="WO-4")
    shown: tuple[Aim | None, ...] = k.public(rule="WO-3")
    is_night: bool = k.public(rule="WO-5")
    is_dealt: bool = k.public(rule="WO-1")


def check_options(options: Options, seats: int) -> None:
    if 2 * options.wolves >= seats - 1:
        raise k.OptionError("wolves", k.Message("too-many", "too many wolves for {seats} seats", seats=seats))


def deck(options: Options, seats: int) -> Roles:
    return (VILLAGER,) * (seats - options.wolves) + (WOLF,) * options.wolves


def start(options: Options, seats: int) -> State:
    nobody = (None,) * seats
    return State(options, deck(options, seats), (False,) * seats, nobody, nobody, is_night=True, is_dealt=False)


def left(state: State, role: k.Card) -> int:
    return sum(each == role and not out for each, out in zip(state.roles, state.out, strict=True))


def to_act(state: State) -> frozenset[int]:
    if not state.is_dealt:
        return k.DEALER
    if not 0 < left(state, WOLF) < left(state, VILLAGER):
        return k.NOBODY
    return frozenset(seat for seat, out in enumerate(state.out) if not out and state.aims[seat] is None)


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    return Deal(shuffler.shuffle(deck(state.options, len(state.out))))


def may_point_at(state: State, seat: int) -> list[Aim]:
    return [other for other, out in zip(SEATS, state.out, strict=False) if not out and other != seat]


def legal(state: State, seat: int) -> list[Point]:
    return [Point(other) for other in may_point_at(state, seat)]


def apply(state: State, seat: int, command: Deal | Point) -> State:
    if isinstance(command, Deal):
        k.check_deck(k.DEALER, seat, command.roles, deck(state.options, len(state.out)))
        return k.evolve(state, roles=command.roles, is_dealt=True)
    if command.at not in may_point_at(state, seat):
        raise k.Illegal("WO-4", at=command.at)
    state = k.evolve(state, aims=k.replace_at(state.aims, seat, command.at))
    return state if to_act(state) else counted(state)


def counted(state: State) -> State:
    counts = [role == WOLF or not state.is_night for role in state.roles]
    votes: list[int] = [aim for aim, count in zip(state.aims, counts, strict=True) if count and aim is not None]
    first = [seat for seat in range(len(state.out)) if votes.count(seat) == max(map(votes.count, votes))]
    out = k.replace_at(state.out, first[0], True) if len(first) == 1 else state.out
    nobody = (None,) * len(out)
    shown = nobody if state.is_night else state.aims
    return k.evolve(state, out=out, aims=nobody, shown=shown, is_night=not state.is_night)


def result(state: State) -> k.Result | None:
    if to_act(state):
        return None
    winners = VILLAGER if not left(state, WOLF) else WOLF
    points = tuple(int(role == winners) for role in state.roles)
    return k.Result(points, k.winners_by(points), tuple(map(int, state.roles)))


def constraint(view: Any, state: State) -> bool:
    """A drawn state goes on as the view does, and nobody points where nobody may."""
    aims = [(seat, aim) for seat, aim in enumerate(state.aims) if aim is not None]
    return to_act(state) == view.to_act and all(aim in may_point_at(state, seat) for seat, aim in aims)


def face(role: k.Card) -> k.Face:
    return k.Face("wolf", "red") if role == WOLF else k.Face("villager")


GAME = k.Game.of(__name__, seats=range(4, 8), state=State, book=RULES)

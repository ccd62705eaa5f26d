"""Nim: take one to three; who takes the last wins."""

from kifu.core import game as k


@k.command("take")
class Take:
    count: int


@k.state
class State:
    heap: int = 21
    turn: k.Seat = k.Seat(0)


def start(options: object, seats: int) -> State:
    return State()


def to_act(state: State) -> frozenset[int]:
    return frozenset({state.turn} if state.heap else ())


def legal(state: State, seat: int) -> list[Take]:
    return [Take(count) for count in (1, 2, 3) if count <= state.heap]


def apply(state: State, seat: int, take: Take) -> State:
    if take not in legal(state, seat):
        raise k.Illegal("take one to three, and no more than there are")
    return k.evolve(state, heap=state.heap - take.count, turn=1 - seat)


def result(state: State) -> k.Result | None:
    winner = 1 - state.turn  # who took the last one
    return None if state.heap else k.Result((1 - winner, winner), (winner,))


GAME = k.Game.of(__name__, seats=range(2, 3), state=State)

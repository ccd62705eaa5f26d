"""Scouts: a board with fog of war. Each side sees only what lies beside its scouts, and wants one of them across."""

from typing import Any, Literal

from kifu.core import game as k

RULES = """
SC-1 Each side has a row of five scouts at its edge of a board of five by five, and sees the spaces beside them.
SC-2 The sides move in turn, one scout to an empty space beside it, also diagonally.
SC-3 After the agreed number of moves nobody has won.
SC-4 A side whose scout stands on the other side's edge has won; in the end all is shown.
"""
SIZE = 5
EMPTY = k.Card(0)
SCOUTS = k.Card(1), k.Card(2)
Board = tuple[k.Card, ...]
SETUP: Board = ((SCOUTS[1],) * SIZE) + (EMPTY,) * (SIZE * (SIZE - 2)) + ((SCOUTS[0],) * SIZE)


@k.options
class Options:
    moves: Literal[20, 40] = 40


def beside(space: int) -> list[int]:
    """Return the space itself and those around it."""
    row, column = divmod(space, SIZE)
    rows, columns = range(max(0, row - 1), min(SIZE, row + 2)), range(max(0, column - 1), min(SIZE, column + 2))
    return [SIZE * each + other for each in rows for other in columns]


def sight(state: Any, viewer: int | None) -> tuple[bool, ...]:
    """Who has a scout beside it; everybody in the end."""
    over, mine = not to_act(state), None if viewer is None else SCOUTS[viewer]
    return tuple(over or mine in [state.board[each] for each in beside(at)] for at in range(len(SETUP)))


def sees_start(step: Any, viewer: int | None) -> bool:
    """Who saw the space before the move."""
    at: int = step.command.at
    return sight(step.before, viewer)[at]


def sees_end(step: Any, viewer: int | None) -> bool:
    """Who sees the space after the move."""
    to: int = step.command.to
    return sight(step.after, viewer)[to]


@k.command("move", rule="SC-2")
class Move:
    at: int = k.seen_by(sees_start, thing="board")
    to: int = k.seen_by(sees_end, thing="board")


@k.state
class State:
    options: Options
    board: Board = k.seen_by(sight, sizes="", rule="SC-1", board=k.grid(SIZE, SIZE))
    moves: int = k.public(rule="SC-3")


def start(options: Options, seats: int) -> State:
    return State(options, SETUP, 0)


def deck(options: Options, seats: int) -> Board:
    return SETUP


def across(state: State) -> list[int]:
    """List the sides that have a scout on the other one's edge."""
    edges = state.board[:SIZE], state.board[-SIZE:]
    return [seat for seat in range(2) if SCOUTS[seat] in edges[seat]]


def to_act(state: State) -> frozenset[int]:
    over = across(state) or state.moves == state.options.moves
    return k.NOBODY if over else k.ALONE[state.moves % 2]


def legal(state: State, seat: int) -> list[Move]:
    own = [at for at, piece in enumerate(state.board) if piece == SCOUTS[seat]]
    return [Move(at, to) for at in own for to in beside(at) if state.board[to] == EMPTY]


def apply(state: State, seat: int, move: Move) -> State:
    if move not in legal(state, seat):
        raise k.Illegal("SC-2", at=move.at, to=move.to)
    board = k.replace_at(k.replace_at(state.board, move.at, EMPTY), move.to, SCOUTS[seat])
    return k.evolve(state, board=board, moves=state.moves + 1)


def result(state: State) -> k.Result | None:
    if to_act(state):
        return None
    points = tuple(int(seat in across(state)) for seat in range(2))
    return k.Result(points, k.winners_by(points))


def constraint(view: Any, state: State) -> bool:
    """A drawn state goes on as the view does, and shows its viewer as much."""
    shown = tuple(piece is not None for piece in view.board)
    return to_act(state) == view.to_act and sight(state, view.viewer) == shown


def face(piece: k.Card) -> k.Face:
    """Return how a scout looks; on an empty space lies nothing."""
    return k.Face("") if piece == EMPTY else k.Face("●", "blue" if piece == SCOUTS[0] else "red", "piece")


GAME = k.Game.of(__name__, seats=range(2, 3), state=State, book=RULES)

"""The data of Reversi: rules by number, the board, options, commands, state. All of it is immutable."""

from functools import cache
from typing import Literal

from attrs import frozen
from kifu.core.game import Board, Face, RuleBook, Seat, grid

SIZES = (4, 6, 8)
EIGHT_WAYS = tuple((right, up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up)


class Rule(RuleBook):
    """The rulebook, a sentence a member: `REV_1` is rule REV-1. A ruling of your own is `REV_R1`."""

    REV_1 = "Two black and two white discs lie crosswise in the middle; seat 0 has black and begins."
    REV_2 = "A seat places a disc on an empty space where discs of the other seat are turned over."
    REV_3 = "Discs between the new one and another of the same seat, in any of eight directions, are turned over."
    REV_4 = "Who can turn none over passes, and nobody else does."
    REV_5 = "It ends when nobody can turn any over. The most discs win; with as many each it is a draw."


@frozen
class Options:
    """The options of the game; each has a default."""

    size: Literal[4, 6, 8] = 8
    """How many spaces a side of the board has."""


@frozen(slots=False)
class Place:
    """A disc on a space, e.g. `d3`."""

    space: str


@frozen(slots=False)
class Pass:
    """No disc can be placed."""


Command = Place | Pass


@frozen(slots=False)
class State:
    """The whole board. What can be derived is not stored."""

    options: Options
    discs: tuple[Seat | None, ...]
    """Whose disc lies on each space, from `a1` along the rows; None: nothing."""
    turn: Seat | None
    """The seat that is to act; None once the game is over."""


@frozen(slots=False)
class View:
    """What one seat may look at now: everything lies open. `viewer` None is a spectator, -1 the table."""

    viewer: Seat | None
    options: Options
    discs: tuple[Seat | None, ...]
    turn: Seat | None


@cache
def board(size: int) -> Board:
    """Return the board as it is drawn."""
    return grid(size, size)


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


def face(owner: Seat) -> Face:
    """Return how a disc looks."""
    return Face("○", "white", shape="piece") if owner else Face("●", "ink", shape="piece")

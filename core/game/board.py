"""Boards: how the spaces of a zone lie, and the names by which people call them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, TypeVar, get_args

from attrs import frozen

T = TypeVar("T")


GAP = ""
"""The name of a place in a row where there is no space."""
Kind = Literal["grid", "hex", "track", "pits", "stack"]
"""The kinds of boards."""
KINDS: tuple[Kind, ...] = get_args(Kind)


@frozen(slots=False)
class Board:
    """How the spaces of a zone lie: their names, row by row from the top, each row from the left.

    The zone has one thing for each space, in this order; an empty space is `Thing(count=0)`.

    - `kind`: `grid` (squares), `hex` (hexagons), `track` (spaces that are walked along), `pits` (bowls, of which the
      number of pieces is shown) or `stack` (things that lie on each other, the top one first).
    - `rows`: the names, e.g. `a1`; "" where a row has a gap.
    - `indents`: how far each row begins to the right, in halves of a space; empty if none does.
    - `winding`: of a track, that every other row goes from the right to the left. A narrow screen breaks a long track
      into more rows, in the order in which it is walked.
    """

    kind: Kind
    rows: tuple[tuple[str, ...], ...]
    indents: tuple[int, ...] = ()
    winding: bool = False

    @property
    def spaces(self) -> tuple[str, ...]:
        """The names of the spaces, in the order of the zone's things."""
        return tuple([name for name in chain(*self.rows) if name != GAP])

    def indent(self, row: int) -> int:
        """Return how far a row begins to the right, in halves of a space."""
        return self.indents[row] if row < len(self.indents) else 0

    def laid(self, things: Sequence[T]) -> Iterator[list[tuple[str, T | None]]]:
        """Yield each row: the names of its places, and the thing that lies there (None: a gap)."""
        left = iter(things)
        for row in self.rows:
            yield [(name, None if name == GAP else next(left, None)) for name in row]

    @property
    def edges(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """What can be written at the edges in place of every name: letters by column, numbers by row.

        None unless every name is the letters of its column and the number of its row, as in `a1`.
        """
        columns: dict[int, str] = {}
        numbers: list[str] = []
        for row in self.rows:
            number = None
            for column, name in enumerate(row):
                letters = name.rstrip("0123456789")
                digits = name[len(letters) :]
                if name == GAP:
                    continue
                if not letters.isalpha() or not digits or columns.setdefault(column, letters) != letters:
                    return None
                if digits != (number := number or digits):
                    return None
            numbers.append(number or "")
        return tuple([columns.get(column, "") for column in range(max(columns, default=-1) + 1)]), tuple(numbers)


def grid(rows: int, columns: int, *, turned: bool = False) -> Board:
    """Return a board of squares: columns `a`, `b` … from the left, rows 1, 2 … from below.

    `turned` shows it from the other side, as whoever sits there sees it. There are at most 26 columns.
    """
    return Board("grid", _named(rows, columns, turned))


def hex_grid(rows: int, columns: int) -> Board:
    """Return a rhombus of hexagons: columns `a`, `b` … from the left, rows 1, 2 … from the top, each further right."""
    return Board("hex", _named(rows, columns, False)[::-1], tuple(range(rows)))


def track(names: Sequence[str], width: int = 0, *, winding: bool = False) -> Board:
    """Return a track of spaces in the order in which they are walked, in rows of `width` (0: in one row).

    Of a `winding` track every other row goes from the right to the left: each begins below the end of the last one.
    """
    width = width or len(names) or 1
    rows = [tuple(names[first : first + width]) for first in range(0, len(names), width)]
    if winding:
        rows[1::2] = [(GAP,) * (width - len(row)) + row[::-1] for row in rows[1::2]]
    return Board("track", tuple(rows), winding=winding)


def pits(*rows: Sequence[str]) -> Board:
    """Return rows of pits with these names, the top row first."""
    return Board("pits", tuple(map(tuple, rows)))


def stack(size: int) -> Board:
    """Return a stack of so many things, the top one first; they are numbered from the bottom."""
    return Board("stack", tuple([(str(number),) for number in range(size, 0, -1)]))


def lay(board: Board, things: Mapping[str, T], empty: T) -> tuple[T, ...]:
    """Return the things of a board's zone by the names of their spaces; `empty` lies on all others.

    Raises `KeyError` for a space that the board does not have.
    """
    spaces = board.spaces
    if unknown := [name for name in things if name not in spaces]:
        raise KeyError(unknown[0])
    return tuple([things.get(name, empty) for name in spaces])


def _named(rows: int, columns: int, turned: bool) -> tuple[tuple[str, ...], ...]:
    letters = [chr(ord("a") + column) for column in range(columns)]
    whole = [tuple(f"{letter}{row}" for letter in letters) for row in range(rows, 0, -1)]
    return tuple(row[::-1] for row in reversed(whole)) if turned else tuple(whole)

"""A board in lines of text, for the terminal and for readers of plain text: squares, hexagons, tracks, pits, stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from ..game import Board, Face, Thing, Zone
from .sanitize import sanitize, width

EMPTY, FOG, DOWN, PIECE = "·", "░", "▒", "●"
"""An empty space, one of which nothing is seen, a card face down, and a piece on which nothing is written."""
FACE_CELLS = 12


@frozen
class Cell:
    """Some characters of a line: those of a thing, or (None) a coordinate or a blank."""

    text: str
    thing: Thing | None = None


def board_lines(zone: Zone, named: Callable[[Thing], str], label: Callable[[str], str]) -> Iterator[list[Cell]]:
    """Yield the lines of a zone that has a board, each as cells from the left.

    Coordinates stand at the edges where they can (`a1`), else before each thing: `3:4`. `named` returns the name by
    which a command names a thing ("": as its space is called), `label` the text of a mark.
    """
    board = zone.board
    assert board is not None
    as_spaces = all(named(thing) in ("", space) for space, thing in zip(board.spaces, zone.things, strict=False))
    edges = board.edges if as_spaces else None
    rows = [
        [_cell(board, name, thing, named, label, edges is None) for name, thing in row]
        for row in board.laid(zone.things)
    ]
    widest = max((width(cell.text) for row in rows for cell in row), default=1)
    cells = widest + 1 + (bool(board.indents) and (widest + 1) % 2)  # half a space is a whole number of cells
    margin = 0 if edges is None else max(map(width, edges[1]), default=0) + 1
    if edges is not None:
        yield [Cell(" " * margin), *(Cell(_padded(letters, cells)) for letters in edges[0])]
    for at, row in enumerate(rows):
        head = "" if edges is None else edges[1][at]
        start = Cell(_padded(head, margin) + " " * (board.indent(at) * cells // 2))
        yield [start, *(Cell(_padded(cell.text, cells), cell.thing) for cell in row)]


def _cell(
    board: Board,
    space: str,
    thing: Thing | None,
    named: Callable[[Thing], str],
    label: Callable[[str], str],
    with_name: bool,
) -> Cell:
    if thing is None:
        return Cell("")
    text = _content(board, thing)
    if thing.marks:
        text += f"({', '.join(map(label, thing.marks))})"
    if with_name:
        text = f"{named(thing) or sanitize(space, FACE_CELLS)}:{text}"
    return Cell(text if thing.number is None else f"({thing.number}){text}", thing)


def _content(board: Board, thing: Thing) -> str:
    if thing.is_empty:
        return FOG if thing.ground == "fog" else EMPTY
    if board.kind == "pits":
        return str(thing.count)
    shown = "/".join(map(_face, thing.faces)) or DOWN
    return f"{shown}×{thing.count}" if thing.count > max(1, len(thing.faces)) else shown


def _face(face: Face) -> str:
    return sanitize(face.text, FACE_CELLS) or PIECE


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - width(text))

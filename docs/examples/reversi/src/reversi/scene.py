"""What the board of Reversi looks like in a view, and which of its spaces a command names."""

from kifu.core.game import Fact, Part, Place, Scene, Seat, Thing, Zone, lay

from .model import Command, Pass, View, board, face, names
from .rules import count


def scene(view: View) -> Scene:
    """Return the board in the middle, then both seats with their number of discs."""
    size = view.options.size
    things = {name: _thing(name, owner) for name, owner in zip(names(size), view.discs, strict=True)}
    zone = Zone("zone-board", lay(board(size), things, Thing(count=0)), board(size))
    points = count(view.discs)
    seats = tuple(
        Place(seat, facts=(Fact("fact-discs", points[seat]),), marks=("mark-white" if seat else "mark-black",))
        for seat in (0, 1)
    )
    return Scene(view.viewer, Place(None, (zone,)), seats)


def _thing(name: str, owner: Seat | None) -> Thing:
    """Return what lies on a space: an empty one can be clicked as well."""
    return Thing(() if owner is None else (face(owner),), 0 if owner is None else 1, part=("space", name))


def parts(command: Command) -> tuple[Part, ...]:
    """Return the things that a command names: a click on one chooses the command."""
    return (("pass", "turn"),) if isinstance(command, Pass) else (("space", command.space),)

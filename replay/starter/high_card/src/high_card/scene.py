"""What the table of High Card looks like in a view, and which of its things a command names."""

from kifu.core.game import Fact, Part, Place, Scene, Zone, card_parts, card_things

from .model import Command, Lay, face
from .rules import points
from .view import View


def scene(view: View) -> Scene:
    """Return the table: nothing in the middle, then every seat."""
    return Scene(view.viewer, Place(None), tuple(_place(view, seat) for seat in range(len(view.sizes))))


def _place(view: View, seat: int) -> Place:
    """Return what lies before a seat; its first fact is its score."""
    hand, laid = view.hands[seat], view.laid[seat]
    return Place(
        seat,
        zones=(
            Zone("zone-hand", card_things(hand, face, view.sizes[seat], "card")),
            Zone("zone-laid", card_things(None if laid is None else [laid], face, int(view.has_laid[seat]))),
            Zone("zone-turned", card_things(view.turned[seat], face)),
        ),
        facts=(Fact("fact-points", points(view.turned)[seat]),),
    )


def parts(command: Command) -> tuple[Part, ...]:
    """Return the things that a command names: a click on one chooses the command."""
    return card_parts([command.card]) if isinstance(command, Lay) else ()

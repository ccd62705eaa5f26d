"""What the table of Goofspiel looks like in a view, and which of its things a command names."""

from kifu.core.game import Fact, Part, Place, Scene, Thing, Zone, card_parts, card_things, track

from .model import Bid, Command, face
from .rules import points
from .view import View


def scene(view: View) -> Scene:
    """Return the prize of this round and all in a row, a track that the match walks along, then every seat."""
    turn, total = len(view.shown[0]), len(view.prizes)
    prizes = tuple(Thing(() if prize is None else (face(prize),)) for prize in view.prizes)
    row = Zone("zone-prizes", prizes, track([str(number + 1) for number in range(total)]))
    fact = Fact("fact-prize", min(turn + 1, total), total)
    middle = Place(None, (Zone("zone-prize", prizes[turn : turn + 1]), row), (fact,))
    return Scene(view.viewer, middle, tuple(_place(view, seat) for seat in range(len(view.sizes))))


def _place(view: View, seat: int) -> Place:
    """Return what lies before a seat; its first fact is its score."""
    hand, bid = view.hands[seat], view.bids[seat]
    return Place(
        seat,
        zones=(
            Zone("zone-hand", card_things(hand, face, view.sizes[seat], "card")),
            Zone("zone-bid", card_things(None if bid is None else [bid], face, int(view.has_bid[seat]))),
            Zone("zone-shown", card_things(view.shown[seat], face)),
        ),
        facts=(Fact("fact-points", points(view.prizes, view.shown)[seat]),),
    )


def parts(command: Command) -> tuple[Part, ...]:
    """Return the things that a command names: a click on one chooses the command."""
    return card_parts([command.card]) if isinstance(command, Bid) else ()

"""What the table of Hearts looks like in a view, and which of its things a command names."""

from kifu.core.game import Fact, Part, Place, Scene, Zone, card_bundle, card_parts, card_things

from .model import PASSED, SEATS, Command, Deal, Play, face
from .rules import score
from .view import View


def scene(view: View) -> Scene:
    """Return the table: the trick in the middle, then every seat."""
    middle = Place(
        None,
        zones=(Zone("zone-trick", card_things(view.trick, face)),),
        facts=(Fact("fact-deal", view.dealt, view.options.deals),),
    )
    return Scene(view.viewer, middle, tuple(_place(view, seat) for seat in range(SEATS)))


def _place(view: View, seat: int) -> Place:
    """Return what lies before a seat; its first fact is its score."""
    leads = seat == view.leader and not view.passing and any(view.sizes)
    return Place(
        seat,
        zones=(
            Zone("zone-hand", card_things(view.hands[seat], face, view.sizes[seat], "card")),
            Zone("zone-passed", card_bundle(view.given[seat], face, PASSED * view.has_passed[seat])),
            Zone("zone-taken", card_things(view.taken[seat], face)),
        ),
        facts=(Fact("fact-points", score(view.totals, view.taken)[seat]),),
        marks=("mark-leads",) if leads else (),
    )


def parts(command: Command) -> tuple[Part, ...]:
    """Return the things that a command names: a click on one chooses the command."""
    if isinstance(command, Deal):
        return ()
    return card_parts([command.card] if isinstance(command, Play) else command.cards)

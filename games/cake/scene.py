"""The table of Marie's cake as a scene: the piles in the middle, and what lies before each seat."""

from __future__ import annotations

from ...core.game import Fact, Part, Place, Scene, Seat, Thing, Zone, card_bundle, card_parts, card_things
from .model import PILES, Claim, Command, Deal, Open, Settle, Take, Vote, face
from .rules import MAX_EATEN, score
from .view import View


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    table = Place(
        seat=None,
        zones=(Zone("zone-piles", _piles(view)), Zone("zone-out", card_bundle(view.out, face, view.out_size))),
        facts=(Fact("fact-round", view.round, PILES[view.seats][0]),),
    )
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _piles(view: View) -> tuple[Thing, ...]:
    piles = enumerate(zip(view.piles, view.pile_sizes, strict=True))
    return tuple(thing for i, (pile, size) in piles for thing in card_bundle(pile, face, size, ("pile", i), i + 1))


def _place(view: View, seat: Seat) -> Place:
    asked = seat in view.to_act
    in_hand = card_things(view.hand, face, view.hand_size, "card") if view.phase == "take" and asked else ()
    acquired = card_things(view.acquired, face, kind="card") if view.phase == "settle" and asked else ()
    kept, eaten = view.kept[seat], view.eaten_sizes[seat]
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", in_hand),
            Zone("zone-pair", card_bundle(view.pairs[seat], face, view.pair_sizes[seat], ("pair", seat))),
            Zone("zone-acquired", acquired),
            Zone("zone-kept", card_things(kept, face)),
            Zone("zone-eaten", card_bundle(view.eaten[seat], face, eaten)),
        ),
        facts=(Fact("fact-points", score(kept, eaten)), Fact("fact-eaten", eaten, MAX_EATEN)),
        marks=_marks(view, seat),
    )


def _marks(view: View, seat: Seat) -> tuple[str, ...]:
    marks = ["mark-elder"] if seat == view.elder and view.phase != "over" else []
    if view.voted[seat]:
        marks.append({None: "mark-voted", True: "mark-content", False: "mark-discontent"}[view.votes[seat]])
    return tuple(marks)


def parts(command: Command) -> tuple[Part, ...]:
    """Return the parts of a command; a settle names the cards to eat, then the button that keeps the rest."""
    match command:
        case Open(pile):
            return (("pile", pile),)
        case Take(cards):
            return card_parts(cards)
        case Vote(content):
            return (("vote", "content" if content else "discontent"),)
        case Claim(owner):
            return (("pair", owner),)
        case Settle(eat):
            return (*card_parts(eat), ("keep", "rest"))
        case Deal():
            return ()

"""The table of Marie's cake as a scene: the piles in the middle, and what lies before each seat."""

from __future__ import annotations

from ...core.game import Seat
from ...core.scene import Fact, Part, Place, Scene, Thing, Zone
from .model import PILES, Cards, Claim, Command, Deal, Open, Phase, Settle, Take, Vote, face
from .rules import MOST_EATEN, score
from .view import View


def scene(view: View) -> Scene:
    table = Place(
        seat=None,
        zones=(Zone("zone-piles", _piles(view)), Zone("zone-out", _bundle(view.out, view.out_size, None))),
        facts=(Fact("fact-round", view.round, PILES[view.seats][0]),),
    )
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _piles(view: View) -> tuple[Thing, ...]:
    piles = zip(view.piles, view.pile_sizes, strict=True)
    return tuple(thing for i, pile in enumerate(piles) for thing in _bundle(*pile, ("pile", i)))


def _place(view: View, seat: Seat) -> Place:
    asked = seat in view.to_act
    in_hand = _cards(view.hand, view.hand_size) if view.phase is Phase.TAKE and asked else ()
    acquired = _cards(view.acquired, 2) if view.phase is Phase.SETTLE and asked else ()
    kept, eaten = view.kept[seat], view.eaten_sizes[seat]
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", in_hand),
            Zone("zone-pair", _bundle(view.pairs[seat], view.pair_sizes[seat], ("pair", seat))),
            Zone("zone-acquired", acquired),
            Zone("zone-kept", tuple(Thing((face(card),)) for card in kept)),
            Zone("zone-eaten", _bundle(view.eaten[seat], eaten, None)),
        ),
        facts=(Fact("fact-points", score(kept, eaten)), Fact("fact-eaten", eaten, MOST_EATEN)),
        marks=_marks(view, seat),
    )


def _marks(view: View, seat: Seat) -> tuple[str, ...]:
    marks = ["mark-elder"] if seat == view.elder and view.phase is not Phase.OVER else []
    if view.voted[seat]:
        marks.append({None: "mark-voted", True: "mark-content", False: "mark-discontent"}[view.votes[seat]])
    return tuple(marks)


def _cards(cards: Cards | None, size: int) -> tuple[Thing, ...]:
    """Lay single cards out, each to be named by its rank: cards of one rank are alike."""
    if cards is None:
        return (Thing(count=size),)
    return tuple(Thing((face(card),), part=("card", card)) for card in cards)


def _bundle(cards: Cards | None, size: int, part: Part | None) -> tuple[Thing, ...]:
    """Lay cards out that a command can only name together."""
    if not size:
        return ()
    return (Thing(tuple(map(face, cards or ())), count=size, part=part),)


def parts(command: Command) -> tuple[Part, ...]:
    """Name what the command is about; a settle names the cards to eat, then the button that keeps the rest."""
    match command:
        case Open(pile):
            return (("pile", pile),)
        case Take(cards):
            return tuple(("card", card) for card in cards)
        case Vote(content):
            return (("vote", "content" if content else "discontent"),)
        case Claim(owner):
            return (("pair", owner),)
        case Settle(eat):
            return (*(("card", card) for card in eat), ("keep", "rest"))
        case Deal():
            return ()

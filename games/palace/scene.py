"""The table of Palace as a scene: the draw pile, the cards out of the game, each seat's hand and palaces."""

from __future__ import annotations

from ...core.game import Fact, Part, Place, Scene, Seat, Thing, Zone, card_bundle, card_parts, card_things
from .model import COLOURS, END, NAMES, Build, Cards, Command, Deal, Draw, Inspect, Quake, face
from .view import View, VisiblePalace

PILE: Part = ("pile", 0)
SECOND: Part = ("build", "second")
"""The button between the cards of a first and of a second palace."""


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    table = Place(
        seat=None,
        zones=(Zone("zone-pile", card_bundle(view.pile, face, view.pile_size, PILE)), Zone("zone-out", _out(view.out))),
        facts=(Fact("fact-pile", view.pile_size),),
    )
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _out(out: Cards) -> tuple[Thing, ...]:
    """Lay the cards out of the game in one bundle a colour."""
    bundles = [(face(card),) * out.count(card) for card in (*COLOURS, END)]
    return tuple(Thing(faces, len(faces)) for faces in bundles if faces)


def _place(view: View, seat: Seat) -> Place:
    palaces = view.palaces[seat]
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            Zone("zone-palaces", tuple(_palace(seat, each) for each in palaces)),
        ),
        facts=(Fact("fact-palaces", len(palaces)),),
        marks=("mark-turn",) if seat in view.to_act else (),
    )


def _palace(seat: Seat, palace: VisiblePalace) -> Thing:
    faces = tuple(map(face, palace.cards or ()))
    mark = "mark-verified" if palace.verified else "mark-face-down"
    return Thing(faces, palace.size, ("palace", seat, palace.number), (mark,), palace.number + 1)


def parts(command: Command) -> tuple[Part, ...]:
    """Return the pile, cards of the hand, a charge and palaces, or an earthquake's colour."""
    match command:
        case Draw():
            return (PILE,)
        case Build((palace,)):
            return card_parts(palace)
        case Build((first, second)):
            return (*card_parts(first), SECOND, *card_parts(second))
        case Inspect(charge, targets):
            return (("charge", charge), *(("palace", owner, number) for owner, number in targets))
        case Quake(colour):
            return (("quake", NAMES[colour]),)
        case Deal() | Build():
            return ()

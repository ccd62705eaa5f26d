"""The table of Gosne is Gone as a scene: what lies in the middle and before each seat."""

from __future__ import annotations

from ...core.game import Seat
from ...core.scene import Fact, Part, Place, Scene, Thing, Zone, card_parts, card_things
from .model import HAND, Command, Deal, Declare, Give, Play, face
from .rules import SEATS, dealer, giver, hyoju, partner
from .view import View


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    unseen = (
        [Zone("zone-unseen", card_things(view.unseen, face, view.unseen_size))] if view.options.whistleblower else []
    )
    table = Place(seat=None, zones=(_trick(view), *unseen), facts=tuple(_facts(view)))
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(SEATS)))


def _facts(view: View) -> list[Fact]:
    hands = view.options.hands
    facts = [Fact("fact-hand", min(view.finished + 1, hands), hands)] if hands > 1 else []
    facts.append(Fact("fact-trick", min(view.tricks + 1, HAND), HAND))
    if view.declared is not None:
        facts.append(Fact("fact-declared", view.declared))
    return facts


def _trick(view: View) -> Zone:
    return Zone("zone-trick", tuple(_laid(view, place) for place in range(len(view.trick))))


def _laid(view: View, place: int) -> Thing:
    card = view.trick[place]
    mark = "mark-gun" if view.guns[place] else "mark-chestnut"
    return Thing(() if card is None else (face(card),), marks=(mark,))


def _place(view: View, seat: Seat) -> Place:
    place = (seat - view.gosne) % SEATS
    lies = (_laid(view, place),) if place < len(view.trick) else ()
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            Zone("zone-played", lies),
            Zone("zone-last", card_things(view.last[seat : seat + 1], face)),
            *_gifts(view, seat),
            Zone("zone-taken", card_things(view.taken[seat], face, view.taken_sizes[seat])),
        ),
        facts=(Fact("fact-points", view.points[seat]),),
        marks=tuple(_marks(view, seat)),
    )


def _gifts(view: View, seat: Seat) -> list[Zone]:
    """Lay out what the seat gave and got in the exchange, where the viewer knows it."""
    zones = []
    for place, cards in enumerate(view.gifts):
        by = giver(view.options, view.finished, place)
        if cards is not None and seat in (by, partner(by)):
            zones.append(Zone("zone-gave" if seat == by else "zone-got", card_things(cards, face)))
    return zones


def _marks(view: View, seat: Seat) -> list[str]:
    """Return the marks of a seat: its role in the trick, and the special card that it is known to hold."""
    if view.over:
        return []
    marks = ["mark-dealer"] if seat == dealer(view.options, view.finished) else []
    if any(view.hand_sizes) and not view.misdeal:
        marks.append({view.gosne: "mark-gosne", hyoju(view.gosne): "mark-hyoju"}.get(seat, "mark-prosecutor"))
    if seat == view.gosne_card:
        marks.append("mark-gosne-card")
    if seat == view.ceo_card:
        marks.append("mark-ceo-card")
    return marks


def parts(command: Command) -> tuple[Part, ...]:
    """Return the cards of the hand that the command is about, and the button for a number, a gun or a chestnut."""
    match command:
        case Give(cards):
            return card_parts(cards)
        case Declare(card, number):
            return (("card", card), ("number", number))
        case Play(card, gun):
            return (("card", card), ("lay", "gun" if gun else "chestnut"))
        case Deal():
            return ()

"""The table of Gosne is Gone as a scene: what lies in the middle and before each seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...core.game import Card, Face, Fact, Part, Place, Scene, Seat, Thing, Zone, card_parts, card_things, trick_things
from .model import HAND, Command, Deal, Declare, Give, Play, printed_face
from .rules import SEATS, dealer, giver, hyoju, partner
from .view import View


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    unseen = []
    if view.options.whistleblower:
        unseen = [Zone("zone-unseen", card_things(view.unseen, _face(view), view.unseen_size))]
    table = Place(seat=None, zones=(_trick(view), *unseen), facts=tuple(_facts(view)))
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(SEATS)))


def _facts(view: View) -> list[Fact]:
    hands = view.options.hands
    facts = [Fact("fact-hand", min(view.finished + 1, hands), hands)] if hands > 1 else []
    facts.append(Fact("fact-trick", min(view.tricks + 1, HAND), HAND))
    if view.declared is not None:
        facts.append(Fact("fact-declared", view.declared))
    if view.last is not None:
        facts.append(Fact("fact-last-declared", view.last.declared))
    return facts


def _trick(view: View) -> Zone:
    laid = [_laid(view, place) for place in range(len(view.trick))]
    return Zone("zone-trick", trick_things(laid, view.gosne, SEATS))


def _laid(view: View, place: int) -> Thing:
    card = view.trick[place]
    faces = () if card is None else (_face(view)(card),)
    return Thing(faces, marks=(_how_laid(view.guns[place]),))


def _how_laid(gun: bool) -> str:
    return "mark-gun" if gun else "mark-chestnut"


def _last(view: View, seat: Seat) -> tuple[Thing, ...]:
    """Return the seat's card of the last trick: how it was laid, and if it was Gosne's (GOS-R7)."""
    if view.last is None:
        return ()
    place = (seat - view.last.gosne) % SEATS
    play = view.last.plays[place]
    marks = (_how_laid(play.gun),) if place else (_how_laid(play.gun), "mark-gosne")
    return (Thing((_face(view)(play.card),), marks=marks),)


def _face(view: View) -> Callable[[Card], Face]:
    return partial(printed_face, view.options)


def _place(view: View, seat: Seat) -> Place:
    place, face = (seat - view.gosne) % SEATS, _face(view)
    lies = (_laid(view, place),) if place < len(view.trick) else ()
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            Zone("zone-played", lies),
            Zone("zone-last", _last(view, seat)),
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
            zones.append(Zone("zone-gave" if seat == by else "zone-got", card_things(cards, _face(view))))
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

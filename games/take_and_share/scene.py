"""The table of Take & Share as a scene: what lies in the middle and before each seat."""

from __future__ import annotations

from ...core.game import Card, Seat
from ...core.scene import Fact, Part, Place, Scene, Thing, Zone
from .model import Cards, Command, Deal, Play, Share, face, hand_size
from .view import View


def scene(view: View) -> Scene:
    table = Place(
        seat=None,
        zones=(_shares(view), _trick(view)),
        facts=(*([Fact("fact-deal", view.deals)] if view.options.long else []), _tricks(view)),
    )
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _tricks(view: View) -> Fact:
    size = hand_size(view.seats)
    return Fact("fact-trick", min(view.tricks + 1, size), size)


def _shares(view: View) -> Zone:
    label = "zone-never-shared" if view.scored else "zone-shares"
    return Zone(label, tuple(_card(card, "share") for card in view.shares))


def _trick(view: View) -> Zone:
    return Zone("zone-trick", tuple(_card(card, None) for card in view.trick))


def _place(view: View, seat: Seat) -> Place:
    hand, pile = view.hands[seat], view.piles[seat]
    played = (seat - view.lead) % view.seats
    lies = [_card(view.trick[played], None)] if played < len(view.trick) else []
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", _cards(hand, view.hand_sizes[seat], "card")),
            Zone("zone-played", tuple(lies)),
            Zone("zone-pile", _cards(None if pile is None else tuple(sorted(pile)), view.pile_sizes[seat], None)),
        ),
        facts=(Fact("fact-total", view.totals[seat]),),
        marks=("mark-lead",) if seat == view.lead and not view.scored else (),
    )


def _card(card: Card, kind: str | None) -> Thing:
    return Thing((face(card),), part=(kind, card) if kind else None)


def _cards(cards: Cards | None, size: int, kind: str | None) -> tuple[Thing, ...]:
    if cards is None:
        return (Thing(count=size),) if size else ()
    return tuple(_card(card, kind) for card in cards)


def parts(command: Command) -> tuple[Part, ...]:
    """Name the cards that the command is about; a share names them for seat 0 first."""
    match command:
        case Play(card):
            return (("card", card),)
        case Share(cards):
            return tuple(("share", card) for card in cards)
        case Deal():
            return ()

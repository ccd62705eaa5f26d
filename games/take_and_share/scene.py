"""The table of Take & Share as a scene: what lies in the middle and before each seat."""

from __future__ import annotations

from ...core.game import Fact, Part, Place, Scene, Seat, Zone, card_parts, card_things, trick_things
from .cards import face, hand_size
from .model import Command, Deal, Play, Share
from .view import View


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    size = hand_size(view.seats)
    trick = Fact("fact-trick", min(view.tricks + 1, size), size)
    shares = "zone-never-shared" if view.scored else "zone-shares"
    table = Place(
        seat=None,
        zones=(
            Zone(shares, card_things(view.shares, face, kind="share")),
            Zone("zone-trick", trick_things(card_things(view.trick, face), view.lead, view.seats)),
        ),
        facts=(Fact("fact-deal", view.deals), trick) if view.options.long else (trick,),
    )
    return Scene(view.viewer, table, tuple(_place(view, Seat(seat)) for seat in range(view.seats)))


def _place(view: View, seat: Seat) -> Place:
    hand, pile = view.hands[seat], view.piles[seat]
    ascending = None if pile is None else sorted(pile)
    played = (seat - view.lead) % view.seats
    return Place(
        seat=seat,
        zones=(
            Zone("zone-hand", card_things(hand, face, view.hand_sizes[seat], "card")),
            Zone("zone-played", card_things(view.trick[played : played + 1], face)),
            Zone("zone-pile", card_things(ascending, face, view.pile_sizes[seat])),
        ),
        facts=(Fact("fact-total", view.totals[seat]),),
        marks=("mark-lead",) if seat == view.lead and not view.scored else (),
    )


def parts(command: Command) -> tuple[Part, ...]:
    """Return the cards that the command is about; a share names them for seat 0 first."""
    match command:
        case Play(card):
            return card_parts([card])
        case Share(cards):
            return card_parts(cards, "share")
        case Deal():
            return ()

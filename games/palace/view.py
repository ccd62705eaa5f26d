"""The view of each seat of Palace, an allow-list."""

from __future__ import annotations

from attrs import frozen

from ...core.game import (
    TABLE,
    Index,
    RedactedCommand,
    Seat,
    Shuffler,
    copy_fields,
    draw_cards,
    draw_rows,
    show_own,
    unseen_cards,
    visible_to,
)
from .model import DECK, END, Build, Cards, Command, Deal, Options, Palace, State
from .rules import end_places_in, is_over, to_act


@frozen(slots=False)
class VisiblePalace:
    """A palace as one seat sees it: `cards` is None where it may not look at them."""

    number: Index
    size: int
    verified: bool
    cards: Cards | None


@frozen(slots=False)
class View:
    """The view of one seat. Hands, palaces and the pile that it may not see are None."""

    viewer: Seat | None
    options: Options
    turn: Seat
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    pile_size: int
    pile: Cards | None
    palaces: tuple[tuple[VisiblePalace, ...], ...]
    built: tuple[int, ...]
    out: Cards
    to_act: frozenset[Seat]
    over: bool

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.hand_sizes)


def view(state: State, viewer: Seat | None) -> View:
    """Show the table, the seat's own hand and its own face-down palaces (PAL-R3)."""
    return copy_fields(
        View,
        state,
        viewer=viewer,
        hand_sizes=tuple(map(len, state.hands)),
        hands=show_own(state.hands, viewer),
        pile_size=len(state.pile),
        pile=state.pile if viewer == TABLE else None,
        palaces=tuple(
            tuple(_visible(palace, own=visible_to(viewer, seat)) for palace in palaces)
            for seat, palaces in enumerate(state.palaces)
        ),
        to_act=to_act(state),
        over=is_over(state),
    )


def _visible(palace: Palace, *, own: bool) -> VisiblePalace:
    cards = palace.cards if own or palace.verified else None
    return VisiblePalace(palace.number, len(palace.cards), palace.verified, cards)


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command without the deal, and of another seat's build only the sizes."""
    if visible_to(viewer, seat):
        return command
    match command:
        case Deal():
            return RedactedCommand("deal")
        case Build(palaces):
            return RedactedCommand("build", (("sizes", tuple(map(len, palaces))),))
        case _:
            return command


def determinize(view: View, shuffler: Shuffler) -> State:
    """Draw the hands, the face-down palaces and the pile that the view does not show anew."""
    pool = list(shuffler.shuffle(_unseen(view)))
    hands = draw_rows(view.hands, view.hand_sizes, pool)
    palaces = tuple(
        tuple(Palace(each.number, draw_cards(each.cards, each.size, pool), each.verified) for each in palaces)
        for palaces in view.palaces
    )
    pile = view.pile
    if pile is None:
        pile = draw_cards(None, view.pile_size - _end_in_pile(view), pool, ascending=False)
        if _end_in_pile(view):
            above = _above_end(view, shuffler)
            pile = (*pile[:above], END, *pile[above:])
    return copy_fields(State, view, hands=hands, pile=pile, palaces=palaces)


def _unseen(view: View) -> Cards:
    """List the pillars that the view does not show."""
    palaces = [each.cards for palaces in view.palaces for each in palaces]
    unseen = unseen_cards(DECK, view.out, view.pile, *view.hands, *palaces)
    return tuple(card for card in unseen if card != END)


def _end_in_pile(view: View) -> bool:
    return view.pile_size > 0 and not view.over


def _above_end(view: View, shuffler: Shuffler) -> int:
    """Draw how many cards of the pile lie above END: each of its places that is left is as likely."""
    places = end_places_in(view.pile_size, view.options, view.seats)
    return places[-1] - shuffler.below(len(places))

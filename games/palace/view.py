"""The view of each seat of Palace; the marks of the state say what it shows, but for palaces, told here."""

from __future__ import annotations

from attrs import frozen

from ...core import game as k
from .model import Cards, Options, Palace, State
from .rules import DECK, END, end_places_in, is_over, to_act


@frozen(slots=False)
class VisiblePalace:
    """A palace as one seat sees it: `cards` is None where it may not look at them."""

    number: k.Index
    size: int
    verified: bool
    cards: Cards | None


def palaces_of(state: State, viewer: int | None) -> tuple[tuple[VisiblePalace, ...], ...]:
    """Return the palaces before each seat as a viewer sees them (PAL-R3)."""
    rows = enumerate(state.palaces)
    return tuple([tuple([_visible(each, own=k.visible_to(viewer, seat)) for each in row]) for seat, row in rows])


def _visible(palace: Palace, *, own: bool) -> VisiblePalace:
    cards = palace.cards if own or palace.verified else None
    return VisiblePalace(palace.number, len(palace.cards), palace.verified, cards)


@k.view_of(State)
class View:
    """The view of one seat. Hands, palaces and the pile that it may not see are None."""

    viewer: k.Seat | None
    options: Options
    turn: k.Seat
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    pile_size: int
    pile: Cards | None
    palaces: tuple[tuple[VisiblePalace, ...], ...] = k.told(palaces_of)
    built: tuple[int, ...]
    out: Cards
    to_act: frozenset[k.Seat] = k.told(to_act)
    over: bool = k.told(is_over)

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.hand_sizes)


def determinize(view: View, shuffler: k.Shuffler) -> State:
    """Draw the hands, the face-down palaces and the pile that the view does not show anew."""
    shown = [each.cards for palaces in view.palaces for each in palaces]
    unseen = k.unseen_cards(DECK, view.out, view.pile, *view.hands, *shown)
    pool = list(shuffler.shuffle(card for card in unseen if card != END))
    hands = k.draw_rows(view.hands, view.hand_sizes, pool)
    palaces = tuple(
        tuple(Palace(each.number, k.draw_cards(each.cards, each.size, pool), each.verified) for each in palaces)
        for palaces in view.palaces
    )
    pile = view.pile
    if pile is None:
        has_end = view.pile_size > 0 and not view.over
        pile = k.draw_cards(None, view.pile_size - has_end, pool, ascending=False)
        if has_end:
            places = end_places_in(view.pile_size, view.options, view.seats)
            above = places[-1] - shuffler.below(len(places))  # each place that is left is as likely
            pile = (*pile[:above], END, *pile[above:])
    return k.state_behind(State, view, hands=hands, pile=pile, palaces=palaces)

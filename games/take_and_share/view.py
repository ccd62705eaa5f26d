"""The view of each seat of Take & Share, an allow-list."""

from __future__ import annotations

from attrs import frozen

from ...core.game import TABLE, RedactedCommand, Seat, Shuffler, copy_fields, draw_rows, show_own, unseen_cards
from .model import Cards, Command, Deal, Options, State
from .rules import DECKS, to_act


@frozen(slots=False)
class View:
    """The view of one seat. Hands and piles that it may not see are None."""

    viewer: Seat | None
    options: Options
    deals: int
    totals: tuple[int, ...]
    lead: Seat
    trick: Cards
    shares: Cards
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    pile_sizes: tuple[int, ...]
    piles: tuple[Cards | None, ...]
    to_act: frozenset[Seat]
    scored: bool
    """True if the deal is over, and with it all piles public."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.totals)

    @property
    def tricks(self) -> int:
        """How many tricks of this deal are shared out: as many as the cards of a pile."""
        return self.pile_sizes[0]

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return not self.to_act


def view(state: State, viewer: Seat | None) -> View:
    """Show the table, the seat's own hand, its own pile (TS-9); after the deal all piles."""
    scored = state.deals > 0 and not state.trick and not any(state.hands)
    return copy_fields(
        View,
        state,
        viewer=viewer,
        hand_sizes=tuple(map(len, state.hands)),
        hands=show_own(state.hands, viewer),
        pile_sizes=tuple(map(len, state.piles)),
        piles=state.piles if scored else show_own(state.piles, viewer),
        to_act=to_act(state),
        scored=scored,
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Hide the deal from the seats; all else lies open as it happens."""
    if isinstance(command, Deal) and viewer != TABLE:
        return RedactedCommand("deal")
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
    """Draw the hands and piles that the view does not show anew."""
    unseen = unseen_cards(DECKS[view.seats], view.shares, view.trick, *view.hands, *view.piles)
    pool = list(shuffler.shuffle(unseen))
    return copy_fields(
        State,
        view,
        hands=draw_rows(view.hands, view.hand_sizes, pool),
        piles=draw_rows(view.piles, view.pile_sizes, pool, ascending=False),
    )

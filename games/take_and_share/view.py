"""What each seat of Take & Share may see: built up from nothing."""

from __future__ import annotations

from attrs import frozen

from ...core.game import TABLE, Hidden, Seat
from ...core.shuffle import Shuffler
from .model import Cards, Command, Deal, Options, State
from .rules import DECKS, to_act


@frozen
class View:
    """What one seat may look at now. The hands and piles that it may not see are None."""

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
    """Whether the deal is over, and with it all piles public."""

    @property
    def seats(self) -> int:
        return len(self.totals)

    @property
    def tricks(self) -> int:
        """How many tricks of this deal are shared out: as many as the cards of a pile."""
        return self.pile_sizes[0]

    @property
    def over(self) -> bool:
        return not self.to_act


def view(state: State, viewer: Seat | None) -> View:
    """Show the table, the seat's own hand, its own pile (TS-9); after the deal all piles."""
    seats = range(state.seats)
    scored = state.deals > 0 and not state.trick and not any(state.hands)
    return View(
        viewer=viewer,
        options=state.options,
        deals=state.deals,
        totals=state.totals,
        lead=state.lead,
        trick=state.trick,
        shares=state.shares,
        hand_sizes=tuple(map(len, state.hands)),
        hands=tuple(state.hands[seat] if viewer in (seat, TABLE) else None for seat in seats),
        pile_sizes=tuple(map(len, state.piles)),
        piles=tuple(state.piles[seat] if scored or viewer in (seat, TABLE) else None for seat in seats),
        to_act=to_act(state),
        scored=scored,
    )


def seen(command: Command, seat: Seat, viewer: Seat | None) -> Command | Hidden:
    """Hide the deal from the seats; all else lies open as it happens."""
    if isinstance(command, Deal) and viewer != TABLE:
        return Hidden("deal")
    return command


def twin(view: View, shuffler: Shuffler) -> State:
    """Draw the hands and piles that the view does not show anew."""
    shown = {*view.shares, *view.trick}
    for cards in (*view.hands, *view.piles):
        shown.update(cards or ())
    unknown = list(shuffler.shuffle(card for card in DECKS[view.seats] if card not in shown))

    def drawn(cards: Cards | None, size: int) -> Cards:
        return cards if cards is not None else tuple(unknown.pop() for _ in range(size))

    return State(
        options=view.options,
        deals=view.deals,
        totals=view.totals,
        lead=view.lead,
        hands=tuple(tuple(sorted(drawn(*hand))) for hand in zip(view.hands, view.hand_sizes, strict=True)),
        shares=view.shares,
        trick=view.trick,
        piles=tuple(drawn(*pile) for pile in zip(view.piles, view.pile_sizes, strict=True)),
    )

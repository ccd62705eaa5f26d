"""The view of each seat of Take & Share; the marks of the state say what it shows."""

from __future__ import annotations

from ...core import game as k
from .model import Cards, Options, State, is_scored
from .rules import DECKS, to_act


@k.view_of(State)
class View:
    """The view of one seat. Hands and piles that it may not see are None."""

    viewer: k.Seat | None
    options: Options
    deals: int
    totals: tuple[int, ...]
    lead: k.Seat
    trick: Cards
    shares: Cards
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    pile_sizes: tuple[int, ...]
    piles: tuple[Cards | None, ...]
    to_act: frozenset[k.Seat] = k.told(to_act)
    scored: bool = k.told(is_scored)

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.totals)


determinize = k.drawing(State, lambda _, seats: DECKS[seats])

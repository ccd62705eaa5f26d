"""The view of each seat of Marie's cake; the marks of the state say what it shows."""

from __future__ import annotations

from ...core import game as k
from .model import Cards, Options, State
from .rules import DECK, Phase, phase, to_act


def round_of(state: State) -> int:
    """Return the round being played, from 1; 0 before the deal."""
    return state.piles.count(()) + (phase(state) == "open")


@k.view_of(State)
class View:
    """The view of one seat. Cards and votes that it may not see are None."""

    viewer: k.Seat | None
    options: Options
    phase: Phase = k.told(phase)
    round: int = k.told(round_of)
    elder: k.Seat
    pile_sizes: tuple[int, ...]
    """The number of cards of each pile, 0 for an opened one."""
    piles: tuple[Cards | None, ...]
    out_size: int
    out: Cards | None
    hand_size: int
    hand: Cards | None
    pair_sizes: tuple[int, ...]
    pairs: tuple[Cards | None, ...]
    voted: tuple[bool, ...]
    votes: tuple[bool | None, ...]
    acquired: Cards
    kept: tuple[Cards, ...]
    eaten_sizes: tuple[int, ...]
    eaten: tuple[Cards | None, ...]
    to_act: frozenset[k.Seat] = k.told(to_act)

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.pairs)


determinize = k.drawing(State, lambda *_: DECK)

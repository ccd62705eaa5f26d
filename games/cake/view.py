"""The view of each seat of Marie's cake, an allow-list."""

from __future__ import annotations

from attrs import frozen

from ...core.game import (
    TABLE,
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
from .model import DECK, Cards, Command, Deal, Options, Phase, State, Take, Vote
from .rules import all_voted, phase, taker, to_act


@frozen(slots=False)
class View:
    """The view of one seat. Cards and votes that it may not see are None."""

    viewer: Seat | None
    options: Options
    phase: Phase
    round: int
    """The round being played, from 1; 0 before the deal."""
    elder: Seat
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
    to_act: frozenset[Seat]

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.pairs)


def view(state: State, viewer: Seat | None) -> View:
    """Show what lies face up, the seat's own cards and vote, and the hand while it chooses (CAKE-4 to 8, CAKE-R4)."""
    now = phase(state)
    holds = viewer == TABLE or (now == "take" and viewer == taker(state))
    return copy_fields(
        View,
        state,
        viewer=viewer,
        phase=now,
        round=state.piles.count(()) + (now == "open"),
        pile_sizes=tuple(map(len, state.piles)),
        piles=state.piles if viewer == TABLE else (None,) * len(state.piles),
        out_size=len(state.out),
        out=state.out if viewer == TABLE else None,
        hand_size=len(state.hand),
        hand=state.hand if holds else None,
        pair_sizes=tuple(map(len, state.pairs)),
        pairs=show_own(state.pairs, viewer) if state.hand else state.pairs,
        voted=tuple([vote is not None for vote in state.votes]),
        votes=state.votes if all_voted(state) else show_own(state.votes, viewer),
        eaten_sizes=tuple(map(len, state.eaten)),
        eaten=show_own(state.eaten, viewer),
        to_act=to_act(state),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Hide from others the deal, what a brother takes (CAKE-5) and how he votes (CAKE-8)."""
    if visible_to(viewer, seat):
        return command
    match command:
        case Deal():
            return RedactedCommand("deal")
        case Take():
            return RedactedCommand("take")
        case Vote():
            return RedactedCommand("vote")
        case _:
            return command


def determinize(view: View, shuffler: Shuffler) -> State:
    """Draw the cards and votes that the view does not show anew."""
    shown = (*view.piles, view.out, view.hand, *view.pairs, view.acquired, *view.kept, *view.eaten)
    pool = list(shuffler.shuffle(unseen_cards(DECK, *shown)))
    return copy_fields(
        State,
        view,
        piles=draw_rows(view.piles, view.pile_sizes, pool),
        out=draw_cards(view.out, view.out_size, pool),
        hand=draw_cards(view.hand, view.hand_size, pool),
        pairs=draw_rows(view.pairs, view.pair_sizes, pool),
        votes=tuple(
            shuffler.below(2) == 1 if voted and vote is None else vote
            for voted, vote in zip(view.voted, view.votes, strict=True)
        ),
        eaten=draw_rows(view.eaten, view.eaten_sizes, pool),
    )

"""What each seat of Marie's cake may see: built up from nothing."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from ...core.game import TABLE, Hidden, Seat
from ...core.shuffle import Shuffler
from .model import DECK, Cards, Command, Deal, Options, Phase, State, Take, Vote
from .rules import all_voted, phase, taker, to_act


@frozen
class View:
    """What one seat may look at now. Cards and votes that it may not see are None."""

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
        return len(self.pairs)


def view(state: State, viewer: Seat | None) -> View:
    """Show what lies face up, the seat's own cards and vote, and the hand while it chooses (CAKE-4 to 8, CAKE-R4)."""
    now = phase(state)
    counted = all_voted(state)
    own = [viewer in (seat, TABLE) for seat in range(state.seats)]
    holds = viewer == TABLE or (now is Phase.TAKE and viewer == taker(state))
    return View(
        viewer=viewer,
        options=state.options,
        phase=now,
        round=state.piles.count(()) + (now is Phase.OPEN),
        elder=state.elder,
        pile_sizes=tuple(map(len, state.piles)),
        piles=tuple(pile if viewer == TABLE else None for pile in state.piles),
        out_size=len(state.out),
        out=state.out if viewer == TABLE else None,
        hand_size=len(state.hand),
        hand=state.hand if holds else None,
        pair_sizes=tuple(map(len, state.pairs)),
        pairs=_shown(state.pairs, own if state.hand else [True] * state.seats),
        voted=tuple(vote is not None for vote in state.votes),
        votes=tuple(vote if counted or mine else None for vote, mine in zip(state.votes, own, strict=True)),
        acquired=state.acquired,
        kept=state.kept,
        eaten_sizes=tuple(map(len, state.eaten)),
        eaten=_shown(state.eaten, own),
        to_act=to_act(state),
    )


def _shown(places: tuple[Cards, ...], open_to: list[bool]) -> tuple[Cards | None, ...]:
    return tuple(cards if is_open else None for cards, is_open in zip(places, open_to, strict=True))


def seen(command: Command, seat: Seat, viewer: Seat | None) -> Command | Hidden:
    """Hide from others the deal, what a brother takes (CAKE-5) and how he votes (CAKE-8)."""
    if viewer in (seat, TABLE):
        return command
    match command:
        case Deal():
            return Hidden("deal")
        case Take():
            return Hidden("take")
        case Vote():
            return Hidden("vote")
        case _:
            return command


def twin(view: View, shuffler: Shuffler) -> State:
    """Draw the cards and votes that the view does not show anew."""
    unknown = Counter(DECK)
    for cards in (*view.piles, view.out, view.hand, *view.pairs, view.acquired, *view.kept, *view.eaten):
        unknown.subtract(cards or ())
    face_down = list(shuffler.shuffle(unknown.elements()))

    def drawn(cards: Cards | None, size: int) -> Cards:
        return cards if cards is not None else tuple(sorted([face_down.pop() for _ in range(size)]))

    def all_drawn(places: tuple[Cards | None, ...], sizes: tuple[int, ...]) -> tuple[Cards, ...]:
        return tuple(map(drawn, places, sizes))

    return State(
        options=view.options,
        elder=view.elder,
        piles=all_drawn(view.piles, view.pile_sizes),
        out=drawn(view.out, view.out_size),
        hand=drawn(view.hand, view.hand_size),
        pairs=all_drawn(view.pairs, view.pair_sizes),
        votes=tuple(
            shuffler.below(2) == 1 if voted and vote is None else vote
            for voted, vote in zip(view.voted, view.votes, strict=True)
        ),
        acquired=view.acquired,
        kept=view.kept,
        eaten=all_drawn(view.eaten, view.eaten_sizes),
    )

"""What each seat of Palace may see: built up from nothing."""

from __future__ import annotations

from attrs import frozen

from ...core.game import TABLE, Hidden, Seat
from ...core.shuffle import Shuffler
from .model import DECK, END, Build, Cards, Command, Deal, Options, Palace, State
from .rules import LAST, end_places, is_over, to_act


@frozen
class Standing:
    """A palace as one seat sees it: `cards` is None where it may not look at them."""

    number: int
    size: int
    verified: bool
    cards: Cards | None


@frozen
class View:
    """What one seat may look at now. The hands, palaces and pile that it may not see are None."""

    viewer: Seat | None
    options: Options
    turn: Seat
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    pile_size: int
    pile: Cards | None
    palaces: tuple[tuple[Standing, ...], ...]
    built: tuple[int, ...]
    out: Cards
    to_act: frozenset[Seat]
    over: bool

    @property
    def seats(self) -> int:
        return len(self.hand_sizes)


def view(state: State, viewer: Seat | None) -> View:
    """Show the table, the seat's own hand and its own face-down palaces (PAL-R3)."""
    seats = range(state.seats)
    return View(
        viewer=viewer,
        options=state.options,
        turn=state.turn,
        hand_sizes=tuple(map(len, state.hands)),
        hands=tuple(state.hands[seat] if viewer in (seat, TABLE) else None for seat in seats),
        pile_size=len(state.pile),
        pile=state.pile if viewer == TABLE else None,
        palaces=tuple(
            tuple(_standing(palace, own=viewer in (seat, TABLE)) for palace in state.palaces[seat]) for seat in seats
        ),
        built=state.built,
        out=state.out,
        to_act=to_act(state),
        over=is_over(state),
    )


def _standing(palace: Palace, *, own: bool) -> Standing:
    cards = palace.cards if own or palace.verified else None
    return Standing(palace.number, len(palace.cards), palace.verified, cards)


def seen(command: Command, seat: Seat, viewer: Seat | None) -> Command | Hidden:
    """Hide the deal from the seats, and of a building seat's palaces all but the sizes from the others."""
    if viewer in (seat, TABLE):
        return command
    match command:
        case Deal():
            return Hidden("deal")
        case Build(palaces):
            return Hidden("build", (("sizes", tuple(map(len, palaces))),))
        case _:
            return command


def twin(view: View, shuffler: Shuffler) -> State:
    """Draw the hands, the face-down palaces and the pile that the view does not show anew."""
    unknown = list(shuffler.shuffle(_unseen(view)))

    def drawn(cards: Cards | None, size: int) -> Cards:
        return cards if cards is not None else tuple(sorted(unknown.pop() for _ in range(size)))

    hands = tuple(drawn(*hand) for hand in zip(view.hands, view.hand_sizes, strict=True))
    palaces = tuple(
        tuple(Palace(each.number, drawn(each.cards, each.size), each.verified) for each in palaces)
        for palaces in view.palaces
    )
    pile = view.pile
    if pile is None:
        pile = tuple(unknown.pop() for _ in range(view.pile_size - _end_in_pile(view)))
        if _end_in_pile(view):
            above = _above_end(view, shuffler)
            pile = (*pile[:above], END, *pile[above:])
    return State(view.options, view.turn, hands, pile, palaces, view.built, view.out)


def _unseen(view: View) -> Cards:
    """List the pillars that the view does not show."""
    unseen = list(DECK)
    shown = [*view.hands, view.out, view.pile, *(each.cards for palaces in view.palaces for each in palaces)]
    for cards in shown:
        for card in cards or ():
            unseen.remove(card)
    return tuple(card for card in unseen if card != END)


def _end_in_pile(view: View) -> bool:
    return view.pile_size > 0 and not view.over


def _above_end(view: View, shuffler: Shuffler) -> int:
    """Draw how many cards of the pile lie above END: it is one of the last eleven, with 3 seats at a known place."""
    if view.seats == 3:
        below = len(DECK) - 1 - end_places(3)[0]
        return view.pile_size - 1 - below
    return view.pile_size - 1 - shuffler.below(min(LAST, view.pile_size))

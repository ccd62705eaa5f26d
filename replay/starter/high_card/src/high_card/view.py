"""What each seat may see of High Card.

A view is an allow-list. `copy_fields` copies what has the same name and type in both classes, so a field that a seat
may not always see is typed `… | None` here.
"""

from attrs import frozen
from kifu.core.game import (
    Card,
    RedactedCommand,
    Seat,
    Shuffler,
    copy_fields,
    draw_rows,
    show_own,
    unseen_cards,
    visible_to,
)

from .model import DECK, Cards, Command, Deal, Options, State


@frozen
class View:
    """What one seat may look at now; `viewer` None is a spectator, -1 the table."""

    viewer: Seat | None
    options: Options
    hands: tuple[Cards | None, ...]
    sizes: tuple[int, ...]
    laid: tuple[Card | None, ...]
    has_laid: tuple[bool, ...]
    turned: tuple[Cards, ...]
    dealt: bool


def view(state: State, viewer: Seat | None) -> View:
    """Return what a seat may look at now: its own hand and card, and all that lies open."""
    return copy_fields(
        View,
        state,
        viewer=viewer,
        hands=show_own(state.hands, viewer),
        sizes=tuple(map(len, state.hands)),
        laid=show_own(state.laid, viewer),
        has_laid=tuple(card is not None for card in state.laid),
        dealt=bool(state.rest),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command of `seat` as `viewer` sees it: others see no card of it."""
    if visible_to(viewer, seat):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "lay")


def determinize(view: View, shuffler: Shuffler) -> State:
    """Return a state with this view, in which all that it does not show is dealt anew."""
    unseen = unseen_cards(DECK, *view.hands, [card for card in view.laid if card], *view.turned) if view.dealt else []
    pool = list(shuffler.shuffle(unseen))
    hands = draw_rows(view.hands, view.sizes, pool)
    laid = [
        pool.pop() if has_laid and card is None else card
        for card, has_laid in zip(view.laid, view.has_laid, strict=True)
    ]
    return copy_fields(State, view, hands=hands, laid=tuple(laid), rest=tuple(pool))

"""What each seat may see of Goofspiel: its own bid, and what was turned up; the hands can be counted out."""

from attrs import frozen
from kifu.core.game import TABLE, Card, RedactedCommand, Seat, Shuffler, copy_fields, show_own, unseen_cards, visible_to

from .model import Cards, Command, Deal, Options, State, deck


@frozen
class View:
    """What one seat may look at now; `viewer` None is a spectator, -1 the table."""

    viewer: Seat | None
    options: Options
    prizes: tuple[Card | None, ...]
    """Those that have been turned up; None: face down."""
    hands: tuple[Cards | None, ...]
    sizes: tuple[int, ...]
    bids: tuple[Card | None, ...]
    has_bid: tuple[bool, ...]
    shown: tuple[Cards, ...]


def view(state: State, viewer: Seat | None) -> View:
    """Return what a seat may look at now: its own hand and bid, and all that lies open."""
    is_open = viewer == TABLE or state.options.order != "shuffled"
    up = len(state.prizes) if is_open else len(state.shown[0]) + 1
    return copy_fields(
        View,
        state,
        viewer=viewer,
        prizes=tuple(prize if at < up else None for at, prize in enumerate(state.prizes)),
        hands=show_own(state.hands, viewer),
        sizes=tuple(map(len, state.hands)),
        bids=show_own(state.bids, viewer),
        has_bid=tuple(bid is not None for bid in state.bids),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command of `seat` as `viewer` sees it: others see no card of it."""
    if visible_to(viewer, seat):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "bid")


def determinize(view: View, shuffler: Shuffler) -> State:
    """Return a state with this view, in which the bids and prizes that it does not show are drawn anew."""
    whole = deck(view.options)
    left = list(shuffler.shuffle(unseen_cards(whole, [prize for prize in view.prizes if prize])))
    prizes = tuple(left.pop() if prize is None else prize for prize in view.prizes)
    hands, bids = list(view.hands), list(view.bids)
    for seat, hand in enumerate(view.hands):
        if hand is None:
            unseen = list(shuffler.shuffle(unseen_cards(whole, view.shown[seat])))
            bids[seat] = unseen.pop() if view.has_bid[seat] else None
            hands[seat] = tuple(sorted(unseen))
    return copy_fields(State, view, prizes=prizes, hands=tuple(hands), bids=tuple(bids))

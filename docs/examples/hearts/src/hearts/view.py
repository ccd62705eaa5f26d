"""What each seat may see of Hearts: its own cards, the trick, and what everybody has taken."""

from attrs import frozen
from kifu.core.game import RedactedCommand, Seat, Shuffler, copy_fields, draw_cards, show_own, unseen_cards, visible_to

from .model import CLUBS_2, DECK, PASSED, SEATS, Cards, Command, Deal, Options, Play, State


@frozen
class View:
    """What one seat may look at now; `viewer` None is a spectator, -1 the table."""

    viewer: Seat | None
    options: Options
    dealt: int
    totals: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    sizes: tuple[int, ...]
    given: tuple[Cards | None, ...]
    """What a seat passes: shown to that seat alone."""
    has_passed: tuple[bool, ...]
    passing: bool
    leader: Seat
    trick: Cards
    taken: tuple[Cards, ...]


def view(state: State, viewer: Seat | None) -> View:
    """Return what a seat may look at now."""
    return copy_fields(
        View,
        state,
        viewer=viewer,
        hands=show_own(state.hands, viewer),
        sizes=tuple(map(len, state.hands)),
        given=show_own(state.passed, viewer),
        has_passed=tuple(each is not None for each in state.passed),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command of `seat` as `viewer` sees it: a played card is public, others are not."""
    if isinstance(command, Play) or visible_to(viewer, seat):
        return command
    return RedactedCommand("deal" if isinstance(command, Deal) else "pass")


def determinize(view: View, shuffler: Shuffler) -> State:
    """Return a state with this view, in which all that it does not show is dealt anew."""
    hidden = unseen_cards(DECK, *view.hands, *view.given, view.trick, *view.taken) if view.dealt else []
    pool = list(shuffler.shuffle(hidden))
    to_lead = CLUBS_2 in pool and not view.passing and not view.trick
    if to_lead:  # its holder is the leader, as everybody knows
        pool.remove(CLUBS_2)
    hands, passed = [], []
    for seat in range(SEATS):
        own = to_lead and seat == view.leader
        drawn = draw_cards(view.hands[seat], view.sizes[seat] - own, pool)
        hands.append((CLUBS_2, *drawn) if own else drawn)
        passed.append(draw_cards(view.given[seat], PASSED, pool) if view.has_passed[seat] else None)
    return copy_fields(State, view, hands=tuple(hands), passed=tuple(passed))

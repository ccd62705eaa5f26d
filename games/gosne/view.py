"""The view of each seat of Gosne is Gone, an allow-list."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from ...core.game import TABLE, Card, RedactedCommand, Seat, Shuffler, copy_fields, show_own, unseen_cards, visible_to
from .model import CEO, GOSNE, Cards, Command, Deal, Declare, Give, LastTrick, Options, Play, State
from .rules import DECKS, SEATS, giver, is_counted, is_misdeal, may_declare, partner, to_act


@frozen(slots=False)
class View:
    """The view of one seat. What it may not see is None."""

    viewer: Seat | None
    options: Options
    finished: int
    points: tuple[int, ...]
    gosne: Seat
    gosne_card: Seat | None
    """Who was dealt the Gosne card, which was shown; None if nobody was."""
    ceo_card: Seat | None
    """Who was dealt the CEO card, if `ceo_known`; else None."""
    ceo_known: bool
    """True if the viewer knows who was dealt the CEO card: it was he, or the card was seen, or the hand is counted."""
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    unseen_size: int
    unseen: Cards | None
    gifts: tuple[Cards | None, ...]
    """The gifts of the exchange, in order: only the giver and his partner know them."""
    declared: int | None
    trick: tuple[Card | None, ...]
    """The cards laid, Gosne's first."""
    guns: tuple[bool, ...]
    """For each card of the trick, True if it is a gun."""
    last: LastTrick | None
    """The last trick won in this hand (GOS-R7); None before one."""
    taken_sizes: tuple[int, ...]
    taken: tuple[Cards | None, ...]
    misdeal: bool
    """True if nobody was dealt the Gosne card, so that it is among the unseen."""
    to_act: frozenset[Seat]

    @property
    def last_cards(self) -> Cards:
        """Return the cards of the last trick, seat 0's first; empty before one."""
        return () if self.last is None else self.last.cards

    @property
    def tricks(self) -> int:
        """How many tricks of this hand are resolved."""
        return sum(self.taken_sizes) // SEATS

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return not self.to_act


def view(state: State, viewer: Seat | None) -> View:
    """Show the table, the seat's own hand and chestnut, what it gave and got; CEO's holder once he may be known.

    Of the cards taken all see the last trick, and once the hand is counted every pile (GOS-R7).
    """
    known = is_ceo_known(state, viewer)
    return copy_fields(
        View,
        state,
        viewer=viewer,
        ceo_card=state.ceo_card if known else None,
        ceo_known=known,
        hand_sizes=tuple(map(len, state.hands)),
        hands=show_own(state.hands, viewer),
        unseen_size=len(state.unseen),
        unseen=state.unseen if viewer == TABLE else None,
        gifts=tuple([_gift(state, place, viewer) for place in range(len(state.gifts))]),
        trick=tuple([_laid(state, place, viewer) for place in range(len(state.trick))]),
        guns=tuple([play.gun for play in state.trick]),
        taken_sizes=tuple(map(len, state.taken)),
        taken=state.taken if viewer == TABLE or is_counted(state) else (None,) * SEATS,
        misdeal=is_misdeal(state),
        to_act=to_act(state),
    )


def _gift(state: State, place: int, viewer: Seat | None) -> Cards | None:
    seat = giver(state.options, state.finished, place)
    return state.gifts[place] if visible_to(viewer, seat, partner(seat)) else None


def _laid(state: State, place: int, viewer: Seat | None) -> Card | None:
    play = state.trick[place]
    return play.card if play.gun or visible_to(viewer, (state.gosne + place) % SEATS) else None


def is_ceo_known(state: State, viewer: Seat | None) -> bool:
    """Return True if the viewer knows who was dealt the CEO card, or that nobody was (GOS-18).

    A deal that is to be made again has no pairs to know.
    """
    if not state.options.whistleblower or state.gosne_card is None:
        return False
    if viewer == TABLE or (viewer is not None and viewer == state.ceo_card):
        return True
    return any(CEO in pile for pile in state.taken) or any(play.gun and play.card == CEO for play in state.trick)


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command without the deal, the other pair's gifts, and others' cards that lie face down."""
    if visible_to(viewer, seat):
        return command
    match command:
        case Deal():
            return RedactedCommand("deal")
        case Give():
            return command if viewer == partner(seat) else RedactedCommand("give")
        case Declare(number=number):
            return RedactedCommand("declare", (("number", number),))
        case Play(gun=gun):
            return command if gun else RedactedCommand("play", (("gun", gun),))


Gap = tuple[str, Seat]
"""The place of a card that a view does not show: `hand`, `trick`, `taken` or `unseen`, and before which seat."""


def determinize(view: View, shuffler: Shuffler) -> State:
    """Draw all that the view does not show anew: first the cards that cannot lie just anywhere, then the rest."""
    gaps = list(shuffler.shuffle(_gaps(view)))
    pool = list(shuffler.shuffle(_unknown(view))) if gaps else []
    drawn: dict[Gap, list[Card]] = {gap: [] for gap in gaps}

    def put(card: Card, gap: Gap) -> None:
        drawn[gap].append(card)
        pool.remove(card)
        gaps.remove(gap)

    other = None if view.viewer is None else partner(view.viewer)
    held = _held_by(other, view)
    chestnut = ("trick", view.gosne)
    if chestnut in gaps:
        free = Counter(pool) - held
        if view.gosne == other:  # what he holds may be that card; it is, if there is no room elsewhere
            room = sum(gap[0] == "taken" or gap[1] == other for gap in gaps)
            free = Counter(pool) if held.total() < room else held
        homeless = [card for card in (GOSNE, CEO) if card in pool and not _has_room(view, card, set(gaps) - {chestnut})]
        card = next(card for card in homeless or free if _may_lie(view, card, chestnut))
        put(card, chestnut)
        if view.gosne == other:
            held -= Counter([card])
    for card in (GOSNE, CEO):
        if card in pool:
            put(card, next(gap for gap in gaps if _may_lie(view, card, gap)))
    for card in held.elements():
        put(card, next(gap for gap in gaps if gap[0] == "taken" or gap[1] == other))
    for card, gap in zip(pool, gaps, strict=True):
        drawn[gap].append(card)
    return _filled(view, drawn, shuffler)


def _gaps(view: View) -> list[Gap]:
    gaps: list[Gap] = []
    for seat in map(Seat, range(SEATS)):
        if view.hands[seat] is None:
            gaps += [("hand", seat)] * view.hand_sizes[seat]
        if view.taken[seat] is None:
            gaps += [("taken", seat)] * (view.taken_sizes[seat] - (len(view.last_cards) if seat == view.gosne else 0))
    gaps += [("trick", _at(view, place)) for place, card in enumerate(view.trick) if card is None]
    if view.unseen is None:
        gaps += [("unseen", TABLE)] * view.unseen_size
    return gaps


def _at(view: View, place: int) -> Seat:
    return Seat((view.gosne + place) % SEATS)


def _unknown(view: View) -> list[Card]:
    """List the cards of the deck that the view does not show."""
    last = view.last_cards if view.taken[view.gosne] is None else ()
    laid = [card for card in view.trick if card is not None]
    return unseen_cards(DECKS[view.options.whistleblower], last, laid, *view.taken, *view.hands)


def _may_lie(view: View, card: Card, gap: Gap) -> bool:
    """Return True if the card may lie there, for all that the viewer knows."""
    place, seat = gap
    if gap == ("trick", view.gosne) and view.declared is not None and not may_declare(card, view.declared):
        return False
    if card == GOSNE:
        return place == "unseen" if view.misdeal else place == "taken" or seat == view.gosne_card
    if card == CEO:
        return (place == "taken") is view.ceo_known  # a CEO that was taken has been seen
    return True


def _has_room(view: View, card: Card, gaps: set[Gap]) -> bool:
    return any(_may_lie(view, card, gap) for gap in gaps)


def _held_by(other: Seat | None, view: View) -> Counter[Card]:
    """Count what the viewer gave his partner, who has neither given it back nor been seen to play it."""
    held: Counter[Card] = Counter()
    if other is None:
        return held
    for place, cards in enumerate(view.gifts):
        seat = giver(view.options, view.finished, place)
        if seat == view.viewer:
            held += Counter(cards)
        elif seat == other:
            held -= Counter(cards)
    laid = {_at(view, place): card for place, card in enumerate(view.trick)}
    known = [pile for pile in view.taken if pile is not None] or [view.last_cards]
    played = [laid.get(other), *(card for pile in known for card in pile[other::SEATS])]
    return held - Counter([card for card in played if card is not None])


def _filled(view: View, drawn: dict[Gap, list[Card]], shuffler: Shuffler) -> State:
    """Make the state of what the view shows and what was drawn."""

    def found(place: str, seat: Seat) -> Cards:
        return tuple(drawn.get((place, seat), ()))

    seats = [Seat(seat) for seat in range(SEATS)]
    hands = tuple(view.hands[seat] or tuple(sorted(found("hand", seat))) for seat in seats)
    piles = [found("taken", seat) + (view.last_cards if seat == view.gosne else ()) for seat in seats]
    trick = [card if card is not None else found("trick", _at(view, place))[0] for place, card in enumerate(view.trick)]
    ceo_card = view.ceo_card
    if view.gosne_card is not None and not view.ceo_known:
        ceo_card = next((seat for seat in seats if CEO in found("hand", seat) + found("trick", seat)), None)

    def gift(place: int) -> Cards:
        receiver = partner(giver(view.options, view.finished, place))
        played = [card for seat in seats for card in (*found("taken", seat), *(view.taken[seat] or ()))]
        return tuple(sorted(shuffler.shuffle((*hands[receiver], *played))[:2]))

    return copy_fields(
        State,
        view,
        ceo_card=ceo_card,
        hands=hands,
        unseen=view.unseen or found("unseen", TABLE),
        gifts=tuple(gift(place) if cards is None else cards for place, cards in enumerate(view.gifts)),
        trick=tuple(Play(card, gun) for card, gun in zip(trick, view.guns, strict=True)),
        taken=tuple(view.taken[seat] or piles[seat] for seat in seats),
    )

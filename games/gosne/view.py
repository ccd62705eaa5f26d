"""The view of each seat of Gosne is Gone; the marks of the state say what it shows, but for the trick, told here."""

from __future__ import annotations

from collections import Counter

from ...core import game as k
from .model import CEO, GOSNE, SEATS, Cards, LastTrick, Options, Play, State, giver, is_ceo_known, partner
from .rules import DECKS, is_misdeal, may_declare, to_act


def trick_of(state: State, viewer: int | None) -> tuple[k.Card | None, ...]:
    """Return the cards laid, Gosne's first, as far as a viewer sees them."""
    own = None if viewer is None else (viewer - state.gosne) % SEATS
    laid = enumerate(state.trick)
    return tuple([play.card if play.gun or place == own or viewer == k.TABLE else None for place, play in laid])


def guns_of(state: State) -> tuple[bool, ...]:
    """Return for each card of the trick whether it is a gun."""
    return tuple([play.gun for play in state.trick])


@k.view_of(State)
class View:
    """The view of one seat. What it may not see is None."""

    viewer: k.Seat | None
    options: Options
    finished: int
    points: tuple[int, ...]
    gosne: k.Seat
    gosne_card: k.Seat | None
    ceo_card: k.Seat | None
    ceo_known: bool = k.told(is_ceo_known)
    hand_sizes: tuple[int, ...]
    hands: tuple[Cards | None, ...]
    unseen_size: int
    unseen: Cards | None
    gifts: tuple[Cards | None, ...]
    declared: int | None
    trick: tuple[k.Card | None, ...] = k.told(trick_of)
    guns: tuple[bool, ...] = k.told(guns_of)
    last: LastTrick | None
    taken_sizes: tuple[int, ...]
    taken: tuple[Cards | None, ...]
    misdeal: bool = k.told(is_misdeal)
    to_act: frozenset[k.Seat] = k.told(to_act)

    @property
    def last_cards(self) -> Cards:
        """Return the cards of the last trick, seat 0's first; empty before one."""
        return () if self.last is None else self.last.cards


Gap = tuple[str, int]
"""The place of a card that a view does not show: `hand`, `trick`, `taken` or `unseen`, and before which seat."""


def determinize(view: View, shuffler: k.Shuffler) -> State:
    """Draw all that the view does not show anew: first the cards that cannot lie just anywhere, then the rest."""
    gaps = list(shuffler.shuffle(_gaps(view)))
    pool = list(shuffler.shuffle(_unknown(view))) if gaps else []
    drawn: dict[Gap, list[k.Card]] = {gap: [] for gap in gaps}

    def put(card: k.Card, gap: Gap) -> None:
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
        elsewhere = set(gaps) - {chestnut}
        homeless = [card for card in (GOSNE, CEO) if not any(_may_lie(view, card, gap) for gap in elsewhere)]
        must = [card for card in homeless if card in pool]
        card = next(card for card in must or free if _may_lie(view, card, chestnut))
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
    for seat in map(k.Seat, range(SEATS)):
        if view.hands[seat] is None:
            gaps += [("hand", seat)] * view.hand_sizes[seat]
        if view.taken[seat] is None:
            gaps += [("taken", seat)] * (view.taken_sizes[seat] - (len(view.last_cards) if seat == view.gosne else 0))
    gaps += [("trick", _at(view, place)) for place, card in enumerate(view.trick) if card is None]
    if view.unseen is None:
        gaps += [("unseen", k.TABLE)] * view.unseen_size
    return gaps


def _at(view: View, place: int) -> int:
    return k.Seat((view.gosne + place) % SEATS)


def _unknown(view: View) -> list[k.Card]:
    """List the cards of the deck that the view does not show."""
    last = view.last_cards if view.taken[view.gosne] is None else ()
    laid = [card for card in view.trick if card is not None]
    return k.unseen_cards(DECKS[view.options.whistleblower], last, laid, *view.taken, *view.hands)


def _may_lie(view: View, card: k.Card, gap: Gap) -> bool:
    """Return True if the card may lie there, for all that the viewer knows."""
    place, seat = gap
    if gap == ("trick", view.gosne) and view.declared is not None and not may_declare(card, view.declared):
        return False
    if card == GOSNE:
        return place == "unseen" if view.gosne_card is None else place == "taken" or seat == view.gosne_card
    if card == CEO:
        if place == "taken" or view.ceo_known:
            return place == "taken" and view.ceo_known  # a CEO that was taken has been seen
        if view.options.alone == "redeal" and view.gosne_card is not None:
            return (place == "unseen" or seat == view.gosne_card) is view.misdeal  # where its holder is alone (GOS-R3)
    return True


def _held_by(other: int | None, view: View) -> Counter[k.Card]:
    """Count what the viewer gave his partner, who has neither given it back nor been seen to play it."""
    held: Counter[k.Card] = Counter()
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


def _filled(view: View, drawn: dict[Gap, list[k.Card]], shuffler: k.Shuffler) -> State:
    """Make the state of what the view shows and what was drawn."""

    def found(place: str, seat: int) -> Cards:
        return tuple(drawn.get((place, seat), ()))

    seats = [k.Seat(seat) for seat in range(SEATS)]
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

    return k.state_behind(
        State,
        view,
        ceo_card=ceo_card,
        hands=hands,
        unseen=view.unseen or found("unseen", k.TABLE),
        gifts=tuple(gift(place) if cards is None else cards for place, cards in enumerate(view.gifts)),
        trick=tuple(Play(card, gun) for card, gun in zip(trick, view.guns, strict=True)),
        taken=tuple(view.taken[seat] or piles[seat] for seat in seats),
    )

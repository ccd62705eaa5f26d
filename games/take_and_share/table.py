"""How Take & Share tells and shows itself: the notes of a step, each with its rule, and the scene of a view."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import game as k
from .model import Cards, Command, Deal, Play, Rule, Share, State
from .rules import HAND_SIZES, LONG_GOAL, SUITS, by_suit, face, followed, is_over, number, result, score, suit, taker
from .view import View


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step; all of it is public but the hands, which the deal tells to their own seats."""
    match step.command:
        case Play(card):
            yield from _played(step.before, step.seat, card, step.after)
        case Share(cards):
            yield from _shared(step.seat, cards, step.after)
        case Deal():
            yield from _dealt(step.after, viewer)


def _dealt(after: State, viewer: int | None) -> Iterator[k.Note]:
    yield k.Note.of(
        "dealt", Rule.TS_1, begins=k.SectionKind.DEAL, deal=after.deals, cards=len(after.hands[0]), shares=after.shares
    )
    for seat, hand in enumerate(after.hands):
        if k.visible_to(viewer, seat):
            yield k.Note.of("hand", Rule.TS_1, seat=k.Seat(seat), cards=hand)
    yield k.Note.of("suits", Rule.TS_R1)
    if after.deals > 1:
        yield k.Note.of("first-lead", Rule.TS_R2, seat=after.lead)


def _played(before: State, seat: int, card: k.Card, after: State) -> Iterator[k.Note]:
    if not before.trick:
        yield k.Note.of("led", Rule.TS_2, begins=k.SectionKind.TRICK, seat=seat, card=card)
    elif (led := suit(before.trick[0])) == suit(card):
        yield k.Note.of("followed", Rule.TS_3, seat=seat, card=card)
    else:
        yield k.Note.of("free", Rule.TS_3, seat=seat, card=card, led=SUITS[led])
    if len(after.trick) == len(after.totals):
        yield _taken(after)


def _taken(state: State) -> k.Note:
    seat, trick = taker(state), state.trick
    card = trick[(seat - state.lead) % len(trick)]
    if followed(trick):
        return k.Note.of("taken-highest", Rule.TS_4, seat=seat, card=card)
    lowest = number(card)
    equals = tuple([each for each in trick if number(each) == lowest])
    if len(equals) > 1:
        return k.Note.of("taken-earliest", Rule.TS_6, seat=seat, card=card, equals=equals)
    return k.Note.of("taken-lowest", Rule.TS_5, seat=seat, card=card)


def _shared(seat: int, cards: Cards, after: State) -> Iterator[k.Note]:
    yield k.Note.of("shared", Rule.TS_8, seat=seat, cards=cards)
    yield k.Note.of("face-down", Rule.TS_9)
    if after.hands[seat]:
        yield k.Note.of("next-shares", Rule.TS_7, cards=after.shares)
        yield k.Note.of("leads-next", Rule.TS_10, seat=seat)
        return
    yield k.Note.of("last-share", Rule.TS_11, cards=after.shares)
    for each, pile in enumerate(after.piles):
        yield k.Note.of("pile-open", Rule.TS_12, seat=k.Seat(each), cards=tuple(sorted(pile)))
    yield from _scored_suits(after)
    yield k.Note.of("scored", Rule.TS_12, deal=after.deals, points=score(after.piles))
    if after.options.long:
        key = "long-ends" if is_over(after) else "long-goes-on"
        yield k.Note.of(key, Rule.TS_14, totals=after.totals, goal=LONG_GOAL[after.seats])
    elif after.options.deals > 1:
        yield k.Note.of("total", Rule.TS_R3, totals=after.totals, deal=after.deals, deals=after.options.deals)
    ended = result(after)
    if ended is not None:
        yield k.Note.of("won", Rule.TS_13, seats=ended.winners, points=ended.points)


def _scored_suits(after: State) -> Iterator[k.Note]:
    """Yield a note for each suit that anyone received: the sums of all seats, and what the highest score."""
    for symbol, held in zip(SUITS, by_suit(after.piles), strict=True):
        sums = tuple(map(sum, held))
        if any(sums):
            seats = k.winners_by(sums)
            counts = tuple([len(held[seat]) for seat in seats])
            yield k.Note.of("scored-suit", Rule.TS_12, suit=symbol, sums=sums, seats=seats, counts=counts)


def scene(view: View) -> k.Scene:
    """Return the scene of a view."""
    size = HAND_SIZES[view.seats]
    trick = k.Fact("fact-trick", min(view.pile_sizes[0] + 1, size), size)
    shares = "zone-never-shared" if view.scored else "zone-shares"
    table = k.Place(
        seat=None,
        zones=(
            k.Zone(shares, k.card_things(view.shares, face, kind="share")),
            k.Zone("zone-trick", k.trick_things(k.card_things(view.trick, face), view.lead, view.seats)),
        ),
        facts=(*_deal(view), trick),
    )
    return k.Scene(view.viewer, table, tuple(_place(view, k.Seat(seat)) for seat in range(view.seats)))


def _deal(view: View) -> tuple[k.Fact, ...]:
    """Return which deal it is, where there is more than one."""
    if view.options.long:
        return (k.Fact("fact-deal", view.deals),)
    deals = view.options.deals
    return (k.Fact("fact-deal", view.deals, deals),) if deals > 1 else ()


def _place(view: View, seat: int) -> k.Place:
    hand, pile = view.hands[seat], view.piles[seat]
    ascending = None if pile is None else sorted(pile)
    played = (seat - view.lead) % view.seats
    return k.Place(
        seat=seat,
        zones=(
            k.Zone("zone-hand", k.card_things(hand, face, view.hand_sizes[seat], "card")),
            k.Zone("zone-played", k.card_things(view.trick[played : played + 1], face)),
            k.Zone("zone-pile", k.card_things(ascending, face, view.pile_sizes[seat])),
        ),
        facts=(k.Fact("fact-total", view.totals[seat]),),
        marks=("mark-lead",) if seat == view.lead and not view.scored else (),
    )

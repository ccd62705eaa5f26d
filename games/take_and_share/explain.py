"""The notes of a step of Take & Share, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.game import Card, Note, Seat, SectionKind, Step, visible_to, winners_by
from .cards import SUITS, number, suit
from .model import Cards, Command, Deal, Play, Rule, Share, State
from .rules import LONG_GOAL, followed, is_over, result, score, taker


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Return the notes of a step; all of it is public but the hands, which the deal tells to their own seats."""
    match step.command:
        case Play(card):
            return _played(step.before, step.seat, card, step.after)
        case Share(cards):
            return _shared(step.seat, cards, step.after)
        case Deal():
            return _dealt(step.after, viewer)
    return iter(())


def _dealt(after: State, viewer: Seat | None) -> Iterator[Note]:
    yield Note.of(
        "dealt", Rule.TS_1, begins=SectionKind.DEAL, deal=after.deals, cards=len(after.hands[0]), shares=after.shares
    )
    for seat, hand in enumerate(after.hands):
        if visible_to(viewer, seat):
            yield Note.of("hand", Rule.TS_1, seat=Seat(seat), cards=hand)
    yield Note.of("suits", Rule.TS_R1)
    if after.deals > 1:
        yield Note.of("first-lead", Rule.TS_R2, seat=after.lead)


def _played(before: State, seat: Seat, card: Card, after: State) -> Iterator[Note]:
    if not before.trick:
        yield Note.of("led", Rule.TS_2, begins=SectionKind.TRICK, seat=seat, card=card)
    elif (led := suit(before.trick[0])) == suit(card):
        yield Note.of("followed", Rule.TS_3, seat=seat, card=card)
    else:
        yield Note.of("free", Rule.TS_3, seat=seat, card=card, led=SUITS[led])
    if len(after.trick) == len(after.totals):
        yield _taken(after)


def _taken(state: State) -> Note:
    seat, trick = taker(state), state.trick
    card = trick[(seat - state.lead) % len(trick)]
    if followed(trick):
        return Note.of("taken-highest", Rule.TS_4, seat=seat, card=card)
    lowest = number(card)
    equals = tuple([each for each in trick if number(each) == lowest])
    if len(equals) > 1:
        return Note.of("taken-earliest", Rule.TS_6, seat=seat, card=card, equals=equals)
    return Note.of("taken-lowest", Rule.TS_5, seat=seat, card=card)


def _shared(seat: Seat, cards: Cards, after: State) -> Iterator[Note]:
    yield Note.of("shared", Rule.TS_8, seat=seat, cards=cards)
    yield Note.of("face-down", Rule.TS_9)
    if after.hands[seat]:
        yield Note.of("next-shares", Rule.TS_7, cards=after.shares)
        yield Note.of("leads-next", Rule.TS_10, seat=seat)
        return
    yield Note.of("last-share", Rule.TS_11, cards=after.shares)
    for each, pile in enumerate(after.piles):
        yield Note.of("pile-open", Rule.TS_12, seat=Seat(each), cards=tuple(sorted(pile)))
    yield from _scored_suits(after)
    yield Note.of("scored", Rule.TS_12, deal=after.deals, points=score(after.piles))
    if after.options.long:
        key = "long-ends" if is_over(after) else "long-goes-on"
        yield Note.of(key, Rule.TS_14, totals=after.totals, goal=LONG_GOAL[after.seats])
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.TS_13, seats=ended.winners, points=ended.points)


def _scored_suits(after: State) -> Iterator[Note]:
    """Yield a note for each suit that anyone received: the sums of all seats, and what the highest score."""
    numbers: list[list[list[int]]] = [[[] for _ in after.piles] for _ in SUITS]
    for seat, pile in enumerate(after.piles):
        for card in pile:
            numbers[suit(card)][seat].append(number(card))
    for symbol, held in zip(SUITS, numbers, strict=True):
        sums = tuple(map(sum, held))
        if any(sums):
            seats = winners_by(sums)
            counts = tuple([len(held[seat]) for seat in seats])
            yield Note.of("scored-suit", Rule.TS_12, suit=symbol, sums=sums, seats=seats, counts=counts)

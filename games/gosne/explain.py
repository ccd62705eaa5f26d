"""The notes of a step of Gosne is Gone, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.game import Card, Note, Seat, SectionKind, Step, visible_to
from .model import (
    GOSNE,
    NUMBERS,
    Cards,
    Command,
    Deal,
    Declare,
    Give,
    Options,
    Play,
    Rule,
    State,
    Trick,
    chestnuts_on,
    is_x,
)
from .rules import contenders, dealer, hyoju, is_exchange, is_misdeal, partner, result, score, sides, strength, winner
from .view import is_ceo_known


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step; CEO's holder, gifts and face-down cards only to the seats that know them."""
    match step.command:
        case Deal():
            yield from _dealt(step.after, viewer)
        case Give(cards):
            yield from _gave(step, cards, viewer)
        case Declare() as declare:
            yield from _declared(step.seat, declare, viewer)
        case Play() as play:
            yield from _played(step, play, viewer)


def _dealt(after: State, viewer: Seat | None) -> Iterator[Note]:
    options, by = after.options, dealer(after.options, after.finished)
    if not options.whistleblower:
        yield Note.of("dealt", Rule.GOS_1, begins=SectionKind.DEAL, deal=after.finished + 1, dealer=by, **_pairs(after))
    else:
        hand = after.finished + 1
        yield Note.of("dealt-whistleblower", Rule.GOS_16, begins=SectionKind.DEAL, deal=hand, dealer=by)
    for seat, cards in enumerate(after.hands):
        if visible_to(viewer, seat):
            rule = Rule.GOS_16 if options.whistleblower else Rule.GOS_1
            yield Note.of("dealt-hand", rule, seat=Seat(seat), cards=cards)
    if options.whistleblower:
        if is_misdeal(after):
            yield Note.of("misdeal", Rule.GOS_17, dealer=by)
            return
        yield Note.of("gosne-shown", Rule.GOS_17, seat=after.gosne)
        yield Note.of("hyoju-opposite", Rule.GOS_19, seat=after.gosne, hyoju=hyoju(after.gosne))
        yield Note.of("pairs-secret", Rule.GOS_18, seat=after.gosne)
        if is_ceo_known(after, viewer):
            yield _paired(after)
    if options.hands > 1:
        yield Note.of("hand", Rule.GOS_15, hand=after.finished + 1, hands=options.hands)
    yield _chestnuts(options)


def _chestnuts(options: Options) -> Note:
    """Return the note of how many chestnuts the cards show: those of the ranks that the option names, else 1."""
    if not options.chestnuts:
        return Note.of("chestnuts-assumed", Rule.GOS_R1)
    named = sorted(options.chestnuts)
    ranks, counts = tuple(Card(rank) for rank, _ in named), tuple(count for _, count in named)
    return Note.of("chestnuts-told", Rule.GOS_R1, cards=ranks, counts=counts)


def _pairs(state: State) -> dict[str, Any]:
    one, other = sides(state)
    return {"one": one, "other": other}


def _paired(state: State) -> Note:
    """Return the note of the pairs that the Gosne and the CEO card make."""
    one, other = sides(state)
    if state.ceo_card is None:
        return Note.of("alone-unseen", Rule.GOS_R3, seat=one[0], other=other)
    if len(one) == 1:
        return Note.of("alone-both", Rule.GOS_R3, seat=one[0], other=other)
    return Note.of("paired", Rule.GOS_18, seat=state.ceo_card, one=one, other=other)


def _gave(step: Step[State, Command], cards: Cards, viewer: Seat | None) -> Iterator[Note]:
    seat, to, after = step.seat, partner(step.seat), step.after
    if visible_to(viewer, seat, to):
        yield Note.of("gave-cards", Rule.GOS_2, seat=seat, to=to, cards=cards)
    else:
        yield Note.of("gave", Rule.GOS_2, seat=seat, to=to)
    if not is_exchange(after):
        yield Note.of("first-gosne", Rule.GOS_3, seat=after.gosne, hyoju=hyoju(after.gosne))


def _declared(seat: Seat, declare: Declare, viewer: Seat | None) -> Iterator[Note]:
    if visible_to(viewer, seat):
        yield Note.of(
            "declared-card", Rule.GOS_4, begins=SectionKind.TRICK, seat=seat, card=declare.card, number=declare.number
        )
    else:
        yield Note.of("declared", Rule.GOS_4, begins=SectionKind.TRICK, seat=seat, number=declare.number)


def _played(step: Step[State, Command], play: Play, viewer: Seat | None) -> Iterator[Note]:
    seat, before, after = step.seat, step.before, step.after
    if play.gun:
        yield Note.of("gun", Rule.GOS_6, seat=seat, card=play.card)
    elif visible_to(viewer, seat):
        yield Note.of("chestnut-card", Rule.GOS_6, seat=seat, card=play.card)
    else:
        yield Note.of("chestnut", Rule.GOS_6, seat=seat)
    if not after.trick and before.declared is not None:
        yield from _taken((*before.trick, play), before.declared, before.gosne, after)
    if is_ceo_known(after, None) and not is_ceo_known(before, None):
        yield _paired(after)
    if after.finished > before.finished:
        yield from _counted(after)


def _taken(trick: Trick, declared: int, gosne: Seat, after: State) -> Iterator[Note]:
    yield Note.of("turned-up", Rule.GOS_7, cards=tuple(play.card for play in trick))
    yield _judged(gosne, trick[0].card, declared)

    rule, places = contenders(trick, declared)
    won = trick[winner(trick, declared)]
    yield Note.of(_how(rule, won), rule, seat=after.gosne, card=won.card)
    rivals = [trick[place] for place in places]
    if any(is_x(play.card) for play in rivals) and len({strength(play) for play in rivals}) > 1:
        yield Note.of("x-lowest" if won.gun else "x-highest", Rule.GOS_11)
    equals = tuple(play.card for play in rivals if strength(play) == strength(won))
    if len(set(equals)) > 1:
        yield Note.of("later-x", Rule.GOS_R6, seat=after.gosne, equals=equals)
    elif len(equals) > 1:
        later = Rule.GOS_R5 if rule is Rule.GOS_9 else Rule.GOS_10
        yield Note.of("later", later, seat=after.gosne, equals=equals)

    if any(after.hands):
        yield Note.of("takes", Rule.GOS_13, seat=after.gosne)
    else:
        yield Note.of("takes-last", Rule.GOS_13, seat=after.gosne)
        if after.options.whistleblower:
            yield Note.of("takes-unseen", Rule.GOS_16, seat=after.gosne)


def _judged(gosne: Seat, card: Card, declared: int) -> Note:
    """Return the note of Gosne's truth or lie, and the reason for a lie."""
    if card == declared:
        return Note.of("truth", Rule.GOS_4, seat=gosne, card=card)
    if is_x(card):
        return Note.of("lie-x", Rule.GOS_12, seat=gosne, card=card, number=declared)
    if card == GOSNE:
        return Note.of("lie-gosne", Rule.GOS_19, seat=gosne, card=card, number=declared)
    if card not in NUMBERS:
        return Note.of("lie-forced", Rule.GOS_5, seat=gosne, card=card, number=declared)
    return Note.of("lie", Rule.GOS_4, seat=gosne, card=card, number=declared)


def _how(rule: Rule, won: Play) -> str:
    """Return the key of the note that says why this card won."""
    if rule is Rule.GOS_7:
        return "won-truth"
    if rule is Rule.GOS_8:
        return "won-lie" if won.gun else "won-no-gun"
    return "won-prosecutor-gun" if won.gun else "won-prosecutor"


def _counted(after: State) -> Iterator[Note]:
    points = score(after)
    one, other = sides(after)
    for seat, cards in enumerate(after.taken):
        if cards:
            shown = tuple(sorted(cards))
            count = sum(chestnuts_on(after.options, card) for card in cards)
            yield Note.of("pile-open", Rule.GOS_R7, seat=Seat(seat), cards=shown, chestnuts=count)
    yield Note.of(
        "counted", Rule.GOS_14, one=one, other=other, chestnuts=points[one[0]], chestnuts_other=points[other[0]]
    )
    yield Note.of("scored", Rule.GOS_R4, points=points)
    several = after.options.hands > 1
    ended = result(after)
    if ended is None:
        yield Note.of("next-hand", Rule.GOS_15, totals=after.points, dealer=dealer(after.options, after.finished))
        return
    if several:
        yield Note.of("all-dealt", Rule.GOS_15, totals=after.points)
    if any(seat in one for seat in ended.winners) and any(seat in other for seat in ended.winners):
        yield Note.of("tied", Rule.GOS_R2, seats=ended.winners)
    key = "won-pair" if not several and ended.winners in (one, other) and len(ended.winners) == 2 else "won"
    yield Note.of(key, Rule.GOS_R4 if several else Rule.GOS_14, seats=ended.winners, points=ended.points)

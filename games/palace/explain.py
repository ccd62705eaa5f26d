"""The notes of a step of Palace, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.game import Card, Note, Seat, SectionKind, Step, visible_to
from .model import (
    COLOUR_CHARGES,
    COLOUR_SIZES,
    COLOURS,
    END,
    Build,
    Cards,
    Command,
    Deal,
    Draw,
    Inspect,
    Options,
    Quake,
    Rule,
    State,
)
from .rules import (
    CARDS_ABOVE_END,
    FULL_HAND,
    HAND_SIZE,
    LAST_CARDS,
    QUAKE_SIZE,
    falls,
    holds,
    is_open,
    lying_cards,
    palace,
    result,
)

CHARGE_RULES = {**dict.fromkeys(COLOUR_CHARGES, Rule.PAL_12), "no_pair": Rule.PAL_14, "all_colours": Rule.PAL_15}


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step; only their owner learns which cards were dealt, drawn or built with."""
    before, seat, after = step.before, step.seat, step.after
    match step.command:
        case Deal():
            yield from _dealt(after, viewer)
        case Draw():
            yield _drew(before.pile[0], seat, viewer)
        case Build(palaces):
            yield from _built(seat, palaces, after, viewer)
        case Inspect():
            yield from _inspected(before, seat, step.command)
            yield from _opened(before, after)
        case Quake(colour):
            yield from _quaked(before, seat, colour)
            yield from _opened(before, after)
    yield from _next(after)


def _dealt(after: State, viewer: Seat | None) -> Iterator[Note]:
    yield Note.of("dealt", Rule.PAL_1, begins=SectionKind.DEAL, cards=HAND_SIZE)
    for seat, hand in enumerate(after.hands):
        if visible_to(viewer, seat):
            yield Note.of("hand", Rule.PAL_1, seat=Seat(seat), cards=hand)
    if after.seats == 3:
        yield Note.of("end-between", Rule.PAL_3)
        yield _end_place(after.options)
    else:
        yield Note.of("end-among-last", Rule.PAL_2, last=LAST_CARDS)


def _end_place(options: Options) -> Note:
    """Return the note of how many cards lie above END: never the place itself."""
    above = CARDS_ABOVE_END[options.end_place]
    if len(above) == 1:
        return Note.of("end-above", Rule.PAL_R1, above=above[0])
    return Note.of("end-about", Rule.PAL_R1, least=above[0], most=above[-1])


def _drew(card: Card, seat: Seat, viewer: Seat | None) -> Note:
    if card == END:
        return Note.of("end-drawn", Rule.PAL_7, begins=SectionKind.TURN, seat=seat)
    if visible_to(viewer, seat):
        return Note.of("drew", Rule.PAL_6, begins=SectionKind.TURN, seat=seat, card=card)
    return Note.of("drew-unseen", Rule.PAL_6, begins=SectionKind.TURN, seat=seat)


def _built(seat: Seat, palaces: tuple[Cards, ...], after: State, viewer: Seat | None) -> Iterator[Note]:
    new = after.palaces[seat][-len(palaces) :]
    for at, each in enumerate(new):
        begins = SectionKind.TURN if at == 0 else None
        yield Note.of("built", Rule.PAL_8, begins=begins, seat=seat, palace=each.number, size=len(each.cards))
    if len(new) == 2:
        yield Note.of("two-palaces", Rule.PAL_9, seat=seat)
    if visible_to(viewer, seat):
        for each in new:
            yield Note.of("own-palace", Rule.PAL_R3, seat=seat, palace=each.number, cards=each.cards)


def _inspected(before: State, seat: Seat, inspect: Inspect) -> Iterator[Note]:
    charge, rule = inspect.charge, CHARGE_RULES[inspect.charge]
    yield Note.of("inspected", Rule.PAL_10, begins=SectionKind.TURN, seat=seat, charge=charge)
    gained = 0
    for owner, number in inspect.targets:
        cards = palace(before, owner, number).cards
        if holds(charge, cards):
            gained += len(cards)
            yield Note.of("charge-holds", rule, owner=owner, palace=number, cards=cards, charge=charge)
            yield Note.of("pulled-down", Rule.PAL_11, owner=owner, palace=number, seat=seat, cards=cards)
        else:
            yield Note.of("charge-fails", rule, owner=owner, palace=number, cards=cards, charge=charge)
            yield Note.of("verified", Rule.PAL_10, owner=owner, palace=number)
    if len(inspect.targets) == 2:
        yield Note.of("both-judged", Rule.PAL_R5, seat=seat, gained=gained)


def _quaked(before: State, seat: Seat, colour: Card) -> Iterator[Note]:
    given: Cards = (colour,) * QUAKE_SIZE
    yield Note.of("quaked", Rule.PAL_16, begins=SectionKind.TURN, seat=seat, cards=given)
    fallen: Cards = ()
    for owner, palaces in enumerate(before.palaces):
        for each in palaces:
            if falls(each, colour):
                fallen += each.cards
                yield Note.of("fell", Rule.PAL_16, owner=Seat(owner), palace=each.number, cards=each.cards)
    if not fallen:
        yield Note.of("nothing-fell", Rule.PAL_R4, card=colour)
    yield Note.of("removed", Rule.PAL_17, cards=tuple(sorted(given + fallen)))


def _opened(before: State, after: State) -> Iterator[Note]:
    """Yield a note for each colour that a charge may name no longer, or may name again (PAL-13, PAL-R2)."""
    for colour in COLOURS:
        total, lying = COLOUR_SIZES[colour], lying_cards(after).count(colour)
        if is_open(after, colour) and not is_open(before, colour):
            if lying == total:
                yield Note.of("all-open", Rule.PAL_13, card=colour, total=total)
            else:
                yield Note.of("all-seen", Rule.PAL_R2, card=colour, total=total, lying=lying)
        elif is_open(before, colour) and not is_open(after, colour):
            yield Note.of("open-no-more", Rule.PAL_13, card=colour, total=total, lying=lying)
        elif not is_open(after, colour) and _shown(after, colour) == total > _shown(before, colour):
            yield Note.of("seen-not-lying", Rule.PAL_R2, card=colour, total=total, lying=lying)


def _shown(state: State, colour: Card) -> int:
    return (lying_cards(state) + state.out).count(colour)


def _next(after: State) -> Iterator[Note]:
    """Yield the note of the next turn, or of the winners."""
    ended = result(after)
    if ended is None:
        held = len(after.hands[after.turn])
        yield Note.of("turn", Rule.PAL_4, seat=after.turn)
        if held >= FULL_HAND:
            yield Note.of("must-build", Rule.PAL_5, seat=after.turn, held=held)
        return
    hands = tuple(map(len, after.hands))
    if len(ended.winners) > 1:
        key = "victory-shared"
    elif ended.points.count(max(ended.points)) > 1:
        key = "won-by-hand"
    else:
        key = "won"
    yield Note.of(key, Rule.PAL_18, seats=ended.winners, points=ended.points, hands=hands)

"""What happened in a step of Hearts, and by which rule."""

from collections.abc import Iterator

from kifu.core.game import Card, Note, Seat, SectionKind, Step, visible_to

from .model import CLUBS_2, HEARTS, SEATS, Command, Deal, Pass, Play, Rule, State, suit
from .rules import is_broken, points, result, score, step_of, taker, value


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    match step.command:
        case Deal():
            yield from _dealt(step.after, viewer)
        case Pass(cards):
            yield from _passed(step, cards, viewer)
        case Play(card):
            yield from _played(step, card)


def _dealt(after: State, viewer: Seat | None) -> Iterator[Note]:
    yield Note.of("dealt", Rule.HEARTS_1, begins=SectionKind.DEAL, deal=after.dealt, of=after.options.deals)
    for seat, hand in enumerate(after.hands):
        if visible_to(viewer, seat):
            yield Note.of("hand", Rule.HEARTS_1, seat=seat, cards=hand)
    yield Note.of("to-pass", Rule.HEARTS_2, step=step_of(after))
    if not after.passing:
        yield Note.of("leads-first", Rule.HEARTS_3, seat=after.leader)


def _passed(step: Step[State, Command], cards: tuple[Card, ...], viewer: Seat | None) -> Iterator[Note]:
    before, after = step.before, step.after
    to = (step.seat + step_of(before)) % SEATS
    if visible_to(viewer, step.seat):
        yield Note.of("passed-cards", Rule.HEARTS_2, seat=step.seat, to=to, cards=cards)
    else:
        yield Note.of("passed", Rule.HEARTS_2, seat=step.seat, to=to)
    if after.passing:
        return
    for seat, hand in enumerate(after.hands):
        if visible_to(viewer, seat):
            yield Note.of("hand", Rule.HEARTS_2, seat=seat, cards=hand)
    yield Note.of("leads-first", Rule.HEARTS_3, seat=after.leader)


def _played(step: Step[State, Command], card: Card) -> Iterator[Note]:
    before, after, seat = step.before, step.after, step.seat
    if not before.trick:
        rule = Rule.HEARTS_3 if card == CLUBS_2 else Rule.HEARTS_4
        yield Note.of("led", rule, begins=SectionKind.TRICK, seat=seat, card=card)
    elif suit(card) == suit(before.trick[0]):
        yield Note.of("followed", Rule.HEARTS_5, seat=seat, card=card)
    else:
        yield Note.of("discarded", Rule.HEARTS_5, seat=seat, card=card)
    if suit(card) == HEARTS and not is_broken(before):
        yield Note.of("broken", Rule.HEARTS_7)
    if after.trick:
        return
    trick = (*before.trick, card)
    winner = taker(before.leader, trick)
    yield Note.of("taken", Rule.HEARTS_8, seat=winner, cards=trick, points=sum(map(value, trick)))
    if not any(after.hands):
        yield from _ended(after)


def _ended(after: State) -> Iterator[Note]:
    """Yield the notes of a deal's end, and of the game's."""
    if max(points(after.taken)) * (SEATS - 1) == sum(points(after.taken)):
        yield Note.of("moon", Rule.HEARTS_10, seat=points(after.taken).index(0))
    scored = score(after.totals, after.taken)
    yield Note.of("scored", Rule.HEARTS_9, points=scored)
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.HEARTS_11, seats=ended.winners)

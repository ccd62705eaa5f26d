"""What happened in a step of Goofspiel, and by which rule."""

from collections.abc import Iterator

from kifu.core.game import Note, Seat, SectionKind, Step

from .model import Command, Deal, Rule, State
from .rules import result, start, taker


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    before, after = step.before, step.after
    if before == start(before.options, len(before.hands)):  # without a deal the first bid tells the set-up
        yield Note.of("laid-out", Rule.GOO_1, begins=SectionKind.ROUND, count=len(after.prizes), prize=after.prizes[0])
    if isinstance(step.command, Deal):
        return
    yield Note.of("bid", Rule.GOO_2, begins=SectionKind.TURN, seat=step.seat)
    if after.shown != before.shown:
        bids, turn = tuple(cards[-1] for cards in after.shown), len(after.shown[0])
        by, prize = taker(bids), after.prizes[turn - 1]
        if by is None:
            yield Note.of("tied", Rule.GOO_3, cards=bids, prize=prize)
        else:
            yield Note.of("taken", Rule.GOO_3, cards=bids, prize=prize, seat=by)
        if turn < len(after.prizes):
            yield Note.of("prize", Rule.GOO_1, prize=after.prizes[turn])
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.GOO_4, seats=ended.winners, points=ended.points)

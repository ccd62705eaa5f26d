"""What happened in a step of Reversi, and by which rule."""

from collections.abc import Iterator

from kifu.core.game import Note, Seat, SectionKind, Step

from .model import Command, Place, Rule, State
from .rules import result, scores, start


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step; the text of each is the message `note-KEY`."""
    before, after = step.before, step.after
    if before == start(before.options, 2):  # the set-up has no event: the first step tells it
        yield Note.of("set-up", Rule.REV_1, begins=SectionKind.ROUND, seats=(0, 1))
    if isinstance(step.command, Place):
        turned = sum(old is not None and old != new for old, new in zip(before.discs, after.discs, strict=True))
        yield Note.of("placed", Rule.REV_2, begins=SectionKind.TURN, seat=step.seat, space=step.command.space)
        yield Note.of("turned", Rule.REV_3, count=turned, points=scores(after))
    else:
        yield Note.of("passed", Rule.REV_4, begins=SectionKind.TURN, seat=step.seat)
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.REV_5, seats=ended.winners, points=ended.points)

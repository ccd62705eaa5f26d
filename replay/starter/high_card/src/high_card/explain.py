"""What happened in a step of High Card, and by which rule."""

from collections.abc import Iterator

from kifu.core.game import Note, Seat, SectionKind, Step, visible_to

from .model import Command, Deal, Rule, State
from .rules import result


def explain(step: Step[State, Command], viewer: Seat | None) -> Iterator[Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    after = step.after
    if isinstance(step.command, Deal):
        yield Note.of("dealt", Rule.HC_1, begins=SectionKind.DEAL, cards=after.options.hand)
        for seat, hand in enumerate(after.hands):
            if visible_to(viewer, seat):
                yield Note.of("hand", Rule.HC_1, seat=seat, cards=hand)
        return
    yield Note.of("laid", Rule.HC_2, begins=SectionKind.TURN, seat=step.seat)
    if after.turned != step.before.turned:
        up = tuple(cards[-1] for cards in after.turned)
        yield Note.of("turned-up", Rule.HC_3, cards=up, seat=up.index(max(up)), card=max(up))
    ended = result(after)
    if ended is not None:
        yield Note.of("won", Rule.HC_4, seats=ended.winners, points=ended.points)

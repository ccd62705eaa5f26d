"""How High Card tells and shows itself. What is not written here is derived: the scene, and what a click means."""

from collections.abc import Iterator
from typing import Any

from kifu.core.game import Card, Face, Note, SectionKind, Step, visible_to

from .rules import Deal, Rule, State, result


def explain(step: Step[State, Any], viewer: int | None) -> Iterator[Note]:
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


def face(card: Card) -> Face:
    """Return how a card looks."""
    return Face(str(card))

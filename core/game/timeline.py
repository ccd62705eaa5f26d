"""Effective events: a takeback restores the state after an earlier event, even one that was itself undone.

The other commands of the log format leave the state as it is, and are no game events either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from .events import FORMAT_COMMANDS, Event, ObservedEvent, Takeback

AnyEvent = Event[Any] | ObservedEvent[Any]
E = TypeVar("E", bound=AnyEvent)


def base(event: AnyEvent) -> int:
    """Return the number of the event after whose state this one starts: `to` of a takeback; -1 is the start."""
    return event.command.to if isinstance(event.command, Takeback) else event.seq - 1


def origins(events: Sequence[AnyEvent], found: list[int] | None = None) -> list[int]:
    """Return, per event, the number of the game event after which the state was the same; -1 is the start.

    `events` begin with the first of the match. A game event is one whose command is the game's; it is its own origin.
    What was found of the first of these events is gone on from, and added to.
    """
    found = [] if found is None else found
    for event in events[len(found) :]:
        if isinstance(event.command, FORMAT_COMMANDS):
            found.append(found[base(event)] if base(event) >= 0 else -1)
        else:
            found.append(event.seq)
    return found


def effective(events: Sequence[E]) -> list[E]:
    """Return the game events that led to the present state, in order: none of the log format, and none undone."""
    return [events[seq] for seq in path(origins(events), -1, len(events) - 1)]


def before_last_of(events: Sequence[AnyEvent], seat: int) -> int | None:
    """Return the number of the event after which the seat gave its last effective command (-1: the start).

    None if no command of the seat is effective. `events` begin with the first of the match.
    """
    seq = len(events) - 1
    while seq >= 0:
        event = events[seq]
        if event.seat == seat and not isinstance(event.command, FORMAT_COMMANDS):
            return seq - 1
        seq = base(event)
    return None


def undone(events: Sequence[E], seq: int) -> list[E]:
    """Return the effective events that a takeback to event `seq` would undo, in order.

    Empty if event `seq` is itself undone now: such a takeback restores other events.
    """
    return [events[each] for each in path(origins(events), seq, len(events) - 1)]


def path(origins: Sequence[int], after: int, until: int) -> list[int]:
    """Return the numbers of the game events from the state after event `after` to that after event `until`, in order.

    Empty if there is no such path. Takes time proportional to the length of the path, or without one to all events.
    """
    start, now = (origins[seq] if seq >= 0 else -1 for seq in (after, until))
    found: list[int] = []
    while now > start:
        found.append(now)
        now = origins[now - 1] if now else -1
    return found[::-1] if now == start else []

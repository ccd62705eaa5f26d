"""Takebacks that need no consent: those of commands by which nobody has learnt anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..game import FORMAT_COMMANDS, Event, Face, RedactedCommand, Seat
from ..game.timeline import undone
from ..match import Match


def is_free_of_consent(match: Match[Any, Any, Any], seat: Seat, to: int) -> bool:
    """Return True if this seat may restore the state after event `to` without the others' consent.

    Three things hold since then: only this seat has acted; the others saw only that it acted; no viewer's scene has
    shown a card that it did not show before.
    """
    to_undo = undone(match.events, to)
    if not to_undo:
        return False
    first = to_undo[0].seq
    since = [event for event in match.events[first:] if not isinstance(event.command, FORMAT_COMMANDS)]
    if any(event.seat != seat for event in since):
        return False
    return all(_is_secret(match, event) for event in since) and not _shows_more(match, first)


def _is_secret(match: Match[Any, Any, Any], event: Event[Any]) -> bool:
    """Return True if the other viewers saw of this event only its tag and its seat."""
    step = match.steps[event.seq]
    for viewer in _viewers(match):
        if viewer == event.seat:
            continue
        observed = step.command_for(viewer)
        if not isinstance(observed, RedactedCommand) or observed.fields:
            return False
        if any(value != ("seat", event.seat) for note in step.notes_for(viewer) for value in note.values):
            return False
    return True


def _shows_more(match: Match[Any, Any, Any], first: int) -> bool:
    """Return True if, since event `first`, any viewer's scene has shown a card that it did not show before."""
    for viewer in _viewers(match):
        before = _faces(match, viewer, first)
        if any(_faces(match, viewer, after) - before for after in range(first + 1, len(match.states))):
            return True
    return False


def _faces(match: Match[Any, Any, Any], viewer: Seat | None, count: int) -> Counter[Face]:
    """Return the faces that a viewer saw after so many events, with their numbers."""
    scene = match.game.scene(match.game.view(match.states[count], viewer))
    places = (scene.table, *scene.places)
    return Counter(face for place in places for zone in place.zones for thing in zone.things for face in thing.faces)


def _viewers(match: Match[Any, Any, Any]) -> list[Seat | None]:
    return [None, *(Seat(seat) for seat in range(len(match.header.seats)))]

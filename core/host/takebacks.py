"""Which commands may be taken back without asking: those by which nobody has learnt anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..game import Event, RedactedCommand, Seat, Takeback
from ..match import Match
from ..scene import Face
from ..timeline import undone


def is_free_of_consent(match: Match[Any, Any, Any], seat: Seat, to: int) -> bool:
    """Tell whether this seat may restore the state after event `to` without the others' consent.

    Since then nobody else has acted, the others saw nothing but that something was done, and nobody's scene shows a
    card that it did not show before.
    """
    to_undo = undone(match.events, to)
    if not to_undo:
        return False
    first = to_undo[0].seq
    since = [event for event in match.events[first:] if not isinstance(event.command, Takeback)]
    if any(event.seat != seat for event in since):
        return False
    return all(_is_secret(match, event) for event in since) and not _shows_more(match, first)


def _is_secret(match: Match[Any, Any, Any], event: Event[Any]) -> bool:
    """Tell whether the others saw of this event only that it was done, and by whom."""
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
    """Tell whether, since event `first`, anybody's scene has shown a card that it did not show before it."""
    for viewer in _viewers(match):
        before = _faces(match, viewer, first)
        if any(_faces(match, viewer, after) - before for after in range(first + 1, len(match.states))):
            return True
    return False


def _faces(match: Match[Any, Any, Any], viewer: Seat | None, count: int) -> Counter[Face]:
    """Count the cards whose faces a viewer saw after so many events."""
    scene = match.game.scene(match.game.view(match.states[count], viewer))
    places = (scene.table, *scene.places)
    return Counter(face for place in places for zone in place.zones for thing in zone.things for face in thing.faces)


def _viewers(match: Match[Any, Any, Any]) -> list[Seat | None]:
    return [None, *(Seat(seat) for seat in range(len(match.header.seats)))]

"""Takebacks that need no consent: those of commands by which nobody has learnt anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..errors import Message
from ..game import FORMAT_COMMANDS, Event, Face, RedactedCommand, Seat
from ..game.timeline import path
from .match import Match


def why_consent_is_needed(match: Match[Any, Any, Any], seat: int, to: int, count: int | None = None) -> Message | None:
    """Say why this seat may not restore the state after event `to` without the others' consent; None if it may.

    It may if three things hold since then: only this seat has acted; the others saw only that it acted; no viewer's
    scene has shown a card that it did not show before. `count` is how many events there are, by default all.
    """
    count = len(match.events) if count is None else count
    to_undo = path(match.origins, to, count - 1)
    if not to_undo:
        return Message("consent-not-undone", "the state after event {to} is not on the way to the present", to=to)
    first = to_undo[0]
    since = [event for event in match.events[first:count] if not isinstance(event.command, FORMAT_COMMANDS)]
    for event in since:
        if event.seat != seat:
            return Message("consent-others-acted", "another has acted since, at event {seq}", seq=event.seq)
        if not _is_secret(match, event):
            english = "the others saw at event {seq} what was done, not only that it was"
            return Message("consent-others-saw", english, seq=event.seq)
    shown = _first_shown(match, first, count)
    if shown is not None:
        return Message("consent-card-shown", "a card was shown since, at event {seq}", seq=shown)
    return None


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


def _first_shown(match: Match[Any, Any, Any], first: int, count: int) -> int | None:
    """Return the first event from `first` on after which a viewer's scene shows a card that it did not show before."""
    viewers, states = _viewers(match), match.states
    before = {viewer: _faces(match, viewer, states[first]) for viewer in viewers}
    seen = {id(states[first])}
    for seq in range(first, count):
        state = states[seq + 1]
        if id(state) in seen:  # a takeback has restored it
            continue
        seen.add(id(state))
        if any(_faces(match, viewer, state) - before[viewer] for viewer in viewers):
            return seq
    return None


def _faces(match: Match[Any, Any, Any], viewer: int | None, state: Any) -> Counter[Face]:
    """Return the faces that a viewer saw in a state, with their numbers."""
    scene = match.game.scene(match.game.view(state, viewer))
    return Counter(face for thing in scene.things() for face in thing.faces)


def _viewers(match: Match[Any, Any, Any]) -> list[int | None]:
    return [None, *(Seat(seat) for seat in range(len(match.header.seats)))]

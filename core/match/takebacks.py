"""Takebacks that need no consent: those of commands by which nobody has learnt anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import define, field

from ..errors import Message
from ..game import FORMAT_COMMANDS, Event, Face, RedactedCommand, Seat
from ..game.timeline import path
from .match import Match

Shown = tuple[frozenset[tuple[Face, int]], ...]
"""For each viewer the faces that it sees, with their numbers."""


def why_consent_is_needed(match: Match[Any, Any, Any], seat: int, to: int, count: int | None = None) -> Message | None:
    """Say why this seat may not restore the state after event `to` without the others' consent; None if it may.

    It may if three things hold since then: only this seat has acted; the others saw only that it acted; no viewer's
    scene has shown a card that it did not show before. `count` is how many events there are, by default all.
    """
    return Learnt(match).why_consent_is_needed(seat, to, len(match.events) if count is None else count)


@define
class Learnt:
    """What the viewers of a match have learnt by its events: each is looked at once, of however many takebacks."""

    match: Match[Any, Any, Any]
    _secret: dict[int, bool] = field(factory=dict, init=False)
    """By event whether the others saw only that the seat acted."""
    _shown: dict[int, Shown] = field(factory=dict, init=False)
    """By the id of a state what it shows."""
    _alike: dict[Shown, Shown] = field(factory=dict, init=False)
    """The first that was found of all that are equal."""

    def why_consent_is_needed(self, seat: int, to: int, count: int) -> Message | None:
        """Say it of the moment after so many events."""
        to_undo = path(self.match.origins, to, count - 1)
        if not to_undo:
            return Message("consent-not-undone", "the state after event {to} is not on the way to the present", to=to)
        first = to_undo[0]
        for event in self.match.events[first:count]:
            if isinstance(event.command, FORMAT_COMMANDS):
                continue
            if event.seat != seat:
                return Message("consent-others-acted", "another has acted since, at event {seq}", seq=event.seq)
            if event.seq not in self._secret:
                self._secret[event.seq] = _is_secret(self.match, event)
            if not self._secret[event.seq]:
                english = "the others saw at event {seq} what was done, not only that it was"
                return Message("consent-others-saw", english, seq=event.seq)
        shown = self._first_shown(first, count)
        if shown is not None:
            return Message("consent-card-shown", "a card was shown since, at event {seq}", seq=shown)
        return None

    def _first_shown(self, first: int, count: int) -> int | None:
        """Return the first event from `first` on after which a viewer sees a card that it did not see before."""
        states = self.match.states
        before = self._shown_in(states[first])
        looked_at = {id(before)}
        for seq in range(first, count):
            now = self._shown_in(states[seq + 1])
            if id(now) in looked_at:  # so if a takeback has restored the state
                continue
            looked_at.add(id(now))
            if any(Counter(dict(mine)) - Counter(dict(old)) for mine, old in zip(now, before, strict=True)):
                return seq
        return None

    def _shown_in(self, state: Any) -> Shown:
        """Return what a state shows, the same object for all that show the same."""
        if id(state) not in self._shown:
            shown = tuple(frozenset(_faces(self.match, viewer, state).items()) for viewer in _viewers(self.match))
            self._shown[id(state)] = self._alike.setdefault(shown, shown)
        return self._shown[id(state)]


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


def _faces(match: Match[Any, Any, Any], viewer: int | None, state: Any) -> Counter[Face]:
    """Return the faces that a viewer saw in a state, with their numbers."""
    scene = match.game.scene(match.game.view(state, viewer))
    return Counter(face for thing in scene.things() for face in thing.faces)


def _viewers(match: Match[Any, Any, Any]) -> list[int | None]:
    return [None, *(Seat(seat) for seat in range(len(match.header.seats)))]

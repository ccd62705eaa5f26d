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
    _secret_until: dict[tuple[int, int], int] = field(factory=dict, init=False)
    """By seat and the first event that is undone, up to which event nobody has learnt anything since."""

    def why_consent_is_needed(self, seat: int, to: int, count: int) -> Message | None:
        """Say it of the moment after so many events."""
        to_undo = path(self.match.origins, to, count - 1)
        if not to_undo:
            return Message("consent-not-undone", "the state after event {to} is not on the way to the present", to=to)
        first = to_undo[0]
        seq, why = self._secret_until.get((seat, first), first), None
        while seq < count and (why := self._why_learnt(seat, first, seq)) is None:
            seq += 1
        self._secret_until[seat, first] = seq
        return why

    def _why_learnt(self, seat: int, first: int, seq: int) -> Message | None:
        """Say what others have learnt by one event of those from `first` on; None if nothing."""
        event, states = self.match.events[seq], self.match.states
        if not isinstance(event.command, FORMAT_COMMANDS):
            if event.seat != seat:
                return Message("consent-others-acted", "another has acted since, at event {seq}", seq=seq)
            if seq not in self._secret:
                self._secret[seq] = _is_secret(self.match, event)
            if not self._secret[seq]:
                english = "the others saw at event {seq} what was done, not only that it was"
                return Message("consent-others-saw", english, seq=seq)
        now, before = self._shown_in(states[seq + 1]), self._shown_in(states[first])
        if now is before:  # so if a takeback has restored the state
            return None
        if any(Counter(dict(mine)) - Counter(dict(old)) for mine, old in zip(now, before, strict=True)):
            return Message("consent-card-shown", "a card was shown since, at event {seq}", seq=seq)
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

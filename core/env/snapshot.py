"""The snapshot of a match for OpenSpiel, which copies and pickles it, and the history of each seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from attrs import evolve, frozen

from ..game import AnyGame, AnyStep, Event, ObservedEvent, RedactedCommand, Seat, Shuffler, Step
from ..wire.packing import pack

DIGEST_BYTES = 16

Determinizer = Callable[[Shuffler], Any]
"""Returns a random state that agrees with what a seat knows."""


@frozen
class PlayerHistory:
    """The history of one seat, and a digest of it and of every view that the seat had."""

    digest: bytes
    events: tuple[ObservedEvent[Any], ...]


EMPTY = PlayerHistory(b"", ())


@frozen
class Snapshot:
    """An immutable state of a match between two actions; a copy is the object itself."""

    state: Any
    start: Any
    """The state before the first of `steps`."""
    steps: tuple[tuple[Seat, Any, Any], ...] = ()
    """Each command with its seat and the state after it."""
    draws: tuple[int, ...] = ()
    """The draws so far of an incomplete deal."""
    tokens: tuple[int, ...] = ()
    """The actions so far of an incomplete command."""
    base: Mapping[Seat | None, PlayerHistory] | None = None
    """The history of one seat before the first of `steps`, if `start` was drawn for that seat; else None."""

    def __deepcopy__(self, _: Any) -> Snapshot:
        return self

    def with_draw(self, draw: int) -> Snapshot:
        """Return the snapshot after one more draw of a deal."""
        return evolve(self, draws=(*self.draws, draw))

    def with_action(self, action: int) -> Snapshot:
        """Return the snapshot after one more action of an incomplete command."""
        return evolve(self, tokens=(*self.tokens, action))

    def with_command(self, seat: Seat, command: Any, after: Any) -> Snapshot:
        """Return the snapshot after a whole command, which led to the state `after`."""
        return Snapshot(after, self.start, (*self.steps, (seat, command, after)), base=self.base)

    def step(self, game: AnyGame, place: int) -> AnyStep:
        """Return one of `steps`, with the state before it."""
        actor, command, after = self.steps[place]
        before = self.steps[place - 1][2] if place else self.start
        return Step(Event(place, actor, command), before, after, game)


class DerivedCache:
    """Values derived from a snapshot that are costly to compute; never pickled."""

    def __init__(self) -> None:
        self.spiel: Any = None
        self.choice: Any = None
        self.determinizers: dict[Seat, tuple[PlayerHistory, Determinizer]] = {}
        self._histories: dict[Seat | None, tuple[int, PlayerHistory]] = {}
        self._base: Mapping[Seat | None, PlayerHistory] | None = None

    def __deepcopy__(self, _: Any) -> DerivedCache:
        copy = DerivedCache()
        copy.__dict__.update(self.__dict__, _histories=dict(self._histories))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return DerivedCache, ()

    def clear(self) -> None:
        """Drop what holds for one snapshot alone; the histories stay."""
        self.choice = None
        self.determinizers = {}

    def history(self, game: AnyGame, snapshot: Snapshot, seat: Seat | None) -> PlayerHistory:
        """Return the history of a seat, continued from the steps that are cached."""
        if snapshot.base is not self._base:
            self._histories, self._base = {}, snapshot.base
        base = (snapshot.base or {}).get(seat, EMPTY)
        count, history = self._histories.get(seat, (0, base))
        for place in range(count, len(snapshot.steps)):
            step = snapshot.step(game, place)
            event = ObservedEvent(len(history.events), step.seat, step.command_for(seat), step.notes_for(seat))
            packed = pack((history.digest, event.seat, *plain_event(game, event), game.view(step.after, seat)))
            history = PlayerHistory(blake2b(packed, digest_size=DIGEST_BYTES).digest(), (*history.events, event))
        self._histories[seat] = (len(snapshot.steps), history)
        return history


def plain_event(game: AnyGame, event: ObservedEvent[Any]) -> tuple[str, Any, Any]:
    """Return the tag of an observed event's command, the command or its public fields, and its notes."""
    command: Any = event.command
    notes = [(note.key, note.values) for note in event.notes]
    if isinstance(command, RedactedCommand):
        return command.tag, command.fields, notes
    return game.wire[type(command)], command, notes

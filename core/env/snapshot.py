"""Where a match stands for OpenSpiel, which copies and pickles it; and what each seat remembers of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from attrs import evolve, frozen

from ..game import Event, Game, ObservedEvent, RedactedCommand, Seat, Step
from ..shuffle import Shuffler
from ..wire import pack

DIGEST_BYTES = 16

Determinizer = Callable[[Shuffler], Any]
"""Draws states that a seat may be in."""


@frozen
class PlayerHistory:
    """What one seat remembers: all that it saw and was told, and a digest of that and of every view that it had."""

    digest: bytes
    events: tuple[ObservedEvent[Any], ...]


NOTHING = PlayerHistory(b"", ())


@frozen
class Snapshot:
    """Where a match stands between two actions. It never changes, so a copy is itself."""

    state: Any
    begun: Any
    """The state before the first of `steps`."""
    steps: tuple[tuple[Seat, Any, Any], ...] = ()
    """Each command with its seat and the state after it."""
    draws: tuple[int, ...] = ()
    """The draws of the deal that is being made."""
    tokens: tuple[int, ...] = ()
    """The actions of the command that is being spelled."""
    base: Mapping[Seat | None, PlayerHistory] | None = None
    """What a seat remembers from before the first of `steps`, in a state that was drawn from its view; else None."""

    def __deepcopy__(self, _: Any) -> Snapshot:
        return self

    def with_draw(self, draw: int) -> Snapshot:
        return evolve(self, draws=(*self.draws, draw))

    def with_action(self, action: int) -> Snapshot:
        return evolve(self, tokens=(*self.tokens, action))

    def with_command(self, seat: Seat, command: Any, after: Any) -> Snapshot:
        return Snapshot(after, self.begun, (*self.steps, (seat, command, after)), base=self.base)

    def step(self, game: Game[Any, Any, Any], place: int) -> Step[Any, Any]:
        """Give one of `steps` with the state before it."""
        actor, command, after = self.steps[place]
        before = self.steps[place - 1][2] if place else self.begun
        return Step(Event(place, actor, command), before, after, game)


class DerivedCache:
    """What follows from a moment and took time to find out; never pickled."""

    def __init__(self) -> None:
        self.table: Any = None
        self.choice: Any = None
        self.determinizer: dict[Seat, tuple[PlayerHistory, Determinizer]] = {}
        self._memories: dict[Seat | None, tuple[int, PlayerHistory]] = {}
        self._base: Mapping[Seat | None, PlayerHistory] | None = None

    def __deepcopy__(self, _: Any) -> DerivedCache:
        copy = DerivedCache()
        copy.__dict__.update(self.__dict__, _memories=dict(self._memories))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return DerivedCache, ()

    def clear(self) -> None:
        self.choice = None
        self.determinizer = {}

    def history(self, game: Game[Any, Any, Any], snapshot: Snapshot, seat: Seat | None) -> PlayerHistory:
        """Add what a seat saw and was told of each step, and its view after it, from where it was last asked."""
        if snapshot.base is not self._base:
            self._memories, self._base = {}, snapshot.base
        base = (snapshot.base or {}).get(seat, NOTHING)
        count, memory = self._memories.get(seat, (0, base))
        for place in range(count, len(snapshot.steps)):
            step = snapshot.step(game, place)
            saw = ObservedEvent(len(memory.events), step.seat, step.command_for(seat), step.notes_for(seat))
            shown = pack((memory.digest, saw.seat, *_plain(game, saw), game.view(step.after, seat)))
            memory = PlayerHistory(blake2b(shown, digest_size=DIGEST_BYTES).digest(), (*memory.events, saw))
        self._memories[seat] = (len(snapshot.steps), memory)
        return memory


def _plain(game: Game[Any, Any, Any], saw: ObservedEvent[Any]) -> tuple[str, Any, Any]:
    """Give what was seen of a command, with its tag, and what was told of it."""
    command: Any = saw.command
    told = [(note.key, note.values) for note in saw.notes]
    if isinstance(command, RedactedCommand):
        return command.tag, command.fields, told
    return game.wire[type(command)], command, told

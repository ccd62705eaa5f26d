"""Where a match stands for OpenSpiel, which copies and pickles it; and what each seat remembers of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from attrs import evolve, frozen

from ..game import Event, Game, Hidden, Seat, Sighting, Step
from ..shuffle import Shuffler
from ..wire import pack

DIGEST_BYTES = 16

Twins = Callable[[Shuffler], Any]
"""Draws states that a seat may be in."""


@frozen
class Memory:
    """What one seat remembers: all that it saw and was told, and a digest of that and of every view that it had."""

    digest: bytes
    seen: tuple[Sighting[Any], ...]


NOTHING = Memory(b"", ())


@frozen
class Moment:
    """Where a match stands between two actions. It never changes, so a copy is itself."""

    state: Any
    begun: Any
    """The state before the first of `steps`."""
    steps: tuple[tuple[Seat, Any, Any], ...] = ()
    """Each command with its seat and the state after it."""
    draws: tuple[int, ...] = ()
    """The draws of the deal that is being made."""
    said: tuple[int, ...] = ()
    """The actions of the command that is being spelled."""
    base: Mapping[Seat | None, Memory] | None = None
    """What a seat remembers from before the first of `steps`, in a state that was drawn from its view; else None."""

    def __deepcopy__(self, _: Any) -> Moment:
        return self

    def drew(self, draw: int) -> Moment:
        return evolve(self, draws=(*self.draws, draw))

    def spelled(self, action: int) -> Moment:
        return evolve(self, said=(*self.said, action))

    def stepped(self, seat: Seat, command: Any, after: Any) -> Moment:
        return Moment(after, self.begun, (*self.steps, (seat, command, after)), base=self.base)

    def step(self, game: Game[Any, Any, Any], place: int) -> Step[Any, Any]:
        """Give one of `steps` with the state before it."""
        actor, command, after = self.steps[place]
        before = self.steps[place - 1][2] if place else self.begun
        return Step(Event(place, actor, command), before, after, game)


class Scratch:
    """What follows from a moment and took time to find out; never pickled."""

    def __init__(self) -> None:
        self.table: Any = None
        self.choice: Any = None
        self.twins: dict[Seat, tuple[Memory, Twins]] = {}
        self._memories: dict[Seat | None, tuple[int, Memory]] = {}
        self._base: Mapping[Seat | None, Memory] | None = None

    def __deepcopy__(self, _: Any) -> Scratch:
        copy = Scratch()
        copy.__dict__.update(self.__dict__, _memories=dict(self._memories))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return Scratch, ()

    def clear(self) -> None:
        self.choice = None
        self.twins = {}

    def memory(self, game: Game[Any, Any, Any], moment: Moment, seat: Seat | None) -> Memory:
        """Add what a seat saw and was told of each step, and its view after it, from where it was last asked."""
        if moment.base is not self._base:
            self._memories, self._base = {}, moment.base
        base = (moment.base or {}).get(seat, NOTHING)
        count, memory = self._memories.get(seat, (0, base))
        for place in range(count, len(moment.steps)):
            step = moment.step(game, place)
            saw = Sighting(len(memory.seen), step.seat, step.sighting(seat), step.told(seat))
            shown = pack((memory.digest, saw.seat, *_plain(game, saw), game.view(step.after, seat)))
            memory = Memory(blake2b(shown, digest_size=DIGEST_BYTES).digest(), (*memory.seen, saw))
        self._memories[seat] = (len(moment.steps), memory)
        return memory


def _plain(game: Game[Any, Any, Any], saw: Sighting[Any]) -> tuple[str, Any, Any]:
    """Give what was seen of a command, with its tag, and what was told of it."""
    command: Any = saw.command
    told = [(note.key, note.values) for note in saw.notes]
    if isinstance(command, Hidden):
        return command.tag, command.fields, told
    return game.wire[type(command)], command, told

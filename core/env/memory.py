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
    """What one seat remembers: a digest of all that it saw and of every view that it had, and what it saw."""

    digest: bytes
    seen: tuple[Sighting[Any], ...]


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

    def seen(self, game: Game[Any, Any, Any], seat: Seat) -> tuple[Sighting[Any], ...]:
        """List what a seat saw, from the beginning of the match."""
        known = (self.base or {}).get(seat)
        seen = list(known.seen) if known else []
        before = self.begun
        for actor, command, after in self.steps:
            step = Step(Event(len(seen), actor, command), before, after, game)
            seen.append(Sighting(step.seq, actor, step.sighting(seat), step.told(seat)))
            before = after
        return tuple(seen)


class Scratch:
    """What follows from a moment and took time to find out; never pickled."""

    def __init__(self) -> None:
        self.table: Any = None
        self.choice: Any = None
        self.twins: dict[Seat, tuple[Memory, Twins]] = {}
        self._memories: dict[Seat | None, tuple[int, bytes]] = {}
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

    def memory(self, game: Game[Any, Any, Any], moment: Moment, seat: Seat | None) -> bytes:
        """Chain what a seat saw of each step, and its view after it, on from where it was last asked."""
        if moment.base is not self._base:
            self._memories, self._base = {}, moment.base
        base = (moment.base or {}).get(seat)
        count, digest = self._memories.get(seat, (0, base.digest if base else b""))
        for actor, command, after in moment.steps[count:]:
            shown = pack((digest, actor, _sighting(game, command, actor, seat), game.view(after, seat)))
            digest = blake2b(shown, digest_size=DIGEST_BYTES).digest()
        self._memories[seat] = (len(moment.steps), digest)
        return digest


def _sighting(game: Game[Any, Any, Any], command: Any, actor: Seat, seat: Seat | None) -> tuple[str, Any]:
    """Give what a seat sees of a command, with its tag."""
    sighting = game.seen(command, actor, seat)
    return (sighting.tag, sighting.fields) if isinstance(sighting, Hidden) else (game.wire[type(sighting)], sighting)

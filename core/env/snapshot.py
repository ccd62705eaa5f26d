"""A match inside OpenSpiel: a snapshot, which is copied and pickled; the draws of a deal; what each seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from attrs import frozen

from ..errors import MatchError
from ..game import TABLE, AnyGame, AnyStep, Event, ObservedEvent, Shuffler, Step, encoding_of
from ..wire import pack, wire_of
from .action_encoding import ActionEncoding

DIGEST_BYTES = 16

HISTORY, DIGEST = "history", "digest"
"""The places of the rows, and of the digest of all that was observed."""
ROW = 12
"""The numbers of a row: seat, tag, and as many of the command's and the notes' numbers as there is room for."""
_DIGEST_NUMBERS, _DIGEST_BYTES = 4, 3


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
    steps: tuple[tuple[int, Any, Any], ...] = ()
    """Each command with its seat and the state after it."""
    draws: tuple[int, ...] = ()
    """The draws so far of an incomplete deal."""
    tokens: tuple[int, ...] = ()
    """The actions so far of an incomplete command."""

    def __deepcopy__(self, _: Any) -> Snapshot:
        return self

    def with_command(self, seat: int, command: Any, after: Any) -> Snapshot:
        """Return the snapshot after a whole command, which led to the state `after`."""
        return Snapshot(after, self.start, (*self.steps, (seat, command, after)))

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
        """What holds for one snapshot alone, and is dropped with it; the histories stay."""
        self._histories: dict[int | None, tuple[int, PlayerHistory]] = {}

    def __deepcopy__(self, _: Any) -> DerivedCache:
        copy = DerivedCache()
        copy.__dict__.update(self.__dict__, _histories=dict(self._histories))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return DerivedCache, ()

    def history(self, game: AnyGame, snapshot: Snapshot, seat: int | None) -> PlayerHistory:
        """Return the history of a seat, continued from the steps that are cached."""
        count, history = self._histories.get(seat, (0, EMPTY))
        for place in range(count, len(snapshot.steps)):
            step = snapshot.step(game, place)
            event = ObservedEvent(len(history.events), step.seat, step.command_for(seat), step.notes_for(seat))
            told = [(note.key, note.values) for note in event.notes]
            shown = wire_of(game).observed(event.command), told, game.view(step.after, seat)
            packed = pack((history.digest, event.seat, shown))
            history = PlayerHistory(blake2b(packed, digest_size=DIGEST_BYTES).digest(), (*history.events, event))
        self._histories[seat] = (len(snapshot.steps), history)
        return history


class DrawNeeded(Exception):  # noqa: N818 (no error: a draw is due)
    """Raised when a deal needs one more draw, of 0 … `bound` - 1."""

    def __init__(self, bound: int) -> None:
        super().__init__(bound)
        self.bound = bound


class ScriptedShuffler(Shuffler):
    """A shuffler that returns given draws, in order."""

    def __init__(self, draws: tuple[int, ...]) -> None:
        self._left = iter(draws)

    def below(self, bound: int) -> int:
        """Return the next draw; raises `DrawNeeded` if there is none, `MatchError` if it is not below the bound."""
        if bound == 1:
            return 0
        for draw in self._left:
            if not 0 <= draw < bound:
                raise MatchError(f"chance has no outcome {draw} here; it draws 0 to {bound - 1}")
            return draw
        raise DrawNeeded(bound)


class _Widest(ScriptedShuffler):
    """A shuffler that draws zeros and keeps the greatest bound."""

    def __init__(self) -> None:
        super().__init__(())
        self.bound = 1

    def below(self, bound: int) -> int:
        self.bound = max(self.bound, bound)
        return 0


def widest_draw(game: AnyGame, start: Any) -> int:
    """Return the greatest number of outcomes of a draw in the game's first deal."""
    widest = _Widest()
    if TABLE in game.to_act(start):
        game.deal(start, widest)
    return widest.bound


class HistoryEncoder:
    """Turns the history of a seat into numbers of a fixed count: a digest of it, and a row for each event.

    A row is the seat, the number of the command's tag, then its numbers as the seat saw them and those of its notes;
    each is stored plus 2. 0 is nothing, and what has no room in a row is in the digest alone. Of a
    history longer than `Encoding.longest` the latest events have rows. Equal histories have equal numbers; others
    differ in the digest, 96 bits as four numbers of 0 to 1.
    """

    def __init__(self, game: AnyGame, encoding: ActionEncoding) -> None:
        """Lay the numbers out."""
        self._longest = encoding_of(game).longest
        self._tags = {tag: encoding.tag(kind) for kind, tag in game.wire.items()}
        self._wire = wire_of(game)
        self.places = {DIGEST: slice(0, _DIGEST_NUMBERS), HISTORY: slice(_DIGEST_NUMBERS, self.size)}

    @property
    def size(self) -> int:
        """The count of numbers."""
        return _DIGEST_NUMBERS + self._longest * ROW

    def write(self, history: PlayerHistory, array: Any) -> None:
        """Write a history into an array of `size` zeros."""
        whole = 256**_DIGEST_BYTES
        for at in range(_DIGEST_NUMBERS if history.events else 0):
            part = history.digest[at * _DIGEST_BYTES : (at + 1) * _DIGEST_BYTES]
            array[at] = int.from_bytes(part, "big") / whole
        rows = array[self.places[HISTORY]].reshape(self._longest, ROW)
        for row, event in zip(rows, history.events[-self._longest :], strict=False):
            numbers = list(self._numbers(event))[:ROW]
            row[: len(numbers)] = numbers

    def _numbers(self, event: ObservedEvent[Any]) -> Iterator[int]:
        """Yield the seat, the tag, the numbers of the command and those of the notes, each plus 2."""
        tag, fields = self._wire.observed(event.command)
        yield event.seat + 2
        yield self._tags[tag] + 2
        yield from _ints(fields)
        yield from _ints([note.values for note in event.notes])


def _ints(value: Any) -> Iterator[int]:
    """Yield the ints and bools in a plain value, plus 2, and 1 for each None; texts are left to the digest."""
    if value is None:
        yield 1
    elif isinstance(value, int):
        yield value + 2
    elif isinstance(value, dict):
        yield from _ints(list(value.values()))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _ints(each)

"""Information states as numbers: what a seat sees now, and behind it what it has observed, a row an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from ..game import AnyGame, ObservedEvent, RedactedCommand
from .action_encoding import ActionEncoding
from .snapshot import PlayerHistory

HISTORY, DIGEST = "history", "digest"
"""The places of the rows, and of the digest of all that was observed."""

ROW = 12
"""The numbers of a row: seat, tag, and as many of the command's and the notes' numbers as there is room for."""

_DIGEST_NUMBERS, _DIGEST_BYTES = 4, 3


class HistoryEncoder:
    """Turns the history of a seat into numbers of a fixed count: a digest of it, and a row for each event.

    A row is the seat, the number of the command's tag, then its numbers as the seat saw them and those of its notes;
    each is stored plus 2, over `scale`. 0 is nothing, and what has no room in a row is in the digest alone. Of a
    history longer than `Game.longest` the latest events have rows. Equal histories have equal numbers; different ones
    differ in the digest, 96 bits as four numbers of 0 to 1.
    """

    def __init__(self, game: AnyGame, encoding: ActionEncoding, *, scaled: bool) -> None:
        """Lay the numbers out; `scaled` divides those of rows by the number of actions."""
        self._longest = game.longest
        self._tags = {tag: encoding.tag(kind) for kind, tag in game.wire.items()}
        self._wire = game.wire
        self._scale = len(encoding) if scaled else 1
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
            row[: len(numbers)] = np.asarray(numbers, np.float32) / self._scale

    def _numbers(self, event: ObservedEvent[Any]) -> Iterator[int]:
        """Yield the seat, the tag, the numbers of the command and those of the notes, each plus 2."""
        command: Any = event.command
        yield event.seat + 2
        redacted = isinstance(command, RedactedCommand)
        yield self._tags[command.tag if redacted else self._wire[type(command)]] + 2
        yield from _ints(command.fields if redacted else attrs.astuple(command))
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

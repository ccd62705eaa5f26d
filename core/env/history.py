"""The latest events that a seat has observed, as rows of an observation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from ..game import TABLE, AnyGame, ObservedEvent, RedactedCommand, Seat
from .action_encoding import END, ActionEncoding
from .relative import RelativeEncoding
from .view_encoder import Array

ROW = 16
"""The numbers of a row: who acted, the actions of the command, then the cards that were shown."""

SHOWN = "cards"
"""The name of a note's value that lists cards."""


class EventRows:
    """Turns what a seat has observed into `rows` rows of `ROW` numbers, the latest event last, zeros before the first.

    A row is who acted (1 the table, then 2 for the first seat), and the actions of the command as far as the seat saw
    it, each plus 1; behind them likewise the cards that its notes list. What has no room in a row is left out.
    """

    def __init__(
        self,
        game: AnyGame,
        encodings: Sequence[ActionEncoding | RelativeEncoding],
        rows: int,
        *,
        relative: bool,
        dtype: Any,
    ) -> None:
        """Take one encoding for each seat; floats (`dtype`) are scaled to 0 … 1, ints are not."""
        self._game, self._encodings, self._rows, self._relative = game, encodings, rows, relative
        self._dtype, self._seats = np.dtype(dtype), len(encodings)
        self.most = 1 if self._dtype.kind == "f" else max(len(encodings[0]), 1 + self._seats)
        self._scale = max(len(encodings[0]), 1 + self._seats) if self._dtype.kind == "f" else 1

    @property
    def size(self) -> int:
        """How many numbers all rows have."""
        return self._rows * ROW

    def encode(self, events: Sequence[ObservedEvent[Any]], viewer: Seat) -> Array:
        """Return the latest of these events, as this seat has observed them, as an array of `size` numbers."""
        array: Array = np.zeros((self._rows, ROW), self._dtype)
        latest = events[-self._rows :]
        for row, event in zip(array[self._rows - len(latest) :], latest, strict=True):
            numbers = list(self._numbers(event, viewer))[:ROW]
            row[: len(numbers)] = numbers
        return (array / self._scale).astype(self._dtype).reshape(-1)

    def _numbers(self, event: ObservedEvent[Any], viewer: Seat) -> Iterator[int]:
        yield 1 if event.seat == TABLE else 2 + self._counted(event.seat, viewer)
        command: Any = event.command
        encoding = self._encodings[viewer]
        if isinstance(command, RedactedCommand):
            actions, told = encoding.encode_public(command.tag, dict(command.fields)), []
        else:
            actions, told = encoding.encode(command), list(attrs.astuple(command, recurse=False))
        yield from (1 + action for action in actions)
        for note in event.notes:
            cards = dict(note.values).get(SHOWN)
            if isinstance(cards, tuple) and cards not in told:
                yield from (1 + action for action in (*encoding.of_ints(cards), END))

    def _counted(self, seat: Seat, viewer: Seat) -> int:
        return (seat - viewer) % self._seats if self._relative else seat

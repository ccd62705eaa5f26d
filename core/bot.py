"""What a bot is: a function from what its seat knows to a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from attrs import frozen

from .game import C, Game, Hidden, Note, Seat, Takeback, V


@frozen
class Sighting(Generic[C]):
    """What one seat saw of one event: the command, or what of it is public, and the notes that it was told."""

    seq: int
    seat: Seat
    command: C | Takeback | Hidden
    notes: tuple[Note, ...]


@frozen
class Sight(Generic[C, V]):
    """All that a seat knows at its turn: the rules, its view, what it may do, and what it has seen happen.

    There is no state in it, nor a way to one: `game` is the rules, and `view`, `legal` and `seen` hold nothing that
    law 5 does not allow this seat.
    """

    game: Game[Any, C, V]
    seat: Seat
    view: V
    legal: tuple[C, ...]
    """The seat's commands now; of more than `random_play.ENOUGH` the first so many."""
    seen: tuple[Sighting[C], ...]
    """What it saw since the match began, in order."""


Bot = Callable[[Sight[Any, Any]], Any]
"""Gives one of `legal`; whoever asks it checks that."""

"""Random legal play, reproducible: the same shuffler draws the same choices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from .game import C, Seat
from .match import Position
from .shuffle import Shuffler

MAX_LEGAL = 2000
"""The most legal commands of a seat to draw from: of a longer list the first so many."""


def choose(position: Position[Any, Any, Any], shuffler: Shuffler) -> tuple[Seat, Any] | None:
    """Draw a seat that can act and one of its commands; return None if no seat has any. Stable for ever.

    The first draw chooses the seat, from those to act that have a legal command, ascending. The second chooses the
    class of command, the third a command of that class. So a class of few commands comes as often as one of many.
    """
    game, state = position.game, position.state
    able = [
        (seat, legal) for seat in sorted(position.to_act) if (legal := [*islice(game.legal(state, seat), MAX_LEGAL)])
    ]
    if not able:
        return None
    seat, legal = able[shuffler.below(len(able))]
    return seat, draw_command(legal, shuffler)


def draw_command(legal: Sequence[C], shuffler: Shuffler) -> C:
    """Draw a command: first its class, from those that occur, in order of first occurrence. Stable for ever."""
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = kinds[shuffler.below(len(kinds))]
    of_kind = [command for command in legal if type(command) is kind]
    return of_kind[shuffler.below(len(of_kind))]

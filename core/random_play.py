"""Random legal play: the same choices again from the same source of shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from .game import C, Seat
from .match import Position
from .shuffle import Shuffler

MAX_LEGAL = 2000
"""The most commands of a seat from which one is drawn: of a longer list only the beginning is looked at."""


def choose(position: Position[Any, Any, Any], shuffler: Shuffler) -> tuple[Seat, Any] | None:
    """Draw a seat that can act and one of its commands; None if no seat has any. Stable for ever.

    Each time one draw names the seat, of those asked to act that have a legal command, ascending; one the kind of
    command, of those that occur, in the order of their first; one the command, of those of that kind. So a kind with
    few choices comes as often as one with many.
    """
    game, state = position.game, position.state
    asked = [
        (seat, legal) for seat in sorted(position.to_act) if (legal := [*islice(game.legal(state, seat), MAX_LEGAL)])
    ]
    if not asked:
        return None
    seat, legal = asked[shuffler.below(len(asked))]
    return seat, draw_command(legal, shuffler)


def draw_command(legal: Sequence[C], shuffler: Shuffler) -> C:
    """Draw one of these commands: first the kind, of those that occur, in the order of their first. Stable for ever."""
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = kinds[shuffler.below(len(kinds))]
    of_kind = [command for command in legal if type(command) is kind]
    return of_kind[shuffler.below(len(of_kind))]

"""Random legal play, reproducible: the same shuffler draws the same choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..game import C, Shuffler
from .legal import LegalCommands, by_kind, first_by_kind
from .match import AnyPosition


def choose(position: AnyPosition, shuffler: Shuffler) -> tuple[int, Any] | None:
    """Draw a seat that can act and one of its commands; return None if no seat has any. Stable for ever.

    The first draw chooses the seat, from those to act that have a legal command, ascending. The second chooses the
    class of command, the third a command of that class. So a class of few commands comes as often as one of many.
    """
    game, state = position.game, position.state
    able = [(seat, kinds) for seat in sorted(position.to_act) if (kinds := first_by_kind(game, state, seat))]
    if not able:
        return None
    seat, kinds = able[shuffler.below(len(able))]
    return seat, draw_of_kinds(kinds, shuffler)


def draw_command(legal: Sequence[C], shuffler: Shuffler) -> C:
    """Draw a command: first its class, from those that occur, in order of first occurrence. Stable for ever."""
    if isinstance(legal, LegalCommands):
        kinds: Sequence[Sequence[C]] = [kind for kind in legal.kinds if kind]
    else:
        kinds = by_kind(legal)
    return draw_of_kinds(kinds, shuffler)


def draw_of_kinds(kinds: Sequence[Sequence[C]], shuffler: Shuffler) -> C:
    """Draw a class of command, then one of that class. Stable for ever."""
    kind = kinds[shuffler.below(len(kinds))]
    return kind[shuffler.below(len(kind))]

"""Random legal play: the same choices again from the same source of shuffles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import Any

from .game import C, Game, Seat
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
    asked = [(seat, kinds) for seat in sorted(position.to_act) if (kinds := _legal_by_kind(game, state, seat))]
    if not asked:
        return None
    seat, kinds = asked[shuffler.below(len(asked))]
    return seat, _draw_of_kinds(kinds, shuffler)


def draw_command(legal: Sequence[C], shuffler: Shuffler) -> C:
    """Draw one of these commands: first the kind, of those that occur, in the order of their first. Stable for ever."""
    return _draw_of_kinds(_by_kind(legal), shuffler)


def _legal_by_kind(game: Game[Any, Any, Any], state: Any, seat: Seat) -> Sequence[Sequence[Any]]:
    if game.legal_by_kind is not None:
        return game.legal_by_kind(state, seat, MAX_LEGAL)
    return _by_kind(islice(game.legal(state, seat), MAX_LEGAL))


def _by_kind(commands: Iterable[C]) -> list[list[C]]:
    kinds: dict[type, list[C]] = {}
    for kind, some in groupby(commands, type):
        kinds.setdefault(kind, []).extend(some)
    return list(kinds.values())


def _draw_of_kinds(kinds: Sequence[Sequence[C]], shuffler: Shuffler) -> C:
    kind = kinds[shuffler.below(len(kinds))]
    return kind[shuffler.below(len(kind))]

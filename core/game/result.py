"""How a game ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from ..errors import MatchError, Message
from .seats import Seat


@frozen(slots=False)
class Result:
    """How a game ended: the points of each seat, and the seats that have won or share the victory, ascending.

    All seats are the winners of a draw, and of a game in which they have won together; nobody is if all have lost.
    `teams` has the number of each seat's team, e.g. `(0, 1, 0, 1)`: one for all in co-operation, () if each seat plays
    for itself.
    """

    points: tuple[int, ...]
    winners: tuple[int, ...]
    teams: tuple[int, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Raise `MatchError` for points that are no whole numbers, and for winners who are no seats."""
        if not all(type(each) is int for each in self.points):
            english = "the points of a result are whole numbers, not {points}: count half points twice"
            raise MatchError(Message("result-points", english, points=repr(self.points)))
        if not set(self.winners) <= set(range(len(self.points))) or sorted(set(self.winners)) != [*self.winners]:
            english = "the winners of a result are seats, ascending, not {winners}"
            raise MatchError(Message("result-winners", english, winners=repr(self.winners)))
        if len(self.teams) not in (0, len(self.points)):
            english = "the teams of a result are a number for each seat, not {teams}"
            raise MatchError(Message("result-teams", english, teams=repr(self.teams)))

    @property
    def is_together(self) -> bool:
        """True for co-operation: all seats are one team."""
        return len(set(self.teams)) == 1

    @property
    def is_draw(self) -> bool:
        """True if all seats are level, and not all one team: nobody has won more than another."""
        return 1 < len(self.winners) == len(self.points) and not self.is_together


def winners_by(ranking: Iterable[Any]) -> tuple[int, ...]:
    """Return the seats with the highest key, ascending.

    `ranking` has one sort key per seat, that of seat 0 first; raises `ValueError` if it is empty.
    """
    keys = list(ranking)
    top = max(keys)
    return tuple([Seat(seat) for seat, key in enumerate(keys) if key == top])

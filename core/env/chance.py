"""Deals from given draws: the caller, not a seed, decides each random choice."""

from __future__ import annotations

from typing import Any

from ..errors import MatchError
from ..game import TABLE, AnyGame, Shuffler


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

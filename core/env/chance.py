"""A deal made of draws from outside: what a shuffler draws, somebody else has drawn."""

from __future__ import annotations

from typing import Any

from ..errors import MatchError
from ..game import TABLE, Game
from ..shuffle import Shuffler


class DrawNeeded(Exception):  # noqa: N818 (no error: a draw is due)
    """A deal needs one draw more, below this bound."""

    def __init__(self, bound: int) -> None:
        super().__init__(bound)
        self.bound = bound


class ScriptedShuffler(Shuffler):
    """A shuffler whose draws have been made elsewhere.

    Raises `Undrawn` when they are used up, `MatchError` for one that could not be drawn.
    """

    def __init__(self, draws: tuple[int, ...]) -> None:
        self._left = iter(draws)

    def below(self, bound: int) -> int:
        if bound == 1:
            return 0
        for draw in self._left:
            if not 0 <= draw < bound:
                raise MatchError(f"chance has no outcome {draw} here; it draws 0 to {bound - 1}")
            return draw
        raise DrawNeeded(bound)


class _Widest(ScriptedShuffler):
    """Draws nothing but zeros, and remembers the widest choice."""

    def __init__(self) -> None:
        super().__init__(())
        self.bound = 1

    def below(self, bound: int) -> int:
        self.bound = max(self.bound, bound)
        return 0


def widest_draw(game: Game[Any, Any, Any], start: Any) -> int:
    """Tell how many outcomes a draw of the game's first deal has at most."""
    widest = _Widest()
    if TABLE in game.to_act(start):
        game.deal(start, widest)
    return widest.bound

"""Tables of MABR: a row of kana for each seat, all other cards in their stacks."""

from typing import Any

from kifu.core.game import evolve
from kifu.games.mabr import GAME
from kifu.games.mabr.model import KANA, Options, State

AT_TABLE = Options(judge="table")
STACKS = tuple(tuple(kanas) for kanas in KANA.values())


def table(*rows: str, options: Options | None = None, up: tuple[tuple[int, ...], ...] = (), **places: Any) -> State:
    """Lay a table in the third round, seat 0 in turn; `up` are the places that lie face up."""
    drawn = "".join(rows)
    start = GAME.start(options or Options(), len(rows))
    laid_out = evolve(
        start,
        stacks=tuple(tuple(kana for kana in stack if kana not in drawn) for stack in STACKS),
        rows=tuple(map(tuple, rows)),
        turned=(*up, *((),) * (len(rows) - len(up))),
        turns=2 * len(rows),
    )
    return evolve(laid_out, **{"progress": places.get("turns", laid_out.turns), **places})

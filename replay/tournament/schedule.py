"""Who sits at which table where there are more bots than seats."""

from __future__ import annotations

from functools import cache
from itertools import combinations, count


def table_of(bots: int, seats: int, table: int) -> tuple[int, ...]:
    """Return the numbers of the bots at a table, one for each seat; the schedule has no end.

    At each table sits the bot that has played least, with those that have met it and each other least. So all meet
    soon, and about equally often.
    """
    schedule = _schedule(bots, seats)
    while len(schedule.tables) <= table:
        schedule.add()
    return schedule.tables[table]


def tables_until_all_meet(bots: int, seats: int) -> int:
    """Count the tables after which every two bots have met."""
    met: set[tuple[int, int]] = set()
    for table in count():
        if 2 * len(met) == bots * (bots - 1):
            return table
        met.update(combinations(sorted(table_of(bots, seats, table)), 2))
    raise AssertionError


class _Schedule:
    def __init__(self, bots: int, seats: int) -> None:
        self.bots, self.seats = bots, seats
        self.tables: list[tuple[int, ...]] = []
        self._played = [0] * bots
        self._met = [[0] * bots for _ in range(bots)]

    def add(self) -> None:
        """Add the next table."""
        chosen: list[int] = []
        while len(chosen) < self.seats:
            left = [bot for bot in range(self.bots) if bot not in chosen]
            chosen.append(min(left, key=lambda bot: (self._met_with(bot, chosen), self._played[bot], bot)))
        for bot in chosen:
            self._played[bot] += 1
        for one, other in combinations(chosen, 2):
            self._met[one][other] += 1
            self._met[other][one] += 1
        self.tables.append(tuple(chosen))

    def _met_with(self, bot: int, chosen: list[int]) -> int:
        return sum(self._met[bot][other] for other in chosen)


@cache
def _schedule(bots: int, seats: int) -> _Schedule:
    return _Schedule(bots, seats)

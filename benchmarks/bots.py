"""How strong the bots are, in every game and number of seats: a table of docs/benchmarks.md.

    python benchmarks/bots.py [--only WORDS] [--deals N] [--jobs N] [--json FILE]

One bot sits among others of one kind, in gosne two of each as partners; each deal is played from every seat.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import results
from attrs import frozen
from bot_times import seconds
from kifu.core.match import registry
from kifu.replay.logs.worker_pool import WorkerPool
from kifu.replay.tournament.bot_records import BotRecords
from kifu.replay.tournament.played import PlayMatch
from kifu.replay.tournament.tournament import Tournament
from results import Figure

SEED = bytes([34]) * 32
"""A seed whose matches nobody had looked at when the bots were written."""
AIM = 1.3
"""How many times what chance gives the lower end of the interval shall be."""
DEALS = {"take_and_share": 30, "cake": 60, "gosne": 120, "palace": 10, "mabr": 10}
"""How many deals of each game are played where neither bot searches."""
SEARCHED = {"take_and_share": 14, "cake": 14, "gosne": 40, "palace": 6, "mabr": 6}
"""How many where one does."""


@frozen
class Row:
    """A bot at one seat, which shifts from match to match, against others; in gosne at two seats, as partners."""

    game: str
    seats: int
    bot: str
    other: str

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.bot, self.other) if self.game == "gosne" else (self.bot, *[self.other] * (self.seats - 1))

    @property
    def deals(self) -> int:
        return (SEARCHED if self.bot == "strong" else DEALS)[self.game]


WORLDS = [(name, seats) for name in DEALS for seats in registry.find(name).seats]
PAIRS = (("easy", "first"), ("easy", "random"), ("normal", "easy"), ("strong", "normal"))
UNLOOKING = [Row(game, seats, "strong", "first") for game, seats in WORLDS if game == "palace"]
"""In palace a bot that does not look was once level with better ones that knew each other's ways too well."""
PLAN = [*[Row(game, seats, bot, other) for bot, other in PAIRS for game, seats in WORLDS], *UNLOOKING]


def played(row: Row, deals: int, pool: WorkerPool) -> dict[str, Any]:
    """Play the matches of a row, and return the record of its bot."""
    tournament = Tournament(row.game, row.seats, {}, row.bots, SEED, duplicate=True)
    rotations = len(set(row.bots)) if row.game == "gosne" else row.seats
    # two of a kind as partners sit the same after two matches: each deal has the matches of its first rotations
    chosen = [index for index in range(deals * row.seats) if index % row.seats < rotations]
    bot_records = BotRecords()
    with TemporaryDirectory() as folder:
        work = PlayMatch(tournament, Path(folder))
        for each in pool.map(work, chosen, f"{row.game}, {row.seats}: {row.bot}", shown=True):
            bot_records.add(each)
    record: dict[str, Any] = bot_records.data()["bots"][row.bot]
    return record


def figure(row: Row, record: dict[str, Any]) -> Figure:
    """Return the lower end of the interval, and its ratio to what chance gives."""
    low, high = (100 * end for end in record["interval"])
    name = f"{row.game}, {row.seats} seats: {row.bot} against {row.other}, {record['deals']} deals"
    name += f", won {100 * record['won']:.0f} % ({low:.0f} to {high:.0f})"
    return Figure(name, low, "% at least", record["interval"][0] / record["fair"], "chance", "more", AIM)


def time_line(game: str, seats: int) -> str:
    """Return what a command of each level takes: mean and longest, in milliseconds."""
    times = [[1000 * each for each in seconds(game, seats, level)] for level in ("easy", "normal", "strong")]
    return f"{game}, {seats}: " + "; ".join(f"{fmean(each):.0f}, at most {max(each):.0f}" for each in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only the rows that contain this text, as `cake, 3: strong`")
    parser.add_argument("--deals", type=int, default=None, help="how many deals a row; the plan's own by default")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--times", action="store_true", help="measure what a command costs, and play nothing")
    results.add_argument(parser)
    args = parser.parse_args()

    def figures() -> Iterator[Figure]:
        for row in PLAN:
            if args.only in f"{row.game}, {row.seats}: {row.bot} against {row.other}":
                record = played(row, args.deals or row.deals, WorkerPool(args.jobs, chunk=1))
                yield figure(row, record)

    if args.times:
        print(*(time_line(*world) for world in WORLDS if args.only in f"{world[0]}, {world[1]}"), sep="\n")
    else:
        results.report("bots", figures(), args.json)


if __name__ == "__main__":
    main()

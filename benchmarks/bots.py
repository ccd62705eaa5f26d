"""The strength of the bots: one bot against others of one kind, in every game, as in the table of docs/bots.md.

    python benchmarks/bots.py DIR [--only WORDS] [--jobs N] [--json FILE]

The logs stay in DIR: a run that was stopped can be resumed, and every match inspected.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import results
from attrs import frozen
from kifu.replay.logs.worker_pool import WorkerPool
from kifu.replay.options import texts_for
from kifu.replay.tournament.bot_records import BotRecords
from kifu.replay.tournament.tournament import MatchFiles, PlayedMatch, PlayMatch, Tournament, start_or_resume
from results import Figure

SEED = bytes([17]) * 32
"""A seed whose matches nobody had looked at when the bots were written."""
BOT_TIMEOUT_S = 600.0


@frozen
class Row:
    """A bot at one seat, which shifts from match to match, against others; in gosne at two seats, as partners."""

    game: str
    seats: int
    bot: str
    other: str
    matches: int

    @property
    def bots(self) -> tuple[str, ...]:
        return (self.bot, self.other) if self.game == "gosne" else (self.bot, *[self.other] * (self.seats - 1))


GAMES = (("take_and_share", 4), ("cake", 4), ("gosne", 4), ("palace", 4), ("mabr", 3))
QUICK = {"mabr": 40}
PLAN = (
    *(Row(game, seats, "strong", "normal", 60) for game, seats in GAMES),
    *(Row(game, seats, "normal", "easy", QUICK.get(game, 100)) for game, seats in GAMES),
    *(Row(game, seats, "easy", "random", QUICK.get(game, 100)) for game, seats in GAMES),
)


def play(row: Row, folder: Path, pool: WorkerPool) -> list[PlayedMatch]:
    place = folder / f"{row.game}-{row.bot}-{row.other}".replace(":", "_")
    place.mkdir(parents=True, exist_ok=True)
    tournament = start_or_resume(Tournament(row.game, row.seats, {}, row.bots, SEED, BOT_TIMEOUT_S), place, SEED)
    title = f"{row.game}: {row.bot} against {row.other}"
    return list(pool.map(PlayMatch(tournament), MatchFiles(tournament, place, row.matches), title, shown=True))


def figure(row: Row, played: list[PlayedMatch]) -> Figure:
    """Return the bot's part of the victories, and its ratio to what chance gives."""
    bot_records = BotRecords(texts_for(None))
    for each in played:
        bot_records.add(each)
    record = bot_records.data()["bots"][row.bot]
    low, high = record["interval"]
    interval = f"{100 * low:.0f} to {100 * high:.0f} of {record['matches']}"
    name = f"{row.game}, {row.seats} seats: {row.bot} against {row.other} ({interval})"
    return Figure(name, 100 * record["won"], "% won", record["won"] / record["fair"], "chance", "more")


def figures(folder: Path, only: str, jobs: int | None) -> Iterator[Figure]:
    for row in PLAN:
        if only in f"{row.game} {row.bot} {row.other}":
            yield figure(row, play(row, folder, WorkerPool(jobs, chunk=1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only the rows that contain this text")
    parser.add_argument("--jobs", type=int, default=None)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("bots", figures(args.folder, args.only, args.jobs), args.json)


if __name__ == "__main__":
    main()

"""How strong the bots are, in every game and number of seats: the tables of docs/bots.md.

    python benchmarks/bots.py DIR [--only WORDS] [--deals N] [--jobs N] [--json FILE] [--page docs/bots.md]

One bot sits among others of one kind, in gosne two of each as partners; each deal is played from every seat. The logs
stay in DIR: a run that was stopped goes on, and every match can be inspected. `--page` replaces the rows that were
played, and leaves the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import results
from attrs import frozen
from bot_times import seconds
from kifu.core.match import registry
from kifu.replay.logs.worker_pool import WorkerPool
from kifu.replay.options import texts_for
from kifu.replay.tournament.bot_records import BotRecords
from kifu.replay.tournament.tournament import MatchFiles, PlayMatch, Tournament, start_or_resume
from results import Figure

SEED = bytes([34]) * 32
"""A seed whose matches nobody had looked at when the bots were written."""
BOT_TIMEOUT_S = 600.0
AIM = 1.3
"""How many times what chance gives the lower end of the interval shall be."""
DEALS = {"take_and_share": 30, "cake": 60, "gosne": 120, "palace": 10, "mabr": 10}
"""How many deals of each game are played where neither bot searches."""
SEARCHED = {"take_and_share": 14, "cake": 14, "gosne": 40, "palace": 6, "mabr": 6}
"""How many where one does."""
MATCHES, TIMES = "matches", "times"
"""The names of the two tables in the page."""


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

    @property
    def key(self) -> str:
        """The first cells of its line in the page."""
        return f"| {self.game}, {self.seats} | `{self.bot}` | `{self.other}` |"


WORLDS = [(name, seats) for name in DEALS for seats in registry.find(name).seats]
PAIRS = (("easy", "first"), ("easy", "random"), ("normal", "easy"), ("strong", "normal"))
UNLOOKING = [Row(game, seats, "strong", "first") for game, seats in WORLDS if game == "palace"]
"""In palace a bot that does not look was once level with better ones that knew each other's ways too well."""
PLAN = [*[Row(game, seats, bot, other) for bot, other in PAIRS for game, seats in WORLDS], *UNLOOKING]


def played(row: Row, folder: Path, deals: int, pool: WorkerPool) -> dict[str, Any]:
    """Play the matches of a row that are not there yet, and return the record of its bot."""
    place = folder / f"{row.game}-{row.seats}-{row.bot}-{row.other}"
    place.mkdir(parents=True, exist_ok=True)
    tournament = Tournament(row.game, row.seats, {}, row.bots, SEED, BOT_TIMEOUT_S, duplicate=True)
    tournament = start_or_resume(tournament, place, SEED)
    rotations = len(set(row.bots)) if row.game == "gosne" else row.seats
    files = MatchFiles(tournament, place, deals * row.seats)
    # two of a kind as partners sit the same after two matches: each deal has the matches of its first rotations
    chosen = [each for each in files if each[0] % row.seats < rotations]
    bot_records = BotRecords(texts_for(None))
    for each in pool.map(PlayMatch(tournament), chosen, f"{row.game}, {row.seats}: {row.bot}", shown=True):
        bot_records.add(each)
    record: dict[str, Any] = bot_records.data()["bots"][row.bot]
    return record


def line(row: Row, record: dict[str, Any]) -> str:
    low, high = record["interval"]
    return (
        f"{row.key} {record['deals']} | {record['matches']} | {100 * record['won']:.0f} % | "
        f"{100 * low:.0f} to {100 * high:.0f} | {100 * record['fair']:.0f} % | {low / record['fair']:.2f} |"
    )


def figure(row: Row, record: dict[str, Any]) -> Figure:
    """Return the lower end of the interval, and its ratio to what chance gives."""
    low, high = (100 * end for end in record["interval"])
    name = f"{row.game}, {row.seats} seats: {row.bot} against {row.other}, {record['deals']} deals"
    name += f", won {100 * record['won']:.0f} % ({low:.0f} to {high:.0f})"
    return Figure(name, low, "% at least", record["interval"][0] / record["fair"], "chance", "more", AIM)


def time_line(game: str, seats: int) -> str:
    """Return the line of a game in the table of times: mean and longest, in milliseconds."""
    times = [[1000 * each for each in seconds(game, seats, level)] for level in ("easy", "normal", "strong")]
    return f"| {game}, {seats} | " + " | ".join(f"{fmean(each):.0f}, at most {max(each):.0f}" for each in times) + " |"


def replaced(page: str, table: str, lines: Iterable[str], order: list[str]) -> str:
    """Return the page with these lines in a table between its marks; other lines stay, all in the given order."""
    begin, end = f"<!-- {table} -->\n", f"<!-- end of {table} -->"
    before, rest = page.split(begin)
    old, after = rest.split(end)
    head, rows = old.strip().splitlines()[:2], old.strip().splitlines()[2:]

    def place(row: str) -> int:
        return next((at for at, key in enumerate(order) if row.startswith(key)), -1)

    known = {place(row): row for row in [*rows, *lines]}
    body = [known[at] for at in sorted(known) if at >= 0]  # a row that the plan no longer has goes
    return before + begin + "\n" + "\n".join([*head, *body]) + "\n\n" + end + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only the rows that contain this text, as `cake, 3: strong`")
    parser.add_argument("--deals", type=int, default=None, help="how many deals a row; the plan's own by default")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--times", action="store_true", help="measure what a command costs, and play nothing")
    parser.add_argument("--page", type=Path, default=None, help="write the rows into the tables of this page")
    results.add_argument(parser)
    args = parser.parse_args()
    lines: list[str] = []

    def figures() -> Iterator[Figure]:
        for row in PLAN:
            if args.only in f"{row.game}, {row.seats}: {row.bot} against {row.other}":
                record = played(row, args.folder, args.deals or row.deals, WorkerPool(args.jobs, chunk=1))
                lines.append(line(row, record))
                yield figure(row, record)

    if args.times:
        lines += [time_line(*world) for world in WORLDS if args.only in f"{world[0]}, {world[1]}"]
        print(*lines, sep="\n")
    else:
        results.report("bots", figures(), args.json)
    if args.page is not None:
        order = [f"| {game}, {seats} |" for game, seats in WORLDS] if args.times else [row.key for row in PLAN]
        page = replaced(args.page.read_text("utf-8"), TIMES if args.times else MATCHES, lines, order)
        args.page.write_text(page, "utf-8")


if __name__ == "__main__":
    main()

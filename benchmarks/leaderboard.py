"""The leaderboard of docs/leaderboard.md: levels, search at three budgets and a learner, in all games.

    pip install docs/examples/learn
    python benchmarks/leaderboard.py DIR [--only GAME] [--tables N] [--jobs N] [--page FILE]

`--page` replaces the sections of the games that were played, and leaves the others. The learner is trained first, by
docs/examples/learn. Weights and logs stay in DIR: a run that was stopped goes on, and every match can be inspected.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from bot_times import seconds
from kifu.replay.logs.worker_pool import WorkerPool
from kifu.replay.options import texts_for
from kifu.replay.tournament.bot_records import BotRecords
from kifu.replay.tournament.ratings import Ratings
from kifu.replay.tournament.tournament import MatchFiles, PlayMatch, Tournament, start_or_resume

SEED = bytes([30]) * 32
BOT_TIMEOUT_S = 600.0
BUDGETS = (10, 40, 160)
"""The iterations of `ismcts`."""
OTHERS = ("random", "easy", "normal", "strong", *(f"ismcts:{budget}" for budget in BUDGETS))
BEGIN, END = "<!-- results -->", "<!-- end of results -->"


@frozen
class World:
    """A game, its seats, the matches that the learner is trained for (0: no learner), and the tables."""

    game: str
    seats: int
    trained: int
    tables: int


PLAN = (
    World("take_and_share", 3, 3000, 24),
    World("cake", 3, 3000, 24),
    World("gosne", 4, 2000, 14),
    World("palace", 3, 0, 21),
    World("mabr", 2, 0, 21),
)


def trained(world: World, folder: Path) -> tuple[Path, list[float]]:
    """Return the file of the learner's weights, and its curve: the share won against random play in each tenth."""
    kifu_learnt: Any = import_module("kifu_learnt")  # a package of its own
    weights, curve = folder / f"{world.game}.npz", folder / f"{world.game}.curve.json"
    if world.trained and not curve.exists():
        network, shares = kifu_learnt.train(world.game, world.trained, told=print)
        with weights.open("wb") as file:
            np.savez(file, **network.weights)
        curve.write_text(json.dumps(shares))
    return weights, json.loads(curve.read_text()) if world.trained else []


def played(world: World, folder: Path, weights: Path, tables: int, jobs: int | None) -> dict[str, Any]:
    """Play all against all, each deal from every seat; return the summary, and a hash over the logs."""
    place, bots = folder / world.game, (*OTHERS, *([f"learnt:{weights.name}"] if world.trained else []))
    place.mkdir(exist_ok=True)
    tournament = Tournament(world.game, world.seats, {}, bots, SEED, BOT_TIMEOUT_S, duplicate=True)
    tournament = start_or_resume(tournament, place, SEED)
    files = MatchFiles(tournament, place, tables * world.seats)
    bot_records, ratings = BotRecords(texts_for(None)), Ratings()
    for each in WorkerPool(jobs, chunk=1).map(PlayMatch(tournament), files, world.game, shown=False):
        bot_records.add(each)
        ratings.add(each.bots, each.result, each.deal)
    digest = blake2b(digest_size=16)
    for _, log in files:
        digest.update(blake2b(Path(str(log)).read_bytes()).digest())
    return {**bot_records.data(), "ratings": ratings.data(), "logs": digest.hexdigest()}


def section(world: World, folder: Path, tables: int, jobs: int | None) -> Iterator[str]:
    """Yield the lines of one game."""
    weights, curve = trained(world, folder)
    summary = played(world, folder, weights, tables, jobs)
    yield f"## {world.game}, {world.seats} seats"
    yield ""
    yield "| bot | rating | 95 % | won | 95 % | by chance | points | deals | s a command | at worst |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, rating in summary["ratings"].items():
        record, times = summary["bots"][name], seconds(world.game, world.seats, name)
        low, high = record["interval"]
        least, most = rating["interval"]
        shown = "ppo" if name.startswith("learnt:") else name
        margin = "?" if record["points_off"] is None else f"{record['points_off']:.1f}"
        yield (
            f"| `{shown}` | {rating['mu']:+.0f} | {least:+.0f} to {most:+.0f} | {100 * record['won']:.0f} % | "
            f"{100 * low:.0f} to {100 * high:.0f} | {100 * record['fair']:.0f} % | {record['points']:.1f} ± {margin} | "
            f"{record['deals']} | {np.mean(times):.3f} | {max(times):.3f} |"
        )
    yield ""
    if curve:
        shares = " ".join(f"{share:.2f}" for share in curve)
        yield f"`ppo` against random play while it learnt, each tenth of {world.trained} matches: {shares}."
    yield f"{summary['matches']} matches; BLAKE2b over their logs: `{summary['logs']}`."
    yield ""


def replaced(text: str, played: str) -> str:
    """Return the text of the page with these sections in place of those of the same games."""
    before, _, rest = text.partition(BEGIN)
    old, _, after = rest.partition(END)
    sections = {each.split(",")[0]: f"## {each.strip()}" for each in f"{old}\n{played}".split("\n## ")[1:]}
    shown = [sections[world.game] for world in PLAN if world.game in sections]
    return before + "\n\n".join([BEGIN, *shown, END]) + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only this game")
    parser.add_argument("--tables", type=int, default=None, help="how many tables; the plan's own by default")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--page", type=Path, default=None, help="write the results into this page, between its marks")
    args = parser.parse_args()
    if find_spec("kifu_learnt") is None:
        parser.error("the learner is a package of its own: pip install docs/examples/learn")
    args.folder.mkdir(parents=True, exist_ok=True)
    folder, page, lines = args.folder.resolve(), args.page and args.page.resolve(), list[str]()
    os.chdir(folder)  # the learner's file has the same name in the logs wherever DIR is
    for world in PLAN:
        if args.only in ("", world.game):
            own = list(section(world, folder, args.tables or world.tables, args.jobs))
            print(*own, sep="\n", flush=True)
            lines += own
    if page is not None:
        page.write_text(replaced(page.read_text("utf-8"), "\n".join(["", *lines])), "utf-8")


if __name__ == "__main__":
    main()

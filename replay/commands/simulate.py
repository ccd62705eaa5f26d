"""`replay simulate`: random matches, or matches between bots, written as logs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ...core.match.header import check_seats
from ..call_errors import CallError, UserMessage
from ..command import verb
from ..logs.locations import make_folder, place
from ..logs.worker_pool import WorkerPool
from ..option_parsing import parse_options
from ..options import (
    bot_factory_of,
    game_argument,
    game_of,
    jobs_option,
    option_option,
    output_options,
    seed_of,
)
from ..render.console import Output
from ..tournament.bot_records import BotRecords
from ..tournament.played import PlayMatch
from ..tournament.tournament import Tournament

MAX_GAMES = 1_000_000_000


@verb("replay simulate take_and_share --games 10 -o logs")
@game_argument
@click.option("-o", "folder", required=True, metavar="DIR", help="The folder for the logs; made if missing.")
@click.option("--seats", type=int, metavar="N", help="How many seats; default: the most.")
@option_option
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1, metavar="N", help="How many matches.")
@click.option(
    "--seed", metavar="SEED", help="A whole number or 64 hex digits; default: a fresh seed, which is printed."
)
@click.option("--bots", metavar="BOT,…", help="Who plays: random, greedy, ismcts:200 (iterations), ismcts:200ms, …")
@jobs_option
@click.option("--duplicate", is_flag=True, help="Play each deal once for each rotation of the bots over the seats.")
@output_options
def simulate(
    game: str,
    folder: str,
    seats: int | None,
    option: tuple[str, ...],
    games: int,
    seed: str | None,
    bots: str | None,
    jobs: int | None,
    duplicate: bool,
    output: Output,
) -> int:
    """Play matches at random, or between bots, and write their logs as DIR/ID.log.

    The same seed plays the same matches and writes the same bytes, with any number of processes. With --bots, one table
    has how often each bot won; `replay rate` rates them, and `replay stats` counts who won from which seat. No log is
    ever overwritten.
    """
    chosen = game_of(game)
    count, where = chosen.seats[-1] if seats is None else seats, place(folder)
    check_seats(chosen, count)
    writer, texts = output.writer, output.texts
    if bots is None and duplicate:
        raise CallError("only-with-bots", "--duplicate needs --bots")
    options = parse_options(chosen, option)
    players = () if bots is None else _players(bots, count)
    run = Tournament(chosen.name, count, options, players, seed_of(seed), duplicate)
    results = BotRecords()
    run.header(0)  # raises if an option has a bad value
    make_folder(where)
    pool, work = WorkerPool(jobs, chunk=None if bots is None else 1), PlayMatch(run, where)
    title = texts.title(chosen)
    with _told_of_seed(run.seed):
        for played in pool.map(work, range(games), title, shown=output.shows_bar):
            results.add(played)
            if output.json:
                writer.json(played.data())
    if not output.json:
        writer.print(*results.lines(texts, title, str(where)))
        writer.print(texts.format("simulated-seed", seed=run.seed.hex()))
    elif bots is not None:
        writer.json({"summary": results.data(), "seed": run.seed.hex()})
    return 0


def _players(bots: str, seats: int) -> tuple[str, ...]:
    """Return the names of the bots in the call; raises `BotError` or `CallError`."""
    if not bots.isprintable():  # the names are recorded in logs and printed on terminals
        english = "--bots {bots}: some of this cannot be printed; give printable names"
        raise CallError("unprintable-bots", english, bots=ascii(bots[:60]))
    players = tuple(bot.strip() for bot in bots.split(","))
    if len(players) > seats:
        english = (
            "--bots: {count} bots; {seats} at most, one a seat: play the others in another call, rate them together"
        )
        raise CallError("too-many-bots", english, count=len(players), seats=seats)
    for bot in players:
        bot_factory_of(bot)
    return players


@contextmanager
def _told_of_seed(seed: bytes) -> Iterator[None]:
    """Say the run's seed if the run is interrupted, so that it can be repeated."""
    try:
        yield
    except KeyboardInterrupt:
        english = "interrupted; the same matches again: --seed {seed}"
        raise KeyboardInterrupt(UserMessage("interrupted-run", english, seed=seed.hex())) from None

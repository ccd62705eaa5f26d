"""How fast kifu reads, folds, audits, plays, searches and appends: ratios to a floor measured in the same run.

    python benchmarks/speed.py [GAME …] [--games 60] [--repeat 5] [--json FILE]

The floor is `msgpack.Unpacker` streaming over the same bytes with nothing done to the records. Times are CPU times, the
median of several rounds that take turns, so that all of them see the same machine; appending is measured by the clock.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import kifu
import msgpack
import results
from kifu.core.game.shuffle import Shuffler
from kifu.core.log import LogWriter, log_bytes, read_bytes
from kifu.core.match import Position
from kifu.core.match.bot import InformationState, ObservationHistory
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.match.random_play import choose
from kifu.games.bots.ismcts import Search
from results import Figure

MAIN = "take_and_share"
SEATS = {"take_and_share": 4, "cake": 4, "gosne": 4, "palace": 4, "mabr": 2}
NAMES = ("Aki", "Ren", "Mio", "Sou")
ITERATIONS = 50
AIMS = {"read and fold": 20.0, "audit": 30.0}
OTHERS = {"cake": 1.3, "gosne": 1.3, "palace": 1.6, "mabr": 1.6}
"""The aims of the other games, as a ratio to that of the main one."""

Matches = list[kifu.Match[Any, Any, Any]]


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def played(name: str, number: int) -> kifu.Match[Any, Any, Any]:
    """Play one match at random."""
    match = kifu.new(name, NAMES[: SEATS[name]], seed=seed(number), match=str(number), started=0)
    draws = Shuffler(seed(number), 1 << 31)
    while chosen := choose(match.position, draws):
        match.play(*chosen)
    return match


def floor(logs: list[bytes]) -> None:
    for log in logs:
        unpacker = msgpack.Unpacker(strict_map_key=False)
        unpacker.feed(log)
        for _ in unpacker:
            pass


def fold(logs: list[bytes]) -> None:
    for log in logs:
        assert read_bytes(log).ok


def audit(logs: list[bytes]) -> None:
    for log in logs:
        assert read_bytes(log, keep_states=False).ok


def playouts(name: str, games: int) -> int:
    """Play matches with nothing but the rules: legal commands, one chosen, folded; return how many commands."""
    game, commands = kifu.games.find(name), 0
    for number in range(games):
        header = new_header(game, NAMES[: SEATS[name]], {}, seed(number), match="", started=None, engine="")
        run, draws = Fold(game, header, keep_states=False), Shuffler(seed(number), 1 << 31)
        while game.to_act(run.state):
            run.apply(*(choose(Position(game, run.state), draws) or (kifu.TABLE, run.deal())))
        commands += run.seq
    return commands


def search(infos: list[InformationState[Any, Any]]) -> None:
    """Search each decision."""
    for info in infos:
        Search(info, seed(7)).choose(lambda iteration: iteration < ITERATIONS)


def decisions(matches: Matches) -> list[InformationState[Any, Any]]:
    """Return what the seat to act knows in the midst of three matches, after fifteen events at most."""
    found = []
    for match in matches[:3]:
        begun: kifu.Match[Any, Any, Any] = kifu.Match(match.game, match.header)
        while len(begun.events) < min(15, len(match.events) // 2) or kifu.TABLE in begun.to_act:
            event = match.events[len(begun.events)]
            begun.apply(event.seat, event.command)
        found.append(ObservationHistory(begun, min(begun.to_act)).information_state())
    return found


def timed(works: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """Time all works in turn, several rounds, and return the median of each in CPU seconds."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeat):
        for name, work in works.items():
            begun = process_time()
            work()
            times[name].append(process_time() - begun)
    return {name: median(each) for name, each in times.items()}


def of_a_game(name: str, games: int, repeat: int, main: dict[str, float]) -> Iterator[Figure]:
    """Measure one game; `main` has the ratios of the main game, once they are known."""
    matches = [played(name, number) for number in range(games if name != "mabr" else max(games // 8, 3))]
    logs = [log_bytes(match) for match in matches]
    plain = [log_bytes(match, digests=False) for match in matches]
    records, infos = sum(len(match.events) + 2 for match in matches), decisions(matches)
    commands = playouts(name, len(matches))
    works: dict[str, Callable[[], object]] = {
        "floor": lambda: floor(logs),
        "read and fold": lambda: fold(plain),
        "audit": lambda: audit(logs),
        "playouts": lambda: playouts(name, len(matches)),
        "search": lambda: search(infos),
    }
    times = timed(works, repeat)
    per_record = times["floor"] / records
    for what, mine in AIMS.items():
        ratio = times[what] / times["floor"]
        aim = mine if name == MAIN else OTHERS[name] * main[what] if main else None
        yield Figure(f"{name}: {what}", records / times[what], "records/s", ratio, "the floor", aim=aim)
        if name == MAIN:
            main[what] = ratio
    ratio = times["playouts"] / commands / per_record
    yield Figure(f"{name}: random playouts", commands / times["playouts"], "commands/s", ratio, "the floor")
    iteration = times["search"] / len(infos) / ITERATIONS
    yield Figure(f"{name}: a search", 1 / iteration, "iterations/s", iteration / per_record, "the floor")


def appending(matches: Matches, folder: Path) -> int:
    """Append each event with fsync."""
    events = 0
    for number, match in enumerate(matches):
        again = kifu.Match(match.game, match.header)
        with LogWriter.create(folder / f"{number}-{perf_counter()}.log", again) as writer:
            for event in match.events:
                again.apply(event.seat, event.command, event.meta)
                writer.sync()
            events += len(match.events)
    return events


def writing(events: int, folder: Path) -> None:
    """The floor of appending: as many writes of fifty bytes with fsync."""
    file = os.open(folder / "floor", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for _ in range(events):
        os.write(file, bytes(50))
        os.fsync(file)
    os.close(file)


def append_figure() -> Figure:
    """Measure appending against writing alone, by the clock, the best of three rounds."""
    matches = [played(MAIN, number) for number in range(5)]
    events = sum(len(match.events) for match in matches)
    floors, appends = [], []
    with tempfile.TemporaryDirectory() as name:
        for _ in range(3):
            began = perf_counter()
            writing(events, Path(name))
            between = perf_counter()
            appending(matches, Path(name))
            floors.append(between - began)
            appends.append(perf_counter() - between)
    ratio = min(appends) / min(floors)
    return Figure("appending with fsync", events / min(appends), "events/s", ratio, "write and fsync alone")


def figures(names: list[str], games: int, repeat: int) -> Iterator[Figure]:
    main: dict[str, float] = {}
    for name in names:
        yield from of_a_game(name, games, repeat, main)
    yield append_figure()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", default=[*SEATS], help="the games (none: all)")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("speed", figures(args.names, args.games, args.repeat), args.json)


if __name__ == "__main__":
    main()

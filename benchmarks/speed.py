"""How fast kifu reads, folds, audits, plays and appends: ratios to a floor measured in the same run.

    python benchmarks/speed.py [--games 300] [--repeat 5]

The floor is `msgpack.Unpacker` streaming over the same bytes with nothing done to the records. Every figure is the
best of several rounds that take turns, so that all of them see the same machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import kifu
import msgpack
from kifu.core.header import new_header
from kifu.core.log import LogWriter, log_bytes, read_bytes
from kifu.core.match import Fold
from kifu.core.shuffle import Shuffler

GAME = "take_and_share"
SEATS = ("Aki", "Ren", "Mio", "Sou")


def seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def played(number: int) -> kifu.Match[Any, Any, Any]:
    """Play one match at random."""
    match = kifu.new(GAME, SEATS, seed=seed(number), match=str(number), started=0)
    draws = Shuffler(seed(number), 1 << 31)
    while match.to_act:
        seat = min(match.to_act)
        legal = match.legal(seat)
        match.play(seat, legal[draws.below(len(legal))])
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


def playouts(games: int) -> int:
    """Play matches with nothing but the rules: legal commands, one chosen, folded."""
    from random import Random

    game = kifu.games.find(GAME)
    header = new_header(game, SEATS, {}, seed(0), match="", started=None, engine="")
    random, commands = Random(1), 0
    for _ in range(games):
        run = Fold(game, header, keep_states=False)
        run.apply(kifu.TABLE, run.deal())
        while acting := game.to_act(run.state):
            (seat,) = acting
            legal = list(game.legal(run.state, seat))
            run.apply(seat, legal[int(random.random() * len(legal))])
        commands += run.seq
    return commands


def appending(matches: list[kifu.Match[Any, Any, Any]], folder: Path) -> int:
    """Append each event with fsync."""
    events = 0
    for number, match in enumerate(matches):
        with LogWriter.create(folder / f"{number}-{perf_counter()}.log", match.game, match.header) as writer:
            for step in match.steps:
                writer.append(step)
            events += len(match.steps)
    return events


def writing(events: int, folder: Path) -> None:
    """The floor of appending: as many writes of fifty bytes with fsync."""
    file = os.open(folder / "floor", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for _ in range(events):
        os.write(file, bytes(50))
        os.fsync(file)
    os.close(file)


def best(works: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """Time all works in turn, several rounds, and keep the least of each in seconds."""
    times = dict.fromkeys(works, float("inf"))
    for _ in range(repeat):
        for name, work in works.items():
            begun = perf_counter()
            work()
            times[name] = min(times[name], perf_counter() - begun)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=7)
    args = parser.parse_args()
    matches = [played(number) for number in range(args.games)]
    logs = [log_bytes(match) for match in matches]
    plain = [log_bytes(match, digests=False) for match in matches]
    records = sum(len(match.events) + 2 for match in matches)
    commands = playouts(args.games)
    times = best(
        {
            "floor": lambda: floor(logs),
            "fold": lambda: fold(plain),
            "audit": lambda: audit(logs),
            "playout": lambda: playouts(args.games),
        },
        args.repeat,
    )
    rate = records / times["floor"]
    print(f"floor: msgpack alone            {rate:12,.0f} records/s")
    for name, what in (("fold", "reading and folding"), ("audit", "a full audit")):
        print(
            f"{what:<30} {records / times[name]:12,.0f} records/s   {times[name] / times['floor']:5.1f} times the floor"
        )
    speed = commands / times["playout"]
    print(f"{'random playouts':<30} {speed:12,.0f} commands/s  {rate / speed:5.1f} times the floor")
    with tempfile.TemporaryDirectory() as name:
        folder, few = Path(name), matches[:5]
        events = sum(len(match.events) for match in few)
        fsync = best({"floor": lambda: writing(events, folder), "append": lambda: appending(few, folder)}, 3)
    print(f"{'appending with fsync':<30} {events / fsync['append']:12,.0f} events/s", end="     ")
    print(f"{fsync['append'] / fsync['floor']:5.2f} times write and fsync alone")


if __name__ == "__main__":
    main()

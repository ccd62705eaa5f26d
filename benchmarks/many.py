"""Many logs and long logs: `audit`, `stats`, `impact` and `simulate` on one core and on two, and a log of many events.

    python benchmarks/many.py [--logs 10000] [--audited 100000] [--events 100000 1000000] [--json FILE]

The logs are 200 random matches of `take_and_share` under many names. What a log costs is CPU time of all processes
together; its floor is msgpack alone, streaming over the same bytes just before and after. Seconds of two cores are
those of the clock, so they need a quiet machine. What the machine itself makes of two cores is measured beside them:
two calls at once that know nothing of each other, each with half of the logs. What two processes say is compared with
what one says.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import kifu
import msgpack
import results
from attrs import evolve, frozen
from kifu.core.game import Event
from kifu.core.log import read_bytes
from kifu.core.log.format import CHAIN_BYTES, digest, event_bytes, first_chain, header_bytes
from kifu.core.match.fold import Fold
from kifu.core.match.header import new_header
from kifu.core.wire import wire_of
from linked_logs import CLIENT, GAME, IN_A_FOLDER, SEED, named, played
from results import Figure

VERBS = {
    "audit": ("audit",),
    "stats": ("stats",),
    "impact": ("impact", "--option", "long=false"),
    "impact of a change": ("impact", "--option", "long=true"),
    "impact --fast": ("impact", "--option", "long=false", "--fast"),
}
AUDITS = {"stats": 1.3, "impact": 4, "impact of a change": 4, "impact --fast": 1.3}
"""What they may take: so many audits of the same logs, each by its own floor."""
TWO_CORES = 1.8
IN_MEMORY = Path("/dev/shm")
"""Where matches are played to: on a disk without a journal a new file of ext4 waits for the kernel to find one of its
places that was not freed in the last minutes, and takes as long as a match where a benchmark has just cleared up."""
FLOOR_ROUNDS = 200
"""About a second: a busy machine slows what is short less."""


@frozen
class Cost:
    """The cost of one call: seconds, CPU seconds of all processes, peak memory in MiB; and a hash of what it says."""

    seconds: float
    cpu: float
    memory: float
    says: bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--audited", type=int, default=100_000, help="logs of the longest audit; 0: none")
    parser.add_argument("--events", type=int, nargs="*", default=[100_000, 1_000_000])
    results.add_argument(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results.report("many", figures(Path(folder), args.logs, args.audited, args.events), args.json)


def figures(folder: Path, logs: int, audited: int, events: Sequence[int]) -> Iterator[Figure]:
    matches = played(folder / "matches")
    yield Figure("the logs of a call", logs, "logs")
    some, audit, floors = named(matches, folder / "some", logs), None, 0.0
    yield Figure("the floor", 1000 * floor_of(matches), "ms a log")
    for verb, (name, *options) in VERBS.items():
        call, before = (name, str(some), *options, "--json", "--jobs"), floor_of(matches)
        one = replay(folder, *call, "1")
        floor = logs * (before + floor_of(matches)) / 2
        if audit is None:
            audit, floors = one, one.cpu / floor
            yield from of_one(verb, one, logs, floor, "the floor")
            yield two_calls(folder, some, one, logs)
        else:
            yield from of_one(verb, one, logs, floors * floor, "an audit", AUDITS[verb])
        yield from of_two(verb, one, replay(folder, *call, "2"), logs)
    yield from simulated(logs)
    assert audit is not None
    if audited:
        more = replay(folder, "audit", str(named(matches, folder / "more", audited)), "--json", "--jobs", "1")
        per_log = audit.cpu / logs
        name = f"audit of {audited:,} logs"
        ratio = more.cpu / audited / per_log
        yield Figure(name, 1000 * more.cpu / audited, "ms a log", ratio, "an audit", aim=1.15)
        yield Figure(f"{name}: memory", more.memory, "MiB", more.memory / audit.memory, "an audit", aim=1.5)
    yield from long_logs(events)


def floor_of(matches: list[Path]) -> float:
    """Return the CPU seconds that msgpack alone takes for a log, the median of many rounds."""
    logs, times = [each.read_bytes() for each in matches], []
    for _ in range(FLOOR_ROUNDS):
        began = process_time()
        for log in logs:
            unpacker = msgpack.Unpacker(strict_map_key=False)
            unpacker.feed(log)
            for _ in unpacker:
                pass
        times.append(process_time() - began)
    return median(times) / len(logs)


def two_calls(folder: Path, logs: Path, one: Cost, count: int) -> Figure:
    """Audit the logs by two calls at once that know nothing of each other."""
    places = sorted(logs.iterdir())
    halves = places[: len(places) // 2], places[len(places) // 2 :]
    assert all(halves), f"two calls need more than {IN_A_FOLDER} logs"

    def audited(half: list[Path]) -> Cost:
        place = folder / f"at-{half[0].name}"
        place.mkdir()
        return replay(place, "audit", *map(str, half), "--json", "--jobs", "1")

    began = perf_counter()
    with ThreadPoolExecutor(2) as calls:
        list(calls.map(audited, halves))
    seconds = perf_counter() - began
    return Figure(
        "audit, two calls at once", count / seconds, "logs/s", one.seconds / seconds, "as fast as one", "more"
    )


def of_one(name: str, one: Cost, logs: int, beside: float, to: str, aim: float | None = None) -> Iterator[Figure]:
    yield Figure(f"{name}, one process", 1000 * one.cpu / logs, "ms a log", one.cpu / beside, to, aim=aim)
    yield Figure(f"{name}: memory", one.memory, "MiB")


def of_two(name: str, one: Cost, two: Cost, logs: int) -> Iterator[Figure]:
    assert two.says == one.says, f"{name}: two processes say other things than one"
    ratio = one.seconds / two.seconds
    yield Figure(f"{name}, two processes", logs / two.seconds, "logs/s", ratio, "as fast as one", "more", TWO_CORES)
    ratio = two.cpu / one.cpu
    yield Figure(f"{name}, two processes: CPU", 1000 * two.cpu / logs, "ms a log", ratio, "one process")


def simulated(logs: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        one, two = (played_by(jobs, Path(folder), logs) for jobs in ("1", "2"))
    yield Figure("simulate, one process", 1000 * one.cpu / logs, "ms a log")
    yield from of_two("simulate", one, two, logs)


def played_by(jobs: str, folder: Path, logs: int) -> Cost:
    out = folder / jobs
    cost = replay(
        folder, "simulate", GAME, "--games", str(logs), "--seed", SEED, "-o", str(out), "--jobs", jobs, "--json"
    )
    said = blake2b(b"".join(each.read_bytes() for each in sorted(out.glob("*.log")))).digest()
    return evolve(cost, says=said)


def replay(folder: Path, *call: str) -> Cost:
    """Run `replay` in a process of its own."""
    memory, out = folder / "memory", folder / "out"
    began = perf_counter()
    with out.open("wb") as output:
        client = subprocess.Popen([sys.executable, "-c", CLIENT, str(memory), *call], stdout=output)
        _, status, usage = os.wait4(client.pid, 0)
    seconds = perf_counter() - began
    client.returncode = os.waitstatus_to_exitcode(status)
    assert client.returncode in (0, 1), f"replay {call[0]} ended with {client.returncode}"
    says = blake2b(out.read_bytes()).digest()
    return Cost(seconds, usage.ru_utime + usage.ru_stime, int(memory.read_text()) / 1024, says)


def long_logs(counts: Sequence[int]) -> Iterator[Figure]:
    """Audit single logs of so many events; a ratio is to the first of them, by event."""
    first = None
    for count in counts:
        log = long_log(count)
        began = process_time()
        reading = read_bytes(log, keep_states=False)
        micros = 1e6 * (process_time() - began) / count
        assert reading.ok, reading.findings
        assert reading.events == count
        first = first or micros
        name = f"audit of one log of {count:,} events"
        yield Figure(name, micros, "µs an event", micros / first, "the shortest", aim=1.15)


def long_log(events: int) -> bytes:
    """Return the log of a match of MABR in which two seats swap cards for as long as somebody looks."""
    game = kifu.games.find("mabr")
    header = new_header(game, ("Aki", "Ren"), {"idle_rounds": 0}, bytes(32), match="long", started=0, engine="")
    wire, fold = wire_of(game), Fold(game, header, keep_states=False)
    parts = [header_bytes(header, game)]
    link = first_chain(parts[0])
    for seq in range(events):
        (seat,) = game.to_act(fold.state)
        command = fold.deal() if seat == kifu.TABLE else swap_or_first(iter(game.legal(fold.state, seat)))
        event = Event(seq, seat, command)
        parts.append(event_bytes(event, wire, digest(fold.apply(seat, command)), link))
        link = parts[-1][-CHAIN_BYTES:]
    return b"".join(parts)


def swap_or_first(commands: Iterator[Any]) -> Any:
    """Return the first swap; if there is none, the first command."""
    first = next(commands)
    swaps = (each for each in chain([first], commands) if each.__class__.__name__ == "Swap")
    return next(swaps, first)


if __name__ == "__main__":
    main()

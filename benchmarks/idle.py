"""What a host costs that has nothing to do: processor time over a store of many matches that go on.

    pip install '.[web]'
    python benchmarks/idle.py [--matches 24000] [--seconds 60] [--store ADDRESS] [--json FILE]

Every match has a turn limit that is a day off. Measured for `replay serve` as a process of its own: the processor time
from its start until it answers, the same of a host over an empty store, and how much of a core it takes afterwards.
`--store` names an empty store, by default a new SQLite file. Needs Linux.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import results
from kifu.core.host import Host, Terms
from kifu.core.stores import open_store
from results import Figure

DAY_MS = 24 * 60 * 60 * 1000
SHARE = 0.01
"""The share of a core that an idle host may take."""
WRITERS = 16
SETTLE_S = 3.0


def processor_s(process: int) -> float:
    """Return the processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fill(address: str, matches: int) -> None:
    """Open so many matches with a turn limit of a day."""
    store = open_store(address)
    host, terms = Host(store), Terms(turn_limit_ms=DAY_MS)
    with ThreadPoolExecutor(WRITERS) as executor:
        for _ in executor.map(lambda _: host.open("take_and_share", ["a", "b", "c"], terms=terms), range(matches)):
            pass
    store.close()


@contextmanager
def serving(address: str) -> Iterator[tuple[int, float, float]]:
    """Yield a server's process, and the seconds and processor seconds until it was there."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", address, "--port", "0", "--quiet"]
    began_s = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        if not process.stdout.readline():
            raise SystemExit("the server did not start")
        yield process.pid, time.perf_counter() - began_s, processor_s(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout.close()


def figures(address: str, empty: str, matches: int, seconds: float) -> Iterator[Figure]:
    """Measure the start and the rest of a host over a store that is filled here."""
    with serving(empty) as (_, _, base_s):
        pass
    began_s = time.perf_counter()
    fill(address, matches)
    print(f"{matches} matches were opened in {time.perf_counter() - began_s:.0f} s", flush=True)
    kind = address.partition(":")[0]
    with serving(address) as (process, wall_s, start_s):
        yield Figure(f"{kind}: start", start_s, "s of CPU", start_s / base_s, "a start over an empty store")
        yield Figure(f"{kind}: start, until it answers", wall_s, "s")
        time.sleep(SETTLE_S)
        settled_s = processor_s(process)
        time.sleep(seconds)
        share = (processor_s(process) - settled_s) / seconds
        yield Figure(f"{kind}: after the start", settled_s - start_s, "s of CPU")
        yield Figure(f"{kind}: idle", 100 * share, "% of a core", aim=100 * SHARE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=24_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--store", help="the address of an empty store")
    results.add_argument(parser)
    given = parser.parse_args()
    with TemporaryDirectory() as place:
        address = given.store or f"sqlite:{place}/kifu.db"
        results.report("idle", figures(address, f"sqlite:{place}/empty.db", given.matches, given.seconds), given.json)


if __name__ == "__main__":
    main()

"""The cost of an audit of many logs: on one core, in processes of this machine, and on a Dask cluster of this machine.

    python benchmarks/bulk.py [--logs 1000 10000 100000] [--workers 2] [--ways one processes cluster addresses]
                              [--json FILE]

Seconds are those of the clock, which others who use the machine stretch; what a log costs is counted in CPU time of all
processes together: client, scheduler and workers. The logs are 200 random matches under many names. What every way
says is compared with the first. Needs `kifu[bulk]`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import perf_counter

import psutil
import results
from attrs import frozen
from distributed import LocalCluster
from linked_logs import CLIENT, named, played
from results import Figure

WAYS = ("one", "processes", "cluster", "addresses")


@frozen
class Cost:
    """The cost of one audit: seconds, CPU seconds of all processes, the client's peak memory in MiB; and its output."""

    seconds: float
    cpu: float
    memory: float
    output: str


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--logs", type=int, nargs="+", default=[1000, 10000])
    given.add_argument("--workers", type=int, default=2)
    given.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    results.add_argument(given)
    asked = given.parse_args()
    results.report("bulk", figures(asked.logs, asked.workers, asked.ways), asked.json)


def figures(counts: list[int], workers: int, ways: list[str]) -> Iterator[Figure]:
    """Audit so many logs in each of the ways; ratios are to the first way."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        matches = played(place / "matches")
        for count in counts:
            logs, first = named(matches, place / str(count), count), None
            for way in ways:
                cost = audited(logs, way, workers, place / "output")
                first = first or cost
                assert cost.output == first.output, f"{way} has another output than {ways[0]}"
                name, to = f"{count:,} logs, {way}", f"{count:,} logs, {ways[0]}"
                yield Figure(name, count / cost.seconds, "logs/s", first.seconds / cost.seconds, to, "more")
                yield Figure(f"{name}: CPU of a log", 1000 * cost.cpu / count, "ms", cost.cpu / first.cpu, to)
                yield Figure(f"{name}: client's memory", cost.memory, "MiB", cost.memory / first.memory, to)


def audited(logs: Path, way: str, workers: int, out: Path) -> Cost:
    """Audit the logs in one of the ways."""
    with cluster_of(workers) if way in ("cluster", "addresses") else nullcontext() as address:
        how = {"one": ["--jobs", "1"], "processes": ["--jobs", str(workers)]}.get(way, ["--cluster", str(address)])
        where = f"file://{logs}" if way == "addresses" else str(logs)
        memory = out.with_suffix(".memory")
        before, began = cpu_of_mine(), perf_counter()
        with out.open("wb") as output:
            command = [sys.executable, "-c", CLIENT, str(memory), "audit", where, "--json", *how]
            client = subprocess.Popen(command, stdout=output)
            _, status, usage = os.wait4(client.pid, 0)
        seconds, cpu = perf_counter() - began, cpu_of_mine() - before
        client.returncode = os.waitstatus_to_exitcode(status)
    assert client.returncode == 0, f"replay audit ended with {client.returncode}"
    digest = hashlib.blake2b()
    with out.open("rb") as output:
        for line in output:
            digest.update(line.replace(b"file://", b""))
    return Cost(seconds, cpu + usage.ru_utime + usage.ru_stime, int(memory.read_text()) / 1024, digest.hexdigest())


@contextmanager
def cluster_of(workers: int) -> Iterator[str]:
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster.scheduler_address


def cpu_of_mine() -> float:
    """Return the CPU seconds of this process, with the scheduler, and of its running children, the workers."""
    me = psutil.Process()
    times = [each.cpu_times() for each in (me, *me.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


if __name__ == "__main__":
    main()

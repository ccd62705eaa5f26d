"""What the start of kifu takes above Python's own, in processor time.

    python benchmarks/start.py [--rounds 9] [--json FILE]

Each call is a process of its own; all take turns, and the median of each counts. Python itself, which does nothing, is
taken off. A first call of each is not counted: it keeps what it compiles, and other files come from memory after it.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import results
from results import Figure

LOG = sorted((Path(__file__).parents[1] / "fixtures" / "cake").glob("*.log"))[0]
REPLAY = ["-m", "kifu.replay"]
CALLS = {
    "Python itself": ["-c", ""],
    "import kifu": ["-c", "import kifu"],
    "replay --help": [*REPLAY, "--help"],
    "replay audit of one log": [*REPLAY, "audit", str(LOG)],
    "replay show of one log": [*REPLAY, "show", str(LOG)],
}
KEEPING = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
AIMS = {"replay --help": 130.0, "replay show of one log": 220.0}


def processor_ms(call: Sequence[str]) -> float:
    """Run a call of Python's; return the milliseconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    nothing = subprocess.DEVNULL
    subprocess.run([sys.executable, *call], check=True, env=KEEPING, stdin=nothing, stdout=nothing)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def figures(rounds: int) -> Iterator[Figure]:
    """Yield Python's own time, and what each call takes above it."""
    took: dict[str, list[float]] = {name: [] for name in CALLS}
    for call in CALLS.values():
        processor_ms(call)
    for _ in range(rounds):
        for name, call in CALLS.items():
            took[name].append(processor_ms(call))
    (python, own), *others = ((name, median(each)) for name, each in took.items())
    yield Figure(python, own, "ms")
    for name, spent in others:
        yield Figure(name, spent - own, "ms", spent / own, python, aim=AIMS.get(name), aims_at="value")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    results.add_argument(parser)
    given = parser.parse_args()
    results.report("start", figures(given.rounds), given.json)


if __name__ == "__main__":
    main()

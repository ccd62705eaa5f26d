"""How much faster the compiled build is: `speed.py`, and playouts beside C++, by two interpreters that take turns.

    KIFU_COMPILE=1 pip wheel --wheel-dir wheels .
    python -m venv compiled && compiled/bin/pip install wheels/kifu-*.whl
    python benchmarks/compiled.py compiled/bin/python [GAME …] [--games 20] [--rounds 3] [--json FILE]

This interpreter has kifu as Python alone, the other one has it compiled. The rounds take turns, so that both see the
same machine, and the best of all counts: time is the processor's, which others on the machine can only add to.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import results
from results import Figure
from speed import MAIN, SEATS

HERE = Path(__file__).parent
AIMS = {f"{MAIN}: read and fold": 12.0, f"{MAIN}: audit": 20.0}
"""In times the floor."""
SEARCH_AIM = 2.0
HEARTS_AIM = 0.4
HEARTS = """
from random import Random
import peers
field = [next(peers.kifu_games()), next(peers.openspiel_cpp_games())]
for _ in range({rounds}):
    for each in field:
        peers.measure(each, 0.4, Random(1))
print(*[each.decisions for each in field])
"""
PURE = "pure Python"

Rounds = dict[str, list[Figure]]
"""By its name: a figure in each round."""


def speeds(python: str, *arguments: str) -> list[Figure]:
    """Run `speed.py` by an interpreter, and return its figures."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        call = [python, str(HERE / "speed.py"), *arguments, "--json", str(path)]
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        return results.load(path).figures


def in_turns(pythons: list[str], rounds: int, *arguments: str) -> list[Rounds]:
    """Return the figures of `speed.py` by each interpreter."""
    found: list[Rounds] = [{} for _ in pythons]
    for _ in range(rounds):
        for python, figures in zip(pythons, found, strict=True):
            for each in speeds(python, *arguments):
                figures.setdefault(each.name, []).append(each)
    return found


def best_of(figures: list[Figure]) -> float:
    return max(each.value for each in figures)


def floor_of(figures: list[Figure]) -> float:
    """Return the rate of the floor, in its best round."""
    return max(each.value * each.ratio for each in figures if each.ratio is not None)


def against_hearts(python: str, rounds: int) -> tuple[float, float]:
    """Return the decisions a second of our main game by an interpreter, and those of hearts in C++ beside it."""
    call = [python, "-c", HEARTS.format(rounds=5 * rounds)]
    done = subprocess.run(call, check=True, capture_output=True, text=True, cwd=HERE)
    ours, theirs = map(float, done.stdout.split())
    return ours, theirs


def figures(compiled: str, names: list[str], games: int, rounds: int) -> Iterator[Figure]:
    """Measure both builds."""
    pure, quick = in_turns([sys.executable, compiled], rounds, *names, "--repeat", "5", "--games", str(games))
    for name, some in quick.items():
        if name.partition(": ")[0] not in SEATS:
            continue  # appending waits for the disk
        value, unit = best_of(some), some[0].unit
        gain = value / best_of(pure[name])
        yield Figure(name, value, unit, gain, PURE, "more", SEARCH_AIM if name.endswith("a search") else None)
        if name in AIMS:
            ratio = floor_of([*some, *pure[name]]) / value
            yield Figure(f"{name}, to the floor", value, unit, ratio, "the floor", aim=AIMS[name])
    for build, python in (("pure", sys.executable), ("compiled", compiled)):
        ours, theirs = against_hearts(python, rounds)
        aim = HEARTS_AIM if build == "compiled" else None
        name = f"{MAIN}, {build}: random playouts"
        yield Figure(name, ours, "decisions/s", ours / theirs, "hearts of OpenSpiel in C++", "more", aim)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", metavar="PYTHON", help="the interpreter that has the compiled build")
    parser.add_argument("names", nargs="*", metavar="GAME", default=[*SEATS], help="the games (none: all)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    results.add_argument(parser)
    args = parser.parse_args()
    results.report("compiled", figures(args.python, args.names, args.games, args.rounds), args.json)


if __name__ == "__main__":
    main()

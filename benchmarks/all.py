"""Run every quick benchmark that has stored results, and hold its ratios beside theirs.

    python benchmarks/all.py DIR [--compiled PYTHON] [--percent 15]

DIR gets the results as JSON, a file for each benchmark. What needs a package that is not installed is told and left
out, and so is the compiled build without the interpreter that has it. With small arguments a ratio varies by more than
that of a whole run: one that is worse is to be measured again by its own benchmark. Exit code: 0, or 1 if a ratio is
worse or a benchmark failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import compare
from results import FOLDER, load

QUICK = {
    "start": [],
    "derived": ["--matches", "10", "--repeat", "3"],
    "speed": ["--games", "20", "--repeat", "3"],
    "peers": ["--seconds", "0.2", "--rounds", "3"],
    "learners": ["take_and_share", "cake", "--matches", "5", "--rounds", "5", "--seconds", "0.1"],
    "many": ["--logs", "1000", "--audited", "0", "--events", "10000"],
    "stores": ["--events", "200", "--rounds", "3"],
    "live": ["--matches", "1", "--watchers", "50"],
}
"""The benchmarks, with the arguments that make each a matter of a minute or two."""

COMPILED = ["--games", "5", "--rounds", "1"]
LONGEST = 300  # seconds


def run(name: str, arguments: list[str], folder: Path, limit: float) -> bool:
    """Run one benchmark and compare its ratios with the stored ones; return whether all is well."""
    print(f"\n{name} {' '.join(arguments)}", flush=True)
    path = folder / f"{name}.json"
    path.unlink(missing_ok=True)
    call = [sys.executable, str(Path(__file__).with_name(f"{name}.py")), *arguments, "--json", str(path)]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        print(f"failed: not done after {LONGEST} seconds")
        return False
    if done.returncode or not path.exists():
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}, no results"])[-1]
        missing = last.startswith("ModuleNotFoundError")
        print(f"{'left out' if missing else 'failed'}: {last}")
        return missing
    written, failed = compare.lines(load(FOLDER / f"{name}.json"), load(path), limit)
    print("\n".join(written), flush=True)
    return not failed


def main(arguments: list[str] | None = None) -> int:
    """Run and compare them all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--compiled", metavar="PYTHON", help="the interpreter that has the compiled build")
    parser.add_argument("--percent", type=float, default=compare.LIMIT, help="how much worse a ratio may be")
    given = parser.parse_args(arguments)
    if given.folder.resolve() == FOLDER:
        parser.error(f"{given.folder} holds the results to compare with: name another folder")
    given.folder.mkdir(parents=True, exist_ok=True)
    calls = dict(QUICK)
    if given.compiled:
        calls["compiled"] = [given.compiled, *COMPILED]
    well = [run(name, each, given.folder, given.percent) for name, each in calls.items()]
    if not given.compiled:
        print("\ncompiled\nleft out: name the interpreter that has the compiled build, --compiled PYTHON")
    return int(not all(well))


if __name__ == "__main__":
    sys.exit(main())

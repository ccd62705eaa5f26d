"""Hold two results of a benchmark side by side; fail if a ratio is worse by more than 15 %.

    python benchmarks/speed.py --json before.json
    python benchmarks/speed.py --json after.json
    python benchmarks/compare.py before.json after.json [--percent 15]

Only ratios are judged: they are of one run each. A figure without a ratio is shown, and so is one that only one of the
files has. Exit code: 0, or 1 if a ratio is worse.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from results import Figure, Results, load, number

LIMIT = 15.0


def worsening(before: Figure, after: Figure) -> float | None:
    """Return by how many per cent the ratio is worse; less than 0: better. None: there is no ratio."""
    if not before.ratio or not after.ratio:
        return None
    change = after.ratio / before.ratio if after.better == "less" else before.ratio / after.ratio
    return (change - 1) * 100


def lines(before: Results, after: Results, limit: float) -> tuple[list[str], bool]:
    """Return a line for each figure, and whether a ratio is worse by more than the limit, in per cent."""
    was = {figure.name: figure for figure in before.figures}
    now = {figure.name: figure for figure in after.figures}
    written, failed = [], False
    for name in [*was, *(name for name in now if name not in was)]:
        if name not in was or name not in now:
            written.append(f"{name:<52} only in the {'first' if name in was else 'second'}")
            continue
        worse = worsening(was[name], now[name])
        if worse is None:
            values = f"{number(was[name].value)} -> {number(now[name].value)} {now[name].unit}"
            written.append(f"{name:<52} {values}")
            continue
        verdict = f"WORSE by {worse:.0f} %" if worse > limit else f"{-worse:+.0f} %"
        failed = failed or worse > limit
        written.append(
            f"{name:<52} {number(was[name].ratio or 0):>8} -> {number(now[name].ratio or 0):>8} ×   {verdict}"
        )
    return written, failed


def main(arguments: list[str] | None = None) -> int:
    """Print the comparison; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--percent", type=float, default=LIMIT, help="how much worse a ratio may be")
    given = parser.parse_args(arguments)
    before, after = load(given.before), load(given.after)
    if before.benchmark != after.benchmark:
        raise SystemExit(f"{given.before} is of {before.benchmark}, {given.after} of {after.benchmark}")
    written, failed = lines(before, after, given.percent)
    print("\n".join(written))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

"""What a benchmark measured: its figures, and the machine and versions it measured them with, as JSON.

A time says little of another machine, and of this one at another hour. So a figure has a ratio to something that was
measured beside it, in the same run; `compare.py` holds the ratios of two files side by side, and `render.py` makes the
tables of docs/benchmarks.md of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from attrs import asdict, frozen

FOLDER = Path(__file__).with_name("results")
"""The results that docs/benchmarks.md shows, a file for each benchmark."""

PACKAGES = ("kifu", "attrs", "cattrs", "msgpack", "open_spiel", "pokerkit", "rlcard", "pettingzoo", "eventsourcing")


@frozen
class Figure:
    """One measured figure, and its ratio to what was measured beside it."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    to: str = ""
    """What the ratio is to; empty where there is no ratio."""
    better: Literal["less", "more"] = "less"
    """Which ratio is the better one; without a ratio, which value."""
    aim: float | None = None
    """The ratio that the figure shall reach; the value, if there is no ratio or `aims_at` says so."""
    aims_at: Literal["ratio", "value"] = "ratio"

    @property
    def is_missed(self) -> bool:
        """Whether there is an aim, and the figure does not reach it."""
        measured = self.value if self.ratio is None or self.aims_at == "value" else self.ratio
        return self.aim is not None and (measured > self.aim if self.better == "less" else measured < self.aim)

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"   {number(self.ratio):>8} × {self.to}"
        aim = "" if self.aim is None else f"   aim {number(self.aim)}: {'missed' if self.is_missed else 'met'}"
        return f"{self.name:<52} {number(self.value):>10} {self.unit:<14}{ratio}{aim}"


@frozen
class Results:
    """All figures of one benchmark, in order."""

    benchmark: str
    figures: list[Figure]
    measured: str
    machine: dict[str, Any]
    versions: dict[str, str]

    def save(self, path: Path) -> None:
        """Write the results as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def load(path: Path) -> Results:
    """Read results; raise `SystemExit` with one line where the file holds none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Results(**{**data, "figures": [Figure(**each) for each in data["figures"]]})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SystemExit(f"{path}: not the results of a benchmark: {error!r}") from None


def number(value: float) -> str:
    """Format a number with the digits that mean something: three, and all before the point."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 4
    return f"{value:,.{digits}f}"


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--json FILE`."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures, machine and versions there too")


def report(benchmark: str, figures: Iterable[Figure], path: Path | None) -> None:
    """Print each figure as it comes, and write all of them where a path is given."""
    done = []
    for figure in figures:
        print(figure, flush=True)
        done.append(figure)
    if path:
        measured = datetime.now(UTC).isoformat(timespec="minutes")
        Results(benchmark, done, measured, machine(), versions()).save(path)


def machine() -> dict[str, Any]:
    """Return what a reader of the figures wants to know of the machine; nothing that names it."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(each, 1) for each in load],
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def versions() -> dict[str, str]:
    """Return the versions of the packages that take part, as far as they are installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found

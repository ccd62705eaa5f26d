"""Shrinking: from a setting that violates something to the smallest one that still does, and how to repeat it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from time import monotonic

from attrs import evolve

from .simulation import Report, Setting

Run = Callable[[Setting], Report]
MAX_S = 60.0
"""How long a shrinking may take."""
SEEDS = 8
"""How many seeds are tried with each smaller setting: with fewer actors, the same seed draws other things."""
LAST_LINES = 40


def shrink(report: Report, run: Run) -> Report:
    """Return the report of the smallest setting found that violates the same.

    Tries fewer matches, hosts and kinds of faults, and a shorter storm, until none of it leaves the violation, or
    `MAX_S` seconds are over.
    """
    smallest, kinds, until_s = report, kinds_of(report), monotonic() + MAX_S
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(smallest.setting):
            if monotonic() >= until_s:
                return smallest
            tried = run(smaller)
            if kinds_of(tried) & kinds:
                smallest, progress = tried, True
                break
    return smallest


def _smaller(setting: Setting) -> Iterator[Setting]:
    """Yield smaller settings, the much smaller ones first."""
    for changed in _with_less(setting):
        for seed in range(setting.seed, setting.seed + SEEDS):
            yield evolve(changed, seed=seed)
    for part in (4, 2, 1.3, 1.1):
        if int(setting.steps / part) < setting.steps:
            yield evolve(setting, steps=int(setting.steps / part))


def _with_less(setting: Setting) -> Iterator[Setting]:
    """Yield the setting with fewer matches, hosts or faults."""
    if setting.matches > 1:
        yield evolve(setting, matches=1)
    if setting.hosts > 1:
        yield evolve(setting, hosts=setting.hosts - 1)
    for fault in sorted(setting.faults):
        yield evolve(setting, faults=setting.faults - {fault})


def kinds_of(report: Report) -> set[str]:
    """Return what was violated, without the names and numbers of the run."""
    return {" ".join(re.sub(r"match \w+|\d+", "", each).split()[:5]) for each in report.violations}


def failure(smallest: Report, again: str) -> str:
    """Return the text of a shrunk failure: what was violated, the end of its trace, and how to repeat it."""
    lines = [
        f"shrunk to {smallest.setting}, which violates:",
        *(f"  {each}" for each in smallest.violations),
        f"the last of {len(smallest.trace)} lines of its trace, digest {smallest.digest}:",
        *(f"  {line}" for line in smallest.trace[-LAST_LINES:]),
        f"again: {again}",
    ]
    return "\n".join(lines)

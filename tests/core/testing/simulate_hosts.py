"""`python tests/core/testing/simulate_hosts.py`: simulate hosts with many seeds, or with one again."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from os import cpu_count
from tempfile import TemporaryDirectory

from attrs import asdict
from kifu.core.stores import open_store
from kifu.core.testing.host_simulation import STEPS, Report, Setting, host_simulation
from kifu.core.testing.host_simulation.world import FAULTS

SILENCE = logging.NullHandler()
COMMAND = "python tests/core/testing/simulate_hosts.py"
LAST_LINES = 40
"""So many lines of a trace are printed of a failure."""


def arguments(argv: list[str] | None = None) -> Namespace:
    """Parse the command line."""
    parser = ArgumentParser(COMMAND, description=__doc__)
    parser.add_argument("--store", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--seeds", type=int, default=0, help="simulate so many seeds, from --seed on")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first run")
    parser.add_argument("--steps", type=int, default=STEPS, help="how many things happen in the storm")
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--faults", default=",".join(sorted(FAULTS)), help="the kinds of faults, with commas between")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1, help="how many processes share the seeds")
    parser.add_argument("--trace", action="store_true", help="print all that happened")
    given = parser.parse_args(argv)
    faults = frozenset(filter(None, given.faults.split(",")))
    if not faults <= FAULTS:
        parser.error(f"faults are {', '.join(sorted(FAULTS))}")
    if min(given.hosts, given.matches, given.jobs) < 1:
        parser.error("there is at least one host, one match and one job")
    given.faults = faults
    return given


def run_at(kind: str, setting: Setting) -> Report:
    """Run a simulation over an empty store of this kind; what its hosts log is not shown."""
    logging.getLogger("kifu.host").addHandler(SILENCE)
    with TemporaryDirectory(prefix="kifu-simulation-") as folder:
        connect = partial(open_store, f"sqlite:{folder}/store")
        return host_simulation(setting, None if kind == "memory" else connect)


def main(argv: list[str] | None = None) -> int:
    """Simulate; return 1 if anything was violated."""
    given = arguments(argv)
    settings = [
        Setting(seed, given.steps, given.hosts, given.matches, given.faults)
        for seed in range(given.seed, given.seed + max(given.seeds, 1))
    ]
    simulate = partial(run_at, given.store)
    failed = commands = 0
    with ProcessPoolExecutor(given.jobs) as executor:
        alone = given.jobs == 1 or len(settings) == 1
        each_run = (executor.submit(simulate, setting) for setting in settings)
        reports = map(simulate, settings) if alone else (done.result() for done in as_completed(each_run))
        for report in reports:
            commands += report.acknowledged
            if given.trace:
                _write("\n".join(report.trace))
            if not report.ok:
                failed += 1
                _write(failure(report, given.store))
    last = f", digest {report.digest}" if len(settings) == 1 else ""
    _write(f"{len(settings)} simulated, {commands} commands acknowledged, {failed} with a violation{last}")
    return 1 if failed else 0


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def failure(report: Report, store: str) -> str:
    """Return the text of a failure: what was violated, the end of the trace, and how to repeat it."""
    given = {**asdict(report.setting), "faults": ",".join(sorted(report.setting.faults)), "store": store}
    again = " ".join(f"--{name}={value}" for name, value in given.items())
    lines = [
        f"seed {report.setting.seed} violates:",
        *(f"  {each}" for each in report.violations),
        f"the last of {len(report.trace)} lines of its trace, digest {report.digest}:",
        *(f"  {line}" for line in report.trace[-LAST_LINES:]),
        f"again: {COMMAND} {again}; fewer steps, hosts, matches or kinds of faults may show it, too",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

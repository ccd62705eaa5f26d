"""`python tests/core/testing/simulate_hosts.py`: simulate hosts with many seeds, or with one again."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from os import cpu_count
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from attrs import asdict
from kifu.core.errors import KifuError
from kifu.core.stores import open_store
from kifu.core.stores.store import Store
from kifu.core.testing.host_simulation import STEPS, Report, Setting, host_simulation
from kifu.core.testing.host_simulation.world import FAULTS

SILENCE = logging.NullHandler()
COMMAND = "python tests/core/testing/simulate_hosts.py"
POSTGRES = ("postgresql://", "postgres://")
LAST_LINES = 40
"""So many lines of a trace are printed of a failure."""


def store_kind(given: str) -> str:
    """Return the store that is named; raises `ValueError` for none."""
    if given not in ("memory", "sqlite") and not given.startswith(POSTGRES):
        raise ValueError(given)
    return given


def arguments(argv: list[str] | None = None) -> Namespace:
    """Parse the command line."""
    parser = ArgumentParser(COMMAND, description=__doc__)
    where = "where the hosts keep their matches: memory, sqlite, or postgresql://… (each run in a schema of its own)"
    parser.add_argument("--store", type=store_kind, default="memory", help=where)
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


@contextmanager
def stores(kind: str) -> Any:
    """Yield a function that connects to an empty store of this kind; None for one in memory."""
    if kind == "memory":
        yield None
        return
    if kind.startswith(POSTGRES):
        with schema_of(kind) as address:
            yield partial(open_store, address)
        return
    with TemporaryDirectory(prefix="kifu-simulation-") as folder:
        yield partial(open_store, f"{kind}:{folder}/store")


@contextmanager
def schema_of(address: str) -> Iterator[str]:
    """Create a schema in a PostgreSQL database, yield the address of a store in it, and drop it."""
    import psycopg

    name = f"kifu_simulation_{token_hex(8)}"
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f'CREATE SCHEMA "{name}"')
        try:
            yield f"{address}{'&' if '?' in address else '?'}options={quote(f'-csearch_path={name}')}"
        finally:
            db.execute(f'DROP SCHEMA "{name}" CASCADE')


def run_at(kind: str, setting: Setting) -> Report:
    """Run a simulation over an empty store of this kind; what its hosts log is not shown."""
    logging.getLogger("kifu.host").addHandler(SILENCE)
    with stores(kind) as make_store:
        connect: Callable[[], Store] | None = make_store
        return host_simulation(setting, connect)


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
    try:
        sys.exit(main())
    except KifuError as error:
        sys.exit(str(error))

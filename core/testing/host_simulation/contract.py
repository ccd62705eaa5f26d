"""The contract of hosts over a store, as a test class: `TestHosts = host_contract(open_again)`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ...host import Host
from ...stores.store import Store
from .processes import MakeHost
from .shrinking import failure, shrink
from .simulation import Report, Setting, run

SHORT = 600
"""How many steps suffice to compare stores."""


def host_contract(
    open_again: Callable[[Path], Store],
    *,
    seeds: range = range(10),
    lasts: bool = True,
    make_host: MakeHost = Host,
) -> type:
    """Return the test class of hosts over a store: a simulation for each of these seeds.

    `open_again(place)` and `lasts` are those of `store_contract`. `make_host` makes a host, as the class `Host` does. A
    seed that fails is shrunk, and printed with the call that repeats it.
    """

    def simulate(setting: Setting) -> Report:
        with TemporaryDirectory(prefix="kifu-simulation-") as folder:
            only = None if lasts else open_again(Path(folder))
            return run(setting, lambda: only or open_again(Path(folder)), make_host)

    class HostLaws:
        """The promises of `docs/host.md`, whatever happens."""

        @pytest.mark.parametrize("seed", seeds)
        def test_nothing_is_violated(self, seed: int) -> None:
            report = simulate(Setting(seed))
            if not report.ok:
                smallest = shrink(report, simulate)
                told = failure(smallest, f"host_simulation(make_store, {smallest.setting})")
                pytest.fail(f"seed {seed} violates: {report.violations[0]}\n{told}", pytrace=False)

        def test_the_same_seed_repeats_to_the_byte_in_this_store_as_in_memory(self) -> None:
            setting = Setting(seeds[0], steps=SHORT)
            in_memory = run(setting, None, make_host)
            lines = zip_longest(simulate(setting).trace, in_memory.trace)
            assert next(((one, two) for one, two in lines if one != two), None) is None

    HostLaws.__name__ = HostLaws.__qualname__ = "TestHosts"
    return HostLaws

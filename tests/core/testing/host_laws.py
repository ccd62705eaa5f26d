"""Whole hosts over a store: the test class that its tests inherit."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from kifu.core.testing.host_simulation import Setting, host_simulation


def host_contract(open_again, *, seeds, lasts=True):
    """Return the test class of hosts over a store, opened in a folder: a simulation for each of these seeds."""

    def simulate(setting):
        with TemporaryDirectory(prefix="kifu-simulation-") as folder:
            only = None if lasts else open_again(Path(folder))
            return host_simulation(setting, lambda: only or open_again(Path(folder)))

    class HostLaws:
        """The promises of `docs/host.md`, whatever happens."""

        @pytest.mark.parametrize("seed", seeds)
        def test_nothing_is_violated(self, seed):
            assert simulate(Setting(seed)).violations == ()

        def test_the_same_seed_repeats_to_the_byte_in_this_store_as_in_memory(self):
            setting = Setting(seeds[0], steps=600)
            assert list(simulate(setting).trace) == list(host_simulation(setting).trace)

    return HostLaws

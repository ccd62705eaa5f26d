"""A command reads nothing of the store."""

import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from .conftest import Entropy

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[dev]")


class Counting(MemoryStore):
    """A store that counts what is read."""

    reads = 0

    def read(self, *args):
        self.reads += 1
        return super().read(*args)


def test_a_command_reads_nothing_of_the_store(make_client, open_table):
    store = Counting()
    table = open_table(at=make_client(Host(store, clock=lambda: 1_000_000, entropy=Entropy())))
    seat = min(table.observe()["to_act"])
    observed, before = table.observe(seat), store.reads
    assert table.post("/commands", seat, table.submission(observed["legal"][0], observed["count"])).status_code == 201
    assert store.reads == before

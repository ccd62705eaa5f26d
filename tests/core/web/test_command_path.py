"""A command reads nothing of the store, and goes a short way."""

import threading
from pathlib import Path

import kifu
import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from .conftest import Entropy


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


@pytest.mark.skipif(not hasattr(threading, "setprofile_all_threads"), reason="needs Python 3.12")
def test_a_command_makes_few_calls_in_few_files(open_table):
    rooms = tuple(str(Path(kifu.__file__).resolve().parent / each) for each in ("core", "games"))
    table, calls, each = open_table(), [], []
    for _ in range(4):  # what is kept of a first call is there; threads of other tests may still call something, too
        seat = min(table.observe()["to_act"])
        observed = table.observe(seat)
        command = table.submission(observed["legal"][0], observed["count"])
        calls.clear()
        threading.setprofile_all_threads(lambda frame, event, _: event == "call" and calls.append(frame))
        assert table.post("/commands", seat, command).status_code == 201
        threading.setprofile_all_threads(None)
        called = [frame.f_code.co_filename for frame in dict.fromkeys(calls)]  # a coroutine that goes on is one call
        files = [file for file in called if file.startswith(rooms)]
        each.append((len(files), len(set(files))))
    assert (1, 1) < min(each[1:]) <= (120, 25), each

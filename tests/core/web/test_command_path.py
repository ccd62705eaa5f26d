"""A command reads nothing of the store, and is answered in one packet; who is cancelled keeps its place."""

import asyncio
import gc
import threading

import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from .conftest import Entropy

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


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


def test_a_request_that_is_cancelled_holds_its_place_until_its_thread_has_ended():
    from kifu.core.web.limits.admission import Admission
    from kifu.core.web.limits.rate_limits import Limits
    from kifu.core.web.metrics import Metrics

    admission, begun, going_on = Admission(Limits(), Metrics()), threading.Event(), threading.Event()
    logged = []

    def work():
        begun.set()
        assert going_on.wait(30)
        raise ValueError

    async def cancelled():
        asyncio.get_running_loop().set_exception_handler(lambda _, told: logged.append(told))
        running = asyncio.create_task(admission.run("write", work))
        await asyncio.to_thread(begun.wait, 30)
        running.cancel()
        await asyncio.sleep(0.01)
        held = not running.done()
        going_on.set()
        with pytest.raises(asyncio.CancelledError):
            await running
        del running
        gc.collect()
        return held

    assert asyncio.run(cancelled())
    assert logged == [], "what it fails with is nobody's, and no line of the log"


class Written:
    """A transport that notes what is written."""

    def __init__(self):
        self.packets, self.closed = [], False

    def write(self, data):
        self.packets.append(data)

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed


def test_a_response_s_head_goes_out_with_the_beginning_of_its_body():
    from kifu.core.web.limits.protocols import JoinedWrites

    transport = Written()
    joined = JoinedWrites(transport)
    for piece in (b"head", b"body", b"more"):
        joined.write(piece)
    assert transport.packets == [b"headbody", b"more"]
    alone = JoinedWrites(transport)
    alone.write(b"head alone")
    alone.close()
    assert (transport.packets[2:], transport.closed) == ([b"head alone"], True)
    for gone in (joined, JoinedWrites(transport), JoinedWrites(transport, has_body=False)):
        gone.write(b"head")
        gone.write(b"body")
        gone.close()
    assert len(transport.packets) == 3, "a client that has gone is written nothing, which uvloop would raise for"

"""A command takes a straight way through the app, in one thread and one packet, and is answered as ever."""

import asyncio
import threading

import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from .conftest import Entropy, bearer

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")

SITE = {"Origin": "https://example.org"}


class Counting(MemoryStore):
    """A store that counts what is read."""

    reads = 0

    def read(self, *args):
        self.reads += 1
        return super().read(*args)


@pytest.fixture
def client(make_client):
    """Return a client of an app that other sites' pages may use: with `SITE` a command takes the usual way."""
    return make_client(origins=["https://example.org"], hosts=["testserver"])


@pytest.mark.parametrize("wrong", ["nothing", "key", "match", "rule", "stale", "body", "type", "host"])
def test_both_ways_answer_alike(open_table, client, wrong):
    table = open_table(at=client)
    seat = min(table.observe()["to_act"])
    observed = table.observe(seat)
    body = table.submission(observed["legal"][0], observed["count"])
    headers = bearer("wrong" if wrong == "key" else table.keys[seat])
    if wrong == "rule":
        body["tag"], body["fields"] = "share", {"cards": []}
    elif wrong == "stale":
        body["expected_events"] = 0
    elif wrong == "body":
        del body["tag"]
    elif wrong == "type":
        headers["Content-Type"] = "text/plain"
    elif wrong == "host":
        headers["Host"] = "elsewhere.example"
    path = f"/api/matches/{'nowhere' if wrong == 'match' else table.match}/commands"
    direct = client.post(path, headers=headers, json=body)
    usual = client.post(path, headers={**headers, **SITE}, json=body)
    assert "access-control-allow-origin" in usual.headers
    assert "access-control-allow-origin" not in direct.headers
    assert (direct.status_code, direct.content) == (usual.status_code, usual.content)
    assert (direct.status_code == 201) == (wrong == "nothing")
    same = ("cache-control", "content-language", "content-type", "x-content-type-options", "www-authenticate")
    assert [direct.headers.get(name) for name in same] == [usual.headers.get(name) for name in same]


def test_a_command_reads_nothing_of_the_store(make_client, open_table):
    store = Counting()
    table = open_table(at=make_client(Host(store, clock=lambda: 1_000_000, entropy=Entropy())))
    seat = min(table.observe()["to_act"])
    observed, before = table.observe(seat), store.reads
    assert table.post("/commands", seat, table.submission(observed["legal"][0], observed["count"])).status_code == 201
    assert store.reads == before


def test_a_request_that_is_cancelled_holds_its_place_until_its_thread_has_ended():
    from kifu.core.web.admission import Admission
    from kifu.core.web.metrics import Metrics
    from kifu.core.web.rate_limits import Limits

    admission, begun, going_on = Admission(Limits(), Metrics()), threading.Event(), threading.Event()

    def work():
        begun.set()
        assert going_on.wait(30)

    async def cancelled():
        running = asyncio.create_task(admission.run("write", work))
        await asyncio.to_thread(begun.wait, 30)
        running.cancel()
        await asyncio.sleep(0.01)
        held = not running.done()
        going_on.set()
        with pytest.raises(asyncio.CancelledError):
            await running
        return held

    assert asyncio.run(cancelled())


class Written:
    """A transport that notes what is written."""

    def __init__(self):
        self.packets, self.closed = [], False

    def write(self, data):
        self.packets.append(data)

    def close(self):
        self.closed = True


def test_a_response_s_head_goes_out_with_the_beginning_of_its_body():
    from kifu.core.web.protocols import JoinedWrites

    transport = Written()
    joined = JoinedWrites(transport)
    for piece in (b"head", b"body", b"more"):
        joined.write(piece)
    assert transport.packets == [b"headbody", b"more"]
    alone = JoinedWrites(transport)
    alone.write(b"head alone")
    alone.close()
    assert (transport.packets[2:], transport.closed) == ([b"head alone"], True)

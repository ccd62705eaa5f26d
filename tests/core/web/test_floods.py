"""What a client sends without waiting for answers has a budget: frames of a watcher, requests behind one unanswered."""

import asyncio
import struct
import time
from contextlib import suppress

import pytest

from .served import CLOSE, PING, PONG, TEXT, UPGRADE, Served, frame, read_on

pytest.importorskip("msgspec", reason="needs kifu[web]")
protocols = pytest.importorskip("kifu.core.web.limits.protocols")
WebSocket = pytest.importorskip("starlette.websockets").WebSocket

CHUNKED = (
    b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def watched(served: Served):
    """Return the connection of a watcher that has sent its first message."""
    match = served.context.host.open("cake", 3).match
    connection = served.connect()
    connection.sendall(UPGRADE % match.encode())
    assert b"101 Switching" in connection.recv(4096)
    connection.sendall(frame(TEXT, b"{}"))
    return connection


def read_until(connection, words: bytes) -> bytes:
    """Return what comes, up to these words and a little more."""
    come = b""
    while words not in come:
        piece = connection.recv(4096)
        assert piece, f"it was closed after {come!r}"
        come += piece
    return come


@pytest.mark.parametrize("kind", [PING, PONG, TEXT])
def test_a_watcher_that_floods_is_closed_with_a_code_and_a_reason(kind):
    with Served() as served, watched(served) as connection:
        try:
            for _ in range(100):
                connection.sendall(frame(kind) * 1000)
        except ConnectionError:
            pass  # closed before all was sent
        answered = read_on(connection)
        assert answered.count(bytes([PONG, 0])) <= 150, "pongs to the budget and what one slice holds"
        assert "200 OK" in served.ask()
        assert served.context.metrics.refused.labels("watch_frames_per_s")._value.get() == 1


def test_a_flooding_watcher_reads_why():
    with Served(watch_frames_burst=5) as served, watched(served) as connection:
        connection.sendall(frame(PING) * 10)
        answered = read_on(connection)
        code = answered[answered.index(b"too many frames") - 2 :][:2]
        assert struct.unpack("!H", code) == (4429,)


def test_whoever_floods_one_connection_after_the_other_gets_no_new_budget_each_time():
    with Served(request_burst=100, requests_per_s=1e-6, watch_frames_burst=30) as served:
        match, statuses = served.context.host.open("cake", 3).match, []
        for _ in range(10):
            with served.connect() as connection:
                connection.sendall(UPGRADE % match.encode())
                statuses.append(connection.recv(4096)[9:12])
                with suppress(ConnectionError):
                    connection.sendall(frame(TEXT, b"{}") + frame(PING) * 1000)
                read_on(connection)
        assert statuses[0] == b"101"
        assert statuses.count(b"101") <= 5
        assert statuses[-1] == b"429"


@pytest.mark.parametrize(
    ("begin", "line"),
    [
        (b"GET /health/live HTTP/1.1\r\nHost: x\r\n", b"A: b\r\n"),
        (
            b"POST /api/matches HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\n \r\n",
        ),
    ],
)
def test_a_request_has_so_many_header_lines_and_chunks(begin, line):
    with Served(lines_per_request=100) as served, served.connect() as connection:
        with suppress(ConnectionError):
            for _ in range(10):
                connection.sendall(begin + line * 200)
                begin = b""
        assert read_on(connection)[9:12] in (b"431", b"")
        assert served.context.metrics.refused.labels("lines_per_request")._value.get() == 1
        assert "200 OK" in served.ask()


def test_each_request_of_a_connection_has_its_own_lines():
    with Served(lines_per_request=20) as served, served.connect() as connection:
        for _ in range(5):
            connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 15 + b"\r\n")
            assert read_until(connection, b"{").startswith(b"HTTP/1.1 200")


def test_a_watcher_that_pings_now_and_then_stays():
    with Served(watch_frames_burst=10, watch_frames_per_s=1e6) as served, watched(served) as connection:
        for _ in range(100):
            connection.sendall(frame(PING, b"now"))
            read_until(connection, bytes([PONG, 3]) + b"now")


@pytest.mark.parametrize(
    "more",
    [b"Content-Length: 4\r\n", b"Transfer-Encoding: chunked\r\n", b"X: y\r\n" * 200, b"X: " + b"y" * 9000 + b"\r\n"],
    ids=["body", "chunks", "headers", "a long header"],
)
def test_a_handshake_that_cannot_be_read_is_answered_and_held_no_longer(more):
    """Its connection was held for ever, and counted: enough of them, and nobody else was let in."""
    with Served() as served, served.connect() as connection:
        connection.settimeout(5)
        connection.sendall((UPGRADE % b"none").replace(b"Upgrade: websocket\r\n", b"Upgrade: websocket\r\n" + more))
        connection.sendall(b"abcd")
        assert read_on(connection).startswith(b"HTTP/1.1 400 Bad Request")


@pytest.mark.parametrize("last", ["nothing", "a close", "a flood"])
def test_a_watcher_that_reads_nothing_holds_no_connection_for_ever(monkeypatch, last):
    """It was counted no more as a watcher, and held its connection: of enough of them nobody else was let in."""
    monkeypatch.setattr(protocols, "CLOSING_S", 0.2)
    more = {"nothing": b"", "a close": frame(CLOSE, b"\x03\xe8"), "a flood": frame(PING) * 100}[last]
    with Served(message_timeout_s=0.2 if last == "nothing" else 60) as served, watched(served) as connection:
        (match,) = [match for match, _ in served.context.host._context.store.list()]
        feeds = served.app.state.feeds
        while not any(feed.watchers for feed in list(feeds._feeds.values())):  # it watches a little after its handshake
            time.sleep(0.01)
        connection.sendall(more)
        for _ in range(3):
            feeds.tell(match, "x" * 10_000_000)
        connection.sendall(more)
        until_s = time.monotonic() + 10
        while served.connections._clients and time.monotonic() < until_s:
            time.sleep(0.05)
        assert not served.connections._clients


def test_a_watcher_that_is_refused_leaves_no_error_in_the_log(caplog):
    with Served(watches_per_client=1) as served, watched(served), served.connect() as connection:
        connection.sendall(UPGRADE % b"any")
        assert read_on(connection).startswith(b"HTTP/1.1 429")
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


BEHIND = {
    "a reserved bit": bytes([0xC1, 0x80, 0, 0, 0, 0]),
    "a reserved opcode": frame(0x83),
    "no mask": b"\x81\x00",
    "a long ping": frame(0x09),
    "a close that is none": frame(CLOSE, b"\x00"),
    "a close": frame(CLOSE, b"\x03\xe8"),
    "a close and more": frame(CLOSE) + frame(TEXT, b"{}"),
    "no UTF-8": frame(TEXT, b"\xff"),
    "no UTF-8 in pieces": frame(0x01, b"\xe2") + frame(0x80, b"\x28"),
    "a piece of nothing": frame(0x80, b"a"),
    "a second beginning": frame(0x01, b"a") + frame(0x01, b"b"),
    "too much": b"\x81\xff\x00\x00\x00\x00\x7f\xff\xff\xff\x00\x00\x00\x00",
    "an impossible length": b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
}


@pytest.mark.parametrize("is_answered", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("what", BEHIND)
def test_what_a_stranger_sends_behind_a_handshake_leaves_no_error_in_the_log(monkeypatch, caplog, what, is_answered):
    """Whether it comes before or after the handshake is answered."""
    accept = WebSocket.accept

    async def slowly(socket, *given, **more):
        await asyncio.sleep(0.1)
        await accept(socket, *given, **more)

    monkeypatch.setattr(WebSocket, "accept", accept if is_answered else slowly)
    with Served() as served, served.connect() as connection:
        connection.settimeout(0.3)
        connection.sendall(UPGRADE % served.context.host.open("cake", 3).match.encode())
        if is_answered:
            read_until(connection, b"\r\n\r\n")
            connection.sendall(frame(TEXT, b"{}"))
        else:
            time.sleep(0.03)
        with suppress(TimeoutError, ConnectionError):
            connection.sendall(BEHIND[what])
            read_on(connection)
    assert [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []


def test_junk_of_a_stranger_is_answered_and_leaves_no_line_in_the_log(caplog):
    with Served() as served:
        upgrade = b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n"
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        for junk, status in ((preface, b"400"), (b"\x16\x03\x01 \r\n", b"400"), (upgrade, b"200")):
            with served.connect() as connection:
                connection.sendall(junk)
                assert read_on(connection)[9:12] == status, junk
        for first in (b"", frame(TEXT, b"{}")):
            match = served.context.host.open("cake", 3).match
            with served.connect() as connection:
                connection.sendall(UPGRADE % match.encode())
                assert b"101 Switching" in connection.recv(4096)
                connection.sendall(first + frame(TEXT, b"\xff"))
                assert struct.pack("!H", 1007) in read_on(connection)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == []


class FakeTransport(asyncio.Transport):
    """A transport of which nothing is read or written; it counts how often reading is paused."""

    def __init__(self):
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("127.0.0.1", 80)})
        self.paused = False

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False

    def write(self, data):
        pass

    def is_closing(self):
        return False

    def close(self):
        pass


def connection_to(app):
    """Return a connection to this app, with its transport, in the loop that runs."""
    from kifu.core.web.limits.connections import Connections
    from kifu.core.web.limits.protocols import protocols
    from uvicorn import Config
    from uvicorn.server import ServerState

    with Served() as served:
        connections = Connections(served.context.limits, served.context.metrics)
    http, _ = protocols(connections)
    config = Config(app, lifespan="off", log_config=None)
    config.load()
    connection, transport = http(config, ServerState(), {}), FakeTransport()
    connection.connection_made(transport)
    return connection, transport


def stop(connection):
    """End a connection, and all that runs for it."""
    connection.connection_lost(None)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()


def test_of_pipelined_requests_few_are_parsed_while_one_is_unanswered():
    async def app(scope, receive, send):
        await asyncio.Event().wait()  # it never answers

    async def flood() -> tuple[int, bool, int]:
        connection, transport = connection_to(app)
        connection.data_received(b"GET /nope HTTP/1.1\r\n\r\n" * 10_000)
        held = len(connection.pipeline), transport.paused
        stop(connection)
        return (*held, len(connection.pipeline) + len(connection._unread))

    waiting, paused, left = asyncio.run(flood())
    assert waiting < 200
    assert paused
    assert left == 0


@pytest.mark.parametrize("head_bytes", [0, 5000], ids=["many at once", "one at a time"])
def test_a_pipelined_request_waits_a_moment_so_that_the_loop_is_free_for_others(head_bytes):
    answered = []

    async def app(scope, receive, send):
        answered.append(scope["path"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def flood() -> int:
        connection, _ = connection_to(app)
        connection.data_received(b"GET /nope HTTP/1.1\r\nX: %s\r\n\r\n" % (b"x" * head_bytes) * 100)
        for _ in range(400):
            await asyncio.sleep(0)
        before = len(answered)
        while len(answered) < 20:
            await asyncio.sleep(0.001)
        stop(connection)
        return before

    assert asyncio.run(flood()) < 15


def test_pipelined_requests_are_all_answered_in_order():
    with Served(requests_per_s=1e6) as served, served.connect() as connection:
        paths = [b"/health/live" if number % 3 else b"/nope" for number in range(240)]
        requests = [b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path for path in paths]
        connection.sendall(b"".join(requests) + b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answered = read_on(connection)
        statuses = [line[9:12] for line in answered.split(b"\r\n") if b"HTTP/1.1 " in line]
        assert len(statuses) == 241
        assert [line.rpartition(b"HTTP/1.1 ")[2][:3] for line in answered.split(b"\r\n") if b"HTTP/1.1 " in line] == [
            *(b"200" if path == b"/health/live" else b"404" for path in paths),
            b"200",
        ]


def test_a_body_in_pieces_comes_through():
    with Served() as served, served.connect() as connection:
        body = b'{"game":"cake","seats":3,"x":"' + b"a" * 20_000 + b'"}'
        head = (
            b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        )
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        answered = read_on(connection)
        assert answered.startswith((b"HTTP/1.1 400", b"HTTP/1.1 422")), answered[:300]

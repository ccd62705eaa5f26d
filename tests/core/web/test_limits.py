"""Every limit is answered, by 429 or 503 with a time to retry, and counted; who waits or leaves is in nobody's way."""

import json
import logging
import socket
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event

import pytest

from ..host.writing import wait_for
from .served import TIMEOUT_S, Served, limits

BOTS = {"game": "take_and_share", "seats": [{"name": "Aki"}, {"bot": "first"}, {"bot": "first"}]}


def test_a_client_has_so_many_running_matches_with_bots(make_client, open_table):
    client = make_client(limits=limits(bot_matches_per_client=2))
    opened = [client.post("/api/matches", json=BOTS) for _ in range(3)]
    assert [each.status_code for each in opened] == [201, 201, 429]
    assert int(opened[-1].headers["retry-after"]) >= 1
    assert opened[-1].json()["type"] == "urn:kifu:problem:bot-tables", "the page says which limit it is"
    assert open_table(at=client).match, "a match without bots may be opened"
    body, key = {"kind": "abandon"}, opened[0].json()["keys"][0]["key"]
    match = opened[0].json()["match"]
    client.post(f"/api/matches/{match}/proposals", json=body, headers={"Authorization": f"Bearer {key}"})
    assert client.post("/api/matches", json=BOTS).status_code == 201


def test_matches_with_bots_that_are_opened_at_once_are_counted(make_client):
    client = make_client(limits=limits(bot_matches_per_client=2))
    with client, ThreadPoolExecutor(8) as executor:
        opened = list(executor.map(lambda _: client.post("/api/matches", json=BOTS).status_code, range(8)))
    assert Counter(opened) == {201: 2, 429: 6}


def test_a_fork_with_bots_is_a_match_with_bots(make_client, open_table):
    client = make_client(limits=limits(bot_matches_per_client=2))
    seats = [{"name": "Aki"}, {"name": "Ren"}, {"bot": "first"}]
    table = open_table(at=client, requested=seats)
    fork = table.post("/proposals", 0, {"kind": "fork", "target": 1}).json()
    assert table.post(f"/proposals/{fork['number']}", 1, {"accept": True}).json()["status"] == "accepted"
    again = table.post("/proposals", 0, {"kind": "fork", "target": 1})
    assert again.status_code == 429
    assert again.json()["type"] == "urn:kifu:problem:bot-tables"


def test_writes_that_all_wait_keep_no_reader_waiting(make_client, open_table):
    with make_client(limits=limits()) as client, ThreadPoolExecutor(30) as executor:
        tables = [open_table(at=client) for _ in range(30)]
        store, wait, begun = client.app.state.context.host._context.store, Event(), Event()
        commit = store.commit

        def stuck(changes):
            begun.set()
            assert wait.wait(TIMEOUT_S)
            return commit(changes)

        store.commit = stuck
        first = executor.submit(tables[0].play, 0)
        assert begun.wait(TIMEOUT_S)
        others = [executor.submit(table.play, 0) for table in tables[1:]]
        for table in tables[:3]:
            assert table.get("/observation", 0).json()["count"] == 1, "what the store has"
        assert client.get("/health/live").status_code == 200
        wait.set()
        assert {each.result(TIMEOUT_S).status_code for each in [first, *others]} == {201}


def test_limits_are_lowered_to_the_open_files_and_watchers_leave_room():
    from kifu.core.web import Limits
    from kifu.replay.serving import RESERVE, fit_limits

    fitted = fit_limits(Limits(), 1024)
    assert fitted.connections == 1024 - RESERVE
    assert fitted.streams < fitted.connections
    assert fit_limits(Limits(), None).connections == Limits().connections
    assert fit_limits(Limits(), 10).connections > 0
    assert fit_limits(Limits(folded_bytes=1000), None, 3000).folded_bytes == 750


def test_a_full_match_takes_no_more_events_and_is_counted(make_client, open_table):
    client = make_client()
    object.__setattr__(client.app.state.context.host._context, "events_per_match", 4)
    table = open_table(at=client)
    command = table.observe(0)["legal"][0]
    answers = [table.play() for _ in range(3)]
    assert table.observe()["to_act"] == []
    answers.append(table.post("/commands", 0, table.submission(command, 4)))
    assert [each.status_code for each in answers] == [201, 201, 201, 409]
    assert "4" in answers[-1].json()["detail"]
    told = client.get("/metrics").text
    assert 'kifu_refused_total{limit="events_per_match"} 1.0' in told
    assert "kifu_folded_matches 1.0" in told


@pytest.mark.parametrize("setting", ["watches=5", "streams=many", "connections=0", "processor_share=nan"])
def test_a_limit_that_is_none_is_refused(setting):
    from kifu.core.errors import MatchError
    from kifu.replay.serving import changed_limits

    assert changed_limits(["streams=7", "processor_share = 0.5"]).streams == 7
    with pytest.raises(MatchError, match="limit"):
        changed_limits([setting])


def test_many_connections_at_once_wait_and_none_is_lost():
    from kifu.core.web.serve import bind

    with ExitStack() as held:
        listener = held.enter_context(bind("127.0.0.1", 0))
        for _ in range(300):  # nobody accepts yet
            held.enter_context(socket.create_connection(listener.getsockname(), timeout=2))


OPEN = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"


def test_a_client_that_leaves_within_its_body_is_no_failure_of_the_server():
    with Served() as served:
        with served.connect() as connection:
            connection.sendall(OPEN + b"\r\n{")
            wait_for(lambda: served.server.server_state.tasks)
        wait_for(lambda: 'status="400"' in served.context.metrics.text().decode())
        assert 'status="500"' not in served.context.metrics.text().decode()


WATCH = b"GET /api/matches/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_watcher_that_reads_nothing_holds_no_connection(monkeypatch):
    monkeypatch.setattr("kifu.core.web.event_stream.HEARTBEAT_S", 0.001)
    monkeypatch.setattr("kifu.core.web.event_stream.HEARTBEAT", b":" * 65536 + b"\n\n")
    monkeypatch.setattr("kifu.core.web.event_stream.MESSAGE_S", 0.2)
    with Served() as served:
        match = served.context.host.open("cake", 3).match
        with served.connect() as connection:
            connection.sendall(WATCH % match.encode())
            wait_for(lambda: served.context.metrics.watchers._value.get())
            wait_for(lambda: not served.context.metrics.watchers._value.get())


def test_a_request_of_another_method_is_counted(make_client, access_log):
    client = make_client()
    assert client.request("DELETE", "/api/games").status_code == 405
    assert client.request("BREW", "/api/games").status_code == 405
    assert [(line["method"], line["status"]) for line in access_log] == [("DELETE", 405), ("other", 405)]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("play.example", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_reach_the_server(make_client, host, status):
    client = make_client(hosts=["play.example"])
    assert client.get("/health/live", headers={"Host": host}).status_code == status


def test_a_log_that_nobody_reads_blocks_nobody():
    from kifu.core.web import access_log

    class Unread:
        """A stream whose reader sleeps until it is let go."""

        def __init__(self):
            self.reads, self.text = Event(), ""

        def write(self, text):
            assert self.reads.wait(TIMEOUT_S)
            self.text += text

        def flush(self):
            pass

    stream = Unread()
    handler = access_log.Writer(stream, size=5)
    for number in range(100):
        handler.handle(logging.LogRecord(access_log.LOGGER.name, logging.INFO, "", 0, f"line {number}", None, None))
    stream.reads.set()
    handler.close()
    lines = [json.loads(line) for line in stream.text.splitlines()]
    dropped = [line["lines"] for line in lines if line["event"] == "lines were dropped"]
    assert dropped
    assert sum(dropped) + len(lines) - len(dropped) == 100
    assert len(lines) <= 8


def test_other_libraries_are_logged_as_json():
    from io import StringIO

    from kifu.core.web import access_log
    from starlette.requests import ClientDisconnect

    stream = StringIO()
    handler = access_log.Writer(stream)
    try:
        raise OSError(24, "Too many open files")
    except OSError as error:
        of_it = OSError, error, None
        handler.handle(logging.LogRecord("asyncio", logging.ERROR, "", 0, "accept failed", None, of_it))
    left = ClientDisconnect()
    handler.handle(logging.LogRecord("mcp", logging.ERROR, "", 0, "POST", None, (ClientDisconnect, left, None)))
    handler.handle(logging.LogRecord(access_log.LOGGER.name, logging.INFO, "", 0, "request", None, None))
    handler.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "mcp" not in {line.get("logger") for line in lines}, "a client may leave within its request"
    first, _ = lines
    assert (first["logger"], first["cause"]) == ("asyncio", "EMFILE")


ABORTED = struct.pack("ii", 1, 0)
WAITING_AT = b"GET /api/matches/%s/history?since=0&wait_ms=50000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""The head of a request that waits at a match."""


@pytest.fixture
def errors(caplog):
    """Return a function that returns what was logged as an error."""
    return lambda: [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


def test_answers_go_at_once():
    """Else the second piece of each waits for 40 ms until the client's system has confirmed the first."""
    with Served() as served, served.connect():
        wait_for(lambda: served.server.server_state.connections)
        (connection,) = served.server.server_state.connections
        own = connection.transport.get_extra_info("socket")
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_waits_for_an_event_that_are_broken_off_leave_their_places():
    with Served(streams_per_client=20) as served:
        match, waiting = served.context.host.open("cake", 3).match, served.app.state.watchers._watchers
        with ExitStack() as held:
            for _ in range(20):
                held.enter_context(served.connect()).sendall(WAITING_AT % match.encode())
            wait_for(lambda: waiting.in_all == 20)
            assert "429 Too Many" in served.ask(f"/api/matches/{match}/history?since=0&wait_ms=50000")
            assert "200 OK" in served.ask(f"/api/matches/{match}"), "they hold up nobody"
        began_s = time.monotonic()
        wait_for(lambda: not waiting)
        assert time.monotonic() - began_s < 20, "not when their time to wait ends"


def test_a_watcher_that_leaves_before_it_is_told_that_there_is_no_match_is_no_error(errors):
    with Served() as served:
        for _ in range(30):
            with served.connect() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTED)
                connection.sendall(WATCH % b"nope")
        wait_for(lambda: not served.server.server_state.connections)
    assert errors() == []


def test_a_request_that_waits_when_the_server_is_stopped_is_no_error(errors):
    with Served() as served, served.connect() as connection:
        match = served.context.host.open("cake", 3).match
        connection.sendall(WAITING_AT % match.encode())
        wait_for(lambda: served.app.state.watchers._watchers)
        served.server.should_exit = True
        served.thread.join(30)
    assert errors() == []

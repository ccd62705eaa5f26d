"""Clients that wait, or leave in the middle of something, are in nobody's way, and leave nothing behind."""

import logging
import socket
import struct
import time
from contextlib import ExitStack

import pytest

from .served import Served, wait_for

pytest.importorskip("msgspec", reason="needs kifu[web]")
ABORTED = struct.pack("ii", 1, 0)
WAITING_AT = b"GET /api/matches/%s/history?since=0&wait_ms=50000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
"""The head of a request that waits at a match."""


@pytest.fixture
def errors(caplog):
    """Return a function that returns what was logged as an error."""
    return lambda: [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.fixture
def served():
    with Served() as served:
        yield served


def test_answers_go_at_once(served):
    """Else the second piece of each waits for 40 ms until the client's system has confirmed the first."""
    with served.connect():
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


def test_a_watcher_that_leaves_before_it_is_told_that_there_is_no_match_is_no_error(served, errors):
    for _ in range(30):
        with served.connect() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTED)
            connection.sendall(b"GET /api/matches/nope/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
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

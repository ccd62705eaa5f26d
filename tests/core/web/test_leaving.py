"""Clients that wait, or leave in the middle of something, are in nobody's way, and leave nothing behind."""

import logging
import socket
import struct
import time
from contextlib import ExitStack, suppress

import pytest

from .served import TEXT, UPGRADE, Served, frame, read, wait_for

pytest.importorskip("msgspec", reason="needs kifu[web]")
Response = pytest.importorskip("starlette.responses").Response
Route = pytest.importorskip("starlette.routing").Route
ABORTED = struct.pack("ii", 1, 0)
WAITING_AT = {
    b"": b"GET /api/matches/%s/history?since=9&wait_ms=50000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"{": b"POST /api/matches/%s/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 99\r\n\r\n",
}
"""The heads of requests that wait at a match, by the beginning of their bodies."""
WAITING = b"GET /waiting HTTP/1.1\r\nHost: localhost\r\n\r\n"


class UntilLeft:
    """An endpoint that answers once its client has left, as a stream of server-sent events does."""

    waiting = 0

    async def __call__(self, scope, receive, send):
        self.waiting += 1
        while (await receive())["type"] != "http.disconnect":
            pass
        self.waiting -= 1


@pytest.fixture
def errors(caplog):
    """Return a function that returns what was logged as an error."""
    return lambda: [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.fixture
def until_left():
    return UntilLeft()


@pytest.fixture
def served(until_left):
    with Served() as served:
        served.app.router.routes.insert(0, Route("/waiting", until_left))
        yield served


def test_a_client_that_leaves_with_a_request_behind_another_has_left_both(served, until_left):
    with served.connect() as connection:
        connection.sendall(WAITING + WAITING)
        wait_for(lambda: until_left.waiting == 1)
    wait_for(lambda: not until_left.waiting)
    assert not served.context.admission._requests


def test_a_handshake_behind_an_unanswered_request_closes_the_connection(served, until_left):
    match = served.context.host.open("cake", 3).match
    with served.connect() as connection:
        connection.sendall(WAITING + UPGRADE % match.encode())
        with suppress(ConnectionError):
            assert read(connection) == ""
    wait_for(lambda: not until_left.waiting and not served.context.admission._requests)
    assert "200 OK" in served.ask()


@pytest.mark.parametrize("body", WAITING_AT, ids=["for an event", "for a body"])
def test_those_who_wait_at_a_match_hold_up_nobody_there(served, body):
    match = served.context.host.open("cake", 3).match
    with ExitStack() as held:
        for _ in range(20):
            held.enter_context(served.connect()).sendall((WAITING_AT[body] % match.encode()) + body)
        wait_for(lambda: served.context.admission._requests.in_all == 20)
        began_s = time.monotonic()
        assert "200 OK" in served.ask(f"/api/matches/{match}/observation")
        assert time.monotonic() - began_s < 20


def test_a_watcher_that_leaves_before_it_is_told_that_there_is_no_match_is_no_error(served, errors):
    for _ in range(30):
        with served.connect() as connection:
            connection.sendall(UPGRADE % b"nope")
            connection.recv(4096)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTED)
            connection.sendall(frame(TEXT, b"{}"))
    wait_for(lambda: not served.server.server_state.connections)
    assert errors() == []


def test_a_request_that_waits_when_the_server_is_stopped_is_no_error(errors):
    with Served() as served, served.connect() as connection:
        match = served.context.host.open("cake", 3).match
        connection.sendall(WAITING_AT[b""] % match.encode())
        wait_for(lambda: served.context.admission._requests)
        served.server.should_exit = True
        served.thread.join(30)
    assert errors() == []


@pytest.mark.parametrize("limit", ["requests_in_flight", "requests_in_flight_per_match"])
@pytest.mark.parametrize("body", WAITING_AT, ids=["for an event", "for a body"])
def test_those_who_wait_leave_room_for_others(limit, body):
    with Served(**{limit: 5}) as served, ExitStack() as held:
        match = served.context.host.open("cake", 3).match
        for number in range(20):
            held.enter_context(served.connect()).sendall((WAITING_AT[body] % match.encode()) + body)
            wait_for(lambda waiting=number + 1: served.context.admission._aside == waiting)
        assert "200 OK" in served.ask(f"/api/matches/{match}/observation")


def test_a_client_that_reads_no_answer_holds_it_no_longer_than_a_request_may_take():
    with Served(request_timeout_s=2) as served, served.connect() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        served.app.router.routes.insert(0, Route("/large", lambda _: Response(bytes(20_000_000))))
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: served.server.server_state.total_requests)
        assert served.connections._clients
        wait_for(lambda: not served.connections._clients)

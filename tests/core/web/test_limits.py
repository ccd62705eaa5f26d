"""Every limit is answered, by 429 or 503 with a time to retry, and counted; while it is hit, others are served."""

import asyncio
import io
import json
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event, Thread

import pytest
from kifu.core.host.fair_queue import BotTurn
from kifu.core.stores import Claim

from .conftest import Table
from .served import TIMEOUT_S, Served, limits, read, wait_for

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


def refused(client, limit):
    """Return how often the metrics say that this limit was hit."""
    lines = client.get("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if f'kifu_refused_total{{limit="{limit}"}}' in line), 0)


def assert_refused(response, status):
    assert response.status_code == status, response.text
    assert int(response.headers["retry-after"]) >= 1


def test_a_fork_is_an_opening(make_client, open_table):
    client = make_client(limits=limits(opens_per_s=0.01, open_burst=3))
    table = open_table(at=client)
    number = table.post("/proposals", 0, {"kind": "abandon"}).json()["number"]
    for seat in (1, 2):
        table.post(f"/proposals/{number}", seat, {"accept": True})
    forks = [table.post("/proposals", 0, {"kind": "fork", "target": 1}) for _ in range(3)]
    assert [each.status_code for each in forks] == [201, 201, 429]
    assert_refused(forks[-1], 429)
    assert refused(client, "opens_per_s") == 1
    assert table.observe()["status"] == "abandoned", "reads go on"


def test_a_long_fork_costs_more_than_a_short_one(make_client, open_table):
    client = make_client(limits=limits(opens_per_s=0.01, open_burst=5))
    table = open_table(at=client)
    forks = [table.post("/proposals", 0, {"kind": "fork", "target": 350}) for _ in range(2)]
    assert [each.status_code for each in forks] == [409, 429], "it has fewer events, and was refused for that"


def test_a_client_has_so_many_running_matches_with_bots(make_client, open_table):
    client = make_client(limits=limits(bot_matches_per_client=2))
    bots = {"game": "take_and_share", "seats": [{"name": "Aki"}, {"bot": "first"}, {"bot": "first"}]}
    opened = [client.post("/api/matches", json=bots) for _ in range(3)]
    assert [each.status_code for each in opened] == [201, 201, 429]
    assert_refused(opened[-1], 429)
    assert opened[-1].json()["type"] == "urn:kifu:problem:bot-tables", "the page says which limit it is"
    assert open_table(at=client).match, "a match without bots may be opened"
    body, key = {"kind": "abandon"}, opened[0].json()["keys"][0]["key"]
    match = opened[0].json()["match"]
    client.post(f"/api/matches/{match}/proposals", json=body, headers={"Authorization": f"Bearer {key}"})
    assert client.post("/api/matches", json=bots).status_code == 201


def test_matches_with_bots_that_are_opened_at_once_are_counted(make_client):
    client = make_client(limits=limits(bot_matches_per_client=2))
    bots = {"game": "take_and_share", "seats": [{"name": "Aki"}, {"bot": "first"}, {"bot": "first"}]}
    with client, ThreadPoolExecutor(8) as executor:
        opened = list(executor.map(lambda _: client.post("/api/matches", json=bots).status_code, range(8)))
    assert Counter(opened) == {201: 2, 429: 6}


def test_a_fork_with_bots_is_a_match_with_bots(make_client):
    client = make_client(limits=limits(bot_matches_per_client=2))
    seats = [{"name": "Aki"}, {"name": "Ren"}, {"bot": "first"}]
    opened = client.post("/api/matches", json={"game": "take_and_share", "seats": seats}).json()
    table = Table(client, opened["match"], {each["seat"]: each["key"] for each in opened["keys"]})
    fork = table.post("/proposals", 0, {"kind": "fork", "target": 1}).json()
    assert table.post(f"/proposals/{fork['number']}", 1, {"accept": True}).json()["state"] == "accepted"
    again = table.post("/proposals", 0, {"kind": "fork", "target": 1})
    assert_refused(again, 429)
    assert again.json()["type"] == "urn:kifu:problem:bot-tables"


def test_a_client_takes_no_more_than_its_share_of_free_seats(make_client, open_table):
    client = make_client(limits=limits(joins_per_s=0.01, join_burst=2))
    tables = [open_table(at=client, requested=[{}, {}, {}], public=True) for _ in range(3)]
    joined = [table.post("/seats", None, {"name": "Aki"}) for table in tables]
    assert [each.status_code for each in joined] == [201, 201, 429]
    assert_refused(joined[-1], 429)


class Stuck:
    """A host whose reads of one match wait until they are let go."""

    def __init__(self, host, match):
        self.wait, self.begun = Event(), []
        about = host.about

        def stuck(wanted):
            if wanted == match:
                self.begun.append(wanted)
                assert self.wait.wait(TIMEOUT_S)
            return about(wanted)

        host.about = stuck


def together(calls):
    """Start all calls; return a function that returns what they returned."""
    returned = []
    threads = [Thread(target=lambda call=call: returned.append(call()), daemon=True) for call in calls]
    for thread in threads:
        thread.start()

    def joined():
        for thread in threads:
            thread.join(TIMEOUT_S)
        return returned

    return joined


@pytest.mark.parametrize(
    ("limit", "status", "most"),
    [
        ("requests_in_flight_per_client", 429, 5),
        ("requests_in_flight", 503, 5),
        ("requests_in_flight_per_match", 503, 5),
    ],
)
def test_requests_at_the_same_time_are_limited_and_others_are_served(make_client, open_table, limit, status, most):
    with make_client(limits=limits(**{limit: most})) as client:  # one event loop for all threads
        table, other = open_table(at=client), open_table(at=client)
        stuck = Stuck(client.app.state.context.host, table.match)
        joined = together([table.get] * most)
        wait_for(lambda: len(stuck.begun) == min(most, 4))
        wait_for(lambda: "kifu_requests_in_flight 5.0" in client.get("/metrics").text)
        assert_refused(table.get(), status)
        assert refused(client, limit) == 1
        assert client.get("/health/live").status_code == 200
        if limit.endswith("match"):
            assert other.get().status_code == 200
        assert len(stuck.begun) == 4, "four threads wait at one match, and no more"
        stuck.wait.set()
        assert [each.status_code for each in joined()] == [200] * most
        assert table.get().status_code == 200


def test_writes_that_all_wait_keep_no_reader_waiting(make_client, open_table):
    with make_client(limits=limits()) as client:
        tables = [open_table(at=client) for _ in range(30)]
        store, wait, begun = client.app.state.context.host._context.store, Event(), Event()
        commit = store.commit

        def stuck(changes):
            begun.set()
            assert wait.wait(TIMEOUT_S)
            return commit(changes)

        store.commit = stuck
        first = together([lambda: tables[0].play(0)])
        assert begun.wait(TIMEOUT_S)
        joined = together([lambda table=table: table.play(0) for table in tables[1:]])
        assert tables[1].get("/observation", 0).status_code == 200
        assert client.get("/health/live").status_code == 200
        wait.set()
        assert {each.status_code for each in [*first(), *joined()]} == {201}


def test_a_client_cannot_have_its_empty_bucket_forgotten(monkeypatch):
    from kifu.core.web.limits import rate_limits

    monkeypatch.setattr(rate_limits, "MAX_CLIENTS", 100)
    limiter = rate_limits.RateLimiter(0.001, 3, clock=lambda: 0.0)
    while not limiter.acquire("attacker"):
        pass
    for other in range(1000):
        limiter.acquire(str(other))
    assert limiter.acquire("attacker") > 0
    assert len(limiter._left) <= 100


def test_limits_are_lowered_to_the_open_files_and_watchers_leave_room():
    from kifu.core.web import Limits
    from kifu.core.web.limits.open_files import RESERVE, fit_limits

    fitted = fit_limits(Limits(), 1024)
    assert fitted.connections_total == 1024 - RESERVE
    assert fitted.watches_total < fitted.connections_total
    assert fit_limits(Limits(), None).connections_total == Limits().connections_total
    assert fit_limits(Limits(), 10).connections_total > 0
    assert fit_limits(Limits(folded_bytes=1000), None, 3000).folded_bytes == 750
    assert fit_limits(Limits(folded_bytes=1000), None, 5000).folded_bytes == 1000


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
    assert refused(client, "events_per_match") == 1
    assert "kifu_folded_matches 1.0" in client.get("/metrics").text


def test_the_time_of_bots_is_counted(make_client):
    client = make_client()
    turns = client.app.state.context.host._scheduler.turns
    for has_players, seconds in ((True, 3.0), (False, 2.0)):
        turns.done(BotTurn(Claim("match", 0), "", has_players, 0), seconds)
    turns.put(BotTurn(Claim("match", 0), "", False, 0))
    text = client.get("/metrics").text
    for line in (
        'kifu_bot_seconds_total{players="with"} 3.0',
        'kifu_bot_seconds_total{players="without"} 2.0',
        'kifu_bot_turns_waiting{players="without"} 1.0',
    ):
        assert line in text
    assert client.get("/metrics").text.count("kifu_bot_seconds_total{") == 2


@pytest.mark.parametrize(
    "setting", [{"watches": "5"}, {"watches_total": "many"}, {"body_bytes": "0"}, {"opens_per_s": "nan"}]
)
def test_a_limit_that_is_none_is_refused(setting):
    from kifu.core.errors import MatchError
    from kifu.core.web.limits.rate_limits import changed_limits

    assert changed_limits({"watches_total": "7", "opens_per_s": "0.5"}).watches_total == 7
    with pytest.raises(MatchError, match="limit"):
        changed_limits(setting)


@pytest.mark.parametrize(
    ("limit", "status"),
    [("connections_per_client", 429), ("heads_per_client", 429)],
)
def test_a_connection_above_a_limit_is_answered_and_closed(limit, status):
    with Served(**{limit: 3}) as served, ExitStack() as held:
        connections = [held.enter_context(served.connect()) for _ in range(3)]
        for each in connections:
            each.sendall(b"GET / HT")
        wait_for(lambda: served.context.metrics.connections._value.get() == 3)
        response = served.ask()
        assert response.startswith(f"HTTP/1.1 {status} "), response
        assert "Retry-After: " in response
        connections[0].close()
        wait_for(lambda: served.ask().startswith("HTTP/1.1 200 "))


def test_a_client_over_its_rate_is_refused_before_its_request_is_read():
    with Served(requests_per_s=0.01, request_burst=2) as served:
        answers = [served.ask("/") for _ in range(4)]
        assert [each.split()[1] for each in answers] == ["200", "200", "429", "429"]
        assert "Retry-After: " in answers[-1]
        assert 'limit="requests_per_s"} 2.0' in served.context.metrics.text().decode()
        assert "problem+json" not in answers[-1], "no protocol was made for it"


def test_clients_behind_a_proxy_are_not_refused_for_it():
    with Served(proxy="127.0.0.1", requests_per_s=0.01, request_burst=1) as served:
        assert "problem+json" in [served.ask("/") for _ in range(2)][-1], "the gate knows which client it is"
    with Served(proxy="127.0.0.1", heads_per_client=2, connections_per_client=2) as served, ExitStack() as held:
        for _ in range(4):  # whole requests that come together, of which the server has not read any yet
            held.enter_context(served.connect())
        wait_for(lambda: served.context.metrics.connections._value.get() == 4)
        assert served.ask().startswith("HTTP/1.1 200 ")


def test_many_connections_at_once_wait_and_none_is_lost():
    from kifu.core.web.serve import bind

    with ExitStack() as held:
        listener = held.enter_context(bind("127.0.0.1", 0))
        for _ in range(300):  # nobody accepts yet
            held.enter_context(socket.create_connection(listener.getsockname(), timeout=2))


def test_without_a_free_file_the_next_connection_waits(monkeypatch):
    from errno import EMFILE

    with Served() as served:
        failing = [OSError(EMFILE, "Too many open files")] * 2
        accept = socket.socket.accept
        monkeypatch.setattr(socket.socket, "accept", lambda self: _raise(failing.pop()) if failing else accept(self))
        assert served.ask().startswith("HTTP/1.1 200 ")
        assert served.ask().startswith("HTTP/1.1 200 ")
        assert not failing


def _raise(error):
    raise error


def test_the_idlest_connection_gives_way_to_a_new_one():
    with Served(connections_total=2) as served, ExitStack() as held:
        idle, later = (held.enter_context(served.connect()) for _ in range(2))
        wait_for(lambda: served.context.metrics.connections._value.get() == 2)
        assert served.ask().startswith("HTTP/1.1 200 ")
        with suppress(ConnectionResetError):
            assert idle.recv(1) == b""
        later.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert later.recv(100).startswith(b"HTTP/1.1 200 ")
        assert 'limit="connections_total"} 1.0' in served.context.metrics.text().decode()


def test_requests_sent_whole_do_not_count_as_half_sent_ones():
    with Served(heads_per_client=2) as served, ExitStack() as held:
        for _ in range(6):
            connection = held.enter_context(served.connect())
            connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("before", [b"", b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_half_sent_request_is_not_held(before):
    with Served(head_timeout_s=0.3) as served, served.connect() as connection:
        if before:
            connection.sendall(before)
            assert connection.recv(10_000).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert read(connection).startswith("HTTP/1.1 408 ")
        wait_for(lambda: served.context.metrics.connections._value.get() == 0)
        assert not served.connections._heads


def test_a_head_has_a_size():
    with Served(body_bytes=2000) as served, served.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 500)
        assert read(connection).startswith("HTTP/1.1 431 ")


OPEN = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"


def test_a_body_that_comes_with_its_head_is_not_taken_for_a_large_head():
    with Served(body_bytes=2000) as served, served.connect() as connection:
        head = OPEN.replace(b": 100", b": 5000") + b"Connection: close\r\n\r\n"
        connection.sendall(head + b"a" * 5000)
        answer = read(connection)
        assert answer.startswith("HTTP/1.1 413 "), answer
        assert "too-large" in answer


def test_a_client_that_leaves_within_its_body_is_no_failure_of_the_server():
    with Served() as served:
        with served.connect() as connection:
            connection.sendall(OPEN + b"\r\n{")
            wait_for(lambda: served.context.metrics.in_flight._value.get() == 1)
        wait_for(lambda: 'status="400"' in served.context.metrics.text().decode())
        assert 'status="500"' not in served.context.metrics.text().decode()


def test_a_body_that_does_not_come_ends_the_request():
    with Served(request_timeout_s=0.3) as served, served.connect() as connection:
        connection.sendall(OPEN + b"\r\n{")
        with suppress(ConnectionResetError):
            assert read(connection) == ""
        wait_for(lambda: served.context.metrics.in_flight._value.get() == 0)


def test_a_websocket_is_a_connection_until_it_is_closed():
    websockets = pytest.importorskip("websockets.sync.client", reason="needs kifu[web]")
    with Served(connections_total=1) as served:
        port = served.listener.getsockname()[1]
        with websockets.connect(f"ws://127.0.0.1:{port}/api/matches/none/watch"):
            assert served.ask().startswith("HTTP/1.1 503 ")
        wait_for(lambda: served.ask().startswith("HTTP/1.1 200 "))


@pytest.mark.parametrize("path", ["/nothing", "/", "/table.js", "/openapi.json"])
def test_every_request_is_limited_counted_and_logged(make_client, access_log, path):
    client = make_client(limits=limits(requests_per_s=0.01, request_burst=1))
    assert client.get(path).status_code in (200, 404)
    assert_refused(client.get(path), 429)
    assert [line["status"] for line in access_log][1:] == [429]
    assert "kifu_requests_total" in client.get("/metrics").text


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


@pytest.mark.parametrize(
    ("origin", "opens"),
    [
        ("http://localhost:9", True),
        ("https://friends.example", True),
        ("https://evil.example", False),
        ("null", False),
    ],
)
def test_pages_of_other_sites_open_no_websocket(make_client, open_table, origin, opens):
    from starlette.websockets import WebSocketDisconnect

    client = make_client(origins=["https://friends.example"])
    table = open_table(at=client)
    headers = {"Origin": origin, "Host": "localhost"}
    with ExitStack() as stack:
        if not opens:
            stack.enter_context(pytest.raises(WebSocketDisconnect))
        socket = stack.enter_context(client.websocket_connect(f"/api/matches/{table.match}/watch", headers=headers))
        socket.send_text(json.dumps({}))
        assert "about" in socket.receive_json()


def test_a_log_that_nobody_reads_blocks_nobody():
    import logging

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


def test_lines_dropped_last_are_told_at_the_close():
    import logging

    from kifu.core.web import access_log

    class Counted(io.StringIO):
        """A stream that says once the lines let through are written."""

        def __init__(self):
            super().__init__()
            self.written, self.lines = Event(), 0

        def flush(self):
            self.lines += 1
            if self.lines == access_log.MAX_FOREIGN:
                self.written.set()

    stream = Counted()
    handler = access_log.Writer(stream)

    def log(numbers):
        for number in numbers:
            handler.handle(logging.LogRecord("somebody.else", logging.INFO, "", 0, f"line {number}", None, None))

    log(range(access_log.MAX_FOREIGN))
    assert stream.written.wait(TIMEOUT_S)
    log(range(access_log.MAX_FOREIGN, 100))
    handler.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    dropped = [line["lines"] for line in lines if line["event"] == "lines were dropped"]
    assert sum(dropped) + len(lines) - len(dropped) == 100


def test_other_libraries_are_logged_as_json_and_not_too_often():
    import logging
    from io import StringIO

    from kifu.core.web import access_log
    from starlette.requests import ClientDisconnect

    stream = StringIO()
    handler = access_log.Writer(stream)
    try:
        raise OSError(24, "Too many open files")
    except OSError as error:
        for _ in range(100):
            handler.handle(
                logging.LogRecord("asyncio", logging.ERROR, "", 0, "accept failed", None, (OSError, error, None))
            )
    left = ClientDisconnect()
    handler.handle(logging.LogRecord("mcp", logging.ERROR, "", 0, "POST", None, (ClientDisconnect, left, None)))
    handler.handle(logging.LogRecord(access_log.LOGGER.name, logging.INFO, "", 0, "request", None, None))
    handler.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert "mcp" not in {line.get("logger") for line in lines}, "a client may leave within its request"
    assert 2 <= len(lines) <= access_log.MAX_FOREIGN + 3
    first = next(line for line in lines if line["event"] == "accept failed")
    assert (first["logger"], first["cause"]) == ("asyncio", "EMFILE")


def test_the_admission_forgets_clients_and_matches_that_are_gone():
    from kifu.core.web.limits.admission import Admission
    from kifu.core.web.metrics import Metrics

    admission = Admission(limits(), Metrics())

    async def served():
        admission.enter("a")
        assert admission._queues
        admission.leave("a")

    async def visit():
        await admission.at("m", served)
        assert await admission.run("read", lambda: 5) == 5

    asyncio.run(visit())
    assert not admission._queues
    assert not admission._requests

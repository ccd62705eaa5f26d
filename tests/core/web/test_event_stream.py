"""Watching by Server-Sent Events: events as they happen, from any event on, within the limits of a watcher."""

import asyncio
import json
import time
from contextlib import ExitStack
from threading import Event

import pytest
from kifu.core.errors import StoreError

from .conftest import bearer
from .streams import Stream, run, watch


def test_a_watcher_gets_the_events_of_its_seat_as_they_happen(open_table):
    table = open_table()
    with watch(table, key=table.keys[1]) as mine, watch(table, lang="ja") as spectator:
        assert mine.receive_json()["about"]["status"] == "going"
        assert mine.next_event()["tag"] == "deal"
        assert "配" in json.dumps(spectator.next_event(), ensure_ascii=False)
        table.play(0)
        assert mine.next_event() == table.get("/history?since=1", 1).json()["events"][0]
        assert spectator.next_event()["seq"] == 1


def test_a_watcher_that_was_cut_off_resumes(open_table):
    table = open_table()
    table.play_on(4)
    with watch(table, since=3) as again:
        assert [again.next_event()["seq"] for _ in range(2)] == [3, 4]
    with watch(table, last=3) as again:  # as an EventSource does, whatever its address says
        assert again.next_event()["seq"] == 4
        assert again.last_id == "4"


def test_who_watches_is_told_who_is_away_and_who_is_back(open_table, monkeypatch):
    monkeypatch.setattr("kifu.core.web.event_stream.AWAY_S", 0.0)
    monkeypatch.setattr("kifu.core.web.event_stream.HEARTBEAT_S", 0.05)
    table = open_table()
    with watch(table), watch(table, key=table.keys[1]):
        pass
    left_ms = time.time() * 1000
    with watch(table, key=table.keys[0]) as other:
        away = next_away(other)
        assert [*away] == ["1"], "who only looks on is nobody, and who never came is not away"
        assert abs(away["1"] - left_ms) < 60_000
        with watch(table, key=table.keys[1]), watch(table, key=table.keys[1]):
            assert next_away(other) == {}
        assert [*next_away(other)] == ["1"]
    table.play()
    assert "away" not in table.get("/history", 1).text


def next_away(watcher):
    while "away" not in (message := watcher.receive_json()):
        pass
    return message["away"]


def test_a_watcher_of_a_match_with_free_seats_learns_who_joins(open_table):
    table = open_table(requested=[{"name": "Aki"}, {}, {}])
    with watch(table, key=table.keys[0]) as waiting:
        assert waiting.receive_json()["about"]["status"] == "open"
        table.post("/seats", None, {"name": "Ren"})
        while (about := waiting.receive_json()["about"])["seats"][1]["name"] is None:
            pass
        assert about["seats"][1]["name"] == "Ren"


def test_watching_ends_with_the_match_and_an_event_source_stays_away_then(open_table):
    table = open_table()
    with watch(table, since=1) as watcher:
        assert "about" in watcher.receive_json()
        number = table.post("/proposals", 0, {"kind": "abandon"}).json()["number"]
        for seat in (1, 2):
            table.post(f"/proposals/{number}", seat, {"accept": True})
        assert watcher.rest()[-1]["ended"]["number"] == 1
    with watch(table, since=1) as later:
        assert [*map(list, later.rest())] == [["about"], ["ended"]]
    with watch(table, last=0) as again:
        assert again.status == 204


def test_a_malformed_request_a_wrong_key_and_more_events_than_there_are_are_refused(open_table):
    table = open_table()
    nobody, malformed, rewound = bearer("x" * 43), (400, "malformed"), (409, "rewound")
    for query, headers, refusal in (
        *(("", {"last-event-id": each}, malformed) for each in ("x", "-1", "1.5", "9" * 10, "\u0662")),
        *((f"?since={each}", {}, malformed) for each in ("1&more=1", "1x")),
        *((f"?since={each}", {}, rewound) for each in (2, 10)),
        ("", {"last-event-id": "1"}, rewound),
        (f"?since={10**6}", bearer(table.keys[0]), rewound),
        ("", nobody, (401, "key-refused")),
    ):
        with Stream(table.client, f"/api/matches/{table.match}/events{query}", headers) as refused:
            assert (refused.status, refused.problem()) == refusal, (query, headers)
    with Stream(table.client, "/api/matches/none/events") as refused:
        assert (refused.status, refused.problem()) == (404, "no-match")
    assert table.get("/history?since=2&wait_ms=50000").json()["type"] == "urn:kifu:problem:rewound"
    with watch(table, since=1) as waiting:
        assert waiting.status == 200


def test_both_ends_see_that_the_other_is_still_there(open_table, monkeypatch):
    monkeypatch.setattr("kifu.core.web.event_stream.HEARTBEAT_S", 0.01)
    table = open_table()
    with watch(table, since=1) as watcher:
        assert "about" in watcher.receive_json()
        assert [watcher.lines() for _ in range(3)] == [[":"]] * 3
        table.play(0)
        assert watcher.next_event()["seq"] == 1


def test_a_stream_is_not_kept_and_not_packed(open_table):
    table = open_table()
    with watch(table) as watcher:
        assert watcher.headers["content-type"] == "text/event-stream"
        assert watcher.headers["cache-control"] == "no-store"
        assert watcher.headers["x-accel-buffering"] == "no"
        assert not {"content-encoding", "content-length"} & {*watcher.headers}
        asked = Stream(table.client, watcher.scope["path"], method="HEAD")
        with asked as head:
            assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")


def test_a_client_watches_no_more_than_its_share(make_client, open_table):
    from kifu.core.web import Limits

    table = open_table(at=make_client(limits=Limits(streams_per_client=1)))
    with watch(table) as first:
        first.receive_json()
        with watch(table) as denied:
            assert (denied.status, denied.headers["retry-after"]) == (429, "5")
    with watch(table) as later:
        assert "about" in later.receive_json()


async def run_slow(app, match: str, reads: int) -> list[bytes]:
    """Watch as a client that reads so many pieces and no more; return them."""
    pieces: list[bytes] = []

    async def send(message):
        if message["type"] == "http.response.body":
            if len(pieces) == reads:
                await asyncio.Event().wait()
            pieces.append(message["body"])

    async with asyncio.timeout(60):
        await run(app, match, send, asyncio.Event())
    return pieces


def test_a_watcher_that_is_too_slow_is_cut_off(client, open_table, access_log, monkeypatch):
    monkeypatch.setattr("kifu.core.web.event_stream.MESSAGE_S", 0.05)
    table = open_table()
    table.play_on(9)
    (piece,) = asyncio.run(run_slow(client.app, table.match, 1))
    assert [line for line in piece.split(b"\n") if line.startswith(b"id")] == [b"id: 0", b"id: 1", b"id: 2"]
    assert "kifu_watchers 0.0" in client.get("/metrics").text
    assert [line["end"] for line in access_log if line["event"] == "watched"] == ["slow"]


def test_a_watcher_gets_a_long_match_from_its_beginning(open_table, monkeypatch):
    monkeypatch.setattr("kifu.core.web.feeds.MAX_EVENTS", 3)
    table = open_table("cake")
    table.play_on(9)
    count = table.observe()["count"]
    with watch(table) as watcher:
        assert [watcher.next_event()["seq"] for _ in range(count)] == list(range(count))


def test_the_access_log_has_a_line_for_each_watcher(open_table, access_log):
    table = open_table()
    table.play()
    with watch(table, key=table.keys[0]) as watcher:
        assert [watcher.next_event()["seq"] for _ in range(2)] == [0, 1]
        route = "/api/matches/{match}/events"
        begun = [line for line in access_log if line["event"] == "request" and line["route"] == route]
        assert [(line["status"], line["match"]) for line in begun] == [(200, table.match)], "as it begins"
    with watch(table, key="x" * 43), watch(table, since=9):
        pass
    lost, table.match = table.match, "a-key-by-mistake"
    with watch(table) as refused:
        assert refused.status == 404
    (line,) = [line for line in access_log if line["event"] == "watched"]
    assert (line["match"], line["events"], line.get("end"), line["route"]) == (lost, 2, None, route)
    written = json.dumps(access_log)
    for secret in (*table.keys.values(), "x" * 43, "a-key-by-mistake"):
        assert secret not in written


def test_watchers_of_a_kind_share_what_is_read(client, open_table, monkeypatch):
    table = open_table()
    host, read = client.app.state.context.host, []
    history = host.history

    def counted(match, key=None, since=0, limit=None):
        read.append((key, since))
        return history(match, key, since, limit)

    monkeypatch.setattr(host, "history", counted)
    with client, ExitStack() as stack:
        kinds = [{}, {"lang": "ja"}, {"key": table.keys[0]}]
        sockets = [stack.enter_context(watch(table, since=1, **kind)) for kind in kinds for _ in range(5)]
        for socket in sockets:
            assert "about" in socket.receive_json()
        read.clear()
        table.play(0)
        told = [json.dumps(socket.next_event()) for socket in sockets]
        assert [len(set(told[place : place + 5])) for place in (0, 5, 10)] == [1, 1, 1]
        assert len(set(told)) >= 2, "each language has its own"
        assert len([each for each in read if each[1] == 1]) <= 2 * len(kinds), (
            "once a kind, twice if it changed meanwhile"
        )
    assert not client.app.state.feeds._feeds, "nothing is kept of what nobody watches"


@pytest.mark.parametrize("watchers", [1, 60])
def test_watchers_that_catch_up_let_others_have_their_turn(client, open_table, watchers):
    table = open_table()
    table.play_on(40)
    turns, sent = [], 0

    async def watched() -> None:
        nonlocal sent
        done = asyncio.Event()

        async def send(message):
            nonlocal sent
            sent += message.get("body", b"").count(b"id: ")
            if sent == 41 * watchers:
                done.set()

        serving = asyncio.gather(*(run(client.app, table.match, send, done) for _ in range(watchers)))
        while not serving.done():
            before = sent
            await asyncio.sleep(0)
            turns.append(sent - before)
        await serving

    asyncio.run(watched())
    assert max(turns) <= 4 * watchers
    assert sent == 41 * watchers


def test_whoever_watches_many_matches_from_event_after_event_fills_no_memory(client, open_table, monkeypatch):
    kept = client.app.state.feeds._kept
    monkeypatch.setattr(kept, "_max_bytes", 10_000)
    tables = [open_table() for _ in range(3)]
    tables[0].play_on(3)
    with client, ExitStack() as stack:
        for table in tables:
            stack.enter_context(watch(table))
            for since in range(4 if table is tables[0] else 2):
                with watch(table, since=since) as socket:
                    assert "about" in socket.receive_json()
        assert 0 < kept.total_bytes <= 10_000


def test_what_happens_while_a_feed_reads_is_told_too(client, open_table, monkeypatch):
    table = open_table()
    host, reading, let_go = client.app.state.context.host, Event(), Event()
    history = host.history

    def waits(match, key=None, since=0, limit=None):
        entries = history(match, key, since, limit)
        if since == 1 and entries and not reading.is_set():
            reading.set()
            assert let_go.wait(60)
        return entries

    with client, watch(table, since=1) as watcher:
        assert "about" in watcher.receive_json()
        monkeypatch.setattr(host, "history", waits)
        table.play()
        assert reading.wait(60)
        table.play()
        let_go.set()
        assert [watcher.next_event()["seq"] for _ in range(2)] == [1, 2]
        table.play()
        assert watcher.next_event()["seq"] == 3


def test_what_watchers_are_sent_waits_behind_no_request(client, open_table, monkeypatch):
    table = open_table()
    host, work = client.app.state.context.host, client.app.state.context.work

    async def none_is_free(*work):
        raise StoreError("of the test", "no thread is free")

    with client, watch(table, since=1) as watcher:
        assert "about" in watcher.receive_json()
        monkeypatch.setattr(work, "run", none_is_free)
        observed = host.observe(table.match, table.keys[0])
        host.submit(table.match, table.keys[0], observed.legal[0], observed.count)
        assert watcher.next_event()["seq"] == 1


def test_a_watcher_whose_key_is_revoked_is_told_nothing_more(client, open_table):
    table = open_table()
    with client, watch(table, key=table.keys[0], since=1) as mine, watch(table, since=1) as spectator:
        for socket in (mine, spectator):
            assert "about" in socket.receive_json()
        opened = client.app.state.context.host.rotate_keys(table.match)
        table.keys = dict(enumerate(opened.keys))
        table.play(0)
        assert mine.rest() == []
        with watch(table, key="x" * 43) as again:
            assert again.status == 401
        assert spectator.next_event()["seq"] == 1


def test_who_waits_for_what_is_slow_to_read_delays_nobody(client, open_table, monkeypatch):
    table = open_table()
    host, let_go = client.app.state.context.host, Event()
    history = host.history

    def slow_for_one(match, key=None, since=0, limit=None):
        assert key is None or let_go.wait(60)
        return history(match, key, since, limit)

    with client, watch(table, key=table.keys[0], since=1) as slow, watch(table, since=1) as other:
        for stream in (slow, other):
            assert "about" in stream.receive_json()
        monkeypatch.setattr(host, "history", slow_for_one)
        table.play(0)
        assert other.next_event()["seq"] == 1
        let_go.set()
        assert slow.next_event()["seq"] == 1


def test_streams_end_when_the_server_stops(client, open_table):
    table = open_table()
    with client, watch(table, since=1) as waiting:
        assert "about" in waiting.receive_json()
        client.portal.call(client.app.state.feeds.close)
        assert waiting.rest() == []
        with watch(table) as late:
            assert (late.status, late.headers["retry-after"]) == (503, "1")

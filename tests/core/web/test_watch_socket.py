"""Watching over a WebSocket: events as they happen, from any event on, within the limits of a watcher."""

import asyncio
import json
from contextlib import ExitStack
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from kifu.core.errors import StoreError

from .conftest import NAMES

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


def watch(table, **request):
    return _Watching(table, request)


class _Watching:
    """A watcher that has sent its first message."""

    def __init__(self, table, request: dict[str, Any]) -> None:
        self.socket = table.client.websocket_connect(f"/api/matches/{table.match}/watch")
        self.request = request

    def __enter__(self):
        socket = self.socket.__enter__()
        socket.send_json(self.request)
        return socket

    def __exit__(self, *error: Any) -> None:
        self.socket.__exit__(*error)


def next_event(socket) -> dict[str, Any]:
    """Return the next event; messages about the match may come before it."""
    while "event" not in (message := socket.receive_json()):
        assert "about" in message
    return message["event"]


def closed_with(socket) -> int:
    """Receive all messages; return the close code."""
    from starlette.websockets import WebSocketDisconnect

    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code


def refused(table, request: Any) -> int:
    """Watch with a first message that is refused; return the close code."""
    with table.client.websocket_connect(f"/api/matches/{table.match}/watch") as socket:
        socket.send_text(request if isinstance(request, str) else json.dumps(request))
        return closed_with(socket)


def test_a_watcher_gets_the_events_of_its_seat_as_they_happen(open_table):
    table = open_table()
    with watch(table, key=table.keys[1]) as mine, watch(table, lang="ja") as spectator:
        assert mine.receive_json()["about"]["status"] == "going"
        assert next_event(mine)["tag"] == "deal"
        assert "配" in json.dumps(next_event(spectator), ensure_ascii=False)
        table.play(0)
        assert next_event(mine) == table.get("/history?since=1", 1).json()["events"][0]
        assert next_event(spectator)["seq"] == 1


def test_a_watcher_that_was_cut_off_resumes(open_table):
    table = open_table()
    for _ in range(4):
        table.play()
    with watch(table, since=3) as again:
        assert [next_event(again)["seq"] for _ in range(2)] == [3, 4]


def test_a_watcher_of_a_match_with_free_seats_learns_who_joins(open_table):
    table = open_table(requested=[{"name": "Aki"}, {}, {}])
    with watch(table, key=table.keys[0]) as waiting:
        assert waiting.receive_json()["about"]["status"] == "open"
        table.post("/seats", None, {"name": "Ren"})
        while (about := waiting.receive_json()["about"])["seats"][1]["name"] is None:
            pass
        assert about["seats"][1]["name"] == "Ren"


def test_watching_ends_with_the_match(open_table):
    table = open_table()
    with watch(table, since=10**6) as watcher:
        watcher.receive_json()
        number = table.post("/proposals", 0, {"kind": "abandon"}).json()["number"]
        for seat in (1, 2):
            table.post(f"/proposals/{number}", seat, {"accept": True})
        assert closed_with(watcher) == 1000


def test_a_malformed_message_a_wrong_key_and_a_wrong_match_have_their_codes(open_table):
    table = open_table()
    assert refused(table, "{") == 4400
    assert refused(table, {"key": 5}) == 4400
    assert refused(table, {"more": 1}) == 4400
    assert refused(table, "[" * 100_000) == 4400
    assert refused(table, {"key": "x" * 43}) == 4401
    table.match = "none"
    assert refused(table, {}) == 4404


def test_a_client_watches_no_more_than_its_share(make_client, open_table):
    from kifu.core.web import Limits
    from starlette.testclient import WebSocketDenialResponse

    table = open_table(at=make_client(limits=Limits(watches_per_client=1)))
    with watch(table) as first:
        first.receive_json()
        with pytest.raises(WebSocketDenialResponse) as denied, watch(table):
            pass
        assert (denied.value.status_code, denied.value.headers["retry-after"]) == (429, "5")
    with watch(table) as later:
        assert "about" in later.receive_json()


class Connection:
    """The connection of a watcher that sends these texts and receives no more than so many messages."""

    def __init__(self, app: Any, match: str, texts: list[str], receives: int) -> None:
        self.app, self.receives = app, receives
        self.scope = {
            "type": "websocket",
            "path": f"/api/matches/{match}/watch",
            "raw_path": b"",
            "query_string": b"",
            "headers": [],
            "client": ("10.0.0.1", 5),
            "subprotocols": [],
        }
        self.incoming = [
            {"type": "websocket.connect"},
            *({"type": "websocket.receive", "text": each} for each in texts),
        ]
        self.outgoing: list[Any] = []

    async def receive(self) -> Any:
        if self.incoming:
            return self.incoming.pop(0)
        return await asyncio.Event().wait()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            if self.receives == 0:
                await asyncio.Event().wait()
            self.receives -= 1
        self.outgoing.append(message)

    def run(self) -> Any:
        async def served() -> None:
            async with asyncio.timeout(60):
                await self.app(self.scope, self.receive, self.send)

        asyncio.run(served())
        return self.outgoing[-1]


def test_a_watcher_that_is_too_slow_is_cut_off_with_a_code(make_client, open_table):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(message_timeout_s=0.05))
    table = open_table(at=client)
    for _ in range(5):
        table.play()
    connection = Connection(client.app, table.match, ["{}"], receives=3)
    assert connection.run()["code"] == 4413
    messages = [json.loads(each["text"]) for each in connection.outgoing if each["type"] == "websocket.send"]
    assert [each["event"]["seq"] for each in messages[1:]] == [0, 1]
    metrics = client.get("/metrics").text
    assert "kifu_watchers_cut_off_total 1.0" in metrics
    assert "kifu_watchers 0.0" in metrics


def test_a_close_reason_is_cut_to_its_longest(make_client, open_table):
    client = make_client()
    connection = Connection(
        client.app, open_table(at=client).match, [json.dumps({"あ" * 300: 1}, ensure_ascii=False)], receives=9
    )
    close = connection.run()
    assert close["code"] == 4400
    assert 100 < len(close["reason"].encode()) <= 123


def test_a_watcher_without_a_first_message_is_cut_off(make_client, open_table):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(message_timeout_s=0.05))
    assert Connection(client.app, open_table(at=client).match, [], receives=9).run()["code"] == 4408


def test_a_watcher_gets_a_long_match_from_its_beginning(open_table, monkeypatch):
    from kifu.core.web import feeds

    monkeypatch.setattr(feeds, "MAX_EVENTS", 3)
    table = open_table("cake", requested=[{"name": name} for name in NAMES[:3]])
    for _ in range(9):
        table.play()
    count = table.observe()["count"]
    with watch(table) as watcher:
        assert [next_event(watcher)["seq"] for _ in range(count)] == list(range(count))


def test_the_access_log_has_a_line_for_each_watcher(make_client, open_table, access_log):
    table = open_table(at=make_client())
    table.play()
    with watch(table, key=table.keys[0]) as watcher:
        assert [next_event(watcher)["seq"] for _ in range(2)] == [0, 1]
    assert refused(table, {"key": "x" * 43}) == 4401
    assert refused(table, "{") == 4400
    lost, table.match = table.match, "a-key-by-mistake"
    assert refused(table, {}) == 4404
    lines = [line for line in access_log if line["event"] == "watched"]
    assert [(line.get("match"), line["events"], line.get("code")) for line in lines] == [
        (lost, 2, None),
        (None, 0, 4401),
        (None, 0, 4400),
        (None, 0, 4404),
    ]
    assert all(line["route"] == "/api/matches/{match}/watch" and line["ms"] >= 0 for line in lines)
    written = json.dumps(access_log)
    for secret in (*table.keys.values(), "x" * 43, "a-key-by-mistake"):
        assert secret not in written


def test_the_access_log_has_a_line_for_watchers_that_are_too_many_or_too_slow(make_client, open_table, access_log):
    from kifu.core.web import Limits
    from starlette.testclient import WebSocketDenialResponse

    hasty = make_client(limits=Limits(message_timeout_s=0.05))
    table = open_table(at=hasty)
    table.play()
    Connection(hasty.app, table.match, ["{}"], receives=2).run()
    table = open_table(at=make_client(limits=Limits(watches_per_client=1)))
    with watch(table) as first:
        first.receive_json()
        with pytest.raises(WebSocketDenialResponse):
            refused(table, {})
    codes = [(line["events"], line.get("code")) for line in access_log if line["event"] == "watched"]
    assert codes[:2] == [(1, 4413), (0, 429)]


def test_watchers_of_a_kind_share_what_is_read(open_table, make_client, monkeypatch):
    client = make_client()
    table = open_table(at=client)
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
        told = [json.dumps(next_event(socket)) for socket in sockets]
        assert [len(set(told[place : place + 5])) for place in (0, 5, 10)] == [1, 1, 1]
        assert len(set(told)) >= 2, "each language has its own"
        assert len([each for each in read if each[1] == 1]) <= 2 * len(kinds), (
            "once a kind, twice if it changed meanwhile"
        )
    assert not client.app.state.feeds._feeds, "nothing is kept of what nobody watches"


@pytest.mark.parametrize("watchers", [1, 60])
def test_watchers_that_catch_up_let_others_have_their_turn(make_client, watchers):
    from kifu.core.web.feeds import Batch
    from kifu.core.web.limits.turns import Turns
    from kifu.core.web.watch_socket import WatchSummary, _send

    sent = []

    class Socket:
        app = make_client().app
        state = SimpleNamespace(client="a")

        async def send_text(self, text):
            """Send without waiting, as to a reader with room."""
            sent.append(text)

    async def most_of_a_turn() -> int:
        batch, turns = Batch("", ("event",) * 40, is_all=True, is_finished=False, ended=""), Turns()
        context, each = Socket.app.state.context, [batch.messages(with_about=False) for _ in range(watchers)]
        sending = asyncio.gather(*(_send(Socket(), context, WatchSummary(), one, turns) for one in each))
        counts = []
        while not sending.done():
            before = len(sent)
            await asyncio.sleep(0)
            counts.append(len(sent) - before)
        return max(counts[2:])  # the first messages of each wait for no turn

    assert asyncio.run(most_of_a_turn()) <= 16
    assert len(sent) == 40 * watchers


@pytest.mark.parametrize(("waiting", "turns_of_the_loop"), [(4, range(8)), (40, range(100, 1_000_000))])
def test_a_loop_that_many_wait_for_rests_between_their_turns(waiting, turns_of_the_loop):
    from kifu.core.web.limits.turns import Turns

    async def free_turns() -> int:
        turns, free = Turns(pause_s=0.01), 0
        all_have_gone_on = asyncio.gather(*(turns.mine("a") for _ in range(waiting)))
        await asyncio.sleep(0)
        while not all_have_gone_on.done():
            await asyncio.sleep(0)
            free += 1
        return free

    assert asyncio.run(free_turns()) in turns_of_the_loop


def test_whoever_watches_many_matches_from_event_after_event_fills_no_memory(open_table, make_client, monkeypatch):
    from kifu.core.web import feeds

    monkeypatch.setattr(feeds, "KEPT_BYTES", 10_000)
    client = make_client()
    tables = [open_table(at=client) for _ in range(3)]
    for _ in range(3):
        tables[0].play()
    with client, ExitStack() as stack:
        for table in tables:
            stack.enter_context(watch(table))
            for since in range(4):
                with watch(table, since=since) as socket:
                    assert "about" in socket.receive_json()
        assert 0 < client.app.state.feeds._kept.total_bytes <= 10_000


def test_what_happens_while_a_feed_reads_is_told_too(open_table, make_client, monkeypatch):
    client = make_client()
    table = open_table(at=client)
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
        assert [next_event(watcher)["seq"] for _ in range(2)] == [1, 2]
        table.play()
        assert next_event(watcher)["seq"] == 3


def test_what_watchers_are_sent_waits_behind_no_request(open_table, make_client, monkeypatch):
    client = make_client()
    table = open_table(at=client)
    host, admission = client.app.state.context.host, client.app.state.context.admission
    run = admission.run

    async def without_reads(lane, *work):
        if lane == "read":
            raise StoreError("of the test", "no thread is free")
        return await run(lane, *work)

    with client, watch(table, since=1) as watcher:
        assert "about" in watcher.receive_json()
        monkeypatch.setattr(admission, "run", without_reads)
        observed = host.observe(table.match, table.keys[0])
        host.submit(table.match, table.keys[0], observed.legal[0], observed.count)
        assert next_event(watcher)["seq"] == 1


def test_a_watcher_whose_key_is_revoked_is_told_nothing_more(open_table, make_client):
    client = make_client()
    table = open_table(at=client)
    with client, watch(table, key=table.keys[0], since=1) as mine, watch(table, since=1) as spectator:
        for socket in (mine, spectator):
            assert "about" in socket.receive_json()
        opened = client.app.state.context.host.rotate_keys(table.match)
        table.keys = dict(enumerate(opened.keys))
        table.play(0)
        assert closed_with(mine) == 4401
        assert next_event(spectator)["seq"] == 1


def test_a_reaction_reaches_all_who_watch_and_is_kept_nowhere(open_table):
    table = open_table()
    with watch(table, key=table.keys[1]) as other, watch(table) as spectator:
        assert next_event(other)["seq"] == next_event(spectator)["seq"] == 0
        assert table.post("/reactions", 0, {"phrase": "nice"}).status_code == 201
        for socket in (other, spectator):
            while "reaction" not in (message := socket.receive_json()):
                assert "about" in message
            assert message == {"reaction": {"seat": 0, "phrase": "nice"}}
        table.play(0)
        assert next_event(other)["seq"] == 1
    assert "nice" not in table.get("/history", 1).text


def test_a_reaction_bears_the_seat_of_its_key_and_ends_with_the_match(open_table):
    table = open_table()
    assert table.post("/reactions", 1, {"phrase": "nice"}).json() == {"seat": 1, "phrase": "nice"}
    table.post("/proposals", 0, {"kind": "abandon"})
    for seat in (1, 2):
        table.post("/proposals/1", seat, {"accept": True})
    assert table.get().json()["status"] == "abandoned"
    assert table.post("/reactions", 2, {"phrase": "good-game"}).status_code == 409


def test_reactions_are_fixed_of_a_seat_and_limited(open_table):
    table = open_table()
    assert table.post("/reactions", None, {"phrase": "nice"}).status_code == 401
    assert table.post("/reactions", 0, {"phrase": "I hold the queen"}).status_code == 400
    answers = [table.post("/reactions", 0, {"phrase": "oops"}) for _ in range(4)]
    assert [each.status_code for each in answers] == [201, 201, 201, 429]
    assert table.post("/reactions", 1, {"phrase": "oops"}).status_code == 201

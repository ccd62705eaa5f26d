"""Watching over a WebSocket: as it happens, again from any event on, and never longer than a watcher deserves."""

import asyncio
import json
from typing import Any

import pytest

from .conftest import NAMES

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


def watch(table, **hello):
    return _Watching(table, hello)


class _Watching:
    """A watcher that has said who it is."""

    def __init__(self, table, hello: dict[str, Any]) -> None:
        self.socket = table.client.websocket_connect(f"/api/matches/{table.match}/watch")
        self.hello = hello

    def __enter__(self):
        socket = self.socket.__enter__()
        socket.send_json(self.hello)
        return socket

    def __exit__(self, *error: Any) -> None:
        self.socket.__exit__(*error)


def next_seen(socket) -> dict[str, Any]:
    """Give what is seen next; what anyone may know may be told before it, also again."""
    while "seen" not in (told := socket.receive_json()):
        assert "about" in told
    return told["events"]


def closed_with(socket) -> int:
    """Hear all that is told, and give the code of the close."""
    from starlette.websockets import WebSocketDisconnect

    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code


def refused(table, hello: Any) -> int:
    """Watch with a first message that is not taken, and give the code of the close."""
    with table.client.websocket_connect(f"/api/matches/{table.match}/watch") as socket:
        socket.send_text(hello if isinstance(hello, str) else json.dumps(hello))
        return closed_with(socket)


def test_a_watcher_is_told_what_its_seat_sees_as_it_happens(open_table):
    table = open_table()
    with watch(table, key=table.keys[1]) as mine, watch(table, lang="ja") as looking_on:
        assert mine.receive_json()["about"]["status"] == "going"
        assert next_seen(mine)["tag"] == "deal"
        assert "配" in json.dumps(next_seen(looking_on), ensure_ascii=False)
        table.play(0)
        assert next_seen(mine) == table.get("/history?since=1", 1).json()["events"][0]
        assert next_seen(looking_on)["seq"] == 1


def test_a_watcher_that_was_cut_off_goes_on_where_it_was(open_table):
    table = open_table()
    for _ in range(4):
        table.play()
    with watch(table, since=3) as again:
        assert [next_seen(again)["seq"] for _ in range(2)] == [3, 4]


def test_those_who_wait_for_players_are_told_who_joins(open_table):
    table = open_table(chairs=[{"name": "Aki"}, {}, {}])
    with watch(table, key=table.keys[0]) as waiting:
        assert waiting.receive_json()["about"]["status"] == "open"
        table.post("/seats", None, {"name": "Ren"})
        while (told := waiting.receive_json()["about"])["seats"][1]["name"] is None:
            pass
        assert told["seats"][1]["name"] == "Ren"


def test_watching_ends_with_the_match(open_table):
    table = open_table()
    with watch(table, since=10**6) as watcher:
        watcher.receive_json()
        number = table.post("/proposals", 0, {"kind": "abandon"}).json()["number"]
        for seat in (1, 2):
            table.post(f"/proposals/{number}", seat, {"accept": True})
        assert closed_with(watcher) == 1000


def test_a_first_message_that_is_none_a_wrong_key_and_a_wrong_match_have_their_codes(open_table):
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
    from starlette.websockets import WebSocketDisconnect

    table = open_table(at=make_client(limits=Limits(watches_per_client=1)))
    with watch(table) as first:
        first.receive_json()
        with pytest.raises(WebSocketDisconnect) as closed, watch(table) as second:
            second.receive_json()
        assert closed.value.code == 4429
    with watch(table) as later:
        assert "about" in later.receive_json()


class Line:
    """The wire to a watcher of which nothing is heard, and that takes no more than so many messages."""

    def __init__(self, app: Any, match: str, said: list[str], takes: int) -> None:
        self.app, self.takes = app, takes
        self.scope = {
            "type": "websocket",
            "path": f"/api/matches/{match}/watch",
            "raw_path": b"",
            "query_string": b"",
            "headers": [],
            "client": ("10.0.0.1", 5),
            "subprotocols": [],
        }
        self.said = [{"type": "websocket.connect"}, *({"type": "websocket.receive", "text": each} for each in said)]
        self.told: list[Any] = []

    async def receive(self) -> Any:
        if self.said:
            return self.said.pop(0)
        return await asyncio.Event().wait()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            if self.takes == 0:
                await asyncio.Event().wait()
            self.takes -= 1
        self.told.append(message)

    def run(self) -> Any:
        async def served() -> None:
            async with asyncio.timeout(60):
                await self.app(self.scope, self.receive, self.send)

        asyncio.run(served())
        return self.told[-1]


def test_a_watcher_that_is_too_slow_is_cut_off_and_told_so(make_client, open_table):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(message_timeout_s=0.05))
    table = open_table(at=client)
    for _ in range(5):
        table.play()
    line = Line(client.app, table.match, ["{}"], takes=3)
    assert line.run()["code"] == 4413
    seen = [json.loads(each["text"]) for each in line.told if each["type"] == "websocket.send"]
    assert [each["events"]["seq"] for each in seen[1:]] == [0, 1]
    metrics = client.get("/metrics").text
    assert "kifu_watchers_cut_off_total 1.0" in metrics
    assert "kifu_watchers 0.0" in metrics


def test_what_a_close_says_is_cut_to_what_a_close_can_hold(make_client, open_table):
    client = make_client()
    line = Line(client.app, open_table(at=client).match, [json.dumps({"あ" * 300: 1}, ensure_ascii=False)], takes=9)
    told = line.run()
    assert told["code"] == 4400
    assert 100 < len(told["reason"].encode()) <= 123


def test_a_watcher_that_does_not_say_who_it_is_is_cut_off(make_client, open_table):
    from kifu.core.web import Limits

    client = make_client(limits=Limits(message_timeout_s=0.05))
    assert Line(client.app, open_table(at=client).match, [], takes=9).run()["code"] == 4408


def test_who_watches_a_long_match_from_its_beginning_is_told_all_of_it(open_table, monkeypatch):
    from kifu.core.web import watching

    monkeypatch.setattr(watching, "AT_ONCE", 3)
    table = open_table("cake", chairs=[{"name": name} for name in NAMES[:3]])
    for _ in range(9):
        table.play()
    count = table.observe()["count"]
    with watch(table) as watcher:
        assert [next_seen(watcher)["seq"] for _ in range(count)] == list(range(count))


def test_the_journal_says_who_watched_what_and_how_it_ended(make_client, open_table, access_log):
    table = open_table(at=make_client())
    table.play()
    with watch(table, key=table.keys[0]) as watcher:
        assert [next_seen(watcher)["seq"] for _ in range(2)] == [0, 1]
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
    said = json.dumps(access_log)
    for secret in (*table.keys.values(), "x" * 43, "a-key-by-mistake"):
        assert secret not in said


def test_the_journal_has_a_line_of_those_who_are_too_many_or_too_slow(make_client, open_table, access_log):
    from kifu.core.web import Limits

    hasty = make_client(limits=Limits(message_timeout_s=0.05))
    table = open_table(at=hasty)
    table.play()
    Line(hasty.app, table.match, ["{}"], takes=2).run()
    table = open_table(at=make_client(limits=Limits(watches_per_client=1)))
    with watch(table) as first:
        first.receive_json()
        assert refused(table, {}) == 4429
    codes = [(line["events"], line.get("code")) for line in access_log if line["event"] == "watched"]
    assert codes[:2] == [(1, 4413), (0, 4429)]

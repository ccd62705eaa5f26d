"""Assistants at a server: a scripted client plays through HTTP and through the local command; keys are in no text."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager

import attrs
import kifu
import pytest
from kifu.core.host import Host, Terms
from kifu.core.log import read_bytes
from kifu.core.match.registry import find_bot
from kifu.core.stores import MemoryStore

mcp = pytest.importorskip("mcp", reason="needs the extra `mcp`")
anyio = pytest.importorskip("anyio", reason="needs the extra `mcp`")
httpx2 = pytest.importorskip("httpx2", reason="needs the extra `mcp`")
pytest.importorskip("starlette", reason="needs the extra `web`")

from kifu.core.env.text.mcp_remote import RemoteSeat, remote_address  # noqa: E402
from kifu.core.web import Limits, app  # noqa: E402
from kifu.core.web.mcp_hosted import HostedSeats, McpEndpoint  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

GAMES = kifu.games.names()
UNLIMITED = Limits(request_burst=10**6, open_burst=10**6)


class Served:
    """A match at an app that is called without a network, and its clients."""

    def __init__(self, game, bots=True, seats=None, limits=UNLIMITED, **more):
        self.host = Host(MemoryStore(), bots={"first": find_bot("random")(bytes(32))}, **more)
        seats = seats or kifu.games.find(game).seats[0]
        others = range(1, seats) if bots else ()
        names = ["Aki", *([None] * (seats - 1) if bots else [f"p{seat}" for seat in range(1, seats)])]
        opened = self.host.open(game, names, {}, Terms(bots=dict.fromkeys(others, "first"), bot_delay_ms=0))
        self.match, self.keys = opened.match, opened.keys
        self.app = app(self.host, limits=limits, mcp=McpEndpoint, schedule=True)

    @asynccontextmanager
    async def client(self, seat=0, mode="auto", key=None, lang="en", transport=None):
        headers = {"Authorization": f"Bearer {key or self.keys[seat]}", "Accept-Language": lang}
        async with httpx2.AsyncClient(
            transport=transport or httpx2.ASGITransport(app=self.app), headers=headers, timeout=60
        ) as http:
            address = remote_address("http://table.example/", self.match)
            async with mcp.Client(streamable_http_client(address, http_client=http), mode=mode) as client:
                yield client

    def run(self, work):
        async def inside():
            async with self.app.router.lifespan_context(self.app):
                return await work()

        return anyio.run(inside)


def text_of(result):
    return result.content[0].text


async def play(client):
    """Play first commands to the end; return all texts that the client read."""
    texts = [text_of(await client.call_tool("rules", {}))]
    result, turn = await client.call_tool("look", {}), 0
    texts.append(text_of(result))
    while result.structured_content["result"] is None:
        result = await client.call_tool("act", {"command": "#1", "id": str(turn)})
        assert not result.is_error, text_of(result)
        texts.append(text_of(result))
        turn += 1
    return texts


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_plays_each_game_over_http(game, mode):
    served = Served(game)

    async def work():
        async with served.client(mode=mode) as client:
            texts = await play(client)
            assert "The match is over." in texts[-1]
            log = (await client.read_resource("kifu://log")).contents[0]
            assert log.blob
            seen = (await client.read_resource("kifu://seen")).contents[0].text
            return [*texts, seen]

    texts = served.run(work)
    log = served.host.export_log(served.match)
    for secret in (served.keys[0], read_bytes(log).header.seed.hex(), served.match):
        assert not any(secret in text for text in texts)
    assert read_bytes(log).ok


def test_a_call_that_comes_again_plays_nothing_twice():
    served = Served("take_and_share")

    async def work():
        async with served.client() as client:
            await client.call_tool("look", {})
            for _ in range(3):
                result = await client.call_tool("act", {"command": "#1", "id": "mine"})
                assert not result.is_error
            return [event for event in read_bytes(served.host.export_log(served.match)).match.events if event.seat == 0]

    assert len(served.run(work)) == 1


def test_a_retry_gets_the_first_answer_whatever_has_happened_since():
    served = Served("take_and_share", bots=False, limits=attrs.evolve(UNLIMITED, wait_s=0.05))

    async def work():
        async with served.client(0) as client, served.client(1) as other:
            first = await client.call_tool("act", {"command": "#1", "id": "mine"})
            assert not (
                await other.call_tool("act", {"command": "#1", "id": "mine"})
            ).is_error  # an id is the seat's own
            assert await client.call_tool("act", {"command": "#1", "id": "mine"}) == first
            assert text_of(await client.call_tool("look", {})) != text_of(first)

    served.run(work)


@pytest.mark.parametrize(("lang", "why"), [("en", "the match has 1 events"), ("ja", "この対局にはできごとが1件あり")])
def test_a_match_that_takes_no_more_says_why(lang, why):
    served = Served("take_and_share", bots=False, events_per_match=1)

    async def work():
        async with served.client(lang=lang) as client:
            look = await client.call_tool("look", {})
            act = await client.call_tool("act", {"command": "#1"})
            return look, act

    look, act = served.run(work)
    assert look.structured_content["stopped"].startswith(why)
    assert (look.structured_content["to_act"], look.structured_content["legal"]) == ([], [])
    assert text_of(look).rpartition("\n")[2].startswith(why)
    assert "ended" not in text_of(look)
    assert (act.is_error, act.structured_content["kind"], why in text_of(act)) == (True, "turn", True)


def test_two_assistants_at_one_match_see_their_own_cards_alone():
    served = Served("take_and_share", bots=False)

    async def work():
        views = []
        for seat in range(3):
            async with served.client(seat) as client:
                rules = text_of(await client.call_tool("rules", {}))
                assert f"You are seat {seat}." in rules
                if seat == 0:
                    views.append((await client.call_tool("look", {})).structured_content["view"])
                else:
                    seen = (await client.read_resource("kifu://seen")).contents[0].text
                    assert "You are not asked. To act: seat 0." in seen
                    refused = await client.call_tool("act", {"command": "#1"})
                    assert refused.is_error
                    assert refused.structured_content["kind"] == "turn"
        return views

    (view,) = served.run(work)
    hands = [hand for hand in view["hands"] if hand is not None]
    assert len(hands) == 1


@pytest.mark.parametrize("key", ["nonsense", "x" * 500, None])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "rules"}),
        ("resources/read", {"uri": "kifu://seen"}),
        ("resources/read", {"uri": "kifu://log"}),
        ("prompts/get", {"name": "play"}),
    ],
)
def test_a_wrong_key_is_refused_with_401_in_a_sentence_without_it(key, method, params):
    served = Served("cake")
    headers = {"Accept": "application/json, text/event-stream"}

    async def work():
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=served.app), headers=headers) as http:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            given = {} if key is None else {"Authorization": f"Bearer {key}"}
            answers = [
                await http.post(f"http://table.example/mcp/{match}", json=body, headers=given)
                for match in (served.match, "nope")
            ]
            return [(each.status_code, each.headers.get("www-authenticate"), each.json()["error"]) for each in answers]

    (wrong, nowhere) = served.run(work)
    assert wrong[:2] == (401, "Bearer")
    assert (wrong[2]["message"], wrong[2]["data"]) == (
        "This key does not belong to a seat of this match.",
        {"kind": "key-refused"},
    )
    assert key != "nonsense" or (nowhere[0], nowhere[2]["data"]) == (404, {"kind": "no-match"})


def test_the_local_command_says_at_once_that_a_key_is_refused(monkeypatch):
    from kifu.core.env.text import mcp_remote

    async def never(_):
        raise AssertionError("it asked again")

    monkeypatch.setattr(mcp_remote.anyio, "sleep", never)
    served = Served("cake")
    seat = RemoteSeat(lambda: served.client(key="nonsense"))
    result = served.run(seat.look)
    assert result.structured_content["kind"] == "key-refused"
    assert text_of(result) == "This key does not belong to a seat of this match."


def test_what_cannot_be_read_yet_is_told_and_is_no_error_of_the_server(caplog):
    served = Served("take_and_share", bots=False)
    opened = served.host.open("cake", ["Aki", None, None])
    served.match, served.keys = opened.match, opened.keys

    async def work():
        async with served.client() as client:
            told = [
                text_of(await client.call_tool(tool, args)) for tool, args in (("rules", {}), ("find", {"tag": "x"}))
            ]
            for read in (
                lambda: client.read_resource("kifu://seen"),
                lambda: client.read_resource("kifu://rules"),
                lambda: client.get_prompt("play"),
            ):
                with pytest.raises(mcp.MCPError) as refused:
                    await read()
                told.append(str(refused.value))
            return told

    for words in served.run(work):
        assert "the match has not begun" in words
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_another_prompt_is_the_clients_error_and_none_in_the_log(caplog):
    served = Served("take_and_share", bots=False)

    async def work():
        async with served.client() as client:
            with pytest.raises(mcp.MCPError, match="one prompt, 'play'"):
                await client.get_prompt("nothing")

    served.run(work)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_arguments_of_the_prompt_are_the_clients_error_and_none_in_the_log(caplog):
    served = Served("cake")

    async def work():
        async with served.client() as client:
            with pytest.raises(mcp.MCPError, match="one prompt, 'play', without arguments"):
                await client.get_prompt("play", {"a": "b"})

    served.run(work)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_to_listen_to_and_no_session_to_end(method):
    served = Served("cake")
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {served.keys[0]}",
        "Last-Event-ID": "1",
    }

    async def work():
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=served.app), headers=headers) as http:
            with anyio.fail_after(20):
                answer = await http.request(method, f"http://table.example/mcp/{served.match}")
        return answer.status_code, answer.headers.get("allow")

    assert served.run(work) == (405, "POST")


def test_a_refusal_has_its_kind_and_rule_and_changes_nothing():
    served = Served("take_and_share")

    async def work():
        async with served.client(lang="ja") as client:
            assert "ルール" in text_of(await client.call_tool("rules", {}))
        async with served.client() as client:
            found = text_of(await client.call_tool("find", {"tag": "play"}))
            answers = ("nonsense", '{"tag":"play","card":999}')
            return [await client.call_tool("act", {"command": each}) for each in answers], found

    (unread, broken), found = served.run(work)
    assert (unread.is_error, unread.structured_content["kind"]) == (True, "unread")
    assert broken.structured_content["kind"] == "rule"
    assert broken.structured_content["rule"] in ("TS-2", "FORM")
    assert found.count("\n") == 14
    assert len(read_bytes(served.host.export_log(served.match)).match.events) == 1


def test_a_long_command_is_not_read():
    served = Served("take_and_share")

    async def work():
        async with served.client() as client:
            return await client.call_tool("act", {"command": "take " * 300, "id": "a"})

    refused = served.run(work)
    assert (refused.is_error, refused.structured_content["kind"]) == (True, "too-large")


def test_texts_are_read_and_written_one_at_a_time(monkeypatch):
    served, at_once, most = Served("take_and_share"), [], []
    known = HostedSeats._known

    def slow(self, request):
        at_once.append(request)
        most.append(len(at_once))
        time.sleep(0.01)
        at_once.remove(request)
        return known(self, request)

    monkeypatch.setattr(HostedSeats, "_known", slow)

    async def work():
        async with served.client() as client, anyio.create_task_group() as calls:
            for _ in range(6):
                calls.start_soon(client.call_tool, "rules", {})

    served.run(work)
    assert len(most) >= 6
    assert max(most) == 1, "else their threads would leave nothing of the interpreter to others"


class Lossy(httpx2.AsyncBaseTransport):
    """A network that loses every second answer after the server has given it."""

    def __init__(self, served):
        self.inner, self.calls = httpx2.ASGITransport(app=served.app), 0

    async def handle_async_request(self, request):
        response = await self.inner.handle_async_request(request)
        body = await response.aread()
        if b'"act"' in request.content:
            self.calls += 1
            if self.calls % 2:
                raise httpx2.ReadError("lost")
        return httpx2.Response(
            response.status_code, headers={"Content-Type": response.headers["Content-Type"]}, content=body
        )


def test_through_a_network_that_loses_answers_nothing_is_played_twice():
    served = Served("take_and_share")
    network = Lossy(served)
    seat = RemoteSeat(lambda: served.client(transport=network))

    async def work():
        assert "You are seat 0." in await seat.rules()
        result, turns = await seat.look(), 0
        while result.structured_content["result"] is None:
            result, turns = await seat.act("#1"), turns + 1
            assert not result.is_error
        assert await seat.log()
        return turns

    turns = served.run(work)
    events = read_bytes(served.host.log(served.match)).match.events
    assert len([event for event in events if event.seat == 0]) == turns


def test_without_the_option_there_is_no_such_address():
    from starlette.testclient import TestClient

    assert TestClient(app(Host(MemoryStore()))).post("/mcp/abc", json={}).status_code == 404


@pytest.mark.parametrize(
    ("args", "key", "says"),
    [
        (["--serve", "http://x"], "k", "name the match too"),
        (["--serve", "http://x", "--match", "m"], "", "KIFU_KEY"),
        (["--serve", "ftp://x", "--match", "m"], "k", "give the server as https://HOST/"),
        (["--serve", "https://k:y@x", "--match", "m"], "k", "give the server as https://HOST/"),
        ([], "", "name a game"),
    ],
)
def test_what_is_wrong_with_a_call(args, key, says, capsys, monkeypatch):
    from kifu.replay.app import run

    monkeypatch.setenv("KIFU_KEY", key)
    assert run(["mcp", *args]) == 2
    assert says in capsys.readouterr().err


def test_the_local_command_plays_at_a_server():
    """The whole way: `replay serve --mcp`, and `replay mcp --serve` with the key in its environment."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", "memory:", "--port", "0", "--quiet", "--mcp"]
    server = subprocess.Popen([*command, "--bots", "random"], stdout=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+", server.stdout.readline())[0]
    try:
        seats = [{"name": "Aki"}, {"bot": "random"}, {"bot": "random"}]
        body = {"game": "cake", "seats": seats, "bot_delay_ms": 0}
        opened = httpx2.post(f"{address}api/matches", json=body).json()
        key = opened["keys"][0]["key"]
        local = mcp.StdioServerParameters(
            command=sys.executable,
            args=["-m", "kifu.replay", "mcp", "--serve", address, "--match", opened["match"]],
            env={**os.environ, "KIFU_KEY": key},
        )

        async def work():
            async with mcp.Client(local) as client:
                return await play(client)

        texts = anyio.run(work)
        assert "The match is over." in texts[-1]
        assert key not in "".join(texts)
    finally:
        server.send_signal(signal.SIGINT)
        with server:
            server.wait(60)


def test_who_waits_for_the_others_hears_that_it_waits(monkeypatch):
    monkeypatch.setattr("kifu.core.env.text.mcp.PROGRESS_S", 0.02)
    served, heard = Served("take_and_share", bots=False, limits=attrs.evolve(UNLIMITED, wait_s=0.3)), []

    async def hear(progress, total, message):
        heard.append(progress)

    async def work():
        async with served.client(1) as client:
            look = await client.call_tool("look", {}, progress_callback=hear)
            assert "To act: seat 0." in text_of(look)

    served.run(work)
    assert len(heard) >= 3

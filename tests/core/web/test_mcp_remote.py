"""A seat at a server, for an assistant: `replay mcp URL` plays over the public API; keys are in no text."""

import os
import sys
from contextlib import asynccontextmanager

import kifu
import pytest
from kifu.core.env import text_table
from kifu.core.host import Host, Terms
from kifu.core.log import read_bytes
from kifu.core.match.registry import find_bot
from kifu.core.stores import MemoryStore

mcp = pytest.importorskip("mcp", reason="needs the extra `mcp`")
anyio = pytest.importorskip("anyio", reason="needs the extra `mcp`")
httpx2 = pytest.importorskip("httpx2", reason="needs the extra `mcp`")
pytest.importorskip("starlette", reason="needs the extra `web`")

from kifu.core.env.text import mcp_remote  # noqa: E402
from kifu.core.env.text.mcp import mcp_server  # noqa: E402
from kifu.core.env.text.mcp_remote import RemoteSeat, api_address  # noqa: E402
from kifu.core.errors import MatchError  # noqa: E402
from kifu.core.web import Limits, app  # noqa: E402

from ..env.text.test_mcp import text_of  # noqa: E402

GAMES = kifu.games.names()
UNLIMITED = Limits(processor_burst_s=10**6)


class Served:
    """A match at an app that is called without a network, and the seats at it."""

    def __init__(self, game, bots=True, names=None):
        self.host = Host(MemoryStore(), bots={"first": find_bot("random")(bytes(32))})
        seats = kifu.games.find(game).seats[0]
        others = range(1, seats) if bots else ()
        names = names or ["Aki", *([None] * (seats - 1) if bots else [f"p{seat}" for seat in range(1, seats)])]
        opened = self.host.open(game, names, {}, Terms(bots=dict.fromkeys(others, "first"), bot_delay_ms=0))
        self.match, self.keys = opened.match, opened.keys
        self.app = app(self.host, limits=UNLIMITED, schedule=True)

    def seat(self, seat=0, key=None, lang="en", transport=None):
        headers = {"Authorization": f"Bearer {key or self.keys[seat]}", "Accept-Language": lang}

        @asynccontextmanager
        async def connect():
            async with httpx2.AsyncClient(
                transport=transport or httpx2.ASGITransport(app=self.app),
                headers=headers,
                timeout=60,
            ) as http:
                yield http

        return RemoteSeat(api_address(f"http://table.example/#match={self.match}"), connect, lang)

    def run(self, work):
        async def inside():
            async with self.app.router.lifespan_context(self.app):
                return await work()

        return anyio.run(inside)

    @property
    def own_events(self):
        events = read_bytes(self.host.export_log(self.match)).match.events
        return [event for event in events if event.seat == 0]


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


@pytest.mark.ci
@pytest.mark.parametrize("game", [pytest.param(each, marks=[pytest.mark.long] * (each == "mabr")) for each in GAMES])
def test_a_client_plays_each_game_to_its_end_and_reads_no_secret(game):
    served = Served(game)

    async def work():
        async with mcp.Client(mcp_server(served.seat())) as client:
            texts = await play(client)
            assert "The match is over." in texts[-1]
            assert (await client.read_resource("kifu://log")).contents[0].blob
            return [*texts, (await client.read_resource("kifu://seen")).contents[0].text]

    texts = served.run(work)
    log = served.host.export_log(served.match)
    for secret in (served.keys[0], read_bytes(log).header.seed.hex(), served.match):
        assert not any(secret in text for text in texts)
    assert read_bytes(log).ok


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_it_reads_what_a_table_of_the_same_match_shows(game, lang):
    served = Served(game, bots=False)
    match = read_bytes(served.host.export_log(served.match)).match
    (seat, *_) = match.to_act
    table = text_table(match=match, lang=lang)

    async def work():
        remote = served.seat(seat, lang=lang)
        return await remote.rules(), await remote.look(), await remote.seen()

    rules, looked, seen = served.run(work)
    assert rules == table.rules(seat)
    assert text_of(looked) == seen == table.observe(seat, since=0)
    told = looked.structured_content
    assert {name: told[name] for name in ("view", "legal", "more", "to_act", "count")} == {
        name: value
        for name, value in table.observe(seat, since=0, as_json=True).items()
        if name in ("view", "legal", "more", "to_act", "count")
    }


def test_a_call_that_comes_again_plays_nothing_twice():
    served = Served("take_and_share")

    async def work():
        seat = served.seat()
        results = [await seat.act("#1", "mine") for _ in range(3)]
        assert not any(result.is_error for result in results)

    served.run(work)
    assert len(served.own_events) == 1


class Lossy(httpx2.AsyncBaseTransport):
    """A network that loses every second answer after the server has given it."""

    def __init__(self, served):
        self.inner, self.calls = httpx2.ASGITransport(app=served.app), 0

    async def handle_async_request(self, request):
        response = await self.inner.handle_async_request(request)
        body = await response.aread()
        self.calls += request.method == "POST"
        if request.method == "POST" and self.calls % 2:
            raise httpx2.ReadError("lost")
        kind = {"Content-Type": response.headers["Content-Type"]}
        return httpx2.Response(response.status_code, headers=kind, content=body)


def test_through_a_network_that_loses_answers_nothing_is_played_twice(monkeypatch):
    monkeypatch.setattr(mcp_remote, "PAUSE_S", 0)
    served = Served("take_and_share")
    seat = served.seat(transport=Lossy(served))

    async def work():
        result, turns = await seat.look(), 0
        while result.structured_content["result"] is None:
            result, turns = await seat.act("#1"), turns + 1
            assert not result.is_error
        assert await seat.log()
        return turns

    turns = served.run(work)
    assert len(served.own_events) == turns > 0


def test_a_refusal_has_its_kind_and_rule_and_changes_nothing():
    served = Served("take_and_share")
    hand = read_bytes(served.host.export_log(served.match)).match.view(0).hands[0]
    other = next(card for card in range(3, 11) if card not in hand)

    async def work():
        assert "ルール" in await served.seat(lang="ja").rules()
        seat = served.seat()
        answers = ("nonsense", "#99", f'{{"tag":"play","card":{other}}}', '{"tag":"play","card":999}')
        refused = [await seat.act(each, "same") for each in answers]
        return [each.structured_content for each in refused], await seat.find("play"), await seat.act("#1", "same")

    (unread, number, missing, broken), found, played = served.run(work)
    assert (unread["kind"], number["kind"]) == ("unread", "number")
    assert (missing["kind"], missing["rule"]) == ("rule", "TS-2")
    assert "not in your hand" in missing["refused"]
    assert broken["kind"] == "rule"
    assert found.count("\n") == 14
    assert not played.is_error
    assert len(served.own_events) == 1


def test_who_is_not_asked_is_told_whose_turn_it_is(monkeypatch):
    monkeypatch.setattr(mcp_remote, "WAIT_S", 0)
    served = Served("take_and_share", bots=False)

    async def work():
        seat = served.seat(1)
        return await seat.look(), await seat.act("#1")

    look, act = served.run(work)
    assert "To act: seat 0" in text_of(look)
    assert (act.is_error, act.structured_content["kind"], act.structured_content["rule"]) == (True, "turn", "TURN")


def test_a_wrong_key_is_told_at_once(monkeypatch):
    async def never(_):
        raise AssertionError("it asked again")

    monkeypatch.setattr(mcp_remote.anyio, "sleep", never)
    served = Served("cake")
    result = served.run(served.seat(key="nonsense").look)
    assert result.structured_content["kind"] == "key-refused"


def test_what_cannot_be_read_yet_is_told():
    served = Served("cake", names=["Aki", None, None], bots=False)

    async def work():
        seat = served.seat()
        with pytest.raises(MatchError):
            await seat.log()
        return await seat.rules(), await seat.seen(), await seat.find("x"), text_of(await seat.look())

    assert set(served.run(work)) == {"the match has not begun"}


@pytest.mark.parametrize(
    ("url", "key", "says"),
    [
        ("http://x/#match=m", "", "KIFU_KEY"),
        ("ftp://x/#match=m", "k", "give the link to the match"),
        ("http://x/", "k", "give the link to the match"),
        ("http://x/#match=m&key=k", "k", "without a name or a key in it"),
        ("https://k:y@x/#match=m", "k", "without a name or a key in it"),
    ],
)
def test_what_is_wrong_with_a_call(url, key, says, capsys, monkeypatch):
    from kifu.replay.app import run

    monkeypatch.setenv("KIFU_KEY", key)
    assert run(["mcp", url]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.ci
def test_the_command_plays_at_a_server(address):
    """The whole way: `replay serve`, and `replay mcp URL` with the key in its environment."""
    seats = [{"name": "Aki"}, *[{"bot": "random"}] * 3]
    body = {"game": "gosne", "seats": seats, "bot_delay_ms": 0}
    opened = httpx2.post(f"{address}api/matches", json=body).json()
    key = opened["keys"][0]["key"]
    local = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "kifu.replay", "mcp", f"{address}#match={opened['match']}"],
        env={**os.environ, "KIFU_KEY": key},
    )

    async def work():
        async with mcp.Client(local) as client:
            return await play(client)

    texts = anyio.run(work)
    assert "The match is over." in texts[-1]
    assert key not in "".join(texts)

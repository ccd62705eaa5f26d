"""The host to await: the same methods as the blocking one, under two frameworks, with a loop that stays free."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from typing import Any

import pytest
from kifu.core.errors import Conflict, KeyRefused
from kifu.core.game import RuleViolation
from kifu.core.host import AsyncHost, Host, Terms
from kifu.core.stores import MemoryStore, open_store

SET_UP = {
    "epoch",
    "reach",
    "clock_skew_ms",
    "ado",
    "cached",
    "do",
    "probe",
    "run_due",
    "run_here",
    "run_scheduler",
    "threads",
    "update_rules",
    "watch",
    "write_witnesses",
}
"""What of a host is no call of a match: it stays with `AsyncHost.host`; `watch` is `follow` there."""


def names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_it_has_every_method_of_a_match_with_the_same_parameters():
    assert names(AsyncHost) == names(Host) - SET_UP
    for name in names(AsyncHost):
        assert inspect.signature(getattr(AsyncHost, name)) == inspect.signature(getattr(Host, name)), name
        assert getattr(AsyncHost, name).__doc__
        assert name == "follow" or inspect.iscoroutinefunction(getattr(AsyncHost, name))


async def played(host: AsyncHost) -> dict[str, Any]:
    """Open, play, undo and follow a match, as any frontend does."""
    opened = await host.open("take_and_share", ["Aki", "Ren", "Mio"])
    match, keys = opened.match, [opened.keys[seat] for seat in range(3)]
    seen = await host.observe(match, keys[0])
    seat = min(seen.to_act)
    mine = await host.observe(match, keys[seat])
    receipt = await host.submit(match, keys[seat], mine.legal[0], mine.count, b"once")
    again = await host.submit(match, keys[seat], mine.legal[0], mine.count, b"once")
    with pytest.raises(Conflict):
        await host.submit(match, keys[seat], mine.legal[0], 0)
    with pytest.raises(KeyRefused):
        await host.observe(match, "nobody")
    after = await host.observe(match, keys[seat])
    other = min(after.to_act)
    with pytest.raises(RuleViolation):
        await host.submit(match, keys[seat], mine.legal[0], after.count)
    proposal = await host.undo(match, keys[seat])
    for each in proposal.waiting_for:
        proposal = await host.accept(match, keys[each], proposal.number)
    followed = [event.seq async for event in host.follow(match, keys[0], timeout_ms=50)]
    return {
        "same receipt": receipt.seq == again.seq,
        "other": other != seat,
        "undone": (proposal.status, proposal.target) == ("accepted", receipt.seq - 1),
        "followed": followed == [0, 1, 2],
        "about": (await host.about(match)).game == "take_and_share",
    }


def test_under_starlette():
    pytest.importorskip("starlette", reason="needs kifu[web]")
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route
    from starlette.testclient import TestClient

    host = AsyncHost(Host(open_store("memory:")))

    async def play(_request: Any) -> JSONResponse:
        return JSONResponse(await played(host))

    with TestClient(Starlette(routes=[Route("/", play)])) as client:
        assert set(client.get("/").json().values()) == {True}


def test_under_tornado():
    tornado = pytest.importorskip("tornado.web", reason="comes with kifu[bulk]")
    from tornado.httpclient import AsyncHTTPClient
    from tornado.httpserver import HTTPServer
    from tornado.testing import bind_unused_port

    host = AsyncHost(Host(open_store("memory:")))

    class Play(tornado.RequestHandler):
        async def get(self) -> None:
            self.write(await played(host))

    async def run() -> dict[str, bool]:
        socket, port = bind_unused_port()
        server = HTTPServer(tornado.Application([("/", Play)]))
        server.add_socket(socket)
        answer = await AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}/")
        server.stop()
        return json.loads(answer.body)

    assert set(asyncio.run(run()).values()) == {True}


@pytest.mark.ci
def test_the_loop_goes_on_while_a_store_is_slow(monkeypatch):
    """Other tasks run while an observation and a command wait for a store that takes its time."""
    store = open_store("memory:")
    host = AsyncHost(Host(store))
    read, commit = store.read, store.commit

    def slow(function):
        def call(*args: Any, **more: Any) -> Any:
            time.sleep(0.1)
            return function(*args, **more)

        return call

    async def run() -> int:
        opened = await host.open("take_and_share", ["Aki", "Ren", "Mio"])
        monkeypatch.setattr(store, "read", slow(read))
        monkeypatch.setattr(store, "commit", slow(commit))
        ticks, done = 0, asyncio.Event()

        async def tick() -> None:
            nonlocal ticks
            while not done.is_set():
                ticks += 1
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        seen = await host.observe(opened.match, opened.keys[0])
        seat = min(seen.to_act)
        mine = await host.observe(opened.match, opened.keys[seat])
        await host.submit(opened.match, opened.keys[seat], mine.legal[0], mine.count)
        done.set()
        await ticking
        return ticks

    assert asyncio.run(run()) > 5


class Failing(MemoryStore):
    """A store that fails once, as none should."""

    fails = 1

    def earliest_due(self):
        self.fails -= 1
        if self.fails == 0:
            raise ValueError
        return super().earliest_due()


def test_within_its_context_bots_act_whatever_fails_and_whoever_has_subscribed_is_told(monkeypatch, caplog):
    async def main() -> str:
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        async with AsyncHost(Failing(), bots={"first": lambda info_state: info_state.legal[0]}) as host:
            terms = Terms(bots=dict.fromkeys(range(3), "first"), bot_delay_ms=0)
            opened = await host.open("take_and_share", 3, terms=terms)
            await host.subscribe(opened.match, lambda: loop.call_soon_threadsafe(told.set))
            async with asyncio.timeout(60):
                await told.wait()
                async for _ in host.follow(opened.match):
                    pass
            return (await host.about(opened.match)).status

    monkeypatch.setattr("kifu.core.host.async_host.PAUSE_S", 0.01)
    assert asyncio.run(main()) == "over"
    assert [record.message for record in caplog.records] == ["scheduling failed"]

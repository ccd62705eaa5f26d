"""The host to await: the same methods as the blocking one, with a loop that stays free."""

from __future__ import annotations

import asyncio
import inspect
from itertools import chain, repeat
from threading import Event
from unittest.mock import DEFAULT, Mock

import pytest
from kifu.core.errors import Conflict, KeyRefused
from kifu.core.game import RuleViolation
from kifu.core.host import AsyncHost, Host
from kifu.core.stores import MemoryStore

from .conftest import FIRST, alone
from .writing import TIMEOUT_S

SET_UP = {
    *("epoch", "reach", "clock_skew_ms", "ado", "cached", "do", "probe", "run_due", "run_here", "run_scheduler"),
    *("threads", "update_rules", "watch", "write_witnesses"),
}
"""What of a host is no call of a match: it stays with `AsyncHost.host`; `watch` is `follow` there."""


def names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_it_has_every_method_of_a_match_with_the_same_parameters():
    assert names(AsyncHost) == names(Host) - SET_UP
    for name in names(AsyncHost):
        assert inspect.signature(getattr(AsyncHost, name)) == inspect.signature(getattr(Host, name)), name
        assert getattr(AsyncHost, name).__name__ == getattr(Host, name).__name__ == name
        assert getattr(AsyncHost, name).__doc__
        assert name == "follow" or inspect.iscoroutinefunction(getattr(AsyncHost, name))


async def played(host: AsyncHost) -> None:
    """Open, play, undo and follow a match, as any frontend does."""
    opened = await host.open("take_and_share", ["Aki", "Ren", "Mio"])
    match, keys = opened.match, opened.keys
    seat = min((await host.observe(match, keys[0])).to_act)
    mine = await host.observe(match, keys[seat])
    receipt = await host.submit(match, keys[seat], mine.legal[0], mine.count, b"once")
    assert await host.submit(match, keys[seat], mine.legal[0], mine.count, b"once") == receipt
    with pytest.raises(Conflict):
        await host.submit(match, keys[seat], mine.legal[0], 0)
    with pytest.raises(KeyRefused):
        await host.observe(match, "nobody")
    after = await host.observe(match, keys[seat])
    assert seat not in after.to_act
    assert after.undoes_to == receipt.seq - 1
    with pytest.raises(RuleViolation):
        await host.submit(match, keys[seat], mine.legal[0], after.count)
    proposal = await host.undo(match, keys[seat])
    for each in proposal.waiting_for:
        proposal = await host.accept(match, keys[each], proposal.number)
    assert (proposal.status, proposal.target) == ("accepted", receipt.seq - 1)
    assert (await host.observe(match, keys[seat])).undoes_to is None, "what was undone is not undone again"
    assert [event.seq async for event in host.follow(match, keys[0], timeout_ms=50)] == [0, 1, 2]
    assert (await host.about(match)).game == "take_and_share"


def test_a_match_is_opened_played_undone_and_followed():
    asyncio.run(played(AsyncHost(MemoryStore())))


def test_the_loop_goes_on_while_a_store_is_slow(monkeypatch):
    store, goes_on = MemoryStore(), Event()
    host, read = AsyncHost(store), store.read

    async def looked():
        match = (await host.open("take_and_share", ["Aki", "Ren", "Mio"])).match
        monkeypatch.setattr(store, "read", lambda *args: goes_on.wait(TIMEOUT_S) and read(*args))
        looking = asyncio.create_task(host.about(match))
        await asyncio.sleep(0.01)
        goes_on.set()  # which nobody would, if the loop waited, too
        return (await looking).match == match

    assert asyncio.run(looked())


def test_within_its_context_bots_act_whatever_fails_and_whoever_has_subscribed_is_told(monkeypatch, caplog):
    store = MemoryStore()
    store.earliest_due = Mock(wraps=store.earliest_due, side_effect=chain([ValueError], repeat(DEFAULT)))

    async def main() -> str:
        told = asyncio.Event()
        loop = asyncio.get_running_loop()
        async with AsyncHost(store, bots=FIRST) as host:
            opened = await host.open("take_and_share", 3, terms=alone())
            await host.subscribe(opened.match, lambda: loop.call_soon_threadsafe(told.set))
            async with asyncio.timeout(60):
                await told.wait()
                async for _ in host.follow(opened.match):
                    pass
            return (await host.about(opened.match)).status

    monkeypatch.setattr("kifu.core.host.async_host.PAUSE_S", 0.01)
    assert asyncio.run(main()) == "over"
    assert [record.message for record in caplog.records] == ["scheduling failed"]

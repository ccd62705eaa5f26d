"""What computes for long is taken from the clients in turn: who asks for much waits behind who asks for little."""

import asyncio
from threading import Event
from typing import Any

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def served(*asked: tuple[str, float]) -> list[str]:
    """Return the clients in the order in which their work is done: each asks at once, for so many seconds."""
    from kifu.core.web.limits.fair_lane import FairLane

    clock, order = Clock(), []
    lane = FairLane(clock)

    def work(client: str, seconds: float) -> None:
        clock.now_s += seconds
        order.append(client)

    async def all_at_once() -> None:
        async with asyncio.TaskGroup() as tasks:
            for client, seconds in asked:
                tasks.create_task(lane.run(client, work, client, seconds))

    asyncio.run(all_at_once())
    return order


def test_one_who_asks_for_forty_pages_holds_up_nobody_for_more_than_one() -> None:
    assert served(*[("greedy", 1.0)] * 40, ("other", 1.0)).index("other") <= 1


def test_who_used_less_time_comes_first() -> None:
    order = served(*[("dear", 10.0)] * 4, *[("cheap", 1.0)] * 8)
    assert order == ["dear", *["cheap"] * 8, *["dear"] * 3]


def test_of_thousands_who_ask_once_while_it_is_never_idle_few_are_remembered(monkeypatch: Any) -> None:
    from kifu.core.web.limits import fair_lane

    monkeypatch.setattr(fair_lane, "MAX_CLIENTS", 5)
    lane, remembered = fair_lane.FairLane(), list[int]()

    async def ask() -> None:
        async with asyncio.TaskGroup() as tasks:
            for client in [*map(str, range(20)), *["busy"] * 20]:
                tasks.create_task(lane.run(client, lambda: remembered.append(len(lane._clients))))

    asyncio.run(ask())
    assert max(remembered[-10:]) <= 6


def test_one_who_leaves_holds_up_nobody() -> None:
    from kifu.core.web.limits.fair_lane import FairLane

    lane, done = FairLane(), []

    async def leave() -> None:
        first = asyncio.create_task(lane.run("a", done.append, 1))
        second = asyncio.create_task(lane.run("a", done.append, 2))
        third = asyncio.create_task(lane.run("b", done.append, 3))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, third)
        with pytest.raises(asyncio.CancelledError):
            await second
        await lane.run("a", done.append, 4)

    asyncio.run(leave())
    assert done == [1, 3, 4]


def test_one_who_is_cancelled_again_and_again_while_its_work_goes_on_holds_up_nobody() -> None:
    """As anyio does it, in an app that is mounted behind a middleware of Starlette's."""
    from kifu.core.web.limits.fair_lane import FairLane

    lane, gate = FairLane(), Event()

    async def leave() -> int:
        first = asyncio.create_task(lane.run("a", gate.wait, 30))
        for _ in range(3):
            await asyncio.sleep(0)
            first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        asyncio.get_running_loop().call_later(0.01, gate.set)
        return await asyncio.wait_for(lane.run("b", int, "7"), 5)

    assert asyncio.run(leave()) == 7


def test_work_that_no_thread_is_there_for_lets_the_next_one_begin() -> None:
    from kifu.core.host.threads import Threads
    from kifu.core.web.limits.fair_lane import FairLane

    class Once(Threads):
        def executor(self, size: int, name: str) -> Any:
            executor, fails = super().executor(size, name), [RuntimeError("can't start new thread")]
            submit = executor.submit

            def scarce(*given: Any) -> Any:
                if fails:
                    raise fails.pop()
                return submit(*given)

            executor.submit = scarce
            return executor

    lane = FairLane(threads=Once())

    async def fail() -> int:
        with pytest.raises(RuntimeError):
            await lane.run("a", int, "7")
        return await asyncio.wait_for(lane.run("a", int, "7"), 5)

    assert asyncio.run(fail()) == 7


def test_work_that_fails_lets_the_next_one_begin() -> None:
    from kifu.core.web.limits.fair_lane import FairLane

    lane = FairLane()

    async def fail() -> int:
        with pytest.raises(ZeroDivisionError):
            await lane.run("a", lambda: 1 // 0)
        return await lane.run("a", int, "7")

    assert asyncio.run(fail()) == 7


def test_a_page_that_a_browser_has_is_not_made_again(make_client, open_table) -> None:
    table = open_table()
    table.play_on()
    page = f"/api/matches/{table.match}/page"
    first = table.client.get(page)
    assert first.status_code == 200
    again = table.client.get(page, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = table.client.get(page, headers={"If-None-Match": first.headers["etag"], "Accept-Language": "ja"})
    assert other.status_code == 200


def test_ten_forks_of_one_client_hold_up_anothers_for_no_more_than_one(monkeypatch) -> None:
    """They were made by the host in the order in which they were asked for, the latest first."""
    from kifu.core.host import Host, proposals
    from kifu.core.stores import MemoryStore
    from kifu.core.web.context import AppContext

    host, made, all_wait = Host(MemoryStore()), [], Event()
    context, make = AppContext(host), proposals._forked

    def noted(context: Any, live: Any, proposal: Any) -> Any:
        all_wait.wait(30)
        made.append(live.metadata.names[0])
        return make(context, live, proposal)

    monkeypatch.setattr(proposals, "_forked", noted)

    def ended_match_of(client: str) -> tuple[str, str | None]:
        opened = host.open("take_and_share", [client, "x", "y"])
        host.force_abandon(opened.match)
        return opened.match, opened.keys[0]

    async def fork_all() -> None:
        async with asyncio.TaskGroup() as tasks:
            forks = [
                tasks.create_task(context.change(client, Host.fork, match, key, 1))
                for client in ["greedy"] * 10 + ["other"]
                for match, key in [ended_match_of(client)]
            ]
            while sum(len(each.waiting) for each in context.heavy._clients.values()) < 10:
                await asyncio.sleep(0.001)
            all_wait.set()
        assert all(host.about(each.result().fork).status == "going" for each in forks)

    asyncio.run(fork_all())
    assert made == ["greedy", "other", *["greedy"] * 9]


def test_what_changes_a_match_at_once_waits_for_no_turn() -> None:
    """An accept of a takeback or of an end is a write, as a move is."""
    from kifu.core.host import Host
    from kifu.core.stores import MemoryStore
    from kifu.core.web.context import AppContext

    host = Host(MemoryStore())
    context, opened = AppContext(host), host.open("take_and_share", ["a", "b", "c"])
    others = opened.keys[1:]

    async def end_while_a_page_is_made() -> None:
        async with context.heavy.turn("a"), asyncio.timeout(20):
            await context.change("a", Host.abandon, opened.match, opened.keys[0])
            for key in others:
                await context.change("a", Host.accept, opened.match, key, 1)

    asyncio.run(end_while_a_page_is_made())
    assert host.about(opened.match).status == "abandoned"


def test_a_fork_whose_client_leaves_is_made_all_the_same() -> None:
    from kifu.core.host import Host
    from kifu.core.stores import MemoryStore
    from kifu.core.web.context import AppContext

    host = Host(MemoryStore())
    context, opened = AppContext(host), host.open("take_and_share", ["a", "b", "c"])
    host.force_abandon(opened.match)

    async def leave() -> None:
        async with context.heavy.turn("b"):
            fork = asyncio.create_task(context.change("a", Host.fork, opened.match, opened.keys[0], 1))
            while "a" not in context.heavy._clients:
                await asyncio.sleep(0.001)
            fork.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(fork, 20)

    asyncio.run(leave())
    (proposal,) = host.observe(opened.match, opened.keys[0]).proposals
    assert proposal.state == "accepted"

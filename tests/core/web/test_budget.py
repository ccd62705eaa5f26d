"""One budget for each client: what it is charged, who comes first, who is over it; and how much is kept."""

import asyncio
from threading import Event
from time import thread_time
from unittest.mock import AsyncMock, Mock

import pytest
from kifu.core.host import Host
from kifu.core.stores import MemoryStore

from ..host.conftest import Clock
from ..host.writing import wait_for
from .streams import Stream

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[dev]")

from kifu.core.web import Limits, app
from kifu.core.web import limits as budgets
from kifu.core.web.context import Asked, Kept
from kifu.core.web.http_codec import RequestError
from kifu.core.web.limits import Budget, client_of, networks_of, opener_of
from kifu.core.web.metrics import Metrics
from kifu.core.web.presenters import MatchPresenter
from kifu.core.web.work import AT_ONCE, PER_CLIENT, Asking, BotMatches, Kind, Work
from starlette.testclient import TestClient


@pytest.mark.parametrize(
    ("address", "client"),
    [
        (("203.0.113.7", 5), "203.0.113.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"),
        (("::ffff:203.0.113.7", 5), "203.0.113.7"),
        (("a-key-as-an-address", 5), "nobody"),
        (None, "nobody"),
    ],
)
def test_a_client_is_an_address_or_a_network_of_64_bits(address, client):
    assert client_of(address) == client


def test_a_household_of_many_networks_shares_a_larger_budget():
    now, limits = Clock(0), Limits(processor_share=0.1, processor_burst_s=1.0)
    budget, own = Budget(limits, now), [f"2001:db8:0:{number:x}::/64" for number in range(256)]
    assert [network for network, _ in networks_of(own[1])] == [own[1], "2001:db8::/56", "2001:db8::/48"]
    for number in range(256):
        budget.spend(own[number], 0.5)
    assert budget.wait_s("2001:db8:0:ff::/64") > 0, "the /56 is over its budget"
    assert budget.wait_s("2001:db8:0:100::/64") > 0, "and the /48"
    assert budget.wait_s("2001:db8:1:1::/64") == budget.wait_s("203.0.113.7") == 0
    assert len({opener_of(each) for each in own}) == 1, "their bots take turns as one client's"


def test_who_has_spent_its_burst_waits_for_its_share():
    now = Clock(0)
    budget = Budget(Limits(processor_share=0.1, processor_burst_s=1.0, bytes_per_s=1000), now)
    budget.spend("a", 1.0)
    assert budget.wait_s("a") == 0
    budget.spend("a", 0.05)
    assert budget.wait_s("a") == pytest.approx(0.5)
    budget.spend("a", 0.0, 5_000)
    assert budget.wait_s("a") == pytest.approx(5.5), "five seconds' bytes"
    budget.spend("a", 100.0)
    assert budget.wait_s("a") == pytest.approx(10), "nobody owes more than a burst"
    now.now = 1000
    assert (budget.wait_s("a"), budget.used_s("a")) == (0, 0)


def test_a_client_cannot_have_its_debt_forgotten(monkeypatch):
    monkeypatch.setattr(budgets, "MAX_CLIENTS", 100)
    budget = Budget(Limits(), Clock(0))
    budget.spend("attacker", 100)
    for other in range(1000):
        budget.spend(str(other), 0.001)
    assert budget.wait_s("attacker") > 0
    assert len(budget._left) <= 100


def work_of(**some) -> Work:
    return Work(Budget(Limits(**some)), Metrics())


async def asked(work, client, function, kind=Kind.READ, match=""):
    return await work.run(Asking(client, match, kind), function)


def burn(seconds):
    def function():
        until_s = thread_time() + seconds
        while thread_time() < until_s:
            pass

    return function


def test_what_is_computed_is_charged_and_nothing_that_only_waits():
    work = work_of()
    asyncio.run(asked(work, "a", burn(0.05)))
    assert 0.04 < work._budget.used_s("a") < 0.5
    asyncio.run(asked(work, "b", lambda: Event().wait(0.05)))
    assert work._budget.used_s("b") < 0.02


def test_what_would_end_the_program_fails_alone():
    work, exits = work_of(), Mock(side_effect=SystemExit)
    for call in (asked(work, "a", exits), work.apart("feed", exits)):
        with pytest.raises(RuntimeError):
            asyncio.run(call)


@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_who_comes_to_watch_is_charged_what_it_is_sent(open_table, monkeypatch, method):
    table, presented = open_table(), MatchPresenter.history
    monkeypatch.setattr(MatchPresenter, "history", lambda *args: (burn(0.05)(), presented(*args))[1])
    with Stream(table.client, f"/api/matches/{table.match}/events", method=method):
        assert table.client.app.state.context.budget.used_s("10.0.0.1") > 0.04


def served(work, monkeypatch, spent, *waiting):
    """Return in which order they are served who all wait while one is served, after a client has spent so much."""
    monkeypatch.setattr("kifu.core.web.work.AT_ONCE", 1)
    order, go = [], Event()

    async def main():
        held = asyncio.create_task(asked(work, "holder", go.wait))
        await asyncio.sleep(0)
        for client, seconds in spent.items():
            work._budget.spend(client, seconds)
        tasks = [
            asyncio.create_task(asked(work, client, lambda c=client: order.append(c), kind)) for client, kind in waiting
        ]
        await asyncio.sleep(0.01)
        go.set()
        await asyncio.gather(held, *tasks)

    asyncio.run(main())
    assert not work._running
    assert not work._waiting
    return order


def test_moves_come_before_reads_and_pages_and_who_used_less_before_who_used_more(monkeypatch):
    waiting = (
        ("page", Kind.HEAVY),
        ("greedy", Kind.READ),
        ("modest", Kind.READ),
        ("debtor", Kind.MOVE),
        ("mover", Kind.MOVE),
    )
    order = served(work_of(), monkeypatch, {"greedy": 1.0, "debtor": 100}, *waiting)
    assert order == ["mover", "modest", "greedy", "page", "debtor"]


def test_clients_take_turns_however_much_each_asks_for_at_once_and_whatever_it_used_before(monkeypatch):
    neighbours = [client_of((f"2001:db8:0:{number:x}::1", 1)) for number in range(40)]
    flood = [(client, Kind.READ) for client in ("a", "b", *neighbours) for _ in range(20)]
    order = served(work_of(), monkeypatch, {"honest": 1.0}, *flood, ("honest", Kind.READ), ("honest", Kind.READ))
    assert [number for number, client in enumerate(order) if client == "honest"] == [6, 13]


def test_one_client_has_few_threads_and_others_are_served_meanwhile():
    work, go, begun = work_of(), Event(), []

    def stuck():
        begun.append(1)
        go.wait(30)

    async def main():
        loop = asyncio.get_running_loop()
        greedy = [loop.create_task(asked(work, "greedy", stuck)) for _ in range(48)]
        await asyncio.sleep(0.05)
        assert await asked(work, "other", lambda: len(begun)) == PER_CLIENT
        go.set()
        await asyncio.gather(*greedy)

    asyncio.run(main())
    assert len(begun) == 48


def test_a_client_over_its_budget_is_served_where_nobody_else_waits_and_else_refused(monkeypatch):
    monkeypatch.setattr("kifu.core.web.work.PATIENCE_S", 0.05)
    work, go = work_of(), Event()
    work._budget.spend("debtor", 7.0)
    context = Mock(work=work, budget=work._budget, host=Mock(ado=AsyncMock(return_value="made")))

    def move(client):
        request = Mock(scope={"state": {"wait_s": work._budget.wait_s(client)}})
        return Asked(request, context, client, "m", None, "en").change(None)

    async def main():
        assert await asked(work, "debtor", lambda: 5) == 5
        loop = asyncio.get_running_loop()
        held = [loop.create_task(asked(work, f"holder {number}", go.wait)) for number in range(AT_ONCE)]
        await asyncio.sleep(0.02)
        for ask in (asked(work, "debtor", lambda: 5), move("debtor")):
            with pytest.raises(RequestError) as refused:
                await ask
            assert refused.value.kind == "too-many"
            assert int(refused.value.headers["Retry-After"]) == pytest.approx(21, abs=2)
        assert await move("holder 1") == "made"
        go.set()
        await asyncio.gather(*held)

    asyncio.run(main())
    assert not work._running


def test_one_who_leaves_holds_up_nobody():
    work, go = work_of(), Event()

    async def main():
        loop = asyncio.get_running_loop()
        first = [loop.create_task(asked(work, "a", go.wait)) for _ in range(PER_CLIENT)]
        await asyncio.sleep(0.02)
        second = loop.create_task(asked(work, "a", lambda: 5))
        await asyncio.sleep(0.02)
        for each in (first[0], second):
            each.cancel()
        await asyncio.gather(first[0], second, return_exceptions=True)
        assert work._running["client", "a"] == PER_CLIENT, "its thread goes on"
        go.set()
        assert await asked(work, "a", lambda: 6) == 6
        await first[1]

    asyncio.run(main())
    wait_for(lambda: not work._running)


def test_bot_matches_are_counted_for_larger_networks_too():
    ended = set()

    async def status(client, match):
        return "over" if match in ended else "going"

    rooms = BotMatches(Limits(bot_matches_per_client=2), work_of(), status)

    async def opened(client, match):
        try:
            async with rooms.room(client):
                rooms.note(client, match)
        except RequestError as refused:
            return refused.kind
        return "opened"

    async def main():
        own = [f"2001:db8:0:{number:x}::/64" for number in range(8)]
        of_each = [await opened(each, f"{each} {number}") for each in own for number in range(3)]
        ended.add(f"{own[0]} 0")
        return of_each, [await opened(own[0], "again") for _ in range(2)], await opened("203.0.113.7", "other")

    of_each, again, other = asyncio.run(main())
    assert of_each.count("opened") == 4, "two of each, and four of the /56"
    assert (again, other) == (["opened", "bot-tables"], "opened")


def test_a_request_is_charged_and_who_owes_much_is_refused_at_the_door(make_client, open_table):
    client = make_client(limits=Limits(processor_share=0.001, processor_burst_s=0.02))
    assert client.get("/api/games").status_code == 200
    refused = next(answer for answer in (client.get("/api/games") for _ in range(10_000)) if answer.status_code != 200)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 1
    assert refused.json()["type"] == "urn:kifu:problem:too-many"
    assert "network" in refused.json()["detail"], "it is not said to be one's own"
    assert client.get("/health/live").status_code == 200
    assert 'kifu_refused_total{limit="processor_share"}' in client.app.state.context.metrics.text().decode()


def test_openings_and_seats_cost_more_than_they_take(make_client, open_table):
    client = make_client(limits=Limits(processor_share=0.001, processor_burst_s=10 * budgets.OPENING_S))
    body = {"game": "take_and_share", "seats": [{"name": each} for each in "abc"]}
    statuses = [client.post("/api/matches", json=body).status_code for _ in range(40)]
    assert statuses[:4] == [201] * 4
    assert statuses[-1] == 429


def test_legal_commands_come_in_pages(open_table):
    table = open_table("mabr", 2)
    for _ in range(300):
        seat = min(table.observe()["to_act"])
        if (seen := table.observe(seat))["legal_count"] > 200:
            break
        table.play()
    assert len(seen["legal"]) == 200
    everything = list(seen["legal"])
    while len(everything) < seen["legal_count"]:
        page = table.get(f"/observation?legal_from={len(everything)}", seat).json()
        assert page["count"] == seen["count"]
        assert 0 < len(page["legal"]) <= 200
        everything += page["legal"]
    host = table.client.app.state.context.host
    assert len(everything) == len(host.observe(table.match, table.keys[seat]).legal) == seen["legal_count"]
    assert len({str(each) for each in everything}) == len(everything)


def test_what_spectators_see_is_made_once_and_has_a_tag(make_client, open_table, monkeypatch):
    made, present = [], MatchPresenter.observation
    monkeypatch.setattr(MatchPresenter, "observation", lambda *args: (made.append(1), present(*args))[1])
    table = open_table()
    first, again = table.get("/observation"), table.get("/observation")
    assert (first.content, len(made)) == (again.content, 1)
    tag = first.headers["etag"]
    known = table.get("/observation", headers={"If-None-Match": tag})
    assert (known.status_code, known.content) == (304, b"")
    table.play()
    changed = table.get("/observation", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.json()["count"]) == (200, 2)
    mine = table.get("/observation", 0)
    assert "etag" not in mine.headers
    assert mine.headers["cache-control"] == "no-store"
    table.client.app.state.context.host.force_abandon(table.match)
    for path in ("/history", "", "/page"):
        known = {"If-None-Match": table.get(path).headers["etag"]}
        assert (table.get(path, headers=known).status_code, table.get(path, headers=known).content) == (304, b"")
        assert table.get(path, headers={**known, "Accept-Language": "ja"}).status_code == 200


@pytest.mark.parametrize(
    ("address", "token", "status"),
    [("127.0.0.1", None, 200), ("::1", None, 200), ("203.0.113.7", None, 404), ("::1", "x", 200), ("unix:", "x", 404)],
)
def test_metrics_are_told_to_this_machine_or_for_a_token(address, token, status):
    served = app(Host(MemoryStore()), metrics_token="secret")
    client = TestClient(served, client=(address, 5))
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    assert client.get("/metrics", headers=headers).status_code == status
    assert client.get("/metrics", headers={"Authorization": "Bearer secret"}).status_code == 200


def test_the_least_recently_used_go_where_there_is_no_room():
    kept, made = Kept[bytes](10), []
    for key in "abc":
        kept.put(key, b"1234", 4)
        assert kept.get("a") in (b"1234", None)
    assert [key for key in "abc" if kept.get(key)] == ["a", "c"]
    kept.put("d", bytes(11), 11)
    assert (kept.get("d"), kept.total_bytes) == (None, 0), "what is larger than all room is not kept"
    for _ in range(2):
        assert kept.made("a", lambda: made.append(1) or b"x", len) == b"x"
    assert (len(made), kept.total_bytes) == (1, 1)


def test_pages_of_matches_are_kept_in_so_many_bytes(make_client, open_table, monkeypatch):
    monkeypatch.setattr("kifu.core.web.context.MADE_BYTES", 100_000)
    client = make_client()
    for _ in range(3):
        table = open_table(at=client)
        client.app.state.context.host.force_abandon(table.match)
        assert len(table.get("/page").content) > 50_000
        assert table.get("/scores").status_code == 200
    assert 0 < client.app.state.context.made.total_bytes <= 100_000

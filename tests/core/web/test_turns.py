"""Of many requests that one client sends at once few are begun before another's: each client's are begun in turn."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from threading import Event

import pytest

from .served import TIMEOUT_S, Served

pytest.importorskip("msgspec", reason="needs kifu[web]")

REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def order(*clients: str) -> list[str]:
    """Return the clients in the order in which they have their turn, if all ask for one at once."""
    from kifu.core.web.limits.turns import Turns

    gone_on: list[str] = []

    async def go_on(turns: Turns, client: str) -> None:
        await turns.mine(client)
        gone_on.append(client)

    async def all_at_once() -> None:
        turns = Turns()
        await asyncio.gather(*(go_on(turns, client) for client in clients))

    asyncio.run(all_at_once())
    return gone_on


def test_one_who_comes_last_has_its_turn_soon() -> None:
    assert order(*["greedy"] * 40, "other").index("other") <= 5


def test_each_client_has_its_turn() -> None:
    assert order(*"aaaaaaaabbbbcc")[4:] == [*"abcabcabab"]


def test_one_who_leaves_holds_up_nobody() -> None:
    from kifu.core.web.limits.turns import AT_ONCE, Turns

    async def leave() -> None:
        turns = Turns()
        waiting = [asyncio.create_task(turns.mine("a")) for _ in range(12 * AT_ONCE)]
        await asyncio.sleep(0)
        for each in waiting[AT_ONCE:-1]:
            each.cancel()
        for _ in range(4):  # turns of the loop: as many as one needs behind nobody, and not ten more
            await asyncio.sleep(0)
        assert waiting[-1].done()
        await asyncio.wait_for(turns.mine("b"), TIMEOUT_S)

    asyncio.run(leave())


def test_a_client_behind_sixty_connections_of_another_is_served_among_the_first(monkeypatch) -> None:
    """Each was accepted once the one before was answered, and all that were accepted were begun at once."""
    from kifu.core.web.limits.admission import Admission

    served_clients, held_up, gate = list[str](), Event(), Event()
    enter = Admission.enter

    def noted(self: Admission, client: str) -> None:
        served_clients.append(client)
        enter(self, client)

    monkeypatch.setattr(Admission, "enter", noted)

    def hold_up() -> None:
        held_up.set()
        gate.wait(TIMEOUT_S)

    with Served() as served, ExitStack() as held:
        served.ask()
        served.loop.call_soon_threadsafe(hold_up)
        assert held_up.wait(TIMEOUT_S)
        connections = [held.enter_context(served.connect("127.0.0.2")) for _ in range(60)]
        connections.append(held.enter_context(served.connect("127.0.0.3")))
        for each in connections:
            each.sendall(REQUEST)
        gate.set()
        for each in connections:
            assert each.recv(100).startswith(b"HTTP/1.1 200")
    assert served_clients.index("127.0.0.3") <= 30, served_clients

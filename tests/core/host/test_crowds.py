"""Many clients at once, on one match and on many: every log is clean, and every receipt is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from kifu.core.errors import Conflict
from kifu.core.game import RuleViolation
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.match.random_play import draw_command
from kifu.core.stores import open_store

TIMEOUT_S = 600
STORES = ["memory:", "sqlite:{}/store.db"]


def together(works: list[Callable[[], None]]) -> None:
    """Run all of these at once; raises what one of them raises."""
    failed: list[BaseException] = []
    begin = Barrier(len(works))

    def work(each: Callable[[], None]) -> None:
        begin.wait(TIMEOUT_S)
        try:
            each()
        except BaseException as cause:
            failed.append(cause)

    threads = [Thread(target=work, args=(each,), daemon=True) for each in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()
    if failed:
        raise failed[0]


def client(host: Host, match: str, key: str, seat: int, number: int, receipts: dict[bytes, Any]) -> None:
    """Play a seat to the end among others who play it too, every command sent twice."""
    draws, sent = Shuffler(number.to_bytes(32, "big")), 0
    while True:
        observation = host.observe(match, key)
        if observation.status != "going":
            return
        if seat not in observation.to_act:
            next(host.watch(match, key, since=observation.count, timeout_ms=TIMEOUT_S * 1000), None)
            continue
        sent += 1
        command, key_bytes = draw_command(observation.legal, draws), b"%d %d" % (number, sent)
        try:
            receipt = host.submit(match, key, command, observation.count, key_bytes)
        except (Conflict, RuleViolation):
            continue
        assert host.submit(match, key, command, observation.count, key_bytes) == receipt
        receipts[key_bytes] = receipt


def crowd(hosts: list[Host], clients: int, game: str, seats: int) -> None:
    """Play one match with so many clients at these hosts."""
    opened = hosts[0].open(game, [f"seat {seat}" for seat in range(seats)])
    receipts: dict[bytes, Any] = {}

    def one(number: int) -> None:
        seat = number % seats
        client(hosts[number % len(hosts)], opened.match, str(opened.keys[seat]), seat, number, receipts)

    together([lambda number=number: one(number) for number in range(clients)])
    reading = read_bytes(hosts[0].log(opened.match))
    assert (reading.findings, reading.ended) == ([], "over")
    events = {event.meta.id: event.seq for event in reading.match.events if event.meta.id is not None}
    assert events == {key: receipt.seq for key, receipt in receipts.items()}


@pytest.fixture(params=STORES, ids=["memory", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(request.param).format(tmp_path)


@pytest.mark.ci
def test_a_few_clients_on_one_match(address):
    store = open_store(address)
    crowd([Host(store)], 8, "cake", 4)
    store.close()


@pytest.mark.ci
def test_clients_of_two_hosts_on_one_match(tmp_path):
    stores = [open_store(f"sqlite:{tmp_path}/store.db") for _ in range(2)]
    crowd([Host(store) for store in stores], 6, "take_and_share", 3)
    for store in stores:
        store.close()


@pytest.fixture
def postgres() -> Iterator[str]:
    """Yield the address of a fresh database."""
    pytest.importorskip("psycopg", reason="needs kifu[postgres]")
    from ..stores.cluster import Cluster, binaries

    cluster = Cluster(binaries() or pytest.skip("needs PostgreSQL's server"))
    yield str(cluster.address("host"))
    cluster.stop()


def test_clients_of_two_hosts_on_one_database(postgres):
    stores = [open_store(postgres) for _ in range(2)]
    crowd([Host(store) for store in stores], 6, "cake", 4)
    many(Host(stores[0]), 3, 3)
    for store in stores:
        store.close()


@pytest.mark.long
def test_fifty_clients_on_one_match(address):
    store = open_store(address)
    for game, seats in (("cake", 5), ("take_and_share", 4), ("mabr", 4), ("palace", 6), ("gosne", 4)):
        crowd([Host(store)], 50, game, seats)
    store.close()


def many(host: Host, matches: int, threads: int) -> None:
    """Play so many matches in so many threads, one command of each match in turn."""
    opened = [host.open("take_and_share", ["Aki", "Ren", "Mio"]) for _ in range(matches)]

    def play(some: list[Any]) -> None:
        going = list(some)
        while going:
            for each in list(going):
                seat = min(host.about(each.match).to_act, default=None)
                if seat is None:
                    going.remove(each)
                    continue
                observation = host.observe(each.match, each.keys[seat])
                host.submit(each.match, each.keys[seat], observation.legal[0], observation.count)

    together([lambda first=first: play(opened[first::threads]) for first in range(threads)])
    for each in opened:
        reading = read_bytes(host.log(each.match))
        assert (reading.findings, reading.ended) == ([], "over")


@pytest.mark.ci
def test_some_matches_at_once(address):
    store = open_store(address)
    many(Host(store, cache_bytes=1), 2, 2)
    store.close()


@pytest.mark.long
def test_five_hundred_matches_at_once(address):
    store = open_store(address)
    many(Host(store, cache_bytes=1 << 28), 500, 16)
    store.close()

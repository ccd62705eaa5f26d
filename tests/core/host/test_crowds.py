"""Many clients at once, on one match and on many: every log is clean, and every receipt is true."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kifu.core.errors import Conflict
from kifu.core.game import RuleViolation
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.match.random_play import draw_command
from kifu.core.stores import open_store

from ..stores.store_laws import TIMEOUT_S, together


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


def crowd(address: str, hosts: int, clients: int, game: str, seats: int) -> None:
    """Play one match with so many clients at so many hosts."""
    stores = [open_store(address) for _ in range(hosts)]
    served = [Host(store) for store in stores]
    opened = served[0].open(game, [f"seat {seat}" for seat in range(seats)])
    receipts: dict[bytes, Any] = {}

    def play(number: int) -> None:
        seat = number % seats
        client(served[number % hosts], opened.match, str(opened.keys[seat]), seat, number, receipts)

    together([partial(play, number) for number in range(clients)])
    reading = read_bytes(served[0].log(opened.match))
    assert (reading.findings, reading.ended) == ([], "over")
    events = {event.meta.id: event.seq for event in reading.match.events if event.meta.id is not None}
    assert events == {key: receipt.seq for key, receipt in receipts.items()}
    for store in stores:
        store.close()


@pytest.mark.ci
@pytest.mark.parametrize(("address", "hosts"), [("memory:", 1), ("sqlite:{}/store.db", 2)])
def test_a_few_clients_on_one_match(tmp_path: Path, address: str, hosts: int) -> None:
    crowd(address.format(tmp_path), hosts, 8, "cake", 4)


@pytest.mark.long
@pytest.mark.parametrize("address", ["memory:", "sqlite:{}/store.db"])
def test_fifty_clients_on_one_match(tmp_path: Path, address: str) -> None:
    for game, seats in (("cake", 5), ("take_and_share", 4), ("mabr", 4), ("palace", 6), ("gosne", 4)):
        crowd(address.format(tmp_path), 1, 50, game, seats)

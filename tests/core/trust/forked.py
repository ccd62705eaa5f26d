"""Forks of matches at which some sign, as a host makes them."""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import evolve
from kifu.core.game import Meta
from kifu.core.match import Match
from kifu.core.match.header import Fork

from .playing import HOST, Table, cake

SHARED = 9


def parent(*, ended: bool = False) -> Table:
    """A match at which two of three sign."""
    table = cake(13, engine=None)
    table.play(20)
    if ended:
        table.abandon(None)
    return table


def fork_of(old: Table, agreed: list[list[Any]], shared: int = SHARED, version: int = 1) -> Table:
    """Begin a fork as a host does, and play on."""
    random = Random(f"{shared} {agreed}")
    keys = {"v": version, "host": HOST.public, "seats": [each and each.public for each in old.keys]}
    more = (("veil", random.randbytes(32)), ("sign", {**keys, **({"agreed": agreed} if agreed else {})}))
    fork = Fork(old.match.header.match, shared - 1)
    match = Match(old.match.game, evolve(old.match.header, match="fork", seed=None, fork=fork, more=more))
    for event in old.match.events[:shared]:
        match.apply(event.seat, event.command, Meta())
    match.deal(Meta(), random.randbytes)
    table = Table(match, old.keys, old.host_key, random)
    table.look()
    table.play(shared + 8)
    table.abandon(0)
    return table

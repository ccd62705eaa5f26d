"""Three times as many vectors as are published: other games, seats, keys and secrets, intact and tampered, by seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from kifu.core.trust import records
from kifu.core.trust.signing import SigningKey

from .playing import Table, held
from .test_honest import GAMES
from .test_tampering import Log, tampered

Vector = tuple[str, bytes | None, bytes, set[str]]
"""Its name, a record or None, a log, and kinds that must be found; none at all if it is intact."""

Change = Callable[[Log, int], Any]


def _flip(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


CHANGES: dict[str, tuple[set[str], Change]] = {
    "seed": ({"fair", "mark"}, lambda log, seq: log[0].update(seed=_flip(log[0]["seed"]))),
    "host's secret": ({"fair", "mark"}, lambda log, seq: log[0]["fair"]["host"].__setitem__(1, bytes(32))),
    "host's commitment": ({"fair", "head"}, lambda log, seq: log[0]["fair"]["host"].__setitem__(0, bytes(32))),
    "a version": ({"fair"}, lambda log, seq: log[0]["fair"].update(v=3)),
    "nobody contributes": ({"fair", "head"}, lambda log, seq: log[0]["fair"].update(who=[1] * len(log[0]["seats"]))),
    "a name": ({"fair", "head", "mark"}, lambda log, seq: log[0]["seats"].__setitem__(0, "Nao")),
    "fair dropped": ({"head", "mark"}, lambda log, seq: log[0].pop("fair")),
    "veil": ({"fair", "head", "veil"}, lambda log, seq: log[0].update(veil=_flip(log[0]["veil"]))),
    "a short veil": ({"fair", "head", "veil"}, lambda log, seq: log[0].update(veil=bytes(31))),
    "engine": ({"mark"}, lambda log, seq: log[0].update(engine="another")),
    "a time": ({"mark", "told"}, lambda log, seq: log[1][seq].__setitem__(2, {**log[1][seq][2], "at": 98765})),
    "a stand-in": ({"mark", "told"}, lambda log, seq: log[1][seq].__setitem__(2, {**log[1][seq][2], "by": "x"})),
    "a note": ({"mark"}, lambda log, seq: log[1][seq].__setitem__(2, {**log[1][seq][2], "note": 1})),
    "cut": ({"missing"}, lambda log, seq: log[1].__delitem__(slice(seq, None))),
}


def _table(game: str, who: tuple[int, ...], options: dict[str, Any], seed: int) -> Table:
    random = Random(f"more {game} {who} {options} {seed}")
    keys = [SigningKey(random.randbytes(32)) if kind == 0 and seed else None for kind in who]
    host = SigningKey(random.randbytes(32)) if seed else None
    match = held(game, who, random, options=options, keys=keys, host_key=host, refusals=random.randrange(4))
    table = Table(match, keys, host, random)
    table.look()
    table.play(random.randrange(8, 20))
    if table.evidence.end_mark is None:
        table.abandon(None)
    return table


def vectors() -> Iterator[Vector]:
    """Yield 14 tables of 21 vectors each."""
    for game, who, options in GAMES:
        for seed in (0, 1):
            table = _table(game, who, options, seed)
            name = f"{game} of {len(who)}, {options}, {'signed' if seed else 'unsigned'}"
            random = table.random
            yield f"{name}: audit", None, table.log, set()
            yield f"{name}: spectator", table.record(None), table.log, set()
            for seat in (0, 1):
                yield f"{name}: seat {seat}", table.record(seat), table.log, set()
                yield f"{name}: seat {seat}, public", records.public(table.record(seat)), table.log, set()
            another = _table(game, who, options, 2 + seed)
            yield f"{name}: another match", another.record(0), table.log, {"head"}
            for change, (must, alter) in CHANGES.items():
                seq = random.randrange(1, table.count)
                seat = random.choice(table.viewers)
                log = tampered(table, lambda log, seq=seq, alter=alter: alter(log, seq))
                yield f"{name}: {change} at {seq}, {seat}", table.record(seat), log, must

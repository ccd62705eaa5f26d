"""Logs and records that are damaged at random, in what they hold or in their bytes."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import msgpack
from kifu.core.trust import records, signing

from . import changing
from .altering import altered
from .vectors import FILES

PAIRS = [
    *[("base.log", f"{name}.seat") for name in ("seat0", "seat1", "consent", "spectator", "seat0-public")],
    *[("unkeyed.log", f"unkeyed-{name}.seat") for name in ("seat1", "seat0-public")],
    *[("whole.log", "whole-seat1.seat"), ("marks-only.log", "marks-only-seat2.seat")],
    *[("palace.log", "palace-seat1.seat"), ("fork.log", "seat0.seat")],
]
ODD: list[Any] = [
    *[None, True, 0, 1, -1, 2**63, -(2**63), 255, "", "x", "漢", 1.5, [], {}, [[]], {"a": 1}, {"v": 1}, {3: 4}],
    *[b"", bytes(16), bytes(31), bytes(32), bytes(64), [0, bytes(64)], [[0, bytes(64)]]],
    *[msgpack.Timestamp(1), msgpack.ExtType(5, b"x")],
]


def objects(raw: bytes) -> list[Any]:
    return list(msgpack.Unpacker(BytesIO(raw), strict_map_key=False))


def packed(values: Any) -> bytes:
    """Pack what can be packed; what cannot becomes nil."""
    out = []
    for value in values if isinstance(values, list) else [values]:
        try:
            out.append(msgpack.packb(value))
        except (TypeError, ValueError, OverflowError):
            out.append(b"\xc0")
    return b"".join(out)


def odd(value: Any, random: Random) -> Any:
    """Return another value, or this one changed a little, also within what is packed in its bytes."""
    if isinstance(value, bytes) and len(value) > 40 and random.random() < 0.6:
        try:
            return msgpack.packb(mutated(msgpack.unpackb(value, strict_map_key=False), random))
        except (ValueError, TypeError, OverflowError):
            return value[:-1]
    if isinstance(value, bytes) and value and random.random() < 0.5:
        place = random.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << random.randrange(8)]) + value[place + 1 :]
    if type(value) is int and random.random() < 0.6:
        return value + random.choice([-100, -1, 1, 5])
    return random.choice(ODD)


def mutated(value: Any, random: Random) -> Any:
    """Change one thing somewhere within a value."""
    return altered(value, odd, random) if random.random() < 0.9 else random.choice(ODD)


def damaged(raw: bytes, random: Random) -> bytes:
    """Cut bytes off, change one, or put some in."""
    place = random.randrange(len(raw) + 1)
    some = random.randbytes(random.randrange(5))
    return random.choice([raw[:place], raw[:place] + some + raw[place:], raw[:place] + some + raw[place + 3 :]])


def changed(raw: bytes, random: Random) -> bytes:
    try:
        return packed(mutated(objects(raw), random)) if random.random() < 0.7 else damaged(raw, random)
    except (ValueError, TypeError, msgpack.UnpackException):
        return damaged(raw, random)


def files(random: Random) -> tuple[bytes, bytes, bytes]:
    """Return a log, a record of it, and another that is whole; one of the former is damaged, or both."""
    if signing.is_available and random.random() < 0.7:
        table = changing.honest(random.randrange(15))
        log, record, other = table.log, *(table.record(random.choice(table.viewers)) for _ in range(2))
        record = random.choice([record, record, record, records.public(record)])
    else:
        name, mine = random.choice(PAIRS)
        other = FILES[random.choice([theirs for log, theirs in PAIRS if log == name])]
        log, record = FILES[name], FILES[mine]
    for _ in range(random.randrange(1, 4)):
        if random.random() < 0.5:
            log = changed(log, random)
        else:
            record = changed(record, random)
    return log, record, other

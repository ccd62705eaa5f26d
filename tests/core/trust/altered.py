"""Logs and records in which one part was put out or made something else, as a host or a holder could: by seed."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import msgpack
from kifu.core.errors import TrustError
from kifu.core.trust.canonical import canonical

from .rigged import Case
from .test_tampering import put_together, taken_apart
from .vectors import FILES

BASES = [
    ("seat0.seat", "base.log"),
    ("consent.seat", "base.log"),
    ("seat1-public.seat", "base.log"),
    ("whole-seat1.seat", "whole.log"),
    ("marks-only-seat2.seat", "marks-only.log"),
    ("seat0.seat", "seat1.seat"),
    (None, "fork.log"),
]
"""A record, or None, and a log or another record."""

GONE = object()
VALUES = [None, 0, -1, 1, 2, True, "x", b"", bytes(32), bytes(64), [], {}, [0], 1 << 63, -(1 << 63), 1.5, "seat 1"]
VALUES += [[[0, bytes(64)]], {"v": 1}, GONE, GONE]

OF_THE_GAME = {"game", "rules", "options", "layout"}
"""What of a header only the game can judge: it is left alone."""

Path = tuple[Any, ...]


def cases(each: int, seed: int = 1) -> dict[str, Case]:
    """Return so many alterations of every log and of every record."""
    random = Random(seed)
    found: dict[str, Case] = {}
    for record, other in BASES:
        kept = None if record is None else FILES[record]
        for _ in range(each):
            if other.endswith(".log"):
                what, log = altered_log(FILES[other], random)
                found[f"{other} with {record}: {what}"] = kept, log
            if kept is not None:
                what, changed = _altered_record(kept, random)
                found[f"{record} with {other}: {what}"] = changed, FILES[other]
    return found


def altered_log(log: bytes, random: Random) -> tuple[str, bytes]:
    """Alter one part of a header, an event or the end."""
    header, events, end = taken_apart(log)
    parts = [header, *events, *([end] if end else [])]
    place = random.choice([0, 0, 0, *range(len(parts))])
    what, parts[place] = _altered(parts[place], random)
    try:
        raw = put_together((parts[0], parts[1:-1], parts[-1]) if end else (parts[0], parts[1:], None))
    except (KeyError, TypeError, ValueError):
        raw = b"".join(map(msgpack.packb, parts))
    return f"{place} {what}", raw


def _altered_record(record: bytes, random: Random) -> tuple[str, bytes]:
    """Alter a part of the head, of the roster, of an entry, or of what was told."""
    parts = list(msgpack.Unpacker(BytesIO(record), strict_map_key=False))
    place = random.choice([0, *range(len(parts))])
    key: Any = "roster" if place == 0 else 2
    inside = random.random() < 0.5 and (place == 0 or parts[0]["form"] == "full")
    if inside:
        what, value = _altered(msgpack.unpackb(parts[place][key], strict_map_key=False), random)
        parts[place][key] = _packed(value)
    else:
        what, parts[place] = _altered(parts[place], random)
    return f"{place} {'inside ' * inside}{what}", b"".join(map(msgpack.packb, parts))


def _packed(value: Any) -> bytes:
    try:
        return canonical(value)
    except TrustError:
        return msgpack.packb(value)


def _altered(whole: Any, random: Random) -> tuple[str, Any]:
    path = random.choice([path for path in _paths(whole) if path and path[0] not in OF_THE_GAME])
    value = random.choice(VALUES)
    shown = "gone" if value is GONE else repr(value)[:30]
    return f"{'.'.join(map(str, path))} {shown}", _put(whole, path, value)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in parts:
        yield from _paths(each, (*path, key))


def _put(whole: Any, path: Path, value: Any) -> Any:
    """Return a copy with this value at the end of the path, or without what is there."""
    key, *rest = path
    copy = dict(whole) if isinstance(whole, dict) else list(whole)
    if rest:
        copy[key] = _put(whole[key], tuple(rest), value)
    elif value is GONE:
        del copy[key]
    else:
        copy[key] = value
    return copy

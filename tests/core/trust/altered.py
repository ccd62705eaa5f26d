"""Logs and records in which one part was put out, added, moved or made something else, as anybody could: by seed."""

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
    ("seat1.seat", "seat0.seat"),
    ("seat1-public.seat", "seat0.seat"),
    ("consent.seat", "seat0.seat"),
    (None, "fork.log"),
]
"""A record, or None, and a log or another record."""

OPEN = 1
"""An event of the vectors that everybody was told whole."""

GONE = object()
INTS = [0, -1, 1, 2, 255, 256, 1 << 32, (1 << 52) - 1, 1 << 52, (1 << 53) - 1, 1 << 53, 1 << 60, (1 << 64) - 1, 1 << 63]
INTS += [-32, -33, -(1 << 53), -(1 << 63)]
KEYS = [
    "x",
    "0",
    "1",
    "10",
    "seat",
    "to",
    "by",
    "at",
    "sign",
    "__proto__",
    "constructor",
    "chestnuts",
    "\uffff",
    "\U0001f600",
]
KEYS += [0, 1, -1, 10, 1 << 53, (1 << 64) - 1, b"", b"x", True, None]
"""Keys of maps: most have a canonical form, and few a place in a log."""
MAPS = [{}, {"v": 1}, {"chestnuts": {1: 2}}, {"chestnuts": {1: 2, "1": 3}}, {"chestnuts": {"1": 2, "01": 3}}]
MAPS += [{1: 2}, {b"x": 1}, {10: 1, 9: 1}, {"1": 1, "": 2}, {"__proto__": {"by": "x"}}]
ODD = [1.5, *(msgpack.ExtType(5, bytes(length)) for length in (1, 3, 300, 70_000)), msgpack.Timestamp(7)]
"""What no log holds."""
VALUES: list[Any] = [
    None,
    True,
    False,
    "x",
    "",
    "seat 1",
    "a" * 40,
    b"",
    bytes(32),
    bytes(64),
    [],
    [0],
    [[0, bytes(64)]],
]
VALUES += [*INTS, *MAPS, *ODD, GONE, GONE, GONE, GONE]

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


def edges() -> dict[str, Case]:
    """Return what is at the limits of an int, or of a map's keys, and what stands where its kind has none."""
    log, records = FILES["base.log"], {name: _objects(FILES[f"{name}.seat"]) for name in ("seat0", "seat1", "consent")}
    wish = next(at for at, each in enumerate(records["consent"]) if at and each[0] == 3)
    sent = next(at for at, each in enumerate(records["seat0"]) if at and each[0] == 4)
    event = next(at for at, each in enumerate(records["seat0"]) if at and each[0] == 0)
    found: dict[str, Case] = {"a proposal after the end": (_with(records["consent"], (wish, 1), 99), log)}
    for name, keys in {"both": {1: 2, "1": 3}, "a text": {"1": 2}, "the highest": {2**64 - 1: 2}}.items():
        told = _put(msgpack.unpackb(records["seat0"][event][2]), (3, "chestnuts"), keys)
        found[f"keys of chestnuts: {name}"] = _with(records["seat0"], (event, 2), canonical(told)), log
    for value in ({"v": 1}, [], None, "constructor"):
        told = _put(msgpack.unpackb(records["seat0"][sent][2]), (0,), value)
        found[f"a message that begins with {value!r}"] = _with(records["seat0"], (sent, 2), canonical(told)), log
    for number in (2**52, 2**52 + 1, 2**53 - 2, 2**53 - 1):
        one, other = [0, number, *records["seat0"][event][2:]], [1, number, *_look(records["seat0"])[2:]]
        for name, order in {"event, look": [one, other], "look, event": [other, one]}.items():
            found[f"at {number} {name}"] = _packed_all([*records["seat0"], *order]), log
            found[f"at {number} {name}, two records"] = found[f"at {number} {name}"][0], FILES["seat1.seat"]
    for moment in (2**53, 2**60, 2**64 - 2):
        far = [_sent_at(records["seat0"][sent], moment + more, bytes([more]) * 32) for more in (0, 1)]
        near = [_sent_at(records["seat0"][sent], moment + more, bytes([9]) * 32) for more in (1, 0)]
        one, other = _packed_all([*records["seat0"], *far]), _packed_all([*records["seat1"], *near])
        found |= {f"sent at {moment}": (one, log), f"sent at {moment}, two records": (one, other)}
    for key in ("1", "made", "0"):
        head = records["seat0"][0]
        for name, changed in (("first", {key: "x", **head}), ("last", {**head, key: "x"})):
            found[f"a head with {key} {name}"] = _packed_all([changed, *records["seat0"][1:]]), log
    for length in (1, 3, 300, 70_000):
        header, events, end = taken_apart(log)
        events[5][4] = msgpack.ExtType(5, bytes(length))
        found[f"an extension of {length}"] = FILES["seat0.seat"], put_together((header, events, end))
    for byte in (0xC7, 0xC8, 0xC9):
        found[f"a log that ends in {byte:02x}"] = FILES["seat0.seat"], log + bytes([byte])
        found[f"a record that ends in {byte:02x}"] = FILES["seat0.seat"] + bytes([byte]), log
    for fields in ({"to": 2, "layout": 1}, {"to": 1, "layout": 1}, {}, None):
        header, events, end = taken_apart(log)
        new = [len(events), -1, None, ".rules", fields, None, b""]
        found[f"rules at the end: {fields}"] = FILES["seat0.seat"], put_together((header, [*events, new], end))
    return found | _two_readings(log, records)


def _two_readings(log: bytes, records: dict[str, list[Any]]) -> dict[str, Case]:
    """Return what a program that is not strict takes for something else."""
    found: dict[str, Case] = {}
    at = {name: _open_event(records[name]) for name in ("seat0", "seat1")}
    told = {name: msgpack.unpackb(records[name][place][2]) for name, place in at.items()}
    keys = {"seat0": {1: 2}, "seat1": {"1": 2}}
    chestnuts = [
        _with(records[name], (at[name], 2), canonical(_put(told[name], (3,), {"chestnuts": keys[name]}))) for name in at
    ]
    found["keys of chestnuts, two records"] = chestnuts[0], chestnuts[1]
    header, events, end = taken_apart(log)
    lie = _with(records["seat0"], (at["seat0"], 2), canonical(_put(told["seat0"], (3, "lie"), 1)))
    rules = [len(events), 2, None, ".rules", {"to": 2, "layout": 1}, None, b""]
    found["rules that a seat gives, after a lie"] = lie, put_together((header, [*events, rules], end))
    seq = told["seat0"][0]
    fields, (key, *_) = msgpack.packb(events[seq][4]), events[seq][4]
    twice = bytes([fields[0] + 1]) + fields[1:] + msgpack.packb(key) + msgpack.packb(events[seq][4][key])
    raw = put_together(({**header, "game": "x"}, events, end))
    start = raw.index(msgpack.packb(events[seq][3]) + fields) + len(msgpack.packb(events[seq][3]))
    found["a key twice, in a game that is not here"] = (
        FILES["seat0.seat"],
        raw[:start] + twice + raw[start + len(fields) :],
    )
    for depth in (198, 199):
        deep: Any = 0
        for _ in range(depth):
            deep = [deep]
        events[seq][2] = {**events[seq][2], "x": deep}
        found[f"nested {depth + 2} deep"] = FILES["seat0.seat"], put_together((header, events, end))
    return found


def _open_event(record: list[Any]) -> int:
    """Return the place of an event that both seats were told whole."""
    return next(at for at, each in enumerate(record) if at and each[:2] == [0, OPEN])


def _objects(raw: bytes) -> list[Any]:
    return list(msgpack.Unpacker(BytesIO(raw), strict_map_key=False))


def _packed_all(parts: list[Any]) -> bytes:
    return b"".join(map(msgpack.packb, parts))


def _with(parts: list[Any], path: Path, value: Any) -> bytes:
    return _packed_all(_put(parts, path, value))


def _look(parts: list[Any]) -> list[Any]:
    return next(each for each in parts[1:] if each[0] == 1)


def _sent_at(entry: list[Any], moment: int, mark: bytes) -> list[Any]:
    """Return what a seat has sent as an answer to another moment."""
    told = _put(_put(msgpack.unpackb(entry[2]), (3,), moment), (4,), mark)
    return [*entry[:2], canonical(told), entry[3], mark, entry[5]]


def altered_log(log: bytes, random: Random) -> tuple[str, bytes]:
    """Alter one part of a header, an event or the end, the order of these, or bytes."""
    if random.random() < 0.15:
        return _other_bytes(log, random)
    header, events, end = taken_apart(log)
    parts = [header, *events, *([end] if end else [])]
    if random.random() < 0.15:
        what, parts = _other_order(parts, random)
        return what, _packed_all(parts)
    place = random.choice([0, 0, 0, *range(len(parts))])
    if random.random() < 0.05:
        at, to = random.randrange(1, len(events) + 2), random.choice([1, 2, 99, 1 << 60, None, "x"])
        fields = random.choice([{"to": to, "layout": 1}, {"to": to}, {}, None])
        what = f"{at} .rules {fields}"
        parts.insert(at, [at - 1, random.choice([-1, -1, 0]), None, ".rules", fields, None, bytes(16)])
    else:
        what, parts[place] = _altered(parts[place], random)
    try:
        raw = put_together((parts[0], parts[1:-1], parts[-1]) if end else (parts[0], parts[1:], None))
    except (KeyError, TypeError, ValueError):
        raw = _packed_all(parts)
    return f"{place} {what}", raw


def _altered_record(record: bytes, random: Random) -> tuple[str, bytes]:
    """Alter a part of the head, of the roster, of an entry, or of what was told, the order of these, or bytes."""
    if random.random() < 0.15:
        return _other_bytes(record, random)
    parts = _objects(record)
    if random.random() < 0.15:
        what, parts = _other_order(parts, random)
        return what, _packed_all(parts)
    place = random.choice([0, *range(len(parts))])
    key: Any = "roster" if place == 0 else 2
    inside = random.random() < 0.6 and (place == 0 or parts[0]["form"] == "full")
    if inside:
        what, value = _altered(msgpack.unpackb(parts[place][key], strict_map_key=False), random)
        parts[place][key] = _packed(value)
    else:
        what, parts[place] = _altered(parts[place], random)
    return f"{place} {'inside ' * inside}{what}", _packed_all(parts)


def _packed(value: Any) -> bytes:
    try:
        return canonical(value)
    except TrustError:
        return msgpack.packb(value)


def _other_bytes(raw: bytes, random: Random) -> tuple[str, bytes]:
    """Cut bytes off, or make, add or leave out one."""
    place, byte = random.randrange(len(raw)), bytes([random.choice([random.randrange(256), 0xC1, 0xC7, 0xC9, 0xCF])])
    how, changed = random.choice(
        [
            ("cut", raw[:place]),
            ("byte", raw[:place] + byte + raw[place + 1 :]),
            ("more", raw[:place] + byte + raw[place:]),
            ("fewer", raw[:place] + raw[place + 1 :]),
            ("behind", raw + byte),
        ]
    )
    return f"{how} {place} {byte.hex()}", changed


def _other_order(parts: list[Any], random: Random) -> tuple[str, list[Any]]:
    """Leave an object out, put it in twice, or move it."""
    place, to = random.randrange(1, len(parts)), random.randrange(1, len(parts))
    how = random.choice(["without", "twice", "moved"])
    rest = parts[:place] + parts[place + 1 :] if how != "twice" else parts
    return f"{how} {place} {to}", rest if how == "without" else [*rest[:to], parts[place], *rest[to:]]


def _altered(whole: Any, random: Random) -> tuple[str, Any]:
    paths = [path for path in _paths(whole) if path and path[0] not in OF_THE_GAME]
    maps = [path for path in [(), *paths] if isinstance(_at(whole, path), dict)]
    if maps and random.random() < 0.25:
        path, key = random.choice(maps), random.choice(KEYS)
        if path or key not in OF_THE_GAME:
            value = random.choice([0, None, True, "x", *MAPS])
            return f"{_named((*path, key))} added {value!r}"[:80], _put(whole, (*path, key), value)
    path, value = random.choice(paths), random.choice(VALUES)
    shown = "gone" if value is GONE else repr(value)[:30]
    return f"{_named(path)} {shown}", _put(whole, path, value)


def _named(path: Path) -> str:
    return ".".join(map(repr, path))


def _at(whole: Any, path: Path) -> Any:
    for key in path:
        whole = whole[key]
    return whole


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

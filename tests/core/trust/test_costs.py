"""A small file costs little to judge, whatever is in it: counted is what is done for it, not how long that takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import msgpack
import pytest
from kifu.core.errors import TrustError
from kifu.core.trust import header_keys, records, signing
from kifu.core.trust.audit import Audit, audit
from kifu.core.trust.canonical import canonical
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import Roster

from .playing import put_together, taken_apart
from .vectors import FILES

LOG, RECORD = FILES["base.log"], FILES["seat0.seat"]
MOST_KEYS = 100


def counted(run: Callable[[], Any]) -> int:
    """Return how many lines something runs, each step of a loop in one line counted."""
    lines = 0

    def traced(_: Any, kind: str, __: Any) -> Any:
        nonlocal lines
        lines += kind == "line"
        return traced

    sys.settrace(traced)
    try:
        run()
    finally:
        sys.settrace(None)
    return lines


@pytest.mark.parametrize("junk", [b"\x00", b"\x80", b"\x91\x00", b"\xd4\x00\x00", b"\x81\x01\x02"], ids=bytes.hex)
def test_a_log_is_left_where_its_reader_leaves_it(junk: bytes) -> None:
    header = read_log(LOG).header_raw
    once, often = (header + junk * count for count in (2000, 20_000))
    assert len(read_log(often).events) == len(read_log(once).events) == 1001
    few, many = (counted(partial(records.verify, RECORD, log)) for log in (once, often))
    assert many < few * 1.1


def some_keys(count: int) -> list[bytes]:
    """Return so many distinct points, whose order nobody has looked at."""
    found: list[bytes] = []
    number = 1
    while len(found) < count:
        number += 1
        if signing.decoded(number.to_bytes(32, "little")) is not None:
            found.append(number.to_bytes(32, "little"))
    return found


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> set[bytes]:
    """Take every key for sound, and note which ones somebody wanted to know that of."""
    seen: set[bytes] = set()
    for module in (signing, header_keys):
        monkeypatch.setattr(module, "is_sound", lambda key: bool([seen.add(key)]))
    return seen


def test_of_a_log_with_too_many_keys_none_is_looked_at(looked_at: set[bytes]) -> None:
    header, events, end = taken_apart(LOG)
    for count in (MOST_KEYS, MOST_KEYS + 1):
        looked_at.clear()
        header |= {"seats": [""] * count, "sign": {"v": 2, "host": None, "seats": some_keys(count)}}
        found = [str(each.message) for each in audit(put_together((header, events, end))).findings]
        assert ("more than 100 seats have a key" in found) == (len(looked_at) == 0) == (count > MOST_KEYS)


def test_a_record_with_too_many_keys_is_none(looked_at: set[bytes]) -> None:
    for count in (MOST_KEYS, MOST_KEYS + 1):
        roster = Roster("m", "cake", 1, {}, ("",) * count, seat_keys=tuple(some_keys(count)), veil=bytes(32)).packed()
        told = canonical(["abandon", 0, 0, [[seat, bytes(64)] for seat in range(count)]])
        raw = msgpack.packb(records.head(0, roster))
        raw += records.Entry(records.WISH, 1, told, None, bytes(32), None).packed()
        looked_at.clear()
        found = [str(each.message) for each in records.verify(raw).findings]
        assert (found == ["no record: more than 100 seats have a key"]) == (len(looked_at) == 0) == (count > MOST_KEYS)


def test_nobody_takes_one_key_too_many_at_the_door(looked_at: set[bytes]) -> None:
    *known, more = some_keys(MOST_KEYS + 1)
    keys = header_keys.Keys(None, (*known, None))
    assert keys.replace(0, more).keyed == tuple(range(MOST_KEYS))
    with pytest.raises(TrustError, match="more than 100 seats have a key"):
        keys.replace(MOST_KEYS, more)
    assert looked_at == {*known, more} - {known[0]}


def log_of_many_seats(seats: int, takebacks: int) -> bytes:
    header, *_ = taken_apart(LOG)
    header = {key: value for key, value in header.items() if key != "fair"} | {"seed": None, "seats": [""] * seats}
    header["sign"] = {"v": 2, "host": None, "seats": [None] * seats}
    event = [-1, {"by": f"seat {seats - 1}"}, ".takeback", {"to": -1}, None, b""]
    return msgpack.packb(header) + b"".join(msgpack.packb([seq, *event]) for seq in range(takebacks))


def test_what_a_takeback_costs_does_not_grow_with_the_seats() -> None:
    few, many = (counted(partial(audit, log_of_many_seats(seats, 100))) for seats in (100, 1000))
    assert many < few + 900 * 80


def test_what_an_agreement_costs_does_not_grow_with_the_seats() -> None:
    def record(seats: int) -> bytes:
        roster = Roster("m", "cake", 1, {}, ("",) * seats, seat_keys=(None,) * seats, veil=bytes(32)).packed()
        told = canonical(["abandon", 0, 0, []])
        entry = records.Entry(records.WISH, 1, told, None, bytes(32), None).packed()
        return msgpack.packb(records.head(0, roster)) + entry * 100

    few, many = (counted(partial(records.verify, record(seats))) for seats in (100, 1000))
    assert many < few + 900 * 80


@pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")
def test_a_browser_is_asked_for_each_moment_at_which_a_fork_can_be_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it was not asked for takes Python forty times as long."""
    key = signing.SigningKey(bytes(32)).public
    header, *_ = taken_apart(LOG)
    header = {name: value for name, value in header.items() if name != "fair"} | {"seed": None}
    old = header | {"sign": {"v": 2, "host": None, "seats": [key, None, None]}}
    new = header | {"match": "new", "fork": {"match": header["match"], "seq": 1}, "veil": header["veil"]}
    new["sign"] = {**old["sign"], "agreed": [[0, bytes(64)]]}
    events = [msgpack.packb([seq, 1, None, "open", {}, None, b""]) for seq in range(60)]
    parent, fork = (msgpack.packb(first) + b"".join(events) for first in (old, new))
    monkeypatch.setattr(Audit, "ok", True)  # consents are looked for in a sound parent alone
    in_python: list[bytes] = []
    monkeypatch.setattr(signing, "is_available", False)
    monkeypatch.setattr(signing, "is_valid", lambda *question: bool(in_python.append(question)))
    with signing.asking() as questions:
        records.verify_fork(fork, parent)
    monkeypatch.setattr(signing, "answers", dict.fromkeys(questions, False))
    found = records.verify_fork(fork, parent).findings
    assert any("at one moment of the match" in each.message for each in found)
    assert (len(questions), in_python) == (61, [])

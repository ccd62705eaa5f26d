"""Hosts that cheat as an outsider thought of it, who knew only the contract; beside those of `rigged.py`."""

from __future__ import annotations

from random import Random
from typing import Any

import msgpack
from attrs import evolve
from kifu.core.trust import records
from kifu.core.trust.formulas import commitment, roster_digest, roster_message, seed, told_digest, told_message
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.roster import roster_of
from kifu.core.trust.signing import SigningKey

from .playing import Table
from .rigged import Case, changed, table
from .test_honest import KEYS, cake
from .test_tampering import put_together, taken_apart

CONVICTED = {
    "swaps two seats in the roster": "head",
    "swaps the keys of two seats": "head",
    "issues the receipts anew under another key": "signature",
    "rotates its key and shows a roster that has it": "head",
    "rotates its key in the middle": "signature",
    "deals from the commitment of an old match": "head",
    "shows the record of an old match": "head",
    "keeps the end from the log after a loss": "missing",
    "gives out a log that is stale": "missing",
    "tells one of the end and goes on with the others": "missing",
    "withholds what it told one and tells another something new": "mark",
    "passes a fork off as the match": "veil",
    "passes a fork off as the match, its veil too": "mark",
}
"""What the host does, and the kind of finding that convicts it each time, by `verify` and by the page."""

LEFT_TO_THE_ENGINE = {
    "passes a fork off as the match": {"told"},
    "passes a fork off as the match, its veil too": {"told"},
}
"""What else the rules find, of commands that were told redacted; the page has convicted the host without."""


def crimes() -> dict[str, Case]:
    """Return a record and a log, or another seat's record, for each thing that the host has done."""
    at = table()
    keep_end = taken_apart(at.log)
    return {
        "swaps two seats in the roster": (at.record(0), changed(at, _swap_seats)),
        "swaps the keys of two seats": (at.record(0), changed(at, _swap_keys)),
        "issues the receipts anew under another key": (_issued_anew(table(), KEYS[5]), at.log),
        "rotates its key and shows a roster that has it": (at.record(1), changed(at, _rotate)),
        "rotates its key in the middle": (_issued_anew(table(), KEYS[5], since=12, roster=False), at.log),
        "deals from the commitment of an old match": (at.record(0), _replays_commitment(at, table(5))),
        "shows the record of an old match": (table(5).record(0), at.log),
        "keeps the end from the log after a loss": (at.record(2), put_together((*keep_end[:2], None))),
        "gives out a log that is stale": (at.record(2), put_together((keep_end[0], keep_end[1][:15], None))),
        "tells one of the end and goes on with the others": _ends_for_one(),
        "withholds what it told one and tells another something new": _two_ways_on(),
        "passes a fork off as the match": (at.record(0), _fork(at, bytes(range(32)))),
        "passes a fork off as the match, its veil too": (at.record(0), _fork(at, None)),
    }


def _swap_seats(header: dict[str, Any]) -> None:
    first, second, *others = header["seats"]
    header["seats"] = [second, first, *others]


def _swap_keys(header: dict[str, Any]) -> None:
    first, second, *others = header["sign"]["seats"]
    header["sign"] = {**header["sign"], "seats": [second, first, *others]}


def _rotate(header: dict[str, Any]) -> None:
    """Put another host's key into the log, and the seed that such a roster gives."""
    header["sign"] = {**header["sign"], "host": KEYS[5].public}
    header["seed"] = seed(roster_digest(roster_of(header).packed()), *read_fair(header).secrets)


def _issued_anew(at: Table, key: SigningKey, since: int = 0, *, roster: bool = True) -> bytes:
    """Sign the roster, and what seat 0 was told from an event on, with another key than the roster names."""
    for place, entry in enumerate(at.entries[0]):
        if entry.kind <= records.END and entry.number >= since:
            digest = told_digest(entry.salt, entry.told)
            message = told_message(at.of, 0, entry.kind, entry.number, entry.mark, digest)
            at.entries[0][place] = evolve(entry, sig=key.sign(message))
    if not roster:
        return at.record(0)
    head = records.head(0, at.roster, key.sign(roster_message(roster_digest(at.roster))))
    return msgpack.packb(head) + b"".join(each.packed() for each in at.entries[0])


def _replays_commitment(at: Table, old: Table) -> bytes:
    """Use the secret of an old match again: it knows what that gives with the others' secrets."""
    secret = taken_apart(old.log)[0]["fair"]["host"][1]

    def change(header: dict[str, Any]) -> None:
        header["fair"] = {**header["fair"], "host": [commitment(header["match"], 1, -1, secret), secret]}
        header["seed"] = seed(roster_digest(roster_of(header).packed()), *read_fair(header).secrets)

    return changed(at, change)


def _ends_for_one() -> Case:
    """One is told that the match is called off, the other plays on."""
    one, other = _begun(), _begun()
    one.abandon(None)
    other.play(24)
    return one.record(0), other.record(1)


def _two_ways_on() -> Case:
    """What one has lost does not stand: the others are shown another way on, each record right by itself."""
    one, other = _begun(), _begun()
    one.play(20)
    other.random = Random(99)
    other.play(20)
    return records.public(one.record(0)), records.public(other.record(1))


def _begun() -> Table:
    at = cake(Random(3), engine=None)
    at.play(12)
    return at


def _fork(at: Table, veil: bytes | None) -> bytes:
    """Give out another way on from the middle as the match itself; with its own veil, or the match's."""
    header, events, _ = taken_apart(at.log)
    other = cake(Random(3), engine=None)
    other.play(7)
    other.random = Random(99)
    other.play(24)
    other.abandon(1)
    _, ways, end = taken_apart(other.log)
    assert [each[:5] for each in events[:7]] == [each[:5] for each in ways[:7]]
    assert [each[:5] for each in events] != [each[:5] for each in ways]
    return put_together(({**header, **({} if veil is None else {"veil": veil})}, ways, end))


def honest() -> dict[str, Case]:
    """Return what the same hosts give out where they do not cheat."""
    at, early = table(), cake(Random(3), engine=None)
    early.play(10)
    return {
        "the log": (at.record(0), at.log),
        "two records": (at.record(0), at.record(1)),
        "an early and a late record": (early.record(0), at.record(1)),
    }

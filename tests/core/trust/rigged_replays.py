"""Hosts that sign twice, or use again what was signed for something else; all else that they tell and record fits."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import msgpack
from attrs import evolve
from kifu.core.game import Meta
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import command_message, commitment, roster_digest, seed, told_digest, told_message
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.roster import roster_of
from kifu.core.wire import wire_of

from .playing import Table
from .rigged import Case, changed, table
from .test_honest import cake
from .test_tampering import taken_apart

CONVICTED = {
    "tells one seat two things of one event": "told",
    "gives one seat what it told another": "signature",
    "shows one seat the roster of before another came anew": "head",
    "deals with a seat's secret of an old match": "head",
    "shows a seat a hidden vote": "told",
    "hides from a seat what is open": "told",
    "swaps two consents to a takeback": "signature",
    "takes back by the consent to an earlier takeback": "signature",
    "takes back further than was agreed": "signature",
    "plays a signed command again after it was taken back": "signature",
    "answers for a seat at a moment that it had not seen": "signature",
    "plays two commands of a seat that answer one moment": "signature",
    "plays a command of before a takeback after it": "signature",
    "plays two commands under one id": "signature",
    "ends the match for one before the last event": "missing",
    "signs two ends": "missing",
}
"""What the host does, and the kind of finding that convicts it."""

LEFT_TO_THE_ENGINE = {
    "shows a seat a hidden vote": {"told"},
    "hides from a seat what is open": {"told"},
}
"""Only the rules tell who may see what."""


def crimes() -> dict[str, Case]:
    """Return a record and a log, or another seat's record, for each thing that the host has done."""
    at = table()
    return {
        "tells one seat two things of one event": _two_things(table()),
        "gives one seat what it told another": _of_another_seat(table()),
        "shows one seat the roster of before another came anew": _two_rosters(table(), table()),
        "deals with a seat's secret of an old match": (at.record(0), _old_secret(at, table(5))),
        "shows a seat a hidden vote": _other_redaction(table(), hidden=True),
        "hides from a seat what is open": _other_redaction(table(), hidden=False),
        "swaps two consents to a takeback": _takeback(lambda signed: [[0, signed[1][1]], [1, signed[0][1]]]),
        "takes back by the consent to an earlier takeback": _consent_again(),
        "takes back further than was agreed": _takeback(lambda signed: signed, agreed=6, to=4),
        "plays a signed command again after it was taken back": _command_again(),
        "answers for a seat at a moment that it had not seen": _answers_later(),
        "plays two commands of a seat that answer one moment": _two_answers(),
        "plays a command of before a takeback after it": _before_takeback(),
        "plays two commands under one id": _one_id(),
        "ends the match for one before the last event": _ended_early(),
        "signs two ends": _two_ends(),
    }


def _signed_to(at: Table, seat: int, entry: records.Entry, told: Any) -> records.Entry:
    """Have the host sign that it told this seat so."""
    raw = canonical(told)
    digest = told_digest(entry.salt, raw)
    message = told_message(at.of, seat, entry.kind, entry.number, entry.mark, digest)
    assert at.host_key is not None
    return evolve(entry, told=raw, sig=at.host_key.sign(message))


def _open_event(at: Table, seat: int, *, redacted: bool) -> int:
    """Find what a seat was told of another's command: the place in its record."""
    entries = enumerate(at.entries[seat])
    told = ((place, each.value()) for place, each in entries if each.kind == records.EVENT)
    return next(place for place, value in told if value[1] not in (-1, seat) and value[4] is redacted)


def _two_things(at: Table) -> Case:
    place = _open_event(at, 0, redacted=False)
    entry = at.entries[0][place]
    seq, actor, tag, fields, *rest = entry.value()
    at.entries[0].insert(place + 1, _signed_to(at, 0, entry, [seq, actor, tag, {**fields, "other": 1}, *rest]))
    return at.record(0), at.log


def _of_another_seat(at: Table) -> Case:
    at.entries[0] = [*at.entries[1]]
    return at.record(0), at.log


def _two_rosters(at: Table, other: Table) -> Case:
    """One is shown a seat as it was before its player left and another sat down."""
    other.show(at.roster.replace(b"Mio", b"Emi"))
    return at.record(0), other.record(1)


def _old_secret(at: Table, old: Table) -> bytes:
    secret = taken_apart(old.log)[0]["fair"]["seats"][1][1]

    def change(header: dict[str, Any]) -> None:
        seats = [*header["fair"]["seats"]]
        seats[1] = [commitment(header["match"], 1, 1, secret), secret]
        header["fair"] = {**header["fair"], "seats": seats}
        header["seed"] = seed(roster_digest(roster_of(header).packed()), *read_fair(header).secrets)

    return changed(at, change)


def _other_redaction(at: Table, *, hidden: bool) -> Case:
    """Tell a seat all of a hidden command, or of an open one that it is hidden."""
    place = _open_event(at, 0, redacted=hidden)
    entry = at.entries[0][place]
    told = entry.value()
    event = taken_apart(at.log)[1][entry.number]
    told[3:5] = [event[4], False] if hidden else [{}, True]
    at.entries[0][place] = _signed_to(at, 0, entry, told)
    return at.record(0), at.log


def _begun(seed: int = 3) -> Table:
    at = cake(Random(seed), engine=None)
    at.play(10)
    return at


def _take_back(at: Table, to: int, signed: list[list[Any]]) -> None:
    meta = Meta(at=10 * at.count, by="seat 0", more=(("sign", signed),))
    at.match.take_back(to, meta)
    at._store(meta)


def _takeback(change: Any, agreed: int = 6, to: int = 6) -> Case:
    at = _begun()
    _take_back(at, to, change(at.consent("take_back", agreed, [0, 1])))
    return at.record(1), at.log


def _consent_again() -> Case:
    at = _begun()
    signed = at.consent("take_back", 6, [0, 1])
    _take_back(at, 6, signed)
    at.play(at.count + 3)
    _take_back(at, 6, signed)
    return at.record(1), at.log


def _command_again() -> Case:
    """After a takeback that all agreed to, the host plays the command that was taken back once more."""
    at = _begun()
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    before, command = at.count, at.match.legal(0)[0]
    at.command(0, command)
    meta = at.match.events[before].meta
    at.take_back(before - 1, 0, [0, 1])
    at.match.play(0, command)
    at._store(Meta(10 * at.count, meta.id, None, meta.more))
    return at.record(1), at.log


def _answers_later() -> Case:
    """The host keeps what a seat had signed until later, and says that it answers a moment of today."""
    at = _begun()
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    command, ident, now = at.match.legal(0)[0], bytes(16), at.count
    tag, fields = wire_of(at.match.game).encode(command)
    key = at.keys[0]
    assert key is not None
    message = command_message(at.of, 0, now - 1, at.evidence.marks[now - 1], tag, fields, ident)
    at.match.play(0, command)
    at._store(Meta(10 * now, ident, None, (("sign", [now, key.sign(message)]),)))
    return at.record(1), at.log


def _two_answers() -> Case:
    """The seat acts at a moment, others act, and then it acts as if it had not."""
    at = _begun()
    first = -1
    while True:
        seat = min(at.match.to_act)
        if seat == 0 and first >= 0 and all(event.seat > 0 for event in at.match.events[first + 1 :]):
            at.command(0, at.match.legal(0)[0], at=first)
            return at.record(1), at.log
        first = at.count if seat == 0 else first
        at.play(at.count + 1)


def _before_takeback() -> Case:
    """The moment that the seat had answered was taken back since; what it says is played all the same."""
    at, moments = _begun(), []
    while len(moments) < 2:
        if min(at.match.to_act) == 1:
            moments.append(at.count)
        at.play(at.count + (len(moments) < 2))
    at.take_back(moments[0] - 1, 0, [0, 1])
    at.command(1, at.match.legal(1)[0], at=moments[1])
    return at.record(0), at.log


def _one_id() -> Case:
    at = _begun()
    at.random = SimpleNamespace(randbytes=bytes)  # type: ignore[assignment]
    at.play(20)
    return at.record(1), at.log


def _ended_early() -> Case:
    one, other = _begun(), _begun()
    one.abandon(None)
    other.play(other.count + 1)
    return one.record(0), other.record(1)


def _two_ends() -> Case:
    """The end is told twice: once before the last event, once after it."""
    at, other = _begun(), _begun()
    other.abandon(None)
    at.play(at.count + 1)
    at.abandon(None)
    at.entries[0].insert(-2, other.entries[0][-1])
    return at.record(0), at.log


def honest() -> dict[str, Case]:
    """Return what the same hosts give out where they do not cheat."""
    at = _begun()
    _take_back(at, 6, at.consent("take_back", 6, [0, 1]))
    at.play(at.count + 3)
    assert msgpack.unpackb(at.entries[0][0].packed())
    return {"a takeback that was agreed to": (at.record(1), at.log), "two records": (at.record(0), at.record(1))}

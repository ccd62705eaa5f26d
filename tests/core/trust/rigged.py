"""Hosts that cheat in other ways than that of the docs, and a hundred tamperings with one log and its record."""

from __future__ import annotations

from random import Random
from typing import Any

import msgpack
from attrs import evolve
from kifu.core.match import Match
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import commitment, roster_digest, seed, told_digest, told_message
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.roster import roster_of

from .playing import Table, held
from .test_honest import KEYS, cake
from .test_tampering import put_together, taken_apart
from .vectors import WEAK_KEYS

Case = tuple[bytes | None, bytes]
"""A record, or None, and a log or another seat's record."""

LEFT_TO_THE_ENGINE = {
    "lies in a redacted command": {"told"},
    "takes back alone what the others have seen": {"signature"},
    "tells a false note": {"told"},
}
"""The kinds of findings that need the rules, by what the host did: `verify` has them, the page says that it has not."""


CONVICTED = {
    "redraws its secret after all reveals": "head",
    "lies in a redacted command": "told",
    "lies in a view": "view",
    "shows more than a view has": "view",
    "leaves a part of a view out": "view",
    "tells a false note": "told",
    "shows a record out of order": "record",
    "shows a consent that was not given": "signature",
    "claims to be a fork": "head",
    "puts a stand-in in place of a signed move": "mark",
    "takes back alone what the others have seen": "signature",
    "leaves its own key out": "head",
    "plays a seat that it named itself": "head",
}
"""The kind of finding that convicts it each time."""


def table(seed: int = 3) -> Table:
    """A table of three, two of whom sign, recorded by this program; a takeback was agreed to, and the end."""
    table = cake(Random(seed), engine=None)
    table.play(10)
    table.take_back(6, 0, [0, 1])
    table.look()
    table.play(24)
    table.abandon(1)
    return table


def crimes() -> dict[str, Case]:
    """Return a record, or None, and a log for each thing that the host has done."""
    return {
        "redraws its secret after all reveals": _redraws(table()),
        "lies in a redacted command": _lies(table(), redacted=True),
        "lies in a view": _lies_in_a_view(table(), lambda view, key: view.update({key: view[key] + 1})),
        "shows more than a view has": _lies_in_a_view(table(), lambda view, key: view.update({"deck": []})),
        "leaves a part of a view out": _lies_in_a_view(table(), lambda view, key: view.pop(key)),
        "tells a false note": _false_note(table()),
        "shows a record out of order": _out_of_order(table()),
        "shows a consent that was not given": _false_consent(table()),
        "claims to be a fork": _claims_fork(table()),
        "puts a stand-in in place of a signed move": _stands_in(table()),
        "takes back alone what the others have seen": _takes_back_alone(),
        "leaves its own key out": _without_key(table()),
        "plays a seat that it named itself": _names_a_seat(table()),
    }


def _redraws(at: Table) -> Case:
    def change(header: dict[str, Any]) -> None:
        secret = bytes(range(32))
        header["fair"] = {**header["fair"], "host": [commitment(header["match"], 1, -1, secret), secret]}
        header["seed"] = seed(roster_digest(roster_of(header).packed()), *read_fair(header).secrets)

    return at.record(0), changed(at, change)


def changed(at: Table, change: Any) -> bytes:
    header, events, end = taken_apart(at.log)
    change(header)
    return put_together((header, events, end))


def _signed_anew(at: Table, seat: int, place: int, told: Any) -> None:
    """Have the host sign that it told a seat this."""
    entry, raw = at.entries[seat][place], canonical(told)
    message = told_message(at.of, seat, entry.kind, entry.number, entry.mark, told_digest(entry.salt, raw))
    at.entries[seat][place] = evolve(entry, told=raw, sig=at.host_key.sign(message))


def _lies(at: Table, *, redacted: bool) -> Case:
    for seat in range(3):
        for place, entry in enumerate(at.entries[seat]):
            if entry.kind == records.EVENT and entry.value()[4] is redacted and entry.value()[1] >= 0:
                told = entry.value()
                told[3] = {**told[3], "lie": 1}
                _signed_anew(at, seat, place, told)
                return at.record(seat), at.log
    raise AssertionError("nothing was redacted")


def _lies_in_a_view(at: Table, change: Any) -> Case:
    place = next(place for place, entry in enumerate(at.entries[0]) if entry.kind == records.LOOK)
    moment, view = at.entries[0][place].value()
    key = next(key for key, value in view.items() if isinstance(value, int))
    change(view, key)
    _signed_anew(at, 0, place, [moment, view])
    return at.record(0), at.log


def _false_note(at: Table) -> Case:
    place = next(at_ for at_, entry in enumerate(at.entries[0]) if entry.kind == records.EVENT and entry.value()[7])
    told = at.entries[0][place].value()
    told[7][0][0] = "another-note"
    _signed_anew(at, 0, place, told)
    return at.record(0), at.log


def _out_of_order(at: Table) -> Case:
    entries = at.entries[1]
    entries[4], entries[5] = entries[5], entries[4]
    return at.record(1), at.log


def _false_consent(at: Table) -> Case:
    place = next(place for place, entry in enumerate(at.entries[1]) if entry.kind == records.WISH)
    entry = at.entries[1][place]
    kind, to, by, signed = entry.value()
    at.entries[1][place] = evolve(entry, told=canonical([kind, to, by, [[0, bytes(64)], *signed[1:]]]))
    return at.record(1), at.log


def _claims_fork(at: Table) -> Case:
    header, events, end = taken_apart(at.log)
    more = {key: header.pop(key) for key in ("veil", "sign")}
    header = {key: value for key, value in header.items() if key != "fair"} | {"seed": None}
    for event in events:
        if event[2] and event[1] >= 0 and "sign" in event[2]:
            event[2] = {**event[2], "sign": [event[2]["sign"][0], bytes(64)]}
    header = {**header, "fork": {"match": "another", "seq": len(events) - 1}, **more}
    return at.record(0), put_together((header, events, end))


def _stands_in(at: Table) -> Case:
    header, events, end = taken_apart(at.log)
    last = max(event[0] for event in events if event[2] and event[1] in (0, 1) and "sign" in event[2])
    events[last][2] = {"at": events[last][2]["at"], "by": "stand-in"}
    return at.record(events[last][1]), put_together((header, events, end))


def _takes_back_alone() -> Case:
    at = cake(Random(3), engine=None)
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    at.command(0, at.match.legal(0)[0])
    at.take_back(at.count - 2, 0, [])
    return at.record(0), at.log


def _without_key(at: Table) -> Case:
    def change(header: dict[str, Any]) -> None:
        header["sign"] = {**header["sign"], "host": None}

    return at.record(0), changed(at, change)


def _names_a_seat(at: Table) -> Case:
    def change(header: dict[str, Any]) -> None:
        fair = header["fair"]
        header["fair"] = {**fair, "who": [*fair["who"][:2], 1], "seats": [*fair["seats"][:2], None]}

    return at.record(2), changed(at, change)


def deals_other_cards() -> Case:
    """Deal fairly, up to the seed, and then other cards than it gives; what is told and recorded fits."""
    keys = [KEYS[0], KEYS[1], None]
    honest = held("cake", (0, 0, 0), Random(3), keys=keys, host_key=KEYS[6], engine=None)
    match: Match[Any, Any, Any] = Match(honest.game, evolve(honest.header, seed=bytes(32)))
    match.deal()
    match.header = honest.header
    at = Table(match, keys, KEYS[6], Random(3))
    at.play(12)
    return at.record(0), at.log


def table_of(game: str, seats: int, seed: int) -> Table:
    """A table of another game, id and secrets, two of whose seats sign; it is called off if it is not over."""
    random, keys = Random(seed), [KEYS[0], KEYS[1], *[None] * (seats - 2)]
    at = Table(held(game, (0,) * seats, random, keys=keys, host_key=KEYS[6], engine=None), keys, KEYS[6], random)
    at.play(10)
    at.look()
    at.play(24)
    if at.evidence.end_mark is None:
        at.abandon(1)
    return at


def tamperings(at: Table | None = None) -> dict[str, Case]:
    """Change each part of a log and of a record, one at a time; each case has the record of seat 0."""
    at = at or table()
    record = at.record(0)
    header, events, end = taken_apart(at.log)
    found: dict[str, Case] = {}

    def add(name: str, log: Any) -> None:
        found[name] = (record, put_together(log))

    for key in ("seed", "veil", "fair", "sign"):
        left = {each: value for each, value in header.items() if each != key}
        add(f"without {key}", (left | ({"seed": None} if key == "seed" else {}), events, end))
    others = {"seats": ["Zoe", *header["seats"][1:]], "started": 5, "engine": "another", "veil": bytes(32)}
    for key, value in others.items():
        add(f"another {key}", ({**header, key: value}, events, end))
    for seat in (0, 1):
        keys = [*header["sign"]["seats"]]
        keys[seat] = KEYS[5].public
        add(f"another key of seat {seat}", ({**header, "sign": {**header["sign"], "seats": keys}}, events, end))
        keys[seat] = None
        add(f"no key of seat {seat}", ({**header, "sign": {**header["sign"], "seats": keys}}, events, end))
    for number, weak in enumerate(WEAK_KEYS):
        sign = {**header["sign"], "seats": [weak, *header["sign"]["seats"][1:]]}
        add(f"weak key {number}", ({**header, "sign": sign}, events, end))
    for seq, event in enumerate(events):
        _, seat, meta, _, _, _, _ = event
        changes: dict[str, Any] = {"time": {**meta, "at": (meta.get("at") or 0) + 1}, "actor": {**meta, "by": "Zoe"}}
        if "sign" in meta and seat >= 0:
            place, signature = meta["sign"]
            changes["signature"] = {**meta, "sign": [place, bytes((signature[0] ^ 1,)) + signature[1:]]}
            changes["id"] = {**meta, "id": bytes(16)}
            changes["moment"] = {**meta, "sign": [max(place - 1, 0) if place else 1, signature]}
            changes["no signature"] = {key: value for key, value in meta.items() if key != "sign"}
        elif "sign" in meta:
            changes["one consent less"] = {**meta, "sign": meta["sign"][1:]}
            changes["no wisher"] = {key: value for key, value in meta.items() if key != "by"}
        for name, new in changes.items():
            add(
                f"event {seq}: {name}",
                (header, [*events[:seq], [*event[:2], new, *event[3:]], *events[seq + 1 :]], end),
            )
    add("no end", (header, events, None))
    add("an event less", (header, events[:-1], end))
    found |= _tampered_records(at)
    return found


def _tampered_records(at: Table) -> dict[str, Case]:
    """Change an entry of the record of seat 0 in each part, and the head."""
    read = records.read_bytes(at.record(0))
    found = {}
    for place in (0, 3, 9, len(read.entries) - 1):
        entry = read.entries[place]
        for name in ("mark", "salt", "sig"):
            value = getattr(entry, name)
            if value is None:
                continue
            entries = [*read.entries]
            entries[place] = evolve(entry, **{name: bytes((value[0] ^ 1,)) + value[1:]})
            found[f"entry {place}: {name}"] = (evolve(read, entries=tuple(entries)).packed(), at.log)
    found["no signature of the roster"] = (evolve(read, sig=None).packed(), at.log)
    found["a torn record"] = (at.record(0)[:-3], at.log)
    found["a strange object"] = (at.record(0) + msgpack.packb([9]), at.log)
    return found

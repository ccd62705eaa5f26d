"""Hosts that cheat in other ways than that of the docs, and a hundred tamperings with one log and its record.

Outsiders who knew only the contract thought of half of them. More are in `rigged_replays.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any

import msgpack
from attrs import evolve, frozen
from kifu.core.match import Match
from kifu.core.trust import records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.formulas import commitment, roster_digest, roster_message, seed, told_digest, told_message
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.roster import roster_of
from kifu.core.trust.signing import SigningKey

from .playing import Table, held
from .test_honest import KEYS, cake
from .test_tampering import put_together, taken_apart
from .vectors import WEAK_KEYS

Case = tuple[bytes | None, bytes]
"""A record, or None, and a log or another seat's record."""


@frozen
class Crime:
    """What a host does, the kind of finding that convicts it each time, and those that need the rules."""

    kind: str
    left: set[str]
    make: Callable[[], Case]


CRIMES: dict[str, Crime] = {}
"""By what the host does."""


def crime(kind: str, *left: str, name: str = "") -> Callable[[Callable[[], Case]], Callable[[], Case]]:
    """Note what a host does, by this name or that of the function."""

    def noted(make: Callable[[], Case]) -> Callable[[], Case]:
        CRIMES[name or make.__name__.replace("_", " ")] = Crime(kind, set(left), make)
        return make

    return noted


def crimes() -> dict[str, Case]:
    """Return a record, or None, and a log, or another seat's record, for each thing that a host has done."""
    from . import rigged_replays  # noqa: F401 (it adds its own)

    return {name: each.make() for name, each in CRIMES.items()}


def table(seed: int = 3) -> Table:
    """A table of three, two of whom sign, recorded by this program; a takeback was agreed to, and the end."""
    table = begun(10, seed)
    table.take_back(6, 0, [0, 1])
    table.look()
    table.play(24)
    table.abandon(1)
    return table


@cache
def untouched(seed: int = 3) -> Table:
    """The same table, for who changes nothing of it."""
    return table(seed)


def begun(events: int, seed: int = 3) -> Table:
    at = cake(Random(seed), engine=None)
    at.play(events)
    return at


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the table's log with another header."""
    header, events, end = taken_apart(untouched().log)
    change(header)
    return put_together((header, events, end))


def with_secret(secret: bytes, seat: int | None = None) -> bytes:
    """Return the table's log, dealt from another secret of the host or a seat, with the seed that gives."""

    def change(header: dict[str, Any]) -> None:
        pair = [commitment(header["match"], 1, -1 if seat is None else seat, secret), secret]
        seats = [pair if at == seat else each for at, each in enumerate(header["fair"]["seats"])]
        header["fair"] |= {"seats": seats} if seat is not None else {"host": pair}
        deal_anew(header)

    return changed(change)


def deal_anew(header: dict[str, Any]) -> None:
    header["seed"] = seed(roster_digest(roster_of(header).packed()), *read_fair(header).secrets)  # type: ignore[union-attr]


def place_of(at: Table, seat: int, holds: Callable[[records.Entry], Any]) -> int:
    return next(place for place, entry in enumerate(at.entries[seat]) if holds(entry))


@crime("head")
def redraws_its_secret_after_all_reveals() -> Case:
    return untouched().record(0), with_secret(bytes(range(32)))


@crime("head")
def deals_from_the_commitment_of_an_old_match() -> Case:
    """It knows what that gives with the others' secrets."""
    return untouched().record(0), with_secret(taken_apart(untouched(5).log)[0]["fair"]["host"][1])


@crime("head")
def deals_with_a_seat_s_secret_of_an_old_match() -> Case:
    return untouched().record(0), with_secret(taken_apart(untouched(5).log)[0]["fair"]["seats"][1][1], 1)


@crime("told", "told")
def lies_in_a_redacted_command() -> Case:
    at = table()
    for seat in range(3):
        for place, entry in enumerate(at.entries[seat]):
            if entry.kind == records.EVENT and entry.value()[4] and entry.value()[1] >= 0:
                told = entry.value()
                told[3] = {**told[3], "lie": 1}
                at.tell_anew(seat, place, told)
                return at.record(seat), at.log
    raise AssertionError("nothing was redacted")


def lies_in_a_view(change: Callable[[dict[str, Any], str], object]) -> Case:
    at = table()
    place = place_of(at, 0, lambda entry: entry.kind == records.LOOK)
    moment, view = at.entries[0][place].value()
    change(view, next(key for key, value in view.items() if isinstance(value, int)))
    at.tell_anew(0, place, [moment, view])
    return at.record(0), at.log


for _name, _change in {
    "lies in a view": lambda view, key: view.update({key: view[key] + 1}),
    "shows more than a view has": lambda view, _: view.update({"deck": []}),
    "leaves a part of a view out": lambda view, key: view.pop(key),
}.items():
    crime("view", name=_name)(partial(lies_in_a_view, _change))


@crime("told", "told")
def tells_a_false_note() -> Case:
    at = table()
    place = place_of(at, 0, lambda entry: entry.kind == records.EVENT and entry.value()[7])
    told = at.entries[0][place].value()
    told[7][0][0] = "another-note"
    at.tell_anew(0, place, told)
    return at.record(0), at.log


@crime("record")
def shows_a_record_out_of_order() -> Case:
    at = table()
    entries = at.entries[1]
    entries[4], entries[5] = entries[5], entries[4]
    return at.record(1), at.log


@crime("signature")
def shows_a_consent_that_was_not_given() -> Case:
    at = table()
    place = place_of(at, 1, lambda entry: entry.kind == records.WISH)
    entry = at.entries[1][place]
    kind, to, by, signed = entry.value()
    at.entries[1][place] = evolve(entry, told=canonical([kind, to, by, [[0, bytes(64)], *signed[1:]]]))
    return at.record(1), at.log


@crime("head")
def claims_to_be_a_fork() -> Case:
    header, events, end = taken_apart(untouched().log)
    more = {key: header.pop(key) for key in ("veil", "sign")}
    header = {key: value for key, value in header.items() if key != "fair"} | {"seed": None}
    for event in events:
        if event[2] and event[1] >= 0 and "sign" in event[2]:
            event[2] = {**event[2], "sign": [event[2]["sign"][0], bytes(64)]}
    header = {**header, "fork": {"match": "another", "seq": len(events) - 1}, **more}
    return untouched().record(0), put_together((header, events, end))


@crime("mark")
def puts_a_stand_in_in_place_of_a_signed_move() -> Case:
    header, events, end = taken_apart(untouched().log)
    last = max(event[0] for event in events if event[2] and event[1] in (0, 1) and "sign" in event[2])
    events[last][2] = {"at": events[last][2]["at"], "by": "stand-in"}
    return untouched().record(events[last][1]), put_together((header, events, end))


@crime("signature", "signature")
def takes_back_alone_what_the_others_have_seen() -> Case:
    at = begun(0)
    while min(at.match.to_act) != 0:
        at.play(at.count + 1)
    at.command(0, at.match.legal(0)[0])
    at.take_back(at.count - 2, 0, [])
    return at.record(0), at.log


@crime("head")
def leaves_its_own_key_out() -> Case:
    return untouched().record(0), changed(lambda header: header["sign"].update(host=None))


@crime("head")
def plays_a_seat_that_it_named_itself() -> Case:
    def change(header: dict[str, Any]) -> None:
        fair = header["fair"]
        header["fair"] = {**fair, "who": [*fair["who"][:2], 1], "seats": [*fair["seats"][:2], None]}

    return untouched().record(2), changed(change)


def swap(seats: list[Any]) -> None:
    seats[:2] = reversed(seats[:2])


@crime("head")
def swaps_two_seats_in_the_roster() -> Case:
    return untouched().record(0), changed(lambda header: swap(header["seats"]))


@crime("head")
def swaps_the_keys_of_two_seats() -> Case:
    return untouched().record(0), changed(lambda header: swap(header["sign"]["seats"]))


@crime("head")
def rotates_its_key_and_shows_a_roster_that_has_it() -> Case:
    def change(header: dict[str, Any]) -> None:
        header["sign"]["host"] = KEYS[5].public
        deal_anew(header)

    return untouched().record(1), changed(change)


def issued_anew(at: Table, key: SigningKey, since: int = 0) -> None:
    """Sign what seat 0 was told from an event on with another key than the roster names."""
    for place, entry in enumerate(at.entries[0]):
        if entry.kind <= records.END and entry.number >= since:
            digest = told_digest(entry.salt, entry.told)
            message = told_message(at.of, 0, entry.kind, entry.number, entry.mark, digest)
            at.entries[0][place] = evolve(entry, sig=key.sign(message))


@crime("signature")
def rotates_its_key_in_the_middle() -> Case:
    at = table()
    issued_anew(at, KEYS[5], since=12)
    return at.record(0), at.log


@crime("signature")
def issues_the_receipts_anew_under_another_key() -> Case:
    at = table()
    issued_anew(at, KEYS[5])
    head = records.head(0, at.roster, KEYS[5].sign(roster_message(roster_digest(at.roster))))
    return msgpack.packb(head) + b"".join(each.packed() for each in at.entries[0]), at.log


@crime("head")
def shows_the_record_of_an_old_match() -> Case:
    return untouched(5).record(0), untouched().log


@crime("missing")
def keeps_the_end_from_the_log_after_a_loss() -> Case:
    header, events, _ = taken_apart(untouched().log)
    return untouched().record(2), put_together((header, events, None))


@crime("missing")
def gives_out_a_log_that_is_stale() -> Case:
    header, events, _ = taken_apart(untouched().log)
    return untouched().record(2), put_together((header, events[:15], None))


def honest() -> dict[str, Case]:
    """Return what the same hosts give out where they do not cheat."""
    at, early, taken_back = untouched(), begun(10), begun(10)
    taken_back.take_back(6, 0, [0, 1])
    taken_back.play(taken_back.count + 3)
    return {
        "the log": (at.record(0), at.log),
        "two records": (at.record(0), at.record(1)),
        "an early and a late record": (early.record(0), at.record(1)),
        "a takeback that was agreed to": (taken_back.record(1), taken_back.log),
        "two records of it": (taken_back.record(0), taken_back.record(1)),
    }


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


def flipped(value: bytes) -> bytes:
    return bytes((value[0] ^ 1,)) + value[1:]


def tamperings(at: Table | None = None) -> dict[str, Case]:
    """Change each part of a log and of a record, one at a time; each case has the record of seat 0."""
    at = at or untouched()
    record = at.record(0)
    header, events, end = taken_apart(at.log)
    heads = {
        f"without {key}": {each: value for each, value in header.items() if each != key}
        | ({"seed": None} if key == "seed" else {})
        for key in ("seed", "veil", "fair", "sign")
    }
    others = {"seats": ["Zoe", *header["seats"][1:]], "started": 5, "engine": "another", "veil": bytes(32)}
    others |= {"seed": bytes(32), "match": "another", "options": {**header["options"], "first": 1}, "extra": "x"}
    heads |= {f"another {key}": {**header, key: value} for key, value in others.items()}
    odd = {"veil": None, "fair": {"v": 1}, "sign": {"v": 2, "host": bytes(32), "seats": header["sign"]["seats"]}}
    heads |= {f"a malformed {key}": {**header, key: value} for key, value in odd.items()}
    keys = {f"weak key {number}": (0, weak) for number, weak in enumerate(WEAK_KEYS)}
    for seat in (0, 1):
        keys |= {f"another key of seat {seat}": (seat, KEYS[5].public), f"no key of seat {seat}": (seat, None)}
    for name, (seat, key) in keys.items():
        seats = [key if place == seat else each for place, each in enumerate(header["sign"]["seats"])]
        heads[name] = {**header, "sign": {**header["sign"], "seats": seats}}
    found = {name: (record, put_together((head, events, end))) for name, head in heads.items()}
    for seq, (_, seat, meta, *rest) in enumerate(events):
        for name, other in other_metas(seat, meta).items():
            log = (header, [*events[:seq], [seq, seat, other, *rest], *events[seq + 1 :]], end)
            found[f"event {seq}: {name}"] = record, put_together(log)
    found["no end"] = record, put_together((header, events, None))
    found["an event less"] = record, put_together((header, events[:-1], end))
    return found | _tampered_records(at)


def other_metas(seat: int, meta: dict[str, Any]) -> dict[str, Any]:
    """Change each part of what stands beside a command."""
    found: dict[str, Any] = {"time": {**meta, "at": (meta.get("at") or 0) + 1}, "actor": {**meta, "by": "Zoe"}}
    if "sign" in meta and seat >= 0:
        place, signature = meta["sign"]
        found["signature"] = {**meta, "sign": [place, flipped(signature)]}
        found["id"] = {**meta, "id": bytes(16)}
        found["moment"] = {**meta, "sign": [max(place - 1, 0) if place else 1, signature]}
        found["no signature"] = {key: value for key, value in meta.items() if key != "sign"}
    elif "sign" in meta:
        found["one consent less"] = {**meta, "sign": meta["sign"][1:]}
        found["no wisher"] = {key: value for key, value in meta.items() if key != "by"}
    return found


def _tampered_records(at: Table) -> dict[str, Case]:
    """Change an entry of the record of seat 0 in each part, and the head."""
    read = records.read_bytes(at.record(0))
    found = {}
    for place in (0, 3, 9, len(read.entries) - 1):
        for name in ("mark", "salt", "sig"):
            if (value := getattr(read.entries[place], name)) is not None:
                entries = [*read.entries]
                entries[place] = evolve(entries[place], **{name: flipped(value)})
                found[f"entry {place}: {name}"] = (evolve(read, entries=tuple(entries)).packed(), at.log)
    found["no signature of the roster"] = (evolve(read, sig=None).packed(), at.log)
    found["a torn record"] = (at.record(0)[:-3], at.log)
    found["a strange object"] = (at.record(0) + msgpack.packb([9]), at.log)
    return found

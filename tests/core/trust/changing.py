"""Honest logs and records, changed at random and signed anew: what only hosts and seats can do, with their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from attrs import evolve
from kifu.core.errors import TrustError
from kifu.core.match.header import TRUST_KEYS
from kifu.core.trust import formulas, records
from kifu.core.trust.canonical import canonical
from kifu.core.trust.header_keys import read_fair
from kifu.core.trust.raw_log import read_log
from kifu.core.trust.roster import Roster, roster_of, with_attempts
from kifu.core.trust.seat_record import Entry

from .altering import altered
from .playing import HOST, KEYS, Log, Table, held, put_together, signed_anew, taken_apart
from .test_honest import GAMES
from .vectors import WEAK_KEYS

Case = tuple[bytes | None, bytes]
BROKEN = (TrustError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What signing raises of what a change has left too broken to be signed."""


@cache
def honest(number: int) -> Table:
    """A table whose host and two seats sign, whose host alone does, or where nobody does; another program's log."""
    game, who, options = GAMES[number % len(GAMES)]
    random, key = Random(number), HOST if number % 5 else None
    keys = [KEYS[seat] if key and number % 5 > 1 and seat < 2 and kind == 0 else None for seat, kind in enumerate(who)]
    refusals = number % 3
    match = held(game, who, random, options=options, keys=keys, host_key=key, refusals=refusals)
    table = Table(match, keys, key, random)
    table.play(7)
    table.take_back(4, 0, range(len(who)))
    table.look()
    table.play(14)
    if table.evidence.end_mark is None:
        table.abandon(random.choice([None, 1]))
    return table


def parts_of(value: Any) -> Iterator[Any]:
    """Yield what is in a value and holds nothing itself."""
    if isinstance(value, (dict, list, tuple)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from parts_of(each)
    else:
        yield value


def of_its_kind(*parts: Any) -> Callable[[Any, Random], Any]:
    """Return what finds another part of the kind of a value."""

    def kind_of(value: Any) -> Any:
        return (type(value), len(value)) if isinstance(value, bytes) else type(value)

    def other(value: Any, random: Random) -> Any:
        return random.choice([each for each in parts if kind_of(each) == kind_of(value)] or [value, None])

    return other


def sign_seats(log: Log, random: Random) -> None:
    """Have the seats sign anew what stands in a log, and the host deal from what it says."""
    header, events, _ = log
    roster = roster_of(header)
    if "fair" in header and random.random() < 0.9:
        header["seed"] = formulas.seed(roster.digest, *read_fair(header).secrets)  # type: ignore[union-attr]
    if "roster" in header.get("sign", {}) and random.random() < 0.9:
        signed = [
            key and KEYS[seat].sign(formulas.agreement_message(roster.digest, seat))
            for seat, key in enumerate(roster.seat_keys)
        ]
        header["sign"]["roster"] = signed
    for seq, (_, seat, meta, tag, fields, *_) in enumerate(events):
        with suppress(*BROKEN):
            marks, sign = read_log(put_together((header, events[:seq], None))).marks, meta["sign"]
            if random.random() < 0.05:
                continue
            if tag == ".takeback":
                votes = [
                    (each, formulas.wish_message(roster.of, each, seq, marks[seq], "take_back", fields["to"]))
                    for each, _ in sign
                ]
                meta["sign"] = [[each, KEYS[each].sign(message)] for each, message in votes]
            else:
                at, _, *more = sign
                message = formulas.command_message(roster.of, seat, at, marks[at], tag, fields, meta["id"], *more)
                meta["sign"] = [at, KEYS[seat].sign(message), *more]


def is_event(value: Any) -> bool:
    """Return whether it has the parts of an event: one that has not ends what is folded."""
    kinds = (int, int, (dict, type(None)), str, dict)
    return isinstance(value, list) and len(value) == 7 and all(map(isinstance, value, kinds)) and value[1] >= -1


def other_log(table: Table, random: Random) -> bytes:
    """Change a log once or twice, and sign it anew, or some of it."""
    log = header, events, _ = taken_apart(table.log)
    parts = of_its_kind(*parts_of(log), "seat 1", "new key", *WEAK_KEYS[:3], 3)
    with suppress(*BROKEN):
        for _ in range(random.randrange(3)):
            others = {"engine": "x"}, {"layout": 2}, {"fork": {"match": "x", "seq": random.randrange(20)}}
            if random.random() < 0.6:
                changed = altered(events, parts, random)
                events[:] = [each for each in changed if is_event(each)]
            elif random.random() < 0.2:
                header.update(random.choice(others))
            else:
                key = random.choice(list(TRUST_KEYS))
                header.update(altered({key: header.pop(key)}, parts, random))
    if random.random() < 0.2:
        log = header, events, None
    with suppress(*BROKEN):
        if random.random() < 0.8:
            sign_seats(log, random)
    with suppress(*BROKEN):
        if random.random() < 0.8:
            return signed_anew(log, random.choice([HOST, HOST, HOST, KEYS[5]]))
    return put_together(log)


def signed_entry(entry: Entry, seat: int | None, roster: Roster, random: Random) -> Entry:
    """Have host or seats sign an entry anew."""
    if random.random() < 0.03:
        return entry
    if entry.kind == records.SENT:
        return evolve(entry, sig=KEYS[seat or 0].sign(entry.told))
    if entry.kind == records.WISH:
        kind, to, by, signed = entry.value()
        votes = [
            (each, formulas.wish_message(roster.of, each, entry.number, entry.mark, kind, to)) for each, _ in signed
        ]
        return evolve(entry, told=canonical([kind, to, by, [[each, KEYS[each].sign(said)] for each, said in votes]]))
    digest = formulas.told_digest(entry.salt, entry.told)
    message = formulas.told_message(roster.of, seat, entry.kind, entry.number, entry.mark, digest)
    return evolve(entry, sig=None if roster.host_key is None else HOST.sign(message))


def other_record(table: Table, log: bytes, random: Random) -> bytes:
    """Take a record of a log, or of the honest one, change it once or twice, and sign it anew, or some of it."""
    seat, raw = random.choice(table.viewers), read_log(random.choice([table.log, log, log]))
    known, entries, roster = records.read_bytes(table.record(seat)), list(table.entries[seat]), raw.roster
    roster = known.roster if roster is None else roster
    with suppress(*BROKEN):
        if random.random() < 0.1 and raw.deal is not None:
            roster = with_attempts(roster, raw.deal.who, raw.deal.attempts[:-1])
    marks = {("moment", at): mark for at, mark in enumerate(raw.marks)} | {("end", len(raw.events)): raw.end_mark}
    for at, entry in enumerate(entries):
        salted = formulas.salt(raw.veil or b"", entry.kind, entry.number, seat) if entry.salt else None
        entries[at] = evolve(entry, mark=marks.get(entry.slot) or entry.mark, salt=salted)
    with suppress(*BROKEN):
        for _ in range(random.randrange(4)):
            plain = [[each.kind, each.number, each.value(), each.salt, each.mark, each.sig] for each in entries]
            changed = altered(plain, of_its_kind(*parts_of(plain), bytes(32), 60), random)
            entries = [Entry(kind, at, canonical(told), *rest) for kind, at, told, *rest in changed]
    if random.random() < 0.8:
        for at, entry in enumerate(entries):
            with suppress(*BROKEN):
                entries[at] = signed_entry(entry, seat, roster, random)
    new = None if roster.host_key is None else HOST.sign(formulas.roster_message(roster.digest, roster.version))
    record = evolve(known, roster=roster, sig=random.choice([*[new] * 4, known.sig]), entries=tuple(entries))
    return (record.public() if random.random() < 0.2 else record).packed()


def cases(at: int) -> dict[str, Case]:
    """Return what was changed by this seed: a log alone, a record beside it, and beside another record."""
    random = Random(at)
    table = honest(random.randrange(15))
    log = other_log(table, random)
    one, other = other_record(table, log, random), other_record(table, log, random)
    return {f"{at} alone": (None, log), f"{at} beside": (one, log), f"{at} compared": (one, other)}

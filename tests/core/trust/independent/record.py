"""A seat record, and what it says by itself: its shape, two marks of one moment, codes, and signatures."""

from __future__ import annotations

from typing import Any, NamedTuple

from .codec import Stream, b2, canonical, decode, has_signed, is_bytes, is_int, is_list, sha, sha256, signed
from .log import Found, is_map, is_names, is_text

EVENT, LOOK, END, WISH, SENT = range(5)


class NoRecord(Exception):
    """Bytes that are no record."""


class Entry(NamedTuple):
    kind: int
    number: int
    told: bytes
    salt: bytes | None
    mark: bytes
    sig: bytes | None

    @property
    def value(self) -> Any:
        return decode(self.told)[0]


class Record:
    """The head, and the entries up to the first malformed one."""

    def __init__(self, data: bytes) -> None:
        stream = Stream(data)
        (head, _), *rest = stream.parts or [(None, b"")]
        if not is_head(head):
            raise NoRecord
        self.head, self.roster = head, decode(head["roster"])[0]
        self.is_full, self.seat = head["form"] == "full", head["seat"]
        self.match, self.host_key, self.keys = self.roster[1], self.roster[12], self.roster[13]
        self.entries: list[Entry] = []
        self.found: Found = set()
        for value, _ in rest:
            if not is_entry(value, self.is_full):
                self.found.add(("record", None))
                break
            self.entries.append(Entry(*value))
        else:
            if stream.torn or stream.noise:
                self.found.add(("torn" if stream.torn else "record", None))
        latest = 0
        for each in self.entries:
            if each.kind <= END:
                time = 2 * each.number + (each.kind == EVENT)
                if time < latest:
                    self.found.add(("record", each.number))
                latest = max(latest, time)

    def slot(self, entry: Entry) -> tuple[str, int]:
        """Say what the mark of an entry is of."""
        if entry.kind == END:
            return "end", entry.number
        if entry.kind == SENT:
            return "moment", entry.value[3]
        return "moment", entry.number + (entry.kind == EVENT)

    def marks(self) -> dict[tuple[str, int], list[bytes]]:
        marks: dict[tuple[str, int], list[bytes]] = {}
        for each in self.entries:
            known = marks.setdefault(self.slot(each), [])
            if each.mark not in known:
                known.append(each.mark)
        return marks


# --- shapes ----------------------------------------------------------------------------------------------------------


def is_head(head: Any) -> bool:
    if not isinstance(head, dict) or next(iter(head), None) != "kifu_record" or not {"seat", "sig"} <= set(head):
        return False
    if not is_int(head["kifu_record"]) or head["kifu_record"] != 1 or head.get("form") not in ("full", "public"):
        return False
    if not is_text(head.get("made", "")) or not is_list(head.get("compared", []), is_code):
        return False
    if type(head.get("roster")) is not bytes or not is_or_nil(head["sig"], lambda sig: is_bytes(sig, 64)):
        return False
    roster = whole(head["roster"])
    return is_roster(roster) and is_or_nil(head["seat"], lambda seat: is_int(seat) and seat < len(roster[5]))


def is_code(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_number(value[0]) and is_bytes(value[1], 16)


def is_or_nil(value: Any, fits: Any) -> bool:
    return value is None or fits(value)


def is_number(value: Any) -> bool:
    return is_int(value) and value < 1 << 53


def is_32(value: Any) -> bool:
    return is_bytes(value, 32)


def whole(raw: bytes) -> Any:
    """Return the value of these bytes; None unless they are its canonical form."""
    try:
        value, end = decode(raw)
        return value if end == len(raw) and canonical(value) == raw else None
    except (IndexError, ValueError):
        return None


def is_roster(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 14 or value[0] != "kifu roster 1":
        return False
    _, match, game, rules, options, names, who, attempt, past, host, seats, veil, host_key, keys = value
    public = is_text(match) and is_text(game) and is_int(rules) and is_map(options) and is_names(names)
    deal = is_or_nil(who, lambda who: is_list(who, is_int)) and is_int(attempt) and is_list(past, is_past)
    nils = all(is_or_nil(each, is_32) for each in (host, veil, host_key))
    lists = all(is_list(each, lambda one: is_or_nil(one, is_32)) for each in (seats or [], keys))
    return public and deal and nils and is_or_nil(seats, lambda _: lists) and lists and len(keys) == len(names)


def is_past(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_32(value[0]) and is_list(value[1], is_int)


def is_entry(value: Any, is_full: bool) -> bool:
    if not isinstance(value, list) or len(value) != 6:
        return False
    kind, number, told, salt, mark, sig = value
    if not is_int(kind) or kind > SENT or not is_number(number) or type(told) is not bytes or not is_32(mark):
        return False
    if sig is not None and (kind == WISH or not is_bytes(sig, 64)):
        return False
    if not is_full:
        return kind != SENT and salt is None and len(told) == 32
    return (is_bytes(salt, 16) if kind <= END else salt is None) and is_told(kind, whole(told))


def is_told(kind: int, told: Any) -> bool:
    if not isinstance(told, list):
        return False
    if kind == LOOK:
        return len(told) == 2 and is_int(told[0])
    if kind == END:
        lists = all(is_or_nil(each, lambda each: isinstance(each, list)) for each in told[2:])
        return len(told) == 4 and is_int(told[0]) and is_text(told[1]) and lists
    if kind == SENT:
        parts = {"kifu command 1": 8, "kifu wish 1": 7}.get(str(told[0])) if told else None
        return len(told) == parts and is_text(told[1]) and is_int(told[2]) and is_int(told[3]) and is_32(told[4])
    if kind == WISH:
        pairs = len(told) == 4 and is_list(told[3], is_signature)
        return pairs and is_text(told[0]) and is_int(told[1], -1) and is_int(told[2])
    if len(told) != 8:
        return False
    seq, actor, tag, fields, redacted, at, by, notes = told
    shown = is_int(seq) and is_int(actor, -1) and is_text(tag) and is_map(fields) and type(redacted) is bool
    return shown and is_or_nil(at, is_int) and is_or_nil(by, is_text) and is_list(notes, is_note)


def is_signature(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_int(value[0]) and is_bytes(value[1], 64)


def is_note(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4 or not is_text(value[0]):
        return False
    values = is_list(value[2], lambda pair: isinstance(pair, list) and len(pair) == 2)
    return values and is_or_nil(value[1], is_text) and is_or_nil(value[3], is_text)


# --- what it says by itself ------------------------------------------------------------------------------------------


def own(record: Record) -> Found:
    """Find what is wrong with a record, whatever the log."""
    found = {*record.found}
    seen: dict[tuple[str, int], bytes] = {}
    for each in record.entries:
        if seen.setdefault(record.slot(each), each.mark) != each.mark:
            found.add(("mark", each.number))
        if not is_signed(record, each):
            found.add(("signature", each.number))
    marks = record.marks()
    for moment, code in record.head.get("compared", []):
        if {mark[:16] for mark in marks.get(("moment", moment), [])} != {code}:
            found.add(("mark", max(moment - 1, 0)))
    digest = sha256(record.head["roster"]).digest()
    if not by_host(record, record.head["sig"], "kifu roster sig 1", digest):
        found.add(("signature", None))
    return found


def by_host(record: Record, sig: Any, *message: Any) -> bool:
    return sig is None if record.host_key is None else signed(record.host_key, sig, *message)


def is_signed(record: Record, entry: Entry) -> bool:
    kind, number, told, salt, mark, sig = entry
    if kind <= END:
        digest = sha("kifu told 1", salt, told) if record.is_full else told
        return by_host(record, sig, "kifu host 1", record.match, record.seat, kind, number, mark, digest)
    if not record.is_full:
        return True
    if kind == SENT:
        _, match, seat, _, of, *_ = entry.value
        same = (match, seat, of) == (record.match, record.seat, mark)
        return same and has_signed(record.keys[seat], sig, told)
    what, at, by, given = entry.value
    for seat, signature in given:
        key = record.keys[seat] if seat < len(record.keys) else None
        if not signed(key, signature, "kifu wish 1", record.match, seat, number, mark, what, at):
            return False
    have = {seat for seat, _ in given}
    return all(
        key is None or seat in have or not (seat == by or what == "abandon") for seat, key in enumerate(record.keys)
    )


def salt_of(veil: bytes, entry: Entry, seat: int | None) -> bytes:
    return b2(canonical(["kifu salt 1", entry.kind, entry.number, seat]), veil, 16)

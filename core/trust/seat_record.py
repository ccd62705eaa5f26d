"""A seat record: a head and entries, what a seat was told of a match and what it sent (`docs/trust.md`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgpack
from attrs import evolve, frozen

from ..errors import Message, TrustError
from ..log.broken import BrokenObject
from ..log.findings import Finding
from ..log.framing import ObjectStream, parse_strict
from ..log.validation import is_int, is_text
from .canonical import from_canonical
from .formulas import (
    CODE_BYTES,
    END,
    EVENT,
    LOOK,
    MARK_BYTES,
    SALT_BYTES,
    SENT,
    SIGNATURE_BYTES,
    WISH,
    code,
    code_bytes,
    told_digest,
)
from .header_keys import has_bytes
from .roster import Roster, read_roster

VERSION = 1
FULL, PUBLIC = "full", "public"
TOLD_DIGEST_BYTES = 32
MAX_NUMBER = (1 << 53) - 1
"""The highest number of an event or a moment: readers in JavaScript have no higher ints."""
COMMAND, PROPOSAL = "kifu command 1", "kifu wish 1"
SENT_PARTS = {COMMAND: 8, PROPOSAL: 7}
"""What a seat signs, and how many parts such a message has."""


@frozen
class Entry:
    """One entry of a seat record: what was told (in the public form its hash), and what it was told under."""

    kind: int
    number: int
    told: bytes
    salt: bytes | None
    mark: bytes
    sig: bytes | None

    def packed(self) -> bytes:
        """Return the entry's bytes in the file."""
        parts = [self.kind, self.number, self.told, self.salt, self.mark, self.sig]
        return msgpack.packb(parts)  # type: ignore[no-any-return]

    @property
    def time(self) -> int | None:
        """The place of an entry among all that was told, else None: event n is between moments n and n + 1."""
        return None if self.kind > END else 2 * self.number + (self.kind == EVENT)

    def value(self) -> Any:
        """Return what was told, of an entry in the full form."""
        return from_canonical(self.told)


@frozen
class Record:
    """A seat record as it was read: its head, the entries up to the first malformed one, and what is wrong with it."""

    form: str
    seat: int | None
    roster_raw: bytes
    roster: Roster
    sig: bytes | None
    entries: tuple[Entry, ...] = ()
    findings: tuple[Finding, ...] = ()
    size: int = 0
    """Where the last whole object ends."""
    tail: bytes = b""
    """What follows, if the file ends inside an entry."""
    compared: tuple[tuple[int, bytes], ...] = ()
    """The codes of other players that the owner found equal: of a moment, the first 16 bytes of its mark."""

    def marks(self) -> dict[int, bytes]:
        """Return the mark of each moment that the record has one of; of two the first."""
        found: dict[int, bytes] = {}
        for entry in self.entries:
            of, moment = moment_of(entry, self.form)
            if of == "moment":
                found.setdefault(moment, entry.mark)
        return found

    def head(self) -> dict[str, Any]:
        """Return the head as plain data."""
        more = {"compared": [list(each) for each in self.compared]} if self.compared else {}
        return head(self.seat, self.roster_raw, self.sig, form=self.form) | more

    def agree(self, moment: int, typed: str) -> Record:
        """Note another player's code of a moment, which is that of this record; raises `TrustError` if it is not."""
        known = self.marks().get(moment)
        if known is None:
            english = "there is no mark of moment {moment} in what is recorded"
            raise TrustError("record", Message("no-mark-of", english, moment=moment))
        if code_bytes(typed) != known[:CODE_BYTES]:
            english = "another code than this record's after {moment} events: {code}"
            raise TrustError("record", Message("other-code", english, moment=moment, code=code(known)))
        return evolve(self, compared=tuple(sorted({*self.compared, (moment, known[:CODE_BYTES])})))

    def packed(self) -> bytes:
        """Return the record's bytes, without what was malformed."""
        return b"".join([msgpack.packb(self.head()), *(entry.packed() for entry in self.entries)])

    def public(self) -> Record:
        """Return the public form: hashes instead of what was told, and nothing of what the seat sent."""
        if self.form == PUBLIC:
            return self
        shown = [entry for entry in self.entries if entry.kind != SENT]
        hidden = tuple(evolve(each, told=told_digest(each.salt, each.told), salt=None) for each in shown)
        return evolve(self, form=PUBLIC, entries=hidden)


def head(seat: int | None, roster: bytes, sig: bytes | None = None, *, form: str = FULL) -> dict[str, Any]:
    """Make the head of a record (`seat` None: a spectator's)."""
    return {"kifu_record": VERSION, "form": form, "seat": seat, "roster": roster, "sig": sig}


def read_bytes(data: bytes) -> Record:
    """Read a record from its bytes; raises `TrustError` if it is none. What else is wrong is in its `findings`."""
    objects = ObjectStream(data)
    stream = iter(objects)
    _, start, size = next(stream, (None, 0, 0))
    record = _head(parse_strict(data[start:size]) if size else None)
    entries: list[Entry] = []
    findings: list[Finding] = []
    for _, start, stop in stream:
        value = parse_strict(data[start:stop])
        wrong = value.why if isinstance(value, BrokenObject) else entry_error(value, record.form)
        if wrong is not None:
            english = "entry {place} is malformed, nothing after it is read: {why}"
            findings.append(Finding("record", Message("malformed-entry", english, place=len(entries), why=wrong)))
            break
        entries.append(Entry(*value))
        size = stop
    else:
        if objects.noise is not None:
            findings.append(Finding("record", objects.noise))
        if objects.torn:
            findings.append(Finding("torn", Message("torn-record", "the record ends inside an entry")))
    tail = data[size:] if objects.torn and [each.kind for each in findings] == ["torn"] else b""
    findings += _out_of_order(entries)
    return evolve(record, entries=tuple(entries), findings=tuple(findings), size=size, tail=tail)


def with_compared(data: bytes, record: Record) -> bytes:
    """Return the bytes of a record's file with the codes that this record notes; all else stays as it is."""
    _, start, stop = next(iter(ObjectStream(data)))
    known = parse_strict(data[start:stop])
    known["compared"] = [list(each) for each in record.compared]
    return msgpack.packb(known) + data[stop:]  # type: ignore[no-any-return]


def _head(value: Any) -> Record:
    if value.__class__ is not dict or "kifu_record" not in value:
        raise _no_record(Message("no-kifu-record", "no record: it has no 'kifu_record'"))
    if not is_int(value["kifu_record"]) or value["kifu_record"] != VERSION:
        english = "a record of another format; this program reads format {known}"
        raise _no_record(Message("other-record", english, known=VERSION))
    seat, sig = value.get("seat"), value.get("sig")
    shaped = (
        next(iter(value)) == "kifu_record"
        and value.get("form") in (FULL, PUBLIC)
        and "seat" in value
        and (seat is None or is_int(seat))
        and value.get("roster").__class__ is bytes
        and "sig" in value
        and (sig is None or has_bytes(sig, SIGNATURE_BYTES))
        and is_text(value.get("made", ""))
        and _are_compared(value.get("compared", []))
    )
    if not shaped:
        raise _no_record(
            Message("record-head", "no record: its head has not the form, seat, roster and signature of one")
        )
    try:
        roster = read_roster(value["roster"])
    except TrustError as cause:
        raise _no_record(Message("record-roster", "no record: {why}", why=cause.why)) from None
    if seat is not None and seat >= len(roster.names):
        raise _no_record(Message("record-seat", "no record: its roster has no seat {seat}", seat=seat))
    compared = tuple((moment, each) for moment, each in value.get("compared", []))
    return Record(value["form"], seat, value["roster"], roster, sig, compared=compared)


def _are_compared(value: Any) -> bool:
    if value.__class__ is not list or not all(each.__class__ is list and len(each) == 2 for each in value):
        return False
    return all(_is_number(moment) and has_bytes(each, CODE_BYTES) for moment, each in value)


def _is_number(value: Any) -> bool:
    return is_int(value) and value <= MAX_NUMBER


def _no_record(why: str) -> TrustError:
    return TrustError("record", why)


def _out_of_order(entries: list[Entry]) -> Iterator[Finding]:
    latest = 0
    for entry in entries:
        if entry.time is None:
            continue
        if entry.time < latest:
            yield Finding("record", Message("out-of-order", "this entry stands after a later one"), entry.number)
        latest = max(latest, entry.time)


def entry_error(value: Any, form: str) -> str | None:
    """Say what is wrong with the shape of an entry, None if nothing is."""
    if value.__class__ is not list or len(value) != 6:
        return Message("entry-of-six", "an entry is a list of six")
    kind, number, told, salt, mark, sig = value
    if not is_int(kind) or kind > SENT or not _is_number(number):
        return Message("entry-number", "its kind is not 0 to 4, or its number is none")
    if told.__class__ is not bytes or not has_bytes(mark, MARK_BYTES):
        return Message("entry-told", "what was told is not bytes, or the mark is not 32 bytes")
    if sig is not None and (not has_bytes(sig, SIGNATURE_BYTES) or kind == WISH):
        return Message("entry-sig", "its signature is not 64 bytes or nil")
    if form == PUBLIC:
        fits = kind != SENT and salt is None and len(told) == TOLD_DIGEST_BYTES
        return None if fits else Message("entry-public", "in the public form there is a hash, no salt and nothing sent")
    if (salt is not None) if kind > END else not has_bytes(salt, SALT_BYTES):
        return Message("entry-salt", "its salt is not 16 bytes, or there is one where there is none")
    try:
        parts = from_canonical(told)
    except TrustError as cause:
        return cause.why
    return None if _TOLD[kind](parts) else Message("told-shape", "what was told has not the parts of its kind")


def _is_told_event(value: Any) -> bool:
    if value.__class__ is not list or len(value) != 8:
        return False
    seq, actor, tag, fields, hidden, at, by, notes = value
    known = is_int(seq) and is_int(actor, -1) and is_text(tag) and fields.__class__ is dict
    meta = hidden.__class__ is bool and (at is None or is_int(at)) and (by is None or is_text(by))
    return known and meta and notes.__class__ is list and all(map(_is_note, notes))


def _is_note(value: Any) -> bool:
    if value.__class__ is not list or len(value) != 4:
        return False
    key, rule, values, begins = value
    texts = is_text(key) and all(each is None or is_text(each) for each in (rule, begins))
    return texts and values.__class__ is list and all(each.__class__ is list and len(each) == 2 for each in values)


def _is_told_look(value: Any) -> bool:
    return value.__class__ is list and len(value) == 2 and is_int(value[0])


def _is_told_end(value: Any) -> bool:
    if value.__class__ is not list or len(value) != 4:
        return False
    events, end, points, winners = value
    return is_int(events) and is_text(end) and all(each is None or each.__class__ is list for each in (points, winners))


def _is_told_wish(value: Any) -> bool:
    if value.__class__ is not list or len(value) != 4:
        return False
    kind, at, by, signed = value
    return is_text(kind) and is_int(at, -1) and is_int(by) and signed.__class__ is list and all(map(_is_signed, signed))


def _is_signed(value: Any) -> bool:
    return value.__class__ is list and len(value) == 2 and is_int(value[0]) and has_bytes(value[1], SIGNATURE_BYTES)


def _is_sent(value: Any) -> bool:
    if value.__class__ is not list or len(value) < 5 or not is_text(value[0]) or len(value) != SENT_PARTS.get(value[0]):
        return False
    _, match, seat, moment, mark, *_ = value
    return is_text(match) and is_int(seat) and is_int(moment) and has_bytes(mark, MARK_BYTES)


_TOLD: dict[int, Callable[[Any], bool]] = {
    EVENT: _is_told_event,
    LOOK: _is_told_look,
    END: _is_told_end,
    WISH: _is_told_wish,
    SENT: _is_sent,
}


def moment_of(entry: Entry, form: str) -> tuple[str, int]:
    """Return what an entry's mark is of: `("moment", n)`, or `("end", n)`."""
    if entry.kind == END:
        return "end", entry.number
    if entry.kind == EVENT:
        return "moment", entry.number + 1
    return "moment", entry.value()[3] if entry.kind == SENT and form == FULL else entry.number

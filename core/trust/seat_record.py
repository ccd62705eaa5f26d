"""A seat record: a head and entries, what a seat was told of a match and what it sent (`docs/trust.md`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
from attrs import evolve, frozen

from ..errors import LogError, Message, TrustError
from ..log.broken import BrokenObject
from ..log.files import GrowingFile, Path_, cut_tail, locked, read_error, require_regular, write_whole, writing
from ..log.findings import Finding
from ..log.framing import ObjectStream, parse_strict
from ..log.validation import is_int
from .canonical import from_canonical
from .formulas import (
    DIGEST_BYTES,
    END,
    EVENT,
    LOOK,
    MARK_BYTES,
    SALT_BYTES,
    SENT,
    SIGNATURE_BYTES,
    WISH,
    told_digest,
)
from .roster import Roster, read_roster
from .shapes import COUNT, NIL, SEAT, TEXT, Shape, anything, below, either, fits, maybe

VERSION = 1
FULL, PUBLIC = "full", "public"
MAX_NUMBER = (1 << 53) - 1
"""The highest number of an event or a moment: readers in JavaScript have no higher ints."""

Slot = tuple[str, int]
"""What a mark is of: `("moment", n)` or `("end", n)`."""


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
    def moment(self) -> int:
        """The moment whose mark the entry has: of an event the one after it."""
        return self.number + (self.kind == EVENT)

    @property
    def slot(self) -> Slot:
        """What the mark of an entry is of that was told."""
        return ("end" if self.kind == END else "moment"), self.moment

    @property
    def time(self) -> int | None:
        """The place of an entry among all that was told, else None: event n is between moments n and n + 1."""
        return None if self.kind > END else self.number + self.moment

    def value(self) -> Any:
        """Return what was told, of an entry in the full form."""
        return from_canonical(self.told)


@frozen
class Record:
    """A seat record as it was read: its head, the entries up to the first malformed one, and what is wrong with it."""

    form: str
    seat: int | None
    roster: Roster
    sig: bytes | None
    entries: tuple[Entry, ...] = ()
    findings: tuple[Finding, ...] = ()
    size: int = 0
    """Where the last whole object ends."""
    tail: bytes = b""
    """What follows, if the file ends inside an entry."""

    def marks(self) -> dict[int, bytes]:
        """Return the mark of each moment that was told; of two the first."""
        found: dict[int, bytes] = {}
        for entry in self.entries:
            if entry.kind < END:
                found.setdefault(entry.moment, entry.mark)
        return found

    def head(self) -> dict[str, Any]:
        """Return the head as plain data."""
        return head(self.seat, self.roster.packed(), self.sig, form=self.form)

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


HEAD: Shape = {
    "form": lambda form: form in (FULL, PUBLIC),
    "seat": maybe(COUNT),
    "roster": bytes,
    "sig": maybe(SIGNATURE_BYTES),
    "made": TEXT,
}


def _head(value: Any) -> Record:
    if value.__class__ is not dict or "kifu_record" not in value:
        raise _no_record(Message("no-kifu-record", "no record: it has no 'kifu_record'"))
    if not is_int(value["kifu_record"]) or value["kifu_record"] != VERSION:
        english = "a record of another format; this program reads format {known}"
        raise _no_record(Message("other-record", english, known=VERSION))
    seat, sig = value.get("seat"), value.get("sig")
    if next(iter(value)) != "kifu_record" or not fits({"made": "", **value}, HEAD):
        raise _no_record(
            Message("record-head", "no record: its head has not the form, seat, roster and signature of one")
        )
    try:
        roster = read_roster(value["roster"])
    except TrustError as cause:
        raise _no_record(Message("record-roster", "no record: {why}", why=cause.why)) from None
    if seat is not None and seat >= len(roster.names):
        raise _no_record(Message("record-seat", "no record: its roster has no seat {seat}", seat=seat))
    return Record(value["form"], seat, roster, sig)


def _no_record(why: str) -> TrustError:
    return TrustError("record", why)


def _out_of_order(entries: list[Entry]) -> Iterator[Finding]:
    latest = 0
    for entry in entries:
        time = latest if entry.time is None else entry.time
        if time < latest:
            yield Finding("record", Message("out-of-order", "this entry stands after a later one"), entry.number)
        latest = max(latest, time)


def entry_error(value: Any, form: str) -> str | None:
    """Say what is wrong with the shape of an entry, None if nothing is."""
    shape = ENTRIES.get((form, value[0])) if fits(value, list) and value and fits(value[0], COUNT) else None
    if shape is None or not fits(value, shape):
        return Message("entry-is-not", "it has not the parts of an entry in the {form} form", form=form)
    if form == PUBLIC:
        return None
    kind, _, told, *_ = value
    try:
        parts = from_canonical(told)
    except TrustError as cause:
        return cause.why
    return None if fits(parts, TOLD[kind]) else Message("told-shape", "what was told has not the parts of its kind")


NUMBER = below(MAX_NUMBER + 1)
SIG = maybe(SIGNATURE_BYTES)
ENTRIES: dict[Any, Shape] = {
    **{(FULL, kind): (COUNT, NUMBER, bytes, SALT_BYTES, MARK_BYTES, SIG) for kind in (EVENT, LOOK, END)},
    (FULL, WISH): (COUNT, NUMBER, bytes, NIL, MARK_BYTES, NIL),
    (FULL, SENT): (COUNT, NUMBER, bytes, NIL, MARK_BYTES, SIG),
    **{(PUBLIC, kind): (COUNT, NUMBER, DIGEST_BYTES, NIL, MARK_BYTES, SIG) for kind in (EVENT, LOOK, END)},
    (PUBLIC, WISH): (COUNT, NUMBER, DIGEST_BYTES, NIL, MARK_BYTES, NIL),
}
"""The parts of an entry, by the record's form and the entry's kind."""

SENT_SHAPE = either(
    ("kifu command 1", TEXT, COUNT, COUNT, MARK_BYTES, *[anything] * 3),
    ("kifu wish 1", TEXT, COUNT, COUNT, MARK_BYTES, *[anything] * 2),
    ("kifu command 2", DIGEST_BYTES, COUNT, COUNT, MARK_BYTES, *[anything] * 3, maybe(DIGEST_BYTES)),
    ("kifu wish 2", DIGEST_BYTES, COUNT, COUNT, MARK_BYTES, *[anything] * 2),
)
"""What a seat signs."""

NOTE: Shape = (TEXT, maybe(TEXT), [(TEXT, anything)], maybe(TEXT))
EVENT_PARTS = (COUNT, SEAT, TEXT, dict, bool, maybe(COUNT), maybe(TEXT), [NOTE])
TOLD: dict[int, Shape] = {
    EVENT: either(EVENT_PARTS, (*EVENT_PARTS, TEXT)),
    LOOK: either((COUNT, anything), (COUNT, anything, TEXT)),
    END: (COUNT, TEXT, maybe(list), maybe(list)),
    WISH: (TEXT, SEAT, COUNT, [(COUNT, SIGNATURE_BYTES)]),
    SENT: SENT_SHAPE,
}
"""The parts of what was told, by the entry's kind."""


@contextmanager
def _in_file(path: Path_) -> Iterator[None]:
    """Raise `TrustError`, with the path, for what is wrong with a record's file."""
    try:
        yield
    except TrustError as cause:
        kind, why = cause.kind, cause.why
    except LogError as cause:
        kind, why = "record", cause.message
    except (OSError, ValueError) as cause:
        kind, why = "record", read_error(path, cause).message
    else:
        return
    raise TrustError(kind, why, os.fspath(path))


def read(path: Path_) -> Record:
    """Read a seat record; raises `TrustError` if the file cannot be read, or is none."""
    with _in_file(path):
        require_regular(path)
        return read_bytes(Path(path).read_bytes())


class RecordWriter:
    """A seat record that grows: `append` returns when the entry is on disk.

    Make one with `create` for a new record, or with `open` to go on with an old one.
    """

    def __init__(self, path: Path, record: Record) -> None:
        self.path = path
        self.record = record
        """The head; what stood in the file when it was opened."""
        self._known = {entry.packed() for entry in record.entries}
        self._latest = max((entry.time or 0 for entry in record.entries), default=0)
        self._file = GrowingFile(path, record.size)

    @classmethod
    def create(cls, path: Path_, head: Mapping[str, Any]) -> RecordWriter:
        """Begin a record with this head (`records.head`); raises `TrustError` for no head, or if the file is there."""
        raw = msgpack.packb(dict(head))
        with _in_file(path):
            record = read_bytes(raw)
            write_whole(path, raw, new=True, private=True)
            return cls(Path(path), record)

    @classmethod
    def open(cls, path: Path_) -> RecordWriter:
        """Go on with a record; a torn last entry is cut off and kept beside it as `NAME.torn`.

        Raises `TrustError` where it is no record, or anything else is wrong with it; then nothing is touched.
        """
        with _in_file(path), locked(path):
            record = read(path)
            wrong = next((each for each in record.findings if each.kind != "torn"), None)
            if wrong is not None:
                raise TrustError("record", wrong.message)
            if record.tail:
                cut_tail(Path(path), record.size, record.tail)
            return cls(Path(path), record)

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, entry: Entry | Sequence[Any]) -> None:
        """Write an entry and return once it is on disk; one that is there already is not written again.

        Raises `TrustError` for a malformed entry, or one that is told later than what came after it; the record is as
        it was.
        """
        parts = list(entry) if isinstance(entry, Sequence) else msgpack.unpackb(entry.packed())
        with _in_file(self.path):
            wrong = entry_error(parts, self.record.form)
            if wrong is not None:
                raise TrustError("record", wrong)
            new = Entry(*parts)
            raw, time = new.packed(), new.time
            if raw in self._known:
                return
            if time is not None and time < self._latest:
                raise TrustError("record", Message("out-of-order", "this entry stands after a later one"))
            if self._file.closed:
                raise TrustError("record", Message("record-closed", "this record is closed"))
            with writing(self.path):
                self._file.append(raw)
            self._known.add(raw)
            self._latest = max(self._latest, time or 0)

    def close(self) -> None:
        """Close the file; the record stays as it is."""
        self._file.close()

"""An audit, a record held against a log, and two records held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .codec import Misfit, canonical, sha
from .commands import audit_commands
from .forks import audit_fork
from .log import Found, Log, Unfit, is_fair, is_header
from .record import END, EVENT, LOOK, Entry, NoRecord, Record, own, salt_of


def audit(data: bytes, parent: bytes | None = None) -> Found:
    """Find what is wrong with a log alone, or held against that of the match that it forks."""
    if parent is not None:
        of_parent = {("head", None)} if "fork" in Log(data).header and audit(parent) else set()
        return audit(data) | of_parent | audit_fork(Log(data), Log(parent))
    log = Log(data)
    found = audit_commands(log)
    if not is_header(log.header):
        found.add(("header", None))
    elif log.torn:
        found.add(("torn", None))
    if not is_fair(log):
        found.add(("fair", None))
    if "veil" in log.header and not log.marks:
        found.add(("veil", None))
    if log.forked_at >= len(log.events) and {"fair", "veil", "sign"} & set(log.header):
        found.add(("signature" if "sign" in log.header else "veil", None))
    return found


def is_record(data: bytes) -> bool:
    """Whether these bytes are a seat record."""
    try:
        Record(data)
    except NoRecord:
        return False
    return True


def redacted(data: bytes | None) -> set[int]:
    """Return the events that the holder of a record was told redacted."""
    if data is None or not is_record(data):
        return set()
    record = Record(data)
    told = [each for each in record.entries if each.kind == EVENT and record.is_full]
    return {each.number for each in told if each.value[4]}


def verify(record: bytes, data: bytes, parent: bytes | None = None) -> Found:
    """Find what is wrong with a record and a log, and where they differ."""
    try:
        mine = Record(record)
    except NoRecord:
        return {("record", None)}
    log = Log(data)
    match = log.header.get("match")
    if isinstance(match, str) and match != mine.match:
        return {("head", None)}
    found = audit(data, parent) | own(mine)
    try:
        same = log.roster() == mine.head["roster"]
    except (Unfit, ValueError):
        same = False
    if not same:
        found.add(("head", None))
    opens = bool(log.marks) and sha("kifu veil 1", mine.match, log.veil) == mine.roster[11]
    if not opens:
        found.add(("veil", None))
    if log.header:
        found |= {(kind, each.number) for each in mine.entries for kind in _held_to(mine, each, log, opens)}
    return found | (_marks(mine, log) if opens and log.header else set())


def _marks(mine: Record, log: Log) -> Found:
    """Find the first mark that is not the one of the log's bytes."""
    count = len(log.events)
    known = {("moment", moment): mark for moment, mark in enumerate(log.marks[: count + 1])}
    if log.end is not None:
        known["end", count] = log.marks[-1]
    wrong = [each for each in mine.entries if known.get(mine.slot(each), each.mark) != each.mark]
    return {("mark", each.number) for each in wrong[:1]}


def _held_to(mine: Record, entry: Entry, log: Log, opens: bool) -> Iterator[str]:
    """Yield what is wrong with what was told, as far as it needs no rules."""
    count, number = len(log.events), entry.number
    if entry.kind > END:
        return
    ended = log.end is not None and number == count
    if not (ended if entry.kind == END else number < count + (entry.kind == LOOK)):
        yield "missing"
    elif mine.is_full:
        if opens and entry.salt != salt_of(log.veil, entry, mine.seat):
            yield "told"
        if not _is_in(log, entry.kind, number, entry.value):
            yield "told"
    elif entry.kind == END and opens:
        told = canonical(_end(log, number))
        if entry.told != sha("kifu told 1", salt_of(log.veil, entry, mine.seat), told):
            yield "told"


def _end(log: Log, number: int) -> list[Any]:
    return [number, *((log.end or {}).get(key) for key in ("end", "points", "winners"))]


def _is_in(log: Log, kind: int, number: int, told: Any) -> bool:
    """Whether what was told stands in the log; of what is redacted, the rules know more."""
    if kind == LOOK:
        return bool(told[0] == number)
    if kind == END:
        return _same(told, _end(log, number))
    event = log.events[number]
    seq, actor, tag, fields, redacted, at, by, _ = told
    if not _same([seq, actor, at, by], [number, event.seat, event.of_meta("at"), event.of_meta("by")]):
        return False
    if redacted or log.rules_at(number) != log.rules_at(len(log.events)):  # then it may be told by its upcast
        return True
    return _same([tag, fields], [event.tag, event.fields])


def _same(told: Any, given: Any) -> bool:
    try:
        return canonical(told) == canonical(given)
    except Misfit:
        return False


def compare(one: bytes, other: bytes) -> Found:
    """Find what is wrong with two records of one match, and where they differ."""
    try:
        mine, theirs = Record(one), Record(other)
    except NoRecord:
        return {("record", None)}
    if mine.match != theirs.match:
        return {("head", None)}
    found = own(mine) | own(theirs)
    if mine.head["roster"] != theirs.head["roster"]:
        found.add(("head", None))
    known, others = mine.marks(), theirs.marks()
    apart = [slot for slot in known if slot in others and set(known[slot]) != set(others[slot])]
    if apart:
        of, number = min(apart, key=lambda slot: (slot[1], slot[0] == "end"))
        found.add(("mark", number if of == "end" else max(number - 1, 0)))
    for ended, going in ((mine, theirs), (theirs, mine)):
        latest = max((each.number + (each.kind == EVENT) for each in going.entries if each.kind <= END), default=0)
        found |= {("missing", each.number) for each in ended.entries if each.kind == END and each.number < latest}
    return found | ({("told", seq) for seq in _told_apart(mine, theirs)} if mine.is_full and theirs.is_full else set())


def _told_apart(mine: Record, theirs: Record) -> Iterator[int]:
    """Yield the events of which two seats were told two things."""
    for entry in mine.entries:
        for other in theirs.entries:
            if entry.kind == other.kind == EVENT and entry.number == other.number:
                one, two = entry.value, other.value
                names = set(one[3]) & set(two[3]) if one[4] or two[4] else set(one[3]) | set(two[3])
                if not _same(_open(one, names), _open(two, names)):
                    yield entry.number


def _open(told: list[Any], names: set[str]) -> list[Any]:
    """Return what others may compare: actor, tag, time, who gave it, and these fields."""
    return [told[1], told[2], told[5], told[6], {name: told[3][name] for name in names & set(told[3])}]

"""Two seat records of one match held against each other, while it goes on or after (`docs/trust.md`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import Message
from .canonical import canonical
from .formulas import END, EVENT
from .seat_record import FULL, Record
from .verdict import Findings, OwnChecks, Slot, Verdict, parsed


def compare(a: Record | bytes, b: Record | bytes) -> Verdict:
    """Hold two records against each other; never raises. `proof` is for what the host has signed itself."""
    findings = Findings()
    one, other = parsed(a, findings), parsed(b, findings)
    if one is None or other is None:
        return Verdict(findings.sorted())
    if one.roster.match != other.roster.match:
        findings.add("head", None, Message("other-matches", "the records are of two matches"))
        key = one.roster.keys.host
        return Verdict(findings.sorted(), one.roster.match, host_key=key if key == other.roster.keys.host else None)
    mine, theirs = OwnChecks(one).run(), OwnChecks(other).run()
    for each in (mine, theirs):
        findings.put_all(each.findings.sorted())
    if one.roster_raw != other.roster_raw:
        findings.add("head", None, Message("two-rosters", "the host has shown two rosters"))
    proof = mine.proof or theirs.proof
    slot = _first_apart(mine, theirs)
    if slot is not None:
        english = "the host has two histories: the marks of this moment differ"
        seq = slot[1] if slot[0] == "end" else max(slot[1] - 1, 0)
        findings.add("mark", seq, Message("two-histories", english))
        proof = proof or _is_signed_by_one(mine, theirs)
    for number in _ended_and_went_on(one, other):
        english = "one was told that the match had ended here, the other that it went on"
        findings.add("missing", number, Message("ended-and-went-on", english))
    for number, parts in _told_apart(one, other):
        findings.add("told", number, Message("told-two-things", "two seats were told two things: {parts}", parts=parts))
    return _verdict(findings, mine, theirs, proof)


def _verdict(findings: Findings, mine: OwnChecks, theirs: OwnChecks, proof: bool) -> Verdict:
    """Return the verdict over what both records cover."""
    both = mine.verdict(), theirs.verdict()
    common = [slot for slot in mine.marks if slot in theirs.marks and slot[0] == "moment"]
    ends = {each.ended for each in both if each.ended is not None}
    return Verdict(
        findings=findings.sorted(),
        match=both[0].match,
        first=max((each.first for each in both if each.first is not None), default=None),
        last=min((each.last for each in both if each.last is not None), default=None),
        mark=next(iter(mine.marks[max(common)])) if common else None,
        signed=all(each.signed for each in both),
        ended=min(ends) if len(ends) == 1 else None,
        unchecked=tuple(dict.fromkeys([*mine.unchecked, *theirs.unchecked])),
        proof=proof,
        host_key=both[0].host_key if both[0].host_key == both[1].host_key else None,
    )


def _in_time(slot: Slot) -> tuple[int, bool]:
    return slot[1], slot[0] == "end"


def _first_apart(mine: OwnChecks, theirs: OwnChecks) -> Slot | None:
    """Find the first moment, or end, of which both have marks, and not the same."""
    common = sorted((slot for slot in mine.marks if slot in theirs.marks), key=_in_time)
    return next((slot for slot in common if mine.marks[slot].keys() != theirs.marks[slot].keys()), None)


def _is_signed_by_one(mine: OwnChecks, theirs: OwnChecks) -> bool:
    """Return True if one host has signed two marks of one moment, one in each record."""
    if mine.record.roster.keys.host != theirs.record.roster.keys.host:
        return False

    def signed(checks: OwnChecks, slot: Slot) -> set[bytes]:
        return {mark for mark, places in checks.marks[slot].items() if checks.valid & set(places)}

    return any(len(signed(mine, slot) | signed(theirs, slot)) > 1 for slot in mine.marks if slot in theirs.marks)


def _ended_and_went_on(one: Record, other: Record) -> Iterator[int]:
    """Name the ends that were told in one record, after which the other has more."""
    for ended, going in ((one, other), (other, one)):
        for entry in ended.entries:
            if entry.kind == END and any(
                each.kind <= END and each.number + (each.kind == EVENT) > entry.number for each in going.entries
            ):
                yield entry.number


def _told_apart(one: Record, other: Record) -> Iterator[tuple[int, str]]:
    """Name the events of which two seats were told two things, each time what differs."""
    if one.form != FULL or other.form != FULL:
        return
    mine, theirs = _told_events(one), _told_events(other)
    for number in mine:
        for told in mine[number].values():
            apart = (_parts_apart(told, each) for each in theirs.get(number, {}).values())
            if parts := next(filter(None, apart), None):
                yield number, ", ".join(parts)[:200]


def _told_events(record: Record) -> dict[int, dict[bytes, Any]]:
    """Return what was told of each event, by its bytes: the same once."""
    told: dict[int, dict[bytes, Any]] = {}
    for entry in record.entries:
        if entry.kind == EVENT:
            told.setdefault(entry.number, {})[entry.told] = entry.value()
    return told


def _parts_apart(one: list[Any], other: list[Any]) -> list[str]:
    return [name for name, mine, yours in _open_to_both(one, other) if mine != yours]


def _open_to_both(one: list[Any], other: list[Any]) -> Iterator[tuple[str, bytes, bytes]]:
    """Give what both were shown, by its name and bytes: fields that one saw redacted are left out."""
    for name, place in (("actor", 1), ("tag", 2), ("at", 5), ("by", 6)):
        yield name, canonical(one[place]), canonical(other[place])
    mine, theirs = one[3], other[3]
    redacted = one[4] or other[4]
    names = mine.keys() & theirs.keys() if redacted else mine.keys() | theirs.keys()
    for name in sorted(names):
        yield name, canonical([mine[name]] if name in mine else []), canonical([theirs[name]] if name in theirs else [])

"""What verifying comes to, and what a seat record says by itself: its signatures, and marks that contradict it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, evolve, field, frozen

from ..errors import Message, TrustError
from ..log.findings import Finding, one_message
from . import signing
from .formulas import (
    CODE_BYTES,
    END,
    SENT,
    WISH,
    code,
    fingerprint,
    roster_digest,
    roster_message,
    told_digest,
    told_message,
    wish_message,
)
from .seat_record import FULL, Entry, Record, moment_of, read_bytes

Slot = tuple[str, int]
"""What a mark is of: `("moment", n)` or `("end", n)`."""


@frozen
class Verdict:
    """What was found, and what a record covers.

    `first` and `last` are the numbers of its first and last entry that was told; `mark` that of the last moment that
    it has; `signed` whether the host's signatures are there and hold; `ended` `over`, `by consent`, `called off` or
    None; `unchecked` says what was not compared, and why; `proof` whether the host has signed two marks of one moment;
    `played_for` how many commands somebody else gave for each seat with a key, by the name in `by`; `host_key` the key
    that the host's signatures were held to, 32 bytes: who it is of, no record can say; `bound` the moments whose codes
    the owner has compared with another player's.
    """

    findings: tuple[Finding, ...]
    match: str | None = None
    seat: int | None = None
    first: int | None = None
    last: int | None = None
    mark: bytes | None = None
    signed: bool = False
    ended: str | None = None
    unchecked: tuple[str, ...] = ()
    proof: bool = False
    played_for: Mapping[int, Mapping[str, int]] = field(factory=dict)
    host_key: bytes | None = None
    bound: tuple[int, ...] = ()

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the host's key, for people to compare; None if it has none."""
        return None if self.host_key is None else fingerprint(self.host_key)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def code(self) -> str | None:
        """The code of the last moment, for two players to compare."""
        return None if self.mark is None else code(self.mark)


@define
class Findings:
    """Findings as they come: of each kind and event one, which says all."""

    _found: dict[tuple[str, int | None], dict[str, Finding]] = field(factory=dict)

    def add(self, kind: str, seq: int | None, why: str) -> None:
        """Add what is wrong; where something of this kind is found already, it joins that."""
        self.put(Finding(kind, why, seq))

    def put(self, finding: Finding) -> None:
        """Add a finding."""
        self._found.setdefault((finding.kind, finding.seq), {}).setdefault(finding.message, finding)

    def put_all(self, findings: Iterable[Finding]) -> None:
        """Add these findings."""
        for finding in findings:
            self.put(finding)

    def sorted(self) -> tuple[Finding, ...]:
        """Return them by event, those on none last."""
        found = [evolve(next(iter(each.values())), message=one_message(each)) for each in self._found.values()]
        return tuple(sorted(found, key=lambda each: (each.seq is None, each.seq or 0, each.kind)))


def parsed(record: Record | bytes, findings: Findings) -> Record | None:
    """Return the record; None, and a finding, for bytes that are none."""
    if isinstance(record, Record):
        return record
    try:
        return read_bytes(record)
    except TrustError as cause:
        findings.add("record", None, cause.why)
        return None


@define
class OwnChecks:
    """What a record says by itself, without a log."""

    record: Record
    findings: Findings = field(factory=Findings)
    valid: set[int] = field(factory=set)
    """The places of the entries whose host signature holds."""
    unchecked: list[str] = field(factory=list)
    marks: dict[Slot, dict[bytes, list[int]]] = field(factory=dict)
    """For each slot its marks, in the order in which they came, and the places of the entries that have them."""

    def run(self) -> OwnChecks:
        """Check all of it."""
        self.findings.put_all(self.record.findings)
        self._roster_signature()
        for place, entry in enumerate(self.record.entries):
            self._mark(place, entry)
            self._signature(place, entry)
        self._compared()
        keys = self.record.roster.keys
        if not signing.is_available and keys.some:
            english = "signatures: that needs an extra: pip install 'kifu[sign]'"
            self.unchecked.append(Message("signatures-unchecked", english))
        return self

    def _compared(self) -> None:
        """Hold the codes of others that are noted against the marks."""
        for moment, noted in self.record.compared:
            marks = self.marks.get(("moment", moment), {})
            if {mark[:CODE_BYTES] for mark in marks} != {noted}:
                why = Message("compared-otherwise", "the code of another player that is noted here is another one")
                self.findings.add("mark", max(moment - 1, 0), why)

    @property
    def signed(self) -> bool:
        """Whether the host has signed the roster and all that it told."""
        told = [place for place, entry in enumerate(self.record.entries) if entry.kind <= END]
        wrong = any(each.kind == "signature" and each.seq is None for each in self.findings.sorted())
        return self.record.roster.keys.host is not None and signing.is_available and not wrong and self.valid >= {*told}

    @property
    def proof(self) -> bool:
        """Whether the host has signed two marks of one moment."""
        return any(
            sum(bool(self.valid & set(places)) for places in marks.values()) > 1 for marks in self.marks.values()
        )

    def _mark(self, place: int, entry: Entry) -> None:
        known = self.marks.setdefault(moment_of(entry, self.record.form), {})
        if known and entry.mark not in known:
            self.findings.add("mark", entry.number, Message("two-marks", "the record has two marks for one moment"))
        known.setdefault(entry.mark, []).append(place)

    def _roster_signature(self) -> None:
        record = self.record
        message = roster_message(roster_digest(record.roster_raw))
        wrong = self._host_error(message, record.sig)
        if wrong:
            self.findings.add("signature", None, Message("of-the-roster", "the roster: {why}", why=wrong))

    def _host_error(self, message: bytes, sig: bytes | None) -> str | None:
        """Say what is wrong with a signature of the host, None if nothing is or nothing can be checked."""
        key = self.record.roster.keys.host
        if key is None:
            return None if sig is None else Message("host-without-key", "it is signed, but the host has no key")
        if sig is None:
            return Message("host-not-signed", "the host has not signed it")
        if signing.is_available and not signing.check(key, message, sig):
            return Message("host-signature", "the signature is not the host's to this")
        return None

    def _signature(self, place: int, entry: Entry) -> None:
        record = self.record
        if entry.kind <= END:
            digest = told_digest(entry.salt, entry.told) if record.form == FULL else entry.told
            message = told_message(record.roster.match, record.seat, entry.kind, entry.number, entry.mark, digest)
            wrong = self._host_error(message, entry.sig)
            if wrong is not None:
                self.findings.add("signature", entry.number, wrong)
            elif record.roster.keys.host is not None and signing.is_available:
                self.valid.add(place)
        elif record.form == FULL:
            for wrong in self._wish_errors(entry) if entry.kind == WISH else self._sent_errors(entry):
                self.findings.add("signature", entry.number, wrong)

    def _wish_errors(self, entry: Entry) -> Iterator[str]:
        """Say what is wrong with the consents to a proposal; who abandons, all seats with a key must have signed."""
        keys, match = self.record.roster.keys, self.record.roster.match
        kind, at, by, signed = entry.value()
        for seat, signature in signed:
            message = wish_message(match, seat, entry.number, entry.mark, kind, at)
            yield from self._seat_error(seat, message, signature)
        have = {seat for seat, _ in signed}
        for seat, key in enumerate(keys.seats):
            if key is not None and seat not in have and (seat == by or kind == "abandon"):
                yield Message("wish-not-signed", "seat {seat} has not signed it", seat=seat)

    def _sent_errors(self, entry: Entry) -> Iterator[str]:
        _, match, seat, _, mark, *_ = entry.value()
        if match != self.record.roster.match or seat != self.record.seat or mark != entry.mark:
            yield Message("sent-otherwise", "the message is of another match, seat or mark than the entry")
        if entry.sig is None:
            yield Message("wish-not-signed", "seat {seat} has not signed it", seat=self.record.seat)
        else:
            yield from self._seat_error(self.record.seat, entry.told, entry.sig)

    def _seat_error(self, seat: Any, message: bytes, signature: bytes) -> Iterator[str]:
        key = self.record.roster.keys.of(seat)
        if key is None:
            yield Message("signed-without-key", "it is signed, but seat {seat} has no key", seat=str(seat)[:20])
        elif signing.is_available and not signing.check(key, message, signature):
            yield Message("not-signed-so", "the signature is not seat {seat}'s to this", seat=seat)

    def how_abandoned(self, events: int) -> str | None:
        """Say how an abandoned match of so many events ended: `by consent` if all seats with a key have signed that.

        Where no seat has a key nobody can sign, and nothing shows a consent: `called off`.
        Returns None where it cannot be told: in the public form, or without the extra.
        """
        if self.record.form != FULL or not signing.is_available:
            return None
        wrong = {each.seq for each in self.findings.sorted() if each.kind == "signature"}
        wishes = [each for each in self.record.entries if each.kind == WISH and each.number == events]
        agreed = any(each.value()[0] == "abandon" and each.number not in wrong for each in wishes)
        can_consent = any(key is not None for key in self.record.roster.keys.seats)
        return "by consent" if agreed and can_consent else "called off"

    def told(self) -> list[Entry]:
        """Return the entries that were told, without what the seat sent."""
        return [entry for entry in self.record.entries if entry.kind not in (WISH, SENT)]

    def verdict(self, **changes: Any) -> Verdict:
        """Return the verdict over the record as far as it is found."""
        told = self.told()
        moments = {slot: marks for slot, marks in self.marks.items() if slot[0] == "moment"}
        last = max(moments, default=None)
        return Verdict(
            **{
                "findings": self.findings.sorted(),
                "match": self.record.roster.match,
                "seat": self.record.seat,
                "first": min((entry.number for entry in told), default=None),
                "last": max((entry.number for entry in told), default=None),
                "mark": None if last is None else next(iter(moments[last])),
                "signed": self.signed,
                "ended": self._ended(),
                "unchecked": tuple(self.unchecked),
                "proof": self.proof,
                "host_key": self.record.roster.keys.host,
                "bound": tuple(sorted({moment for moment, _ in self.record.compared})),
                **changes,
            }
        )

    def _ended(self) -> str | None:
        ends = [entry for entry in self.record.entries if entry.kind == END]
        if not ends or self.record.form != FULL:
            return None
        return "over" if ends[-1].value()[1] == "over" else self.how_abandoned(ends[-1].number)

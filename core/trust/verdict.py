"""What verifying comes to, and what a seat record says by itself: its signatures, and marks that contradict it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from ..errors import Message, TrustError
from ..log.findings import Finding, FindingKind, one_message
from . import signing
from .audit import BY_THE_RULES, Audit, has_todays_rules
from .canonical import from_canonical
from .formulas import (
    END,
    EVENT,
    KEY_BYTES,
    SENT,
    WISH,
    code,
    fingerprint,
    grouped,
    roster_message,
    told_digest,
    told_message,
    wish_message,
)
from .header_keys import check_key, seats_named
from .roster import Roster
from .seat_record import FULL, Entry, Record, Slot, read_bytes

HOST, SEAT, OWNER = WORDS = ("host", "seat", "owner")
"""Whose word a finding is: the host, or a seat, has signed what it rests on, or whoever has the files says so."""


NOTHING_IN_COMMON = Message("nothing-in-common", "whether it is one history: the two have no moment in common")
"""What cannot be checked of a record that has no mark of what it is held against."""


@frozen
class Verdict:
    """What was found, and what a record covers.

    `first` and `last` are the numbers of its first and last entry that was told, `gaps` the events between them that
    were not; `mark` that of the last moment that it has; `signed` whether the host's signatures are there and hold;
    `log_signed` whether it has signed the log, None without one; `ended` `over`, `by consent`, `called off` or None;
    `unchecked` says what was not compared, and why; `attempt` and `refused` how it was dealt: at which attempt, and who
    is said to have refused before; `played_for` how many commands somebody else gave for each seat with a key, by the
    name in `by`; `host_key` the key that the host's signatures were held to, 32 bytes: who it is of, no record can say.
    """

    findings: tuple[Finding, ...]
    match: str | None = None
    seat: int | None = None
    first: int | None = None
    last: int | None = None
    gaps: tuple[tuple[int, int], ...] = ()
    mark: bytes | None = None
    signed: bool = False
    log_signed: bool | None = None
    ended: str | None = None
    unchecked: tuple[str, ...] = ()
    attempt: int = 0
    refused: tuple[tuple[int, ...], ...] = ()
    played_for: Mapping[int, Mapping[str, int]] = field(factory=dict)
    host_key: bytes | None = None

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the host's key, for people to compare; None if it has none."""
        return None if self.host_key is None else fingerprint(self.host_key)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def partial(self) -> bool:
        """Whether something was not checked, or not told."""
        return bool(self.unchecked or self.gaps)

    @property
    def by(self) -> str | None:
        """Whose word it is that something is wrong: `host`, `seat` or `owner`; None if nothing is."""
        return next((word for word in WORDS if any(each.by == word for each in self.findings)), None)

    @property
    def proof(self) -> bool:
        """Whether what the host has signed contradicts itself."""
        return self.by == HOST

    @property
    def code(self) -> str | None:
        """The code of the last moment, for two players to compare."""
        return None if self.mark is None else code(self.mark)


@define
class Findings:
    """Findings as they come: of each kind and event one, which says all."""

    _found: dict[tuple[FindingKind, int | None], dict[tuple[str, str | None], Finding]] = field(factory=dict)

    def add(self, kind: FindingKind, seq: int | None, why: str, by: str = OWNER) -> None:
        """Add what is wrong; where something of this kind is found already, it joins that."""
        self.put_all([Finding(kind, why, seq)], by)

    def put_all(self, findings: Iterable[Finding], by: str = OWNER) -> None:
        """Add these findings; those that are nobody's word yet are this one's."""
        for each in findings:
            found = evolve(each, by=each.by or by)
            self._found.setdefault((found.kind, found.seq), {}).setdefault((found.message, found.by), found)

    def sorted(self) -> tuple[Finding, ...]:
        """Return them by event, those on none last."""
        found = [
            evolve(
                next(iter(each.values())),
                message=one_message(message for message, _ in each),
                by=min((word or OWNER for _, word in each), key=WORDS.index),
            )
            for each in self._found.values()
        ]
        return tuple(sorted(found, key=lambda each: (each.seq is None, each.seq or 0, each.kind)))


def put_audited(findings: Findings, audited: Audit, *, signed: bool) -> None:
    """Add what an audit has found: the host's word if it has `signed` the log, but not what cannot be read here.

    Nor is it what this program's rules say of a match that had others. What the audit names somebody for counts as that
    one's word only where the host has signed.
    """
    for each in audited.findings:
        failed = each.kind in ("game", "header") or getattr(each.message, "key", None) == "game"
        moment = None if each.seq is None else each.seq + (each.kind == "rules")
        is_read = each.kind in BY_THE_RULES or (each.kind == "form" and each.seq is not None)  # perhaps by an upcast
        by_others = is_read and not has_todays_rules(audited, moment)
        word = (each.by or HOST) if signed and not failed and not by_others else OWNER
        findings.put_all([evolve(each, by=word)])


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
    """What a record says by itself, without a log.

    What the host has not signed is the owner's word, where the host has a key.
    """

    record: Record
    findings: Findings = field(factory=Findings)
    valid: set[int] = field(factory=set)
    """The places of the entries whose host signature holds."""
    is_agreed: bool = False
    """Whether the host has signed the roster."""
    wrong: set[int] = field(factory=set)
    """The places of the entries at which a signature is wrong."""
    marks: dict[Slot, dict[bytes, list[int]]] = field(factory=dict)
    """For each slot the marks that were told, in order, and the places of the entries that have them."""
    answers: dict[tuple[Any, ...], tuple[bytes, int]] = field(factory=dict)
    """What a seat has signed, and at which event: by H0, seat, moment, mark and the answer that it replaces."""

    def run(self) -> OwnChecks:
        """Check all of it."""
        self.findings.put_all(self.record.findings)
        wrong = self._host_error(roster_message(self.roster.digest, self.roster.version), self.record.sig)
        self.is_agreed = self.key is not None and wrong is None
        if wrong is not None:
            self.findings.add("signature", None, Message("of-the-roster", "the roster: {why}", why=wrong))
        for place, entry in enumerate(self.record.entries):
            if entry.kind <= END:
                self._told(place, entry)
            elif entry.kind == SENT:
                self._sent(place, entry)
            elif self.record.form == FULL:
                for each in self._wish_errors(entry):
                    self._wrong(place, each)
        return self

    def answer(self, message: bytes, seq: int) -> None:
        """Take a message that a seat has signed; two answers of which neither names the other are its word."""
        name, of, seat, at, mark, *_, replaced = from_canonical(message)
        if name != "kifu command 2":
            return
        known, _ = self.answers.setdefault((of, seat, at, mark, replaced), (message, seq))
        if known != message:
            english = "seat {seat} has signed two answers to moment {at}, and neither names the other"
            self.findings.add("signature", seq, Message("two-answers", english, seat=seat, at=at), SEAT)

    @property
    def roster(self) -> Roster:
        """The roster of the record."""
        return self.record.roster

    @property
    def key(self) -> bytes | None:
        """The host's key."""
        return self.roster.host_key

    def word(self, places: Iterable[int]) -> str:
        """Say whose word it is that the host told what stands at these places. Of version 1 it is the owner's."""
        return HOST if self.roster.version > 1 and self.valid.issuperset(places) else OWNER

    @property
    def roster_word(self) -> str:
        """Whose word it is that this roster was agreed to."""
        return HOST if self.is_agreed and self.roster.version > 1 else OWNER

    @property
    def signed(self) -> bool:
        """Whether the host has signed the roster and all that it told."""
        return self.is_agreed and self.valid >= {at for at, each in enumerate(self.record.entries) if each.kind <= END}

    def _wrong(self, place: int, why: str) -> None:
        self.wrong.add(place)
        self.findings.add("signature", self.record.entries[place].number, why)

    def _told(self, place: int, entry: Entry) -> None:
        """Check what the host has told; its mark counts only if the host has signed that."""
        record = self.record
        digest = told_digest(entry.salt, entry.told) if record.form == FULL else entry.told
        parts = (record.seat, entry.kind, entry.number, entry.mark, digest)
        wrong = self._host_error(told_message(self.roster.of, *parts), entry.sig)
        if wrong is not None:
            self._wrong(place, wrong)
        elif self.key is not None:
            self.valid.add(place)
        if self.key is not None and wrong is not None:
            return
        known = self.marks.setdefault(entry.slot, {})
        places = known.setdefault(entry.mark, [])
        places.append(place)
        if len(known) > 1 and len(places) == 1:
            word = self.word([place, next(iter(known.values()))[0]])
            self.findings.add(
                "mark", entry.number, Message("two-marks", "the record has two marks for one moment"), word
            )

    def _host_error(self, message: bytes, sig: bytes | None) -> str | None:
        """Say what is wrong with a signature of the host, None if nothing is."""
        fine = sig is None if self.key is None else signing.check(self.key, message, sig)
        return None if fine else Message("host-signature", "the host's signature is missing, or not to this")

    def _wish_errors(self, entry: Entry) -> Iterator[str]:
        """Say what is wrong with the consents to a proposal; who abandons, all seats with a key must have signed."""
        kind, at, by, signed = entry.value()
        for seat, signature in signed:
            message = wish_message(self.roster.of, seat, entry.number, entry.mark, kind, at)
            if not signing.check(self.roster.keys.of(seat), message, signature):
                yield Message("not-signed-so", "the signature is not seat {seat}'s to this", seat=str(seat)[:20])
        have = {seat for seat, _ in signed}
        asked = [seat for seat in self.roster.keys.keyed if seat not in have]
        if missing := [seat for seat in asked if seat == by or kind == "abandon"]:
            yield Message("wish-not-signed", "not signed by {seats}", seats=seats_named(missing))

    def _sent(self, place: int, entry: Entry) -> None:
        _, of, seat, _, mark, *_ = entry.value()
        is_its_own = (of, seat, mark) == (self.roster.of, self.record.seat, entry.mark)
        if is_its_own and signing.check(self.roster.keys.of(seat), entry.told, entry.sig):
            self.answer(entry.told, entry.number)
        else:
            english = "the message is of another match, seat or mark than the entry, or not signed so"
            self._wrong(place, Message("sent-otherwise", english))

    def how_abandoned(self, events: int, mark: bytes | None = None) -> str | None:
        """Say how a match was abandoned after so many events, with this mark if it is known.

        That is `by consent` if all seats with a key have signed it, else `called off`: so where none has a key. In the
        public form it cannot be told.
        """
        if self.record.form != FULL:
            return None
        sound = [each for place, each in enumerate(self.record.entries) if place not in self.wrong]
        wishes = [each for each in sound if (each.kind, each.number) == (WISH, events)]
        signed = [each for each in wishes if mark in (None, each.mark)]
        agreed = any(each.value()[0] == "abandon" for each in signed)
        return "by consent" if agreed and self.roster.keys.keyed else "called off"

    def verdict(self, **changes: Any) -> Verdict:
        """Return the verdict over the record as far as it is found."""
        told = [entry for entry in self.record.entries if entry.kind <= END]
        moments = [slot for slot in self.marks if slot[0] == "moment"]
        english = "what was agreed: in version 1 signatures name the match alone, and convict nobody"
        old = [Message("version-1", english)] if self.roster.version == 1 else []
        found = Verdict(
            findings=self.findings.sorted(),
            match=self.roster.match,
            seat=self.record.seat,
            first=min((entry.number for entry in told), default=None),
            last=max((entry.number for entry in told), default=None),
            gaps=tuple(_gaps(told)),
            mark=next(iter(self.marks[max(moments)])) if moments else None,
            signed=self.signed,
            ended=self._ended(),
            unchecked=(*old, *changes.pop("unchecked", ())),
            attempt=self.roster.attempt,
            refused=tuple(refused for _, refused in self.roster.past),
            host_key=self.key,
        )
        return evolve(found, **changes)

    def _ended(self) -> str | None:
        ends = [entry for entry in self.record.entries if entry.kind == END]
        if not ends or self.record.form != FULL:
            return None
        return "over" if ends[-1].value()[1] == "over" else self.how_abandoned(ends[-1].number)


def _gaps(told: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Name the events, from one to another, that were not told between the first and the last entry."""
    at = min((entry.number for entry in told), default=0)
    until = max((entry.moment for entry in told), default=0)
    for seq in [*sorted({entry.number for entry in told if entry.kind == EVENT}), until]:
        if seq > at:
            yield at, seq - 1
        at = max(at, seq + 1)


FINGERPRINT_LETTERS = 16


def key_text(key: bytes) -> str:
    """Return a public key as text: 43 characters of base64url."""
    return urlsafe_b64encode(key).decode().rstrip("=")


def parse_key(text: str) -> bytes:
    """Return a public key from its text; raises `TrustError` for what is none, and for a weak one."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text.isascii() else b""
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES or key_text(raw) != text:
        english = "a key is 43 letters of base64url, not {text}"
        raise TrustError("key", Message("no-key-text", english, text=ascii(text)))
    return check_key(raw)


def hold_to(verdict: Verdict, given: str) -> Verdict:
    """Return the verdict, with a finding `key` if the host's key is not the given key or fingerprint.

    Raises `TrustError` for what is neither.
    """
    letters = given.upper().replace("-", "")
    known = letters if len(letters) == FINGERPRINT_LETTERS else fingerprint(parse_key(given)).replace("-", "")
    found = verdict.fingerprint
    if found is not None and found.replace("-", "") == known:
        return verdict
    if found is None:
        english = "the host has no key here, or not one alone, and was known to have one"
        why = Message("host-key-none", english)
    else:
        why = Message("host-key-other", "the host's key is {found}, not {known}", found=found, known=grouped(known))
    return evolve(verdict, findings=(*verdict.findings, Finding("key", why, by=OWNER)))

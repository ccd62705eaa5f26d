"""Whether every command of a seat with a key is signed by it, once, and every takeback by those who agreed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from attrs import define, field, frozen

from ..errors import Message, TrustError
from ..game import TABLE
from ..game.timeline import path
from ..log.findings import Finding
from ..log.validation import is_int, is_text
from ..wire import FORMAT_TAGS, TAKEBACK
from . import signing
from .fair_check import joined
from .formulas import SIGNATURE_BYTES, command_message, wish_message
from .header_keys import Keys, has_bytes, read_keys, read_veil
from .raw_log import RawEvent, RawLog

MAX_STEPS = 1_000_000
"""The most events that are looked back at, of all takebacks together: beyond them none is taken for free."""


@frozen
class SignatureAudit:
    """What is wrong with the signatures of a log, and whether there are any that nothing here can check."""

    findings: list[Finding]
    unchecked: bool = False


AskConsent = Callable[[int, int, int], str | None]
"""Says of the takeback at an event, by this seat and to that event, why the rules ask the others; None if not."""


def audit_signatures(log: RawLog, ask_consent: AskConsent | None = None) -> SignatureAudit:
    """Check the signatures of a log's commands and takebacks; never raises.

    Without `ask_consent` a takeback is taken for free where only its seat and the table have acted since.
    """
    try:
        keys = read_keys(log.header)
    except TrustError as cause:
        return SignatureAudit([Finding("signature", cause.why)])
    try:
        veil = read_veil(log.header)
    except TrustError:
        return SignatureAudit([])  # a finding of its own: there are no marks to sign
    if veil is None:
        why = Message("keys-without-veil", "there are keys, but no veil: what they signed cannot be checked")
        return SignatureAudit([Finding("signature", why)] if keys.some else [])
    auditor = _Auditor(log, keys, log.marks(veil), ask_consent)
    return SignatureAudit(auditor.run(), auditor.unchecked)


@define
class _Auditor:
    log: RawLog
    keys: Keys
    marks: list[bytes]
    ask_consent: AskConsent | None
    wrong: dict[int, list[str]] = field(factory=lambda: defaultdict(list))
    """What is wrong at each event."""
    unverified: dict[int, list[int]] = field(factory=dict)
    """For each seat the events at which its signature does not verify."""
    unchecked: bool = False
    ids: dict[Any, set[bytes]] = field(factory=lambda: defaultdict(set))
    """The ids of each seat's commands so far."""
    last: dict[Any, int] = field(factory=lambda: defaultdict(lambda: -1))
    """The last event of each seat and the table so far."""

    def run(self) -> list[Finding]:
        way = _Way()
        for seq, event in enumerate(self.log.events):
            if seq > self.log.forked_at:
                self._event(seq, event, way)
            way.add(event)
            self.last[_hashable(event.seat)] = seq
            if event.of_meta("id").__class__ is bytes:
                self.ids[_hashable(event.seat)].add(event.of_meta("id"))
        for seat, (first, *others) in sorted(self.unverified.items()):
            english = "the signature is not seat {seat}'s to this"
            self.wrong[first].append(Message("not-signed-so", english, seat=seat))
            if others:
                english = "{count} later ones of the seat do not verify either"
                self.wrong[first].append(Message("later-ones", english, count=len(others)))
        return [each for seq in sorted(self.wrong) for each in joined("signature", seq, self.wrong[seq])]

    def _event(self, seq: int, event: RawEvent, way: _Way) -> None:
        seat = event.seat
        if seat == TABLE and event.tag == TAKEBACK:
            self._takeback(seq, event, way)
        elif (key := self.keys.of(seat)) is not None:
            self._command(seq, event, key)
        elif event.has_meta("sign"):
            self._add(
                seq, Message("signed-without-key", "it is signed, but seat {seat} has no key", seat=str(seat)[:20])
            )

    def _command(self, seq: int, event: RawEvent, key: bytes) -> None:
        seat, by, sign = event.seat, event.of_meta("by"), event.of_meta("sign")
        if by is not None:
            if event.has_meta("sign"):
                self._add(
                    seq, Message("signed-and-by", "it is signed, and somebody else acted for seat {seat}", seat=seat)
                )
            return
        if not event.has_meta("sign"):
            self._add(seq, Message("not-signed", "seat {seat} signs its commands: this one is not signed", seat=seat))
            return
        command_id = event.of_meta("id")
        if command_id.__class__ is not bytes:
            self._add(seq, Message("signed-without-id", "it is signed, and has no id"))
        elif command_id in self.ids[seat]:
            self._add(seq, Message("id-again", "an earlier command of seat {seat} has its id", seat=seat))
        if sign.__class__ is not list or len(sign) != 2 or not is_int(sign[0]) or not _is_signature(sign[1]):
            self._add(seq, Message("command-sign-is-not", "'sign' is not a moment and 64 bytes"))
            return
        at, signature = sign
        if at > seq:
            self._add(seq, Message("signed-for-later", "it answers moment {at}, which had not come", at=at))
            return
        if max(self.last[seat], self.last[TABLE]) >= at:
            english = "the seat itself or the table has acted since moment {at}, which it answers"
            self._add(seq, Message("acted-since", english, at=at))
        if command_id.__class__ is bytes:
            parts = (at, self.marks[at], event.tag, event.fields, command_id)
            self._verify(seq, seat, key, signature, command_message, *parts)

    def _takeback(self, seq: int, event: RawEvent, way: _Way) -> None:
        wisher = _seat_of(event.of_meta("by"), len(self.keys.seats))
        if wisher is None:
            self._add(seq, Message("takeback-by", "a takeback names no seat that wished for it"))
        signed = event.of_meta("sign") if event.has_meta("sign") else []
        if not is_signatures(signed):
            self._add(seq, Message("takeback-sign-is-not", "'sign' is not a list of seats, ascending, and signatures"))
            return
        to = event.fields.get("to") if event.fields.__class__ is dict else None
        for seat, signature in signed:
            key = self.keys.of(seat)
            if key is None:
                self._add(seq, Message("signed-without-key", "it is signed, but seat {seat} has no key", seat=seat))
            else:
                self._verify(seq, seat, key, signature, wish_message, seq, self.marks[seq], "take_back", to)
        back = _goes_back_to(event, seq)
        free = wisher is not None and back is not None and way.needs_no_consent(back, wisher)
        have = {each for each, _ in signed}
        missing = [seat for seat, key in enumerate(self.keys.seats) if key is not None and seat not in have]
        why = None
        if free and self.ask_consent is not None and set(missing) - {wisher}:
            why = self.ask_consent(seq, wisher or 0, -1 if back is None else back)
        for seat in missing:
            if seat == wisher or not free:
                self._add(seq, Message("consent-not-signed", "seat {seat} has not signed the takeback", seat=seat))
            elif why is not None:
                english = "seat {seat} has not signed the takeback: {why}"
                self._add(seq, Message("consent-not-signed-why", english, seat=seat, why=why))

    def _verify(self, seq: int, seat: int, key: bytes, signature: bytes, message: Any, *parts: Any) -> None:
        if not signing.is_available:
            self.unchecked = True
            return
        try:
            holds = signing.check(key, message(self.log.header.get("match"), seat, *parts), signature)
        except TrustError:  # its fields have no canonical form
            holds = False
        if not holds:
            self.unverified.setdefault(seat, []).append(seq)

    def _add(self, seq: int, why: str) -> None:
        self.wrong[seq].append(why)


class _Way:
    """The way to the present: the events that no takeback has undone."""

    def __init__(self) -> None:
        self._seats: list[Any] = []
        self._origins: list[int] = []
        self._steps = 0

    def add(self, event: RawEvent) -> None:
        """Go one event further."""
        seq = len(self._seats)
        of_format = event.seat == TABLE and event.tag in FORMAT_TAGS.values()
        to = seq - 1 if of_format and event.tag != TAKEBACK else _goes_back_to(event, seq)
        self._seats.append(event.seat)
        self._origins.append(seq if to is None else self._origin(to))

    def _origin(self, seq: int) -> int:
        return self._origins[seq] if seq >= 0 else -1

    def needs_no_consent(self, to: int, wisher: int) -> bool:
        """Return True if only this seat and the table have acted since event `to`, on the way to the present."""
        now = len(self._origins) - 1
        self._steps += now - to
        if self._steps > MAX_STEPS:
            return False
        since = path(self._origins, to, now)
        leads_here = bool(since) or self._origin(to) == self._origin(now)
        return leads_here and all(self._seats[seq] in (wisher, TABLE) for seq in since)


def _goes_back_to(event: RawEvent, seq: int) -> int | None:
    """Return the event after which the state is restored by this one, None if it restores none."""
    to = event.fields.get("to") if event.tag == TAKEBACK and event.fields.__class__ is dict else None
    return to if to.__class__ is int and -1 <= to < seq else None


def _seat_of(by: Any, seats: int) -> int | None:
    """Return the seat that wished for a takeback, of `seat N`; None if it names none."""
    return next((seat for seat in range(seats) if by == f"seat {seat}"), None)


def _is_signature(value: Any) -> bool:
    return has_bytes(value, SIGNATURE_BYTES)


def is_signatures(value: Any) -> bool:
    """Return True for a list of seats, ascending, each with 64 bytes."""
    if value.__class__ is not list:
        return False
    pairs = all(each.__class__ is list and len(each) == 2 and is_int(each[0]) for each in value)
    if not pairs or not all(_is_signature(each[1]) for each in value):
        return False
    return all(one[0] < other[0] for one, other in pairwise(value))


def _hashable(seat: Any) -> Any:
    return seat if is_int(seat, TABLE) or is_text(seat) else None

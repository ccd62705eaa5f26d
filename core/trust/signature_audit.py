"""Whether every command of a seat with a key is signed by it, once, and every takeback by those who agreed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import Any

from attrs import define, field, frozen

from ..errors import Message, TrustError
from ..game import TABLE
from ..log.findings import Finding, FindingKind, one_message
from ..log.format import CHAIN_BYTES, end_map, first_chain, linked_end
from ..log.framing import parse_strict
from ..log.validation import is_int, is_text
from ..wire import FORMAT_TAGS, TAKEBACK
from . import signing
from .canonical import canonical
from .formulas import (
    DIGEST_BYTES,
    SIGNATURE_BYTES,
    Binding,
    agreement_message,
    command_message,
    log_message,
    next_mark,
    wish_message,
)
from .header_keys import JOINED, MOST_LISTED, Keys, read_keys, seats_named
from .raw_log import RawEvent, RawLog
from .shapes import COUNT, Shape, fits, maybe

SIGNED: Shape = (COUNT, SIGNATURE_BYTES)
SIGNED_AGAIN: Shape = (COUNT, SIGNATURE_BYTES, DIGEST_BYTES)

AskConsent = Callable[[int, int, int], str | None]
"""Says of the takeback at an event, by this seat and to that event, why the rules ask the others; None if not."""


def audit_signatures(log: RawLog, ask_consent: AskConsent, leave: Callable[[Message], None]) -> list[Finding]:
    """Check the signatures of a log's commands and takebacks, and `leave` what no signature shows; never raises."""
    try:
        keys = read_keys(log.header)
    except TrustError as cause:
        return [Finding("signature", cause.why)]
    if keys.some and "veil" not in log.header:
        why = Message("keys-without-veil", "there are keys, but no veil: what they signed cannot be checked")
        return [Finding("signature", why)]
    roster = log.roster
    if roster is None or not log.marks:  # nothing is signed; or nobody knows what, a finding of its own
        return []
    agreed = _agreements(log.header, keys, roster.digest) if roster.version > 1 and "fair" in log.header else []
    return [*agreed, *_Auditor(log, keys, roster.of, ask_consent, leave).run()]


def joined(kind: FindingKind, seq: int | None, reasons: list[str]) -> list[Finding]:
    """Make one finding of all these reasons, none if there is none."""
    return [Finding(kind, one_message(reasons), seq)] if reasons else []


def _agreements(header: Mapping[str, Any], keys: Keys, digest: bytes) -> list[Finding]:
    """Check that each seat with a key has signed the roster of the deal: so it has the key, and agreed to no other."""
    if not keys.keyed:
        return []
    signed = header["sign"].get("roster")
    if not fits(signed, [maybe(SIGNATURE_BYTES)]) or len(signed) != len(keys.seats):
        english = "'sign' has no 'roster': a signature or nil for each seat"
        return [Finding("signature", Message("agreements-are-not", english))]
    english = "seat {seat} has not signed the roster with its key"
    wrong: list[str] = [
        Message("roster-not-signed", english, seat=seat)
        for seat, (key, signature) in enumerate(zip(keys.seats, signed, strict=True))
        if (key, signature) != (None, None) and not signing.check(key, agreement_message(digest, seat), signature)
    ]
    return joined("signature", None, wrong)


def is_signed_by_host(log: RawLog) -> bool:
    """Return True if the host that the header names has signed the whole log: just these bytes, and nothing behind."""
    if log.roster is None or log.veil is None or not log.is_whole:
        return False
    chain = log.events[-1].raw[-CHAIN_BYTES:] if log.events else first_chain(log.header_raw)
    return is_end_signed(log.roster.host_key, log.roster.of, log.veil, log.marks, chain, log.end_raw)


def is_end_signed(
    key: bytes | None, of: Binding, veil: bytes, marks: Sequence[bytes], chain: bytes, end_raw: bytes
) -> bool:
    """Return True if these are the bytes of an end record with this key's signature of the log with these marks.

    `chain` is that of the last event. In version 1 nobody signs a log.
    """
    end = parse_strict(end_raw)
    if isinstance(of, str) or end.__class__ is not dict or end.keys() != {*END_KEYS, "sign", "chain"}:
        return False
    unsigned = {key: end[key] for key in END_KEYS}
    try:
        mark = next_mark(veil, marks[-1], canonical(unsigned))
    except TrustError:
        return False
    if linked_end({**unsigned, "sign": end["sign"]}, chain) != end_raw:
        return False
    return signing.check(key, log_message(of, len(marks) - 1, chain, mark), end["sign"])


END_KEYS = tuple(end_map(None, 0))


def signed_command(log: RawLog, seq: int) -> tuple[bytes, bytes] | None:
    """Return what the seat of an event must have signed, and the signature; None if there is none of its shape."""
    event, roster = log.events[seq], log.roster
    sign, command_id = event.of_meta("sign"), event.of_meta("id")
    if roster is None or not log.marks or not event.is_event or command_id.__class__ is not bytes:
        return None
    if not _is_answer(sign, roster.version) or sign[0] > seq:
        return None
    at, signature, *replaced = sign
    parts = (roster.of, event.seat, at, log.marks[at], event.tag, event.fields, command_id, *replaced)
    return _signed(signature, command_message, *parts)


def _is_answer(sign: Any, version: int) -> bool:
    return fits(sign, SIGNED) or (version > 1 and fits(sign, SIGNED_AGAIN))


def _signed(signature: bytes, make: Callable[..., bytes], *parts: Any) -> tuple[bytes, bytes] | None:
    """Make a message, which goes with its signature; None if a part has no canonical form."""
    with suppress(TrustError):
        return make(*parts), signature
    return None


@define
class _Auditor:
    log: RawLog
    keys: Keys
    of: Binding
    ask_consent: AskConsent
    leave: Callable[[Message], None]
    wrong: dict[int, list[str]] = field(factory=lambda: defaultdict(list))
    """What is wrong at each event."""
    unverified: dict[int, list[int]] = field(factory=dict)
    """For each seat the events at which its signature does not verify."""
    ids: dict[int, set[bytes]] = field(factory=lambda: defaultdict(set))
    """The ids of each seat's commands so far."""
    last: dict[int, int] = field(factory=lambda: defaultdict(lambda: -1))
    """The last event of each seat and the table so far."""
    wishers: dict[str, int] = field(init=False)
    """The seat that each `by` of a takeback names."""
    joined: list[int] = field(init=False)
    """The seats that have drawn for a fair deal."""

    def __attrs_post_init__(self) -> None:
        who = () if self.log.deal is None else self.log.deal.who
        self.joined = [seat for seat, kind in enumerate(who) if kind == JOINED]
        self.wishers = {f"seat {seat}": seat for seat in range(len(self.keys.seats))}

    def run(self) -> list[Finding]:
        way = _Way()
        for seq, event in enumerate(self.log.events):
            if seq > self.log.forked_at:
                self._event(seq, event, way)
            way.add(event)
            if is_int(event.seat, TABLE):
                self.last[event.seat] = seq
                if event.of_meta("id").__class__ is bytes:
                    self.ids[event.seat].add(event.of_meta("id"))
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
        if not event.has_meta("sign"):
            if not by:
                english = "seat {seat} signs its commands: this one is not signed"
                self._add(seq, Message("not-signed", english, seat=seat))
            return
        if by is not None:
            english = "it is signed, and somebody else acted for seat {seat}"
            self._add(seq, Message("signed-and-by", english, seat=seat))
        command_id = event.of_meta("id")
        if command_id.__class__ is not bytes:
            self._add(seq, Message("signed-without-id", "it is signed, and has no id"))
        elif command_id in self.ids[seat]:
            self._add(seq, Message("id-again", "an earlier command of seat {seat} has its id", seat=seat))
        if not _is_answer(sign, self.keys.version):
            self._add(seq, Message("command-sign-is-not", "'sign' is not a moment and 64 bytes"))
            return
        at = sign[0]
        if at > seq:
            self._add(seq, Message("signed-for-later", "it answers moment {at}, which had not come", at=at))
            return
        if max(self.last[seat], self.last[TABLE]) >= at:
            english = "the seat itself or the table has acted since moment {at}, which it answers"
            self._add(seq, Message("acted-since", english, at=at))
        if command_id.__class__ is bytes:
            self._verify(seq, seat, key, signed_command(self.log, seq))

    def _takeback(self, seq: int, event: RawEvent, way: _Way) -> None:
        by = event.of_meta("by")
        wisher = self.wishers.get(by) if is_text(by) else None
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
                parts = (self.of, seat, seq, self.log.marks[seq], "take_back", to)
                self._verify(seq, seat, key, _signed(signature, wish_message, *parts))
        back = _goes_back_to(event, seq)
        free = wisher is not None and back is not None and way.needs_no_consent(back, wisher)
        have = {each for each, _ in signed}
        missing = [seat for seat in self.keys.keyed if seat not in have]
        self._taken_back_deal(way.other_deal(back), have)
        why = None
        if free and set(missing) - {wisher}:
            why = self.ask_consent(seq, wisher or 0, -1 if back is None else back)
        asked = [seat for seat in missing if seat == wisher or not free]
        if asked:
            english = "the takeback is not signed by {seats}"
            self._add(seq, Message("consent-not-signed", english, seats=seats_named(asked)))
        if why is not None:
            english = "the takeback is not signed by {seats}: {why}"
            others = [seat for seat in missing if seat not in asked]
            self._add(seq, Message("consent-not-signed-why", english, seats=seats_named(others), why=why))

    def _taken_back_deal(self, seq: int, have: set[int]) -> None:
        """Leave it that a fair deal was taken back where a seat that has drawn for it has not signed that."""
        missing = (seat for seat in self.joined if seq >= 0 and seat not in have)
        if first := list(islice(missing, MOST_LISTED + 1)):
            english = "the deal of event {seq} was taken back; not signed by {seats}"
            self.leave(Message("deal-taken-back", english, seq=seq, seats=seats_named(first)))

    def _verify(self, seq: int, seat: int, key: bytes, signed: tuple[bytes, bytes] | None) -> None:
        if signed is None or not signing.check(key, *signed):
            self.unverified.setdefault(seat, []).append(seq)

    def _add(self, seq: int, why: str) -> None:
        self.wrong[seq].append(why)


@frozen
class _Place:
    """A place on a way: the one before it and one far before it, and who has acted last on the way there."""

    before: int = -1
    far: int = -1
    depth: int = 0
    seat: Any = TABLE
    last: int = -1
    """The last event of this seat."""
    others: int = -1
    """The last event of another seat."""
    dealt: int = -1
    """The last deal."""


class _Way:
    """The way to the present: the events that no takeback has undone."""

    def __init__(self) -> None:
        self._places = {-1: _Place()}
        self._origins: list[int] = []

    def add(self, event: RawEvent) -> None:
        """Go one event further."""
        seq, seat = len(self._origins), event.seat if is_int(event.seat, TABLE) else None  # `true` is no seat 1
        of_format = seat == TABLE and event.tag in FORMAT_TAGS.values()
        to = seq - 1 if of_format and event.tag != TAKEBACK else _goes_back_to(event, seq)
        if to is not None:
            self._origins.append(self._origin(to))
            return
        before = self._origin(seq - 1)
        up = self._places[before]
        far = self._places[up.far]
        jumps = up.depth - far.depth == far.depth - self._places[far.far].depth  # so each place is found in few steps
        acted = (up.seat, up.last, up.others) if seat == TABLE else (seat, seq, up.last)
        if seat == up.seat != TABLE:
            acted = seat, seq, up.others
        dealt = seq if seat == TABLE else up.dealt
        self._places[seq] = _Place(before, far.far if jumps else before, up.depth + 1, *acted, dealt)
        self._origins.append(seq)

    def _origin(self, seq: int) -> int:
        return self._origins[seq] if seq >= 0 else -1

    def other_deal(self, to: int | None) -> int:
        """Return the deal that going back to event `to` undoes, or brings back; -1 if there is none."""
        ends = () if to is None else (self._origin(to), self._origin(len(self._origins) - 1))
        deals = {self._places[end].dealt for end in ends}
        return max(deals) if len(deals) > 1 else -1

    def needs_no_consent(self, to: int, wisher: int) -> bool:
        """Return True if only this seat and the table have acted since event `to`, on the way to the present."""
        start, now = self._origin(to), self._origin(len(self._origins) - 1)
        place = self._places[now]
        if start < (place.others if place.seat == wisher else place.last):
            return False
        while now > start:
            place = self._places[now]
            now = place.far if place.far >= start else place.before
        return now == start


def _goes_back_to(event: RawEvent, seq: int) -> int | None:
    """Return the event after which the state is restored by this one, None if it restores none."""
    is_takeback = event.seat == TABLE and event.tag == TAKEBACK and event.fields.__class__ is dict
    to: Any = event.fields.get("to") if is_takeback else None
    return to if is_int(to, -1) and to < seq else None


def is_signatures(value: Any) -> bool:
    """Return True for a list of seats, ascending, each with 64 bytes."""
    return fits(value, [SIGNED]) and all(one[0] < other[0] for one, other in pairwise(value))

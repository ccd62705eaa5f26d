"""Signatures of seats: checked before the rules, and kept where an auditor finds them (`docs/trust.md`)."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..errors import MatchError, Message, TrustError
from ..game import Meta, Seat
from ..trust.canonical import canonical
from ..trust.evidence import Told
from ..trust.formulas import WISH, command_message, roster_message, wish_message
from ..trust.seat_record import FULL, Entry, Record
from ..trust.signing import SigningKey, check, is_available
from ..wire import wire_of
from .checks import NEW_KEY
from .live_match import LiveMatch
from .log_trust import LogTrust
from .metadata import Proposal


@frozen
class Ending:
    """What a seat is told of the end of a match, and the proposal to abandon it that all agreed to."""

    told: Told
    agreed: Entry | None


def signing_key(live: LiveMatch, seat: Seat) -> bytes | None:
    """Return the public key that a seat's commands must be signed under; None if it signs nothing."""
    key = None if live.trust is None else live.trust.keys.of(seat)
    return None if seat in live.metadata.unsigned_seats else key


def has_new_holder(live: LiveMatch, seat: Seat) -> bool:
    """Return True if a seat has a public key, and its holder has changed since."""
    return live.trust is not None and live.trust.keys.of(seat) is not None and seat in live.metadata.unsigned_seats


def command_meta(
    live: LiveMatch,
    seat: Seat,
    elapsed_ms: int,
    at: int,
    command: Any,
    idempotency_key: bytes | None,
    signature: bytes | None,
) -> Meta:
    """Return the meta of a seat's command, which answers moment `at`.

    Raises `TrustError` for a signature that is missing, not the seat's, or not asked for.
    """
    if has_new_holder(live, seat):
        _refuse_signature(seat, signature)
        return Meta(elapsed_ms, idempotency_key, NEW_KEY)
    key = signing_key(live, seat)
    if key is None or live.trust is None:
        _refuse_signature(seat, signature)
        return Meta(elapsed_ms, idempotency_key)
    if signature is None or idempotency_key is None:
        raise _unsigned(seat)
    parts = wire_of(live.match.game).encode(command)
    message = command_message(live.id, seat, at, live.trust.evidence.marks[at], *parts, idempotency_key)
    _check(key, message, signature, seat)
    return Meta(elapsed_ms, idempotency_key, None, (("sign", [at, signature]),))


def proposal_message(live: LiveMatch, seat: Seat, proposal: Proposal) -> bytes | None:
    """Return what a seat signs to consent to a proposal; None if it signs nothing."""
    if signing_key(live, seat) is None or live.trust is None or proposal.count >= len(live.trust.evidence.marks):
        return None
    mark = live.trust.evidence.marks[proposal.count]
    return wish_message(live.id, seat, proposal.count, mark, proposal.kind, proposal.target)


def check_consent(
    live: LiveMatch, seat: Seat, proposal: Proposal, signature: bytes | None
) -> tuple[tuple[Seat, bytes], ...]:
    """Return the proposal's signatures with that of a seat which consents.

    Raises `TrustError` for a signature that is missing, not the seat's, or not asked for. A fork of a match that has
    ended needs none.
    """
    key, message = signing_key(live, seat), proposal_message(live, seat, proposal)
    if key is None or message is None:
        _refuse_signature(seat, signature)
        return proposal.signatures
    if signature is None and proposal.kind == "fork" and live.ended:
        return proposal.signatures
    if signature is None:
        raise _unsigned(seat)
    _check(key, message, signature, seat)
    return (*proposal.signatures, (seat, signature))


def check_can_sign(live: LiveMatch) -> None:
    """Raise `MatchError` if a seat cannot sign its consent to a takeback any more, because its holder has changed."""
    for seat in live.metadata.held_seats:
        if has_new_holder(live, seat):
            english = "seat {seat} has a new holder, who signs nothing: nothing can be taken back"
            raise MatchError(Message("cannot-consent", english, seat=seat))


def ending(live: LiveMatch, seat: Seat | None) -> Ending | None:
    """Return what a seat is told of the end; None while the match goes on, and for one without marks."""
    if live.trust is None or not live.ended:
        return None
    return Ending(live.trust.evidence.end(live.match.result, seat), _agreed(live, live.trust))


def _agreed(live: LiveMatch, trust: LogTrust) -> Entry | None:
    """Return the proposal to abandon that ended the match, with all signatures; None if there is none or one lacks."""
    proposal = live.metadata.proposal
    if proposal is None or (proposal.kind, proposal.state) != ("abandon", "accepted") or not live.match.abandoned:
        return None
    signed = {seat for seat, _ in proposal.signatures}
    if any(key is not None and seat not in signed for seat, key in enumerate(trust.keys.seats)):
        return None
    told = canonical(["abandon", proposal.target, proposal.by, [list(pair) for pair in sorted(proposal.signatures)]])
    return Entry(WISH, live.count, told, None, trust.mark, None)


def record(sign: SigningKey | None, live: LiveMatch, seat: Seat | None) -> bytes:
    """Return the record of a seat, of all events and the end; raises `MatchError` for a match without marks."""
    match, trust = live.match, live.trust
    if trust is None:
        raise MatchError(Message("no-marks", "this match has no marks, so it has no records"))
    own = sign if sign is not None and sign.public == trust.keys.host else None
    sig = None if own is None else own.sign(roster_message(trust.digest))
    entries = [trust.evidence.event(step, seat).entry for step in match.steps]
    end = ending(live, seat)
    if end is not None:
        entries += [*([] if end.agreed is None else [end.agreed]), end.told.entry]
    return Record(FULL, seat, trust.packed, trust.roster, sig, tuple(entries)).packed()


def _check(key: bytes, message: bytes, signature: Any, seat: Seat) -> None:
    if not is_available:
        english = "this host cannot check signatures: it needs the extra kifu[sign]"
        raise MatchError(Message("cannot-check-here", english))
    if not check(key, message, signature):
        english = "this signature is not seat {seat}'s to this command"
        raise TrustError("signature", Message("not-to-this", english, seat=seat))


def _unsigned(seat: Seat) -> TrustError:
    english = "seat {seat} signs its commands: this one is not signed"
    return TrustError("signature", Message("not-signed", english, seat=seat))


def _refuse_signature(seat: Seat, signature: bytes | None) -> None:
    if signature is not None:
        english = "seat {seat} has no key: it signs nothing"
        raise TrustError("signature", Message("signs-nothing", english, seat=seat))

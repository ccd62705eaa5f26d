"""What seats send: commands, with optimistic concurrency and idempotency keys; signatures, checked before the rules."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from ..errors import Conflict, KeyReused, MatchError, Message, TrustError
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Meta, RuleViolation, TableRule, is_deal
from ..trust.canonical import canonical
from ..trust.formulas import DIGEST_BYTES, WISH, command_message, wish_message
from ..trust.seat_record import FULL, Entry, Record
from ..trust.signing import check
from ..wire import wire_of
from ..wire.exact import MAX_ID_BYTES
from .context import HostContext
from .live_match import LiveMatch
from .log_trust import LogTrust
from .metadata import NEW_KEY, Proposal, checked_int
from .projections import PAGE_EVENTS, history, readable_notes
from .writer import MatchChange


@frozen
class Ending:
    """What a seat is told of the end of a match, and the proposal to abandon it that all agreed to."""

    told: Entry
    agreed: Entry | None


def signing_key(live: LiveMatch, seat: int) -> bytes | None:
    """Return the public key that a seat's commands must be signed under; None if it signs nothing."""
    key = None if live.trust is None else live.trust.roster.keys.seats[seat]
    return None if seat in live.metadata.unsigned_seats else key


def command_meta(
    live: LiveMatch,
    seat: int,
    at: int,
    command: Any,
    idempotency_key: bytes | None,
    signed: tuple[bytes, bytes | None] | None,
) -> Meta:
    """Return the meta of a seat's command, which answers moment `at`, `signed` with the hash of what that replaces.

    Raises `TrustError` for a signature that is missing, not the seat's, or not asked for.
    """
    key = signing_key(live, seat)
    if key is None or live.trust is None:
        if signed is not None:
            raise _signs_nothing(seat)
        return Meta(id=idempotency_key, by=NEW_KEY if seat in live.metadata.unsigned_seats else None)
    if signed is None or idempotency_key is None:
        raise _unsigned(seat)
    signature, replaced = signed
    if replaced is not None and (replaced.__class__ is not bytes or len(replaced) != DIGEST_BYTES):
        raise _not_to_this(seat)
    if replaced is not None and live.trust.roster.version == 1:
        english = "'replaced' has no place in this match, which signs as version 1 does: leave it out"
        raise TrustError("signature", Message("replaces-nothing", english))
    parts, evidence = wire_of(live.match.game).encode(command), live.trust.evidence
    message = command_message(evidence.of, seat, at, evidence.marks[at], *parts, idempotency_key, replaced)
    _check(key, message, signature, seat)
    sign = [at, signature, *([] if replaced is None else [replaced])]
    return Meta(id=idempotency_key, more=(("sign", sign),))


def proposal_message(live: LiveMatch, seat: int, proposal: Proposal) -> bytes | None:
    """Return what a seat signs to consent to a proposal; None if it signs nothing."""
    if signing_key(live, seat) is None or live.trust is None or proposal.count >= len(live.trust.evidence.marks):
        return None
    mark = live.trust.evidence.marks[proposal.count]
    return wish_message(live.trust.evidence.of, seat, proposal.count, mark, proposal.kind, proposal.target)


def check_consent(
    live: LiveMatch, seat: int, proposal: Proposal, signature: bytes | None
) -> tuple[tuple[int, bytes], ...]:
    """Return the proposal's signatures with that of a seat which consents.

    Raises `TrustError` for a signature that is missing, not the seat's, or not asked for. A fork of a match that has
    ended needs none.
    """
    key, message = signing_key(live, seat), proposal_message(live, seat, proposal)
    if key is None or message is None:
        if signature is not None:
            raise _signs_nothing(seat)
        return proposal.signatures
    if signature is None and proposal.kind == "fork" and live.ended:
        return proposal.signatures
    if signature is None:
        raise _unsigned(seat)
    _check(key, message, signature, seat)
    return (*proposal.signatures, (seat, signature))


def check_can_sign(live: LiveMatch) -> None:
    """Raise `MatchError` if a seat cannot sign its consent to a takeback any more, because its holder has changed."""
    for seat in live.metadata.unsigned_seats:
        english = "seat {seat} has a new holder, who signs nothing: nothing can be taken back"
        raise MatchError(Message("cannot-consent", english, seat=seat))


def check_fork_has_holders(live: LiveMatch) -> None:
    """Raise `MatchError` if a seat has a new holder of whom nothing in the log tells: its fork would lack a consent."""
    acted = {event.seat for event in live.match.events if event.meta is not None and event.meta.by == NEW_KEY}
    for seat in live.metadata.unsigned_seats:
        if seat not in acted and seat in live.metadata.terms.bots:
            english = "seat {seat} is a bot's now, which signs nothing: fork the match once it has ended"
            raise MatchError(Message("fork-before-end", english, seat=seat))
        if seat not in acted:
            english = "seat {seat} has a new holder, who signs nothing: fork once that player has acted"
            raise MatchError(Message("fork-before-new-holder", english, seat=seat))


def ending(live: LiveMatch, seat: int | None) -> Ending | None:
    """Return what a seat is told of the end; None while the match goes on, and for one without marks."""
    if live.trust is None or not live.ended:
        return None
    return Ending(live.trust.evidence.end(live.match.result, seat), _agreed(live, live.trust))


def _agreed(live: LiveMatch, trust: LogTrust) -> Entry | None:
    """Return the proposal to abandon that ended the match, with all signatures; None if there is none or one lacks."""
    proposal = live.metadata.proposal
    if proposal is None or (proposal.kind, proposal.status) != ("abandon", "accepted") or not live.match.abandoned:
        return None
    signed = {seat for seat, _ in proposal.signatures}
    if any(key is not None and seat not in signed for seat, key in enumerate(trust.roster.keys.seats)):
        return None
    told = canonical(["abandon", proposal.target, proposal.by, [list(pair) for pair in sorted(proposal.signatures)]])
    return Entry(WISH, live.count, told, None, trust.mark, None)


def record(live: LiveMatch, seat: int | None) -> bytes:
    """Return the record of a seat, of all events and the end; raises `MatchError` for a match without marks."""
    match, trust = live.match, live.trust
    if trust is None:
        raise MatchError(Message("no-marks", "this match has no marks, so it has no records"))
    entries = [
        trust.evidence.event(step, seat, (step.command_for(seat), readable_notes(live, seat, step.seq, step)))
        for step in match.steps
    ]
    end = ending(live, seat)
    if end is not None:
        entries += [*([] if end.agreed is None else [end.agreed]), end.told]
    return Record(FULL, seat, trust.roster, trust.roster_sig, tuple(entries)).packed()


def _check(key: bytes, message: bytes, signature: Any, seat: int) -> None:
    if not check(key, message, signature):
        raise _not_to_this(seat)


def _not_to_this(seat: int) -> TrustError:
    english = "this signature is not seat {seat}'s to this command"
    return TrustError("signature", Message("not-to-this", english, seat=seat))


def _unsigned(seat: int) -> TrustError:
    english = "seat {seat} signs its commands: this one is not signed"
    return TrustError("signature", Message("not-signed", english, seat=seat))


def _signs_nothing(seat: int) -> TrustError:
    english = "seat {seat} has no key: it signs nothing"
    return TrustError("signature", Message("signs-nothing", english, seat=seat))


@frozen
class Receipt:
    """The proof that a command was accepted and is stored."""

    seq: int
    """The number of its event, whose notes are in the seat's history."""
    count: int
    """How many events there were after it, and after the deal that followed it, if one did."""
    mark: bytes | None = None
    """The mark of the moment after so many events; None for a match without marks."""


@frozen
class Submit(MatchChange[Receipt]):
    """A command of the seat that a key opens.

    `command` is an object of the game's, or its tag and fields. `expected_events` is the `count` of the observation
    that it was chosen from, `expected_mark` the mark of what that told, `replaced` the hash of what the seat has signed
    before of the same moment.
    """

    key: str | None = field(repr=False)
    command: Any
    expected_events: int
    idempotency_key: bytes | None = None
    signature: bytes | None = None
    expected_mark: bytes | None = None
    replaced: bytes | None = None

    def apply(self, context: HostContext, live: LiveMatch) -> Receipt:
        """Apply it; return its receipt.

        Raises `KeyRefused`; `RuleViolation`; `TrustError` for a signature that is missing or not the seat's;
        `MatchError` for an idempotency key that is not 1 to 32 bytes; `KeyReused` for one of another command;
        `Conflict` if this seat, the table, or a seat that was not to act at the same time has acted since; `Rewound` if
        the match has fewer events than expected, or had another mark than `expected_mark` after these. A known
        idempotency key returns the receipt of its event.
        """
        sent, events = self.idempotency_key, self.expected_events
        if sent is not None and (not isinstance(sent, bytes) or not 1 <= len(sent) <= MAX_ID_BYTES):
            english = "an idempotency key is 1 to {most} bytes"
            raise MatchError(Message("idempotency-key-is", english, most=MAX_ID_BYTES))
        match, seat = live.match, live.require_seat(self.key)
        checked_int(events, "expected_events")
        decoded = decode_command(match.game, seat, self.command)
        if sent is not None and (seat, sent) in live.ids:
            seq = live.ids[seat, sent]
            if match.events[seq].command != decoded:
                english = "this idempotency key was sent with another command, which is event {seq}"
                raise KeyReused(Message("key-reused", english, seq=seq))
            return receipt(live, seq)
        live.check_not_rewound(events, self.expected_mark)
        if events != live.count and not is_still_to_act(live, seat, events):
            meanwhile = history(live, seat, events, PAGE_EVENTS)
            mark = None if live.trust is None else live.trust.mark
            raise Conflict(live.id, events, live.count, meanwhile, mark)
        signed = None if self.signature is None else (self.signature, self.replaced)
        meta = command_meta(live, seat, events, decoded, sent, signed)
        return receipt(live, context.append(live, seat, decoded, meta).event.seq)


def receipt(live: LiveMatch, seq: int) -> Receipt:
    """Return the receipt of the command of this event; the same at any later time."""
    count = seq + 1
    while count < live.count and is_deal(live.match.events[count]):
        count += 1
    return Receipt(seq, count, None if live.trust is None else live.trust.evidence.marks[count])


def decode_command(game: AnyGame, seat: int, command: Any) -> Any:
    """Return the command for an object of the game's, or a pair of tag and fields; raises `RuleViolation`."""
    wire = wire_of(game)
    if isinstance(command, tuple) and len(command) == 2:
        tag, fields = command
    elif type(command) in game.wire:
        tag, fields = wire.encode(command)
    else:
        why = Message("no-command-of", "{kind} is not a command of {game}", kind=type(command).__name__, game=game.name)
        raise RuleViolation(TableRule.FORM, seat, why=why)
    try:
        decoded = wire.decode(tag, fields)
    except RuleViolation as refused:
        raise RuleViolation(refused.rule, seat, **refused.facts) from None
    if isinstance(decoded, FORMAT_COMMANDS):
        raise RuleViolation(TableRule.TURN, seat, asked=())
    return decoded


def is_still_to_act(live: LiveMatch, seat: int, events: int) -> bool:
    """Return True if the seat is still to act, and since so many events only seats to act with it have acted."""
    match = live.match
    if not 0 <= events <= live.count:
        return False
    for event in match.events[events:]:
        if event.seat in (seat, TABLE) or seat not in match.game.to_act(match.states[event.seq]):
            return False
    return seat in match.to_act

"""Submission of commands, with optimistic concurrency and idempotency keys."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from ..errors import Conflict, MatchError, Message
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Note, RuleViolation, Seat, TableRule, is_deal
from ..match.header import MAX_ID_BYTES
from ..wire import wire_of
from .about import About, facts_of
from .context import HostContext, checked_int
from .live_match import LiveMatch
from .projections import PAGE_EVENTS, history, readable
from .signatures import command_meta


@frozen
class Receipt:
    """The proof that a command was accepted and is stored."""

    seq: int
    """The number of its event."""
    notes: tuple[Note, ...]
    """The notes of its event that the seat may still read."""
    count: int
    """How many events there were after it, and after the deal that followed it, if one did."""
    mark: bytes | None = None
    """The mark of the moment after so many events; None for a match without marks."""
    about: About | None = field(default=None, eq=False, repr=False)
    """The public facts of the match now."""


def submit(
    context: HostContext,
    live: LiveMatch,
    key: str | None,
    command: Any,
    expected_events: int,
    idempotency_key: bytes | None,
    signature: bytes | None = None,
) -> Receipt:
    """Apply a command of the seat that this key opens, chosen after `expected_events` events; return its receipt.

    Raises `KeyRefused`; `RuleViolation`; `TrustError` for a signature that is missing or not the seat's; `MatchError`
    for an idempotency key that is not 1 to 32 bytes; `Conflict` if this seat, the table, or a seat that was not to act
    at the same time has acted since. A known idempotency key returns the receipt of its event.
    """
    if idempotency_key is not None and (
        not isinstance(idempotency_key, bytes) or not 1 <= len(idempotency_key) <= MAX_ID_BYTES
    ):
        raise MatchError(Message("idempotency-key-is", "an idempotency key is 1 to {most} bytes", most=MAX_ID_BYTES))
    match, seat = live.match, live.require_seat(key)
    checked_int(expected_events, "expected_events")
    if idempotency_key is not None and (seat, idempotency_key) in live.ids:
        return receipt(live, seat, live.ids[seat, idempotency_key])
    decoded = decode_command(match.game, seat, command)
    if expected_events != live.count and not is_still_to_act(live, seat, expected_events):
        meanwhile = history(live, seat, expected_events, PAGE_EVENTS)
        mark = None if live.trust is None else live.trust.mark
        raise Conflict(live.id, expected_events, live.count, meanwhile, mark)
    meta = command_meta(live, seat, context.elapsed_ms(live), expected_events, decoded, idempotency_key, signature)
    step = context.append(live, seat, decoded, meta)
    return receipt(live, seat, step.seq)


def receipt(live: LiveMatch, seat: Seat, seq: int) -> Receipt:
    """Return the receipt of the command that became this event; the same at any later time, but for momentary notes."""
    events, count = live.match.events, seq + 1
    while count < live.count and is_deal(events[count]):
        count += 1
    mark = None if live.trust is None else live.trust.evidence.marks[count]
    return Receipt(seq, readable(live, seat, seq)[1], count, mark, facts_of(live))


def decode_command(game: AnyGame, seat: Seat, command: Any) -> Any:
    """Return the command for an object of the game's, or a pair of tag and fields; raises `RuleViolation`."""
    wire = wire_of(game)
    if isinstance(command, tuple) and len(command) == 2:
        tag, fields = command
    elif type(command) in game.wire:
        tag, fields = wire.encode(command)
    else:
        why = Message("no-command-of", "{kind} is no command of {game}", kind=type(command).__name__, game=game.name)
        raise RuleViolation(TableRule.FORM, seat, why=why)
    try:
        decoded = wire.decode(tag, fields)
    except RuleViolation as refused:
        raise RuleViolation(refused.rule, seat, **refused.facts) from None
    if isinstance(decoded, FORMAT_COMMANDS):
        raise RuleViolation(TableRule.TURN, seat, asked=())
    return decoded


def is_still_to_act(live: LiveMatch, seat: Seat, events: int) -> bool:
    """Return True if the seat is still to act, and since so many events only seats to act with it have acted."""
    match = live.match
    if not 0 <= events <= live.count:
        return False
    for event in match.events[events:]:
        if event.seat in (seat, TABLE) or seat not in match.game.to_act(match.states[event.seq]):
            return False
    return seat in match.to_act

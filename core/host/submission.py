"""Submitting a command: one wins, the others are told what happened meanwhile; the same id again, the same answer."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..errors import Conflict, MatchError, Message
from ..game import TABLE, Meta, Note, RuleViolation, Seat, TableRule, Takeback
from ..log.validation import MAX_ID_BYTES
from ..wire import wire_of
from .context import HostContext
from .match_cache import AnyGame, LiveMatch
from .projections import history, history_entry


@frozen
class Receipt:
    """The answer to a command that was taken, and is on disk."""

    seq: int
    """The event that it became."""
    notes: tuple[Note, ...]
    """What happened, as far as the seat may know."""
    count: int
    """How many events there were with it, and with the deal that may have followed."""


def submit(
    context: HostContext, live: LiveMatch, seat: Seat, command: Any, expected_events: int, idempotency_key: bytes | None
) -> Receipt:
    """Take a command of a seat, made when there were `at` events.

    Raises `Conflict` where what happened since stands in its way, `RuleViolation` where a rule does.
    """
    if idempotency_key is not None and (
        not isinstance(idempotency_key, bytes) or not 1 <= len(idempotency_key) <= MAX_ID_BYTES
    ):
        raise MatchError(Message("command-id-is", "a command id is 1 to {most} bytes", most=MAX_ID_BYTES))
    match = live.match
    if idempotency_key is not None and (seat, idempotency_key) in live.ids:
        return receipt(live, seat, live.ids[seat, idempotency_key])
    made = decode_command(match.game, seat, command)
    if expected_events != live.count and not is_still_to_act(live, seat, expected_events):
        raise Conflict(live.id, expected_events, live.count, history(live, seat, max(expected_events, 0)))
    step = context.append(live, seat, made, Meta(context.now(live), idempotency_key))
    return receipt(live, seat, step.seq)


def receipt(live: LiveMatch, seat: Seat, seq: int) -> Receipt:
    """Give the answer to the command that became this event: the same whenever it is asked for."""
    events, count = live.match.events, seq + 1
    while count < live.count and events[count].seat == TABLE and not isinstance(events[count].command, Takeback):
        count += 1
    return Receipt(seq, history_entry(live, seat, seq).notes, count)


def decode_command(game: AnyGame, seat: Seat, command: Any) -> Any:
    """Make the command of what was submitted: an object of the game's, or its tag and fields."""
    wire = wire_of(game)
    if isinstance(command, tuple) and len(command) == 2:
        tag, fields = command
    elif type(command) in game.wire:
        tag, fields = wire.encode(command)
    else:
        why = Message("no-command-of", "{kind} is no command of {game}", kind=type(command).__name__, game=game.name)
        raise RuleViolation(TableRule.FORM, seat, why=why)
    try:
        made = wire.decode(tag, fields)
    except RuleViolation as refused:
        raise RuleViolation(refused.rule, seat, **refused.facts) from None
    if isinstance(made, Takeback):
        raise RuleViolation(TableRule.TURN, seat, asked=())
    return made


def is_still_to_act(live: LiveMatch, seat: Seat, at: int) -> bool:
    """Tell whether this seat is asked still, and only others who were to act together with it have acted since."""
    match = live.match
    if not 0 <= at <= live.count:
        return False
    for event in match.events[at:]:
        together = match.game.to_act(match.states[event.seq])
        if event.seat in (seat, TABLE) or not together.issuperset((seat, event.seat)):
            return False
    return seat in match.to_act

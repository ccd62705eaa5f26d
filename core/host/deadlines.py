"""Whose time runs: since when a seat is asked, and until when it may take."""

from __future__ import annotations

from typing import Any

from ..bot import STAND_IN
from ..game import TABLE, RedactedCommand, Seat, Takeback
from ..match import Match
from ..timeline import origins, path
from .context import started_at_ms
from .match_cache import LiveMatch


def is_stand_in(by: str | None) -> bool:
    """Tell whether this is who acts for a seat that is not there, or for a bot that had no answer."""
    return by is not None and by.startswith(STAND_IN)


def asked_since(live: LiveMatch, seat: Seat) -> int:
    """Tell since when the seat is asked to act, in milliseconds since the Unix epoch."""
    match, restored = live.match, origins(live.match.events)
    seq = live.count - 1
    while seq >= 0:
        event, asked = match.events[seq], match.game.to_act(match.states[seq])
        if isinstance(event.command, Takeback):
            undone = path(restored, event.command.to, seq - 1)
            if not _gives_no_time(match, undone):
                break
            seq = undone[0] - 1
            continue
        if event.seat == seat or seat not in asked:
            break
        seq -= 1
    at = match.events[seq].meta if seq >= 0 else None
    since = 0 if at is None or at.at is None else started_at_ms(live) + at.at
    return max(since, live.metadata.opened_at_ms)


def _gives_no_time(match: Match[Any, Any, Any], undone: list[int]) -> bool:
    """Return True if a takeback undid only what one seat had done unseen: it might do so for ever, and nobody asked."""
    if len({match.events[seq].seat for seq in undone}) != 1:
        return False
    observed_events = [match.steps[seq].command_for(None) for seq in undone]
    return all(isinstance(each, RedactedCommand) and not each.fields for each in observed_events)


def deadline_of(live: LiveMatch, seat: Seat, now: int) -> int | None:
    """Tell when somebody else plays for this seat, which is asked to act; None: nobody will.

    A bot does not wait until a clock that was put back comes again to when it was asked.
    """
    terms = live.metadata.terms
    if seat in terms.bots:
        since = asked_since(live, seat)
        return since + terms.bot_delay_ms if since <= now else now
    return None if terms.turn_limit_ms is None else asked_since(live, seat) + terms.turn_limit_ms


def next_seat_due(live: LiveMatch, now: int) -> tuple[int, Seat] | None:
    """Name the seat for which somebody else plays first, and when."""
    if live.folded is None or live.ended or not live.is_current_version:
        return None
    asked = [seat for seat in sorted(live.match.to_act) if seat != TABLE]
    dues = [(when, seat) for seat in asked if (when := deadline_of(live, seat, now)) is not None]
    return min(dues, default=None)


def next_deadline(live: LiveMatch, now: int) -> int | None:
    """Tell when somebody else plays next, for whichever seat."""
    due = next_seat_due(live, now)
    return None if due is None else due[0]


def seat_deadline(live: LiveMatch) -> int | None:
    """Tell when the stand-in plays for the first of the seats that are asked; bots have no deadline."""
    if live.ended or live.metadata.terms.turn_limit_ms is None:
        return None
    asked = [seat for seat in live.match.to_act if seat != TABLE and seat not in live.metadata.terms.bots]
    return min((asked_since(live, seat) + live.metadata.terms.turn_limit_ms for seat in asked), default=None)


def absent(live: LiveMatch) -> frozenset[Seat]:
    """Name the seats for which the stand-in played last."""
    away: dict[Seat, bool] = {}
    for event in reversed(live.match.events):
        if event.seat not in away and event.seat != TABLE:
            by = None if event.meta is None else event.meta.by
            away[event.seat] = is_stand_in(by) and event.seat not in live.metadata.terms.bots
            if len(away) == len(live.metadata.names):
                break
    return frozenset(seat for seat, gone in away.items() if gone)

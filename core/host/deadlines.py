"""Deadlines: since when a seat is to act, and when a bot or the stand-in acts for it."""

from __future__ import annotations

from typing import Any

from ..game import TABLE, RedactedCommand, Takeback
from ..game.timeline import path
from ..match import Match
from ..stores.store import Due
from .live_match import LiveMatch
from .metadata import is_stand_in
from .rules_update import why_unproven

LATE_MS = 30_000
"""How long after an event an older host may still say what it had shown: then the match goes on under newer rules."""
AGAIN_MS = 5_000
"""How often it is looked whether it has."""


def to_act_since(live: LiveMatch, seat: int) -> int:
    """Return since when the seat has been to act, in milliseconds since the Unix epoch."""
    match, origins, restarted = live.match, live.match.origins, _last_restart(live)
    seq = len(match.events) - 1
    now = origins[seq] if match.events else -1
    known, since = live.waits_since.get(seat, (-1, -1))
    while seq > restarted:
        seq = origins[seq]
        if seq == known:
            seq = since
            break
        if seq < 0 or match.events[seq].seat == seat or seat not in match.game.to_act(match.states[seq]):
            break
        seq -= 1
    seq = max(seq, restarted)
    live.waits_since[seat] = now, seq
    meta = match.events[seq].meta if seq >= 0 else None
    since_ms = 0 if meta is None or meta.at is None else live.started_at_ms + meta.at
    return max(since_ms, live.metadata.opened_at_ms)


def _last_restart(live: LiveMatch) -> int:
    """Return the last takeback that gave everybody time anew, since others saw what it undid; -1 if there was none."""
    match, (looked_at, last) = live.match, live.restarted
    for event in match.events[looked_at:]:
        if isinstance(event.command, Takeback):
            undone = path(match.origins, event.command.to, event.seq - 1)
            last = last if _is_private_to_one_seat(match, undone) else event.seq
    live.restarted = len(match.events), last
    return last


def last_event_at_ms(live: LiveMatch) -> int:
    """Return when a host here appended the last event, in milliseconds since the Unix epoch; 0 if that is unknown."""
    meta = None if live.metadata.imported or live.count == 0 else live.match.events[-1].meta
    return 0 if meta is None or meta.at is None else live.started_at_ms + meta.at


def _is_private_to_one_seat(match: Match[Any, Any, Any], undone: list[int]) -> bool:
    """Return True if these events are of one seat and showed a spectator no field.

    Undoing them does not restart the clock: else a seat could gain time without end, by voting and taking it back.
    """
    if len({match.events[seq].seat for seq in undone}) != 1:
        return False
    shown = [match.steps[seq].command_for(None) for seq in undone]
    return all(isinstance(each, RedactedCommand) and not each.fields for each in shown)


def deadline_of(live: LiveMatch, seat: int, now_ms: int, pace_ms: int) -> int | None:
    """Return when a bot begins to think for this seat, which is to act, or the stand-in acts; None if neither will.

    Milliseconds since the Unix epoch, as `now_ms`. A bot thinks within its delay as far as its pace allows. If the
    clock was put back, it begins at once.
    """
    terms = live.metadata.terms
    if seat in terms.bots:
        since = to_act_since(live, seat)
        return since + max(terms.bot_delay_ms - pace_ms, 0) if since <= now_ms else now_ms
    return None if terms.turn_limit_ms is None else to_act_since(live, seat) + terms.turn_limit_ms


def next_seat_due(live: LiveMatch, now_ms: int, pace_ms: int = 0) -> tuple[int, int] | None:
    """Return the earliest deadline and its seat; None if there is none."""
    if live.folded is None or live.ended or live.match.abandoned or not live.is_current_version:
        return None
    to_act = [seat for seat in sorted(live.match.to_act) if seat != TABLE]
    deadlines = [(at_ms, seat) for seat in to_act if (at_ms := deadline_of(live, seat, now_ms, pace_ms)) is not None]
    return min(deadlines, default=None)


def due_of(live: LiveMatch, now_ms: int, pace_ms: int = 0) -> Due | None:
    """Return when something is next due, for the store; None for a match in which nothing ever is."""
    terms = live.metadata.terms
    if live.folded is None:
        preparation = live.metadata.preparation if live.row.status == "open" else None
        return Due(None if preparation is None else preparation.deadline_at_ms) if terms.fair else None
    if terms.turn_limit_ms is None and not terms.bots:
        return None
    if why_unproven(live) is not None and now_ms < last_event_at_ms(live) + LATE_MS:
        return Due(now_ms + AGAIN_MS)
    earliest = next_seat_due(live, now_ms, pace_ms)
    return Due(None) if earliest is None else Due(earliest[0], is_bot=earliest[1] in terms.bots)


def seat_deadline(live: LiveMatch) -> int | None:
    """Return when the stand-in first acts for a player, in milliseconds since the Unix epoch; None without a limit.

    Bots are left out.
    """
    if live.ended or live.metadata.terms.turn_limit_ms is None:
        return None
    players = [seat for seat in live.match.to_act if seat != TABLE and seat not in live.metadata.terms.bots]
    return min((to_act_since(live, seat) + live.metadata.terms.turn_limit_ms for seat in players), default=None)


def absent(live: LiveMatch) -> frozenset[int]:
    """Return the players' seats whose last event was made by the stand-in."""
    away: dict[int, bool] = {}
    for event in reversed(live.match.events):
        if event.seat not in away and event.seat != TABLE:
            by = None if event.meta is None else event.meta.by
            away[event.seat] = is_stand_in(by) and event.seat not in live.metadata.terms.bots
            if len(away) == len(live.metadata.names):
                break
    return frozenset(seat for seat, gone in away.items() if gone)


def is_left(live: LiveMatch) -> bool:
    """Return True if all players have left the match to the stand-in: bots are alone in it."""
    return len(absent(live)) + len(live.metadata.terms.bots) == len(live.metadata.names)

"""Whose time runs: since when a seat is asked, and until when it may take."""

from __future__ import annotations

from typing import Any

from ..bot import STAND_IN
from ..game import TABLE, Hidden, Seat, Takeback
from ..match import Match
from ..timeline import origins, path
from .desk import started
from .folds import Live


def is_stand_in(by: str | None) -> bool:
    """Tell whether this is who acts for a seat that is not there, or for a bot that had no answer."""
    return by is not None and by.startswith(STAND_IN)


def asked_since(live: Live, seat: Seat) -> int:
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
    since = 0 if at is None or at.at is None else started(live) + at.at
    return max(since, live.papers.opened)


def _gives_no_time(match: Match[Any, Any, Any], undone: list[int]) -> bool:
    """Return True if a takeback undid only what one seat had done unseen: it might do so for ever, and nobody asked."""
    if len({match.events[seq].seat for seq in undone}) != 1:
        return False
    sightings = [match.steps[seq].sighting(None) for seq in undone]
    return all(isinstance(each, Hidden) and not each.fields for each in sightings)


def due(live: Live, seat: Seat, now: int) -> int | None:
    """Tell when somebody else plays for this seat, which is asked to act; None: nobody will.

    A bot does not wait until a clock that was put back comes again to when it was asked.
    """
    terms = live.papers.terms
    if seat in terms.bots:
        since = asked_since(live, seat)
        return since + terms.pace if since <= now else now
    return None if terms.limit is None else asked_since(live, seat) + terms.limit


def next_due(live: Live, now: int) -> tuple[int, Seat] | None:
    """Name the seat for which somebody else plays first, and when."""
    if live.folded is None or live.ended or not live.is_of_today:
        return None
    asked = [seat for seat in sorted(live.match.to_act) if seat != TABLE]
    dues = [(when, seat) for seat in asked if (when := due(live, seat, now)) is not None]
    return min(dues, default=None)


def moment(live: Live, now: int) -> int | None:
    """Tell when somebody else plays next, for whichever seat."""
    due = next_due(live, now)
    return None if due is None else due[0]


def deadline(live: Live) -> int | None:
    """Tell when the stand-in plays for the first of the seats that are asked; bots have no deadline."""
    if live.ended or live.papers.terms.limit is None:
        return None
    asked = [seat for seat in live.match.to_act if seat != TABLE and seat not in live.papers.terms.bots]
    return min((asked_since(live, seat) + live.papers.terms.limit for seat in asked), default=None)


def absent(live: Live) -> frozenset[Seat]:
    """Name the seats for which the stand-in played last."""
    away: dict[Seat, bool] = {}
    for event in reversed(live.match.events):
        if event.seat not in away and event.seat != TABLE:
            by = None if event.meta is None else event.meta.by
            away[event.seat] = is_stand_in(by) and event.seat not in live.papers.terms.bots
            if len(away) == len(live.papers.names):
                break
    return frozenset(seat for seat, gone in away.items() if gone)

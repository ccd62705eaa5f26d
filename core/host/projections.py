"""Projections of a match for one seat: its observation now, and its history."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import field, frozen

from ..errors import MatchError, Message
from ..game import FormatCommand, Note, RedactedCommand, Result, RulesChange, Scene, Seat, is_deal
from ..match.legal import first_legal
from ..match.witness import CommandAndNotes
from ..trust.evidence import Told
from .deadlines import absent, seat_deadline
from .live_match import LiveMatch, current_proposal
from .metadata import Proposal

PAGE_EVENTS = 500
"""The most events that are read at a time where nobody has said how many: meanwhile nobody else uses the match."""


@frozen
class HistoryEntry:
    """One event as one seat saw it."""

    seq: int
    seat: Seat
    command: Any | FormatCommand | RedactedCommand
    """The command, or its public fields."""
    notes: tuple[Note, ...]
    """Those that it may still read: the momentary ones only until somebody acts again, unless the terms keep them."""
    elapsed_ms: int | None
    """Milliseconds since the match started."""
    actor: str | None
    """The bot or stand-in that acted for the seat; None: the seat itself. `new key`: a new holder of the seat."""
    _tell: Callable[[], Told] | None = field(default=None, eq=False, repr=False)

    def told(self) -> Told | None:
        """Return what the seat is told, as bytes under a mark, for its record; None for a match without marks."""
        return None if self._tell is None else self._tell()


@frozen
class Observation:
    """A match as one seat sees it (None: a spectator)."""

    seat: Seat | None
    count: int
    """How many events there are: the `expected_events` of a command chosen from this observation."""
    view: Any
    scene: Scene | None
    """None, as the view, while seats are free."""
    to_act: frozenset[Seat]
    legal: tuple[Any, ...]
    """The seat's legal commands, at most the first `legal.MAX_LEGAL`: `has_more` says if there are more."""
    open_ended: bool
    """Whether the seat has commands that cannot be listed."""
    result: Result | None
    status: str
    deadline_at_ms: int | None = None
    """When the stand-in first acts for a player, in milliseconds since the Unix epoch."""
    proposals: tuple[Proposal, ...] = ()
    """The last proposal, if there is one, in any state."""
    absent: frozenset[Seat] = frozenset()
    """The players' seats whose last event was made by the stand-in."""
    stopped: Message | None = None
    """Why the match takes no commands though it has no result and its players did not end it: newer rules, or too many
    events. Then nobody is to act, nothing is legal and nothing is due; it can be forked, and abandoned if it goes on.
    """
    has_more: bool = False
    """True if the seat has more legal commands than `legal` lists."""
    _tell: Callable[[], Told] | None = field(default=None, eq=False, repr=False)

    def told(self) -> Told | None:
        """Return the view as bytes under a mark, for the seat's record; None for a match without marks."""
        return None if self._tell is None else self._tell()


def observe(live: LiveMatch, seat: Seat | None, events: int | None, stopped: Message | None = None) -> Observation:
    """Return the observation of a seat, now or after so many events; `stopped`: why the match takes no commands.

    Raises `MatchError` for an earlier state of a match that goes on.
    """
    proposal = current_proposal(live)
    proposals = () if proposal is None else (proposal,)
    if live.folded is None:
        status, nobody = live.row.status, frozenset[Seat]()
        return Observation(seat, 0, None, None, nobody, (), False, None, status, proposals=proposals, stopped=stopped)
    events = live.count if events is None else events
    if not 0 <= events <= live.count:
        raise MatchError(Message("events-are", "there are {count} events, not {at}", count=live.count, at=events))
    if events != live.count and not live.ended:
        english = "an earlier state is shown once the match is over; until then there is your history"
        raise MatchError(Message("shown-later", english))
    match, state = live.match, live.match.states[events]
    game = match.game
    view = game.view(state, seat)
    to_act = frozenset() if live.ended or stopped else game.to_act(state)
    acts = seat is not None and seat in to_act
    legal, has_more = first_legal(game, state, seat) if acts and seat is not None else ((), False)
    return Observation(
        seat=seat,
        count=events,
        view=view,
        scene=game.scene(view),
        to_act=to_act,
        legal=legal,
        has_more=has_more,
        open_ended=acts and seat is not None and game.open_ended(state, seat),
        result=match.result if events == live.count else game.result(state),
        status=live.row.status,
        deadline_at_ms=None if stopped else seat_deadline(live),
        proposals=proposals,
        absent=absent(live),
        stopped=stopped,
        tell=None if live.trust is None else partial(live.trust.evidence.look, events, view, seat),
    )


def history(live: LiveMatch, seat: Seat | None, since: int = 0, limit: int | None = None) -> tuple[HistoryEntry, ...]:
    """Return what a seat saw of the events from `since` on, at most so many, as far as it may still read it."""
    if live.folded is None:
        return ()
    first = min(max(since, 0), live.count)
    last = live.count if limit is None else min(first + max(limit, 0), live.count)
    return tuple(history_entry(live, seat, seq) for seq in range(first, last))


def history_entry(live: LiveMatch, seat: Seat | None, seq: int) -> HistoryEntry:
    """Return what a seat saw of one event, as far as it may still read it."""
    step = live.match.steps[seq]
    meta, (command, notes) = step.event.meta, readable(live, seat, seq)
    elapsed_ms, actor = (None, None) if meta is None else (meta.at, meta.by)
    tell = None if live.trust is None else partial(live.trust.evidence.event, step, seat, (command, notes))
    return HistoryEntry(seq, step.seat, command, notes, elapsed_ms, actor, tell)


def readable(live: LiveMatch, seat: Seat | None, seq: int) -> CommandAndNotes:
    """Return what a seat saw of the command of one event, and the notes of it that it may still read."""
    command, notes = live.seen(seq, seat)
    if not _shows_momentary(live, seq):
        notes = tuple(note for note in notes if not note.momentary)
    return command, notes


def _shows_momentary(live: LiveMatch, seq: int) -> bool:
    """Return True if momentary notes of this event are shown: it is the last, but for deals and new rules after it.

    Those of every event are once the match has ended, or if its terms keep them.
    """
    if live.ended or live.metadata.terms.keep_momentary_notes:
        return True
    events, last = live.match.events, live.count - 1
    while last > seq and (is_deal(events[last]) or isinstance(events[last].command, RulesChange)):
        last -= 1
    return seq >= last

"""Projections of a match: its observation for a seat now, its history, and its public facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from attrs import evolve, field, fields, frozen

from ..errors import MatchError, Message, StoreError
from ..game import AnyStep, FormatCommand, Note, RedactedCommand, Result, Scene, Seat
from ..game.timeline import before_last_of
from ..match.legal import first_legal
from ..stores.store import MetadataRow, Query
from ..trust.seat_record import Entry
from .context import HostContext, closed
from .deadlines import absent, seat_deadline
from .live_match import LiveMatch, current_proposal
from .metadata import MatchMetadata, Proposal, Terms, metadata_of
from .preparation import TrustStatus, trust_status

PAGE_EVENTS = 500
"""The most events that are read at a time where nobody has said how many: meanwhile nobody else uses the match."""


def _said(told: Entry) -> Entry:
    return told


class Told:
    """What a host tells, which makes the bytes of it only when it is asked for; it can be pickled all the same."""

    __slots__ = ()
    _tell: Callable[[], Entry] | None

    def told(self) -> Entry | None:
        """Return what was told, as bytes under a mark, for the seat's record; None for a match without marks."""
        return None if self._tell is None else self._tell()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it again."""
        values: list[Any] = [getattr(self, each.name) for each in fields(type(self))]  # type: ignore[arg-type]
        if values[-1] is not None:
            values[-1] = partial(_said, values[-1]())  # what makes it does not leave the host's process
        return type(self), tuple(values)


@frozen
class HistoryEntry(Told):
    """One event as one seat saw it."""

    seq: int
    seat: int
    command: Any | FormatCommand | RedactedCommand
    """The command, or its public fields."""
    notes: tuple[Note, ...]
    """Those that it may still read: the momentary ones only until somebody acts again, unless the terms keep them."""
    elapsed_ms: int | None
    """Milliseconds since the match started."""
    actor: str | None
    """The bot or stand-in that acted for the seat; None: the seat itself. `new key`: a new holder of the seat."""
    _tell: Callable[[], Entry] | None = field(default=None, eq=False, repr=False)


@frozen
class Observation(Told):
    """A match as one seat sees it (None: a spectator)."""

    seat: int | None
    count: int
    """How many events there are: the `expected_events` of a command chosen from this observation."""
    view: Any
    scene: Scene | None
    """None, as the view, while seats are free."""
    to_act: frozenset[int]
    legal: tuple[Any, ...]
    """The seat's legal commands, at most the first `legal.MAX_LEGAL`: `has_more` says if there are more."""
    open_ended: bool
    """Whether the seat has commands that cannot be listed."""
    result: Result | None
    status: str
    deadline_at_ms: int | None = None
    """When the stand-in first acts for a player, in milliseconds since the Unix epoch."""
    proposals: tuple[Proposal, ...] = ()
    """The last proposal, if there is one, of any status."""
    absent: frozenset[int] = frozenset()
    """The players' seats whose last event was made by the stand-in."""
    stopped: Message | None = None
    """Why the match takes no commands though it has no result and its players did not end it: newer rules, or too many
    events. Then nobody is to act, nothing is legal and nothing is due; it can be forked, and abandoned if it goes on.
    """
    looked_again: tuple[int, ...] = ()
    """Once the match is over, the seats that a takeback has shown once more what they may look at only once."""
    closed: bool = False
    """True if the match has ended, and another one with the same cards goes on: nothing hidden is opened before."""
    has_more: bool = False
    """True if the seat has more legal commands than `legal` lists."""
    undoes_to: int | None = None
    """The target of a takeback of the seat's last effective command (-1: the start); None: none is left."""
    _tell: Callable[[], Entry] | None = field(default=None, eq=False, repr=False)


def observe(live: LiveMatch, seat: int | None, events: int | None, stopped: Message | None = None) -> Observation:
    """Return the observation of a seat, now or after so many events; `stopped`: why the match takes no commands.

    Raises `MatchError` for an earlier state of a match that goes on, or is closed.
    """
    events = live.count if events is None else events
    live.check_not_rewound(events)
    proposal = current_proposal(live)
    proposals = () if proposal is None else (proposal,)
    if live.folded is None:
        status, nobody = live.row.status, frozenset[Seat]()
        return Observation(seat, 0, None, None, nobody, (), False, None, status, proposals=proposals, stopped=stopped)
    if events < 0:
        raise MatchError(Message("events-are", "there are {count} events, not {at}", count=live.count, at=events))
    if events != live.count and not live.ended:
        english = "earlier states are shown once the match is over; until then use your history"
        raise MatchError(Message("shown-later", english))
    if events != live.count and live.is_closed:  # they show what may be looked at only once
        raise closed()
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
        looked_again=match.looked_again if live.ended and not live.is_closed else (),
        closed=live.is_closed,
        undoes_to=None if seat is None else before_last_of(match.events, seat),
        tell=None if live.trust is None else partial(live.trust.evidence.look, events, view, seat),
    )


def history(live: LiveMatch, seat: int | None, since: int = 0, limit: int | None = None) -> tuple[HistoryEntry, ...]:
    """Return what a seat saw of the events from `since` on, at most so many, as far as it may still read it.

    Raises `Rewound` if there are fewer events.
    """
    live.check_not_rewound(since)
    if live.folded is None:
        return ()
    first = min(max(since, 0), live.count)
    last = live.count if limit is None else min(first + max(limit, 0), live.count)
    return tuple(history_entry(live, seat, seq) for seq in range(first, last))


def history_entry(live: LiveMatch, seat: int | None, seq: int) -> HistoryEntry:
    """Return what a seat saw of one event, as far as it may still read it."""
    step = live.match.steps[seq]
    meta, command, notes = step.event.meta, step.command_for(seat), readable_notes(live, seat, seq, step)
    elapsed_ms, actor = (None, None) if meta is None else (meta.at, meta.by)
    tell = None if live.trust is None else partial(live.trust.evidence.event, step, seat, (command, notes))
    return HistoryEntry(seq, step.seat, command, notes, elapsed_ms, actor, tell)


def readable_notes(live: LiveMatch, seat: int | None, seq: int, step: AnyStep) -> tuple[Note, ...]:
    """Return the notes of one event that a seat may still read."""
    notes = live.notes(seq, seat, step)
    lasting = tuple([note for note in notes if not note.momentary])
    return notes if len(lasting) == len(notes) or _shows_momentary(live, seq) else lasting


def _shows_momentary(live: LiveMatch, seq: int) -> bool:
    """Return True if momentary notes of this event are shown: it is the last, but for deals and new rules after it.

    Those of every event are once the match is opened, or if its terms keep them.
    """
    if (live.ended and not live.is_closed) or live.metadata.terms.keep_momentary_notes:
        return True
    return live.match.next_act(seq) is None


@frozen
class About:
    """The public facts of a match. Never its seed."""

    match: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[str | None, ...]
    """The name of each seat; None where a seat is free."""
    status: str
    """`open` (seats are free), `going`, `over` or `abandoned`."""
    terms: Terms
    opened_at_ms: int
    """Milliseconds since the Unix epoch."""
    changed_at_ms: int
    """When a seat was last taken, a proposal made or answered, or the match ended; milliseconds since the epoch."""
    result: Result | None
    count: int | None = None
    """How many events there are; None in the list of a lobby."""
    to_act: frozenset[int] | None = None
    """The seats that are to act; None in the list of a lobby."""
    trust: TrustStatus | None = None
    """Keys, commitments and roster; None in the list of a lobby, and for a match without marks."""
    stopped: Message | None = None
    """Why it takes no commands, as in an `Observation`; None in the list of a lobby."""
    closed: bool = False
    """Whether it has ended and stays closed, as in an `Observation`; False in the list of a lobby."""


def about(context: HostContext, match: str) -> About:
    """Return the public facts of one match."""
    with context.shown(match) as live:
        stopped = context.why_stopped(live)
        return evolve(
            facts(live.id, live.row, live.metadata),
            trust=trust_status(context, live),
            stopped=stopped,
            closed=live.is_closed,
            count=live.count,
            to_act=frozenset() if live.folded is None or live.ended or stopped else live.folded.to_act,
        )


def lobby(context: HostContext, query: Query) -> list[About]:
    """Return the public matches that fit the query, newest change first; `query.public` is ignored."""
    found: list[About] = []
    for match, row in context.store.list(evolve(query, public=True)):
        with suppress(StoreError):  # metadata that no host wrote
            found.append(facts(match, row, metadata_of(row, match)))
    return found


def facts(match: str, row: MetadataRow, metadata: MatchMetadata) -> About:
    """Return the public facts of a match, as a lobby has them."""
    return About(
        match=match,
        game=row.game,
        options=metadata.options,
        seats=metadata.names,
        status=row.status,
        terms=metadata.terms,
        opened_at_ms=metadata.opened_at_ms,
        changed_at_ms=row.changed_at_ms,
        result=metadata.result,
    )

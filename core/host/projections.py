"""What a seat sees of a match: how the table looks to it now, and what it saw happen."""

from __future__ import annotations

from itertools import islice
from typing import Any

from attrs import frozen

from ..errors import MatchError, Message
from ..game import Note, RedactedCommand, Result, Seat, Takeback
from ..random_play import MAX_LEGAL
from ..scene import Scene
from .deadlines import absent, seat_deadline
from .match_cache import LiveMatch, current_proposal
from .metadata import Proposal


@frozen
class HistoryEntry:
    """What a seat saw of one event."""

    seq: int
    seat: Seat
    command: Any | Takeback | RedactedCommand
    """The command, or what of it is public."""
    notes: tuple[Note, ...]
    elapsed_ms: int | None
    """Milliseconds since the match started."""
    actor: str | None
    """Who acted for the seat: a bot's name, or `stand-in`; None: it did itself."""


@frozen
class Observation:
    """How a match stands for one seat (None: a spectator)."""

    seat: Seat | None
    count: int
    """How many events there are: the `at` of a command that answers this look."""
    view: Any
    scene: Scene | None
    """None, as the view, while seats are free."""
    to_act: frozenset[Seat]
    legal: tuple[Any, ...]
    """The seat's commands now; of more than `random_play.ENOUGH` the first so many."""
    open_ended: bool
    """Whether the seat has commands besides, without number."""
    result: Result | None
    status: str
    deadline_at_ms: int | None = None
    """When the stand-in will play for who is asked first, in milliseconds since the Unix epoch."""
    proposals: tuple[Proposal, ...] = ()
    """The last wish of a seat, whether it waits, is done or was refused."""
    absent: frozenset[Seat] = frozenset()
    """The seats for which the stand-in played last."""


def observe(live: LiveMatch, seat: Seat | None, events: int | None) -> Observation:
    """Show the match to a seat; as it stood after `at` events only once it is over."""
    proposals = current_proposal(live)
    if live.folded is None:
        return Observation(seat, 0, None, None, frozenset(), (), False, None, live.row.status, proposals=proposals)
    events = live.count if events is None else events
    if not 0 <= events <= live.count:
        raise MatchError(Message("events-are", "there are {count} events, not {at}", count=live.count, at=events))
    if events != live.count and not live.ended:
        english = "what lay on the table before is shown once the match is over; what you saw happen is at hand"
        raise MatchError(Message("shown-later", english))
    match, state = live.match, live.match.states[events]
    game = match.game
    view = game.view(state, seat)
    asked = frozenset() if live.ended else game.to_act(state)
    mine = seat is not None and seat in asked
    return Observation(
        seat=seat,
        count=events,
        view=view,
        scene=game.scene(view),
        to_act=asked,
        legal=tuple(islice(game.legal(state, seat), MAX_LEGAL)) if mine and seat is not None else (),
        open_ended=mine and seat is not None and game.open_ended(state, seat),
        result=game.result(state),
        status=live.row.status,
        deadline_at_ms=seat_deadline(live),
        proposals=proposals,
        absent=absent(live),
    )


def history(live: LiveMatch, seat: Seat | None, since: int = 0) -> tuple[HistoryEntry, ...]:
    """Tell what a seat saw of the events from `since` on."""
    if live.folded is None:
        return ()
    return tuple(history_entry(live, seat, seq) for seq in range(min(max(since, 0), live.count), live.count))


def history_entry(live: LiveMatch, seat: Seat | None, seq: int) -> HistoryEntry:
    """Tell what a seat saw of one event."""
    step = live.match.steps[seq]
    meta = step.event.meta
    at, by = (None, None) if meta is None else (meta.at, meta.by)
    return HistoryEntry(seq, step.seat, step.command_for(seat), step.notes_for(seat), at, by)

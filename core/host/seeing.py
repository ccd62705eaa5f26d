"""What a seat sees of a match: how the table looks to it now, and what it saw happen."""

from __future__ import annotations

from itertools import islice
from typing import Any

from attrs import frozen

from ..errors import MatchError, Why
from ..game import Hidden, Note, Result, Seat, Takeback
from ..random_play import ENOUGH
from ..scene import Scene
from .folds import Live
from .papers import Wish
from .turns import absent, deadline
from .wishes import wish_now


@frozen
class Seen:
    """What a seat saw of one event."""

    seq: int
    seat: Seat
    sighting: Any | Takeback | Hidden
    """The command, or what of it is public."""
    notes: tuple[Note, ...]
    at: int | None
    """Milliseconds since the match started."""
    by: str | None
    """Who acted for the seat: a bot's name, or `stand-in`; None: it did itself."""


@frozen
class Look:
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
    deadline: int | None = None
    """When the stand-in will play for who is asked first, in milliseconds since the Unix epoch."""
    wishes: tuple[Wish, ...] = ()
    """The last wish of a seat, whether it waits, is done or was refused."""
    absent: frozenset[Seat] = frozenset()
    """The seats for which the stand-in played last."""


def look(live: Live, seat: Seat | None, at: int | None) -> Look:
    """Show the match to a seat; as it stood after `at` events only once it is over."""
    wishes = wish_now(live)
    if live.folded is None:
        return Look(seat, 0, None, None, frozenset(), (), False, None, live.sheet.status, wishes=wishes)
    at = live.count if at is None else at
    if not 0 <= at <= live.count:
        raise MatchError(Why("events-are", "there are {count} events, not {at}", count=live.count, at=at))
    if at != live.count and not live.ended:
        english = "what lay on the table before is shown once the match is over; what you saw happen is at hand"
        raise MatchError(Why("shown-later", english))
    match, state = live.match, live.match.states[at]
    game = match.game
    view = game.view(state, seat)
    asked = frozenset() if live.ended else game.to_act(state)
    mine = seat is not None and seat in asked
    return Look(
        seat=seat,
        count=at,
        view=view,
        scene=game.scene(view),
        to_act=asked,
        legal=tuple(islice(game.legal(state, seat), ENOUGH)) if mine and seat is not None else (),
        open_ended=mine and seat is not None and game.open_ended(state, seat),
        result=game.result(state),
        status=live.sheet.status,
        deadline=deadline(live),
        wishes=wishes,
        absent=absent(live),
    )


def seen(live: Live, seat: Seat | None, since: int = 0) -> tuple[Seen, ...]:
    """Tell what a seat saw of the events from `since` on."""
    if live.folded is None:
        return ()
    return tuple(saw(live, seat, seq) for seq in range(min(max(since, 0), live.count), live.count))


def saw(live: Live, seat: Seat | None, seq: int) -> Seen:
    """Tell what a seat saw of one event."""
    step = live.match.steps[seq]
    meta = step.event.meta
    at, by = (None, None) if meta is None else (meta.at, meta.by)
    return Seen(seq, step.seat, step.sighting(seat), step.told(seat), at, by)

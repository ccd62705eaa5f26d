"""What the rooms of the host share: its store, its folds, its clock, its entropy; and writing a command down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from attrs import frozen

from ..bot import Bot
from ..errors import KifuError, MatchError, Why
from ..game import TABLE, Meta, Seat, Step, Takeback
from ..stores.store import Store
from .folds import Find, Folds, Live, Overtaken
from .papers import Papers

T = TypeVar("T")

TRIES = 64
"""How often other hosts may be first before a change is given up."""


@frozen(eq=False)
class Desk:
    """What every room of the host works with."""

    store: Store
    find: Find
    clock: Callable[[], int]
    """Milliseconds since the Unix epoch."""
    entropy: Callable[[int], bytes]
    engine: str
    folds: Folds
    bots: Mapping[str, Bot]
    stand_in: Bot | None
    patience: int
    """Milliseconds to wait for a bot's answer."""
    reschedule: Callable[[Live], None]
    """Notes when a locked match is next due."""

    def fresh(self, match: str) -> AbstractContextManager[Live]:
        """Give the match as the store has it now, for nobody else to use meanwhile."""
        return self.folds.fresh(match)

    def alone(self, match: str, work: Callable[[Live], T], *, trusting: bool = False) -> T:
        """Run `work` on the locked match, and retry up to `TRIES` times if another host wrote meanwhile.

        With `trusting`, the first attempt uses the match as it was last read: the store rejects it if that is out of
        date, and whatever is refused is tried again. Notes when the match is next due.
        """
        for number in range(TRIES):
            unread = trusting and number == 0
            try:
                with self.folds.fresh(match, unread=unread) as live:
                    done = work(live)
                    self.reschedule(live)
                    return done
            except Overtaken:
                continue
            except KifuError:
                if not unread:
                    raise
        raise MatchError(Why("others-first", "others are always first here: try again"))

    def now(self, live: Live) -> int:
        """Count the milliseconds since the match started."""
        return max(0, self.clock() - started(live))

    def record(self, live: Live, seat: Seat, command: Any, meta: Meta, papers: Papers | None = None) -> Step[Any, Any]:
        """Fold a command in, deal if a deal is due, and return once all of it is in the store.

        Raises `RuleViolation`, and nothing has changed.
        """
        check_goes_on(live)
        step = live.match.fold(seat, command, meta)
        live.match.deal(Meta(self.now(live)), self.entropy)
        live.commit(self.clock(), papers)
        return step

    def take_back(self, live: Live, to: int, by: Seat, papers: Papers | None = None) -> Step[Any, Any]:
        """Restore the state after event `to`, for a seat that may have it."""
        return self.record(live, TABLE, Takeback(to), Meta(self.now(live), by=f"seat {by}"), papers)


def checked(number: int, what: str) -> int:
    """Give a number that came from outside; raises `MatchError` for what is none."""
    if number.__class__ is not int:
        raise MatchError(
            Why("no-whole-number", "{what} is a whole number, not {given}", what=what, given=ascii(str(number)[:60]))
        )
    return number


def started(live: Live) -> int:
    """Give the time from which the events of a match are counted."""
    header = live.match.header
    return live.papers.opened if header.started is None else header.started


def check_goes_on(live: Live) -> None:
    """Raise `MatchError` unless events can follow in this match."""
    if live.match.abandoned:
        raise MatchError(Why("was-abandoned", "the match was abandoned: nothing can follow"))
    if not live.is_of_today:
        begun, today = live.match.header.rules, live.game.rules
        raise MatchError(
            Why(
                "begun-under",
                "it was begun under rules version {begun}, today's is {today}: fork it to go on",
                begun=begun,
                today=today,
            )
        )

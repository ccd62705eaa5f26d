"""What the rooms of the host share: its store, its folds, its clock, its entropy; and writing a command down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from attrs import frozen

from ..bot import Bot
from ..errors import KifuError, MatchError, Message
from ..game import TABLE, Meta, Seat, Step, Takeback
from ..stores.store import Store
from .match_cache import ConcurrentUpdate, Find, LiveMatch, MatchCache
from .metadata import MatchMetadata

T = TypeVar("T")

MAX_ATTEMPTS = 64
"""How often other hosts may be first before a change is given up."""


@frozen(eq=False)
class HostContext:
    """What every room of the host works with."""

    store: Store
    find: Find
    clock: Callable[[], int]
    """Milliseconds since the Unix epoch."""
    entropy: Callable[[int], bytes]
    engine: str
    cache: MatchCache
    bots: Mapping[str, Bot]
    stand_in: Bot | None
    bot_timeout_ms: int
    """Milliseconds to wait for a bot's answer."""
    reschedule: Callable[[LiveMatch], None]
    """Notes when a locked match is next due."""

    def locked(self, match: str) -> AbstractContextManager[LiveMatch]:
        """Give the match as the store has it now, for nobody else to use meanwhile."""
        return self.cache.locked(match)

    def run(self, match: str, work: Callable[[LiveMatch], T], *, optimistic: bool = False) -> T:
        """Run `work` on the locked match, and retry up to `MAX_ATTEMPTS` times if another host wrote meanwhile.

        With `optimistic`, the first attempt uses the cached match; the store rejects it if it is out of date, and
        whatever is refused then is tried again. Schedules when the match is next due.
        """
        for number in range(MAX_ATTEMPTS):
            refresh = not optimistic or number > 0
            try:
                with self.cache.locked(match, refresh=refresh) as live:
                    done = work(live)
                    self.reschedule(live)
                    return done
            except ConcurrentUpdate:
                continue
            except KifuError:
                if refresh:
                    raise
        raise MatchError(Message("others-first", "others are always first here: try again"))

    def now(self, live: LiveMatch) -> int:
        """Count the milliseconds since the match started."""
        return max(0, self.clock() - started_at_ms(live))

    def append(
        self, live: LiveMatch, seat: Seat, command: Any, meta: Meta, metadata: MatchMetadata | None = None
    ) -> Step[Any, Any]:
        """Fold a command in, deal if a deal is due, and return once all of it is in the store.

        Raises `RuleViolation`, and nothing has changed.
        """
        check_in_progress(live)
        step = live.match.apply(seat, command, meta)
        live.match.deal(Meta(self.now(live)), self.entropy)
        live.commit(self.clock(), metadata)
        return step

    def take_back(self, live: LiveMatch, to: int, by: Seat, metadata: MatchMetadata | None = None) -> Step[Any, Any]:
        """Restore the state after event `to`, for a seat that may have it."""
        return self.append(live, TABLE, Takeback(to), Meta(self.now(live), by=f"seat {by}"), metadata)


def checked_int(number: int, what: str) -> int:
    """Give a number that came from outside; raises `MatchError` for what is none."""
    if number.__class__ is not int:
        raise MatchError(
            Message(
                "no-whole-number", "{what} is a whole number, not {given}", what=what, given=ascii(str(number)[:60])
            )
        )
    return number


def started_at_ms(live: LiveMatch) -> int:
    """Give the time from which the events of a match are counted."""
    header = live.match.header
    return live.metadata.opened_at_ms if header.started is None else header.started


def check_in_progress(live: LiveMatch) -> None:
    """Raise `MatchError` unless events can follow in this match."""
    if live.match.abandoned:
        raise MatchError(Message("was-abandoned", "the match was abandoned: nothing can follow"))
    if not live.is_current_version:
        begun, today = live.match.header.rules, live.game.rules
        raise MatchError(
            Message(
                "begun-under",
                "it was begun under rules version {begun}, today's is {today}: fork it to go on",
                begun=begun,
                today=today,
            )
        )

"""Tending the matches: bots act at their turn, and the stand-in for seats that are not there in time."""

from __future__ import annotations

from contextlib import suppress
from threading import Condition, Lock
from typing import Any

from attrs import evolve

from ..bot import BOT_FAILURES, STAND_IN, InformationState, random_bot, stand_in_for
from ..errors import BotError, KifuError, StoreError
from ..game import Meta, Seat
from ..header import SEED_BYTES
from ..stores.store import Query
from .bot_runner import BotRunner
from .context import HostContext
from .deadlines import next_deadline, next_seat_due
from .match_cache import ConcurrentUpdate, LiveMatch
from .metadata import metadata_of

POLL_MS = 30_000
"""Milliseconds after which the store is searched again for matches that another host has opened or moved on."""
RETRY_MS = 5_000
"""Milliseconds after which a match is tended again whose store or whose rules failed."""
MAX_MOVES = 1_000
"""The most moves in one go."""


class Scheduler:
    """Knows when which match needs a hand, and lends it."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._asking = BotRunner(context.bot_timeout_ms)
        self._dues: dict[str, int] = {}
        self._lent: set[str] = set()
        """Those in which somebody is making a move just now."""
        self._searched: int | None = None
        self._searching = Lock()
        self._changed = Condition()

    def schedule(self, match: str, due: int | None) -> None:
        """Note when a match needs a hand next."""
        with self._changed:
            if due is None:
                self._dues.pop(match, None)
            elif self._dues.get(match) != due:
                self._dues[match] = due
                self._changed.notify_all()

    def reschedule(self, live: LiveMatch) -> None:
        """Note when a match that is locked needs a hand next."""
        self.schedule(live.id, next_deadline(live, self._context.clock()))

    def run_due(self) -> int | None:
        """Make all moves whose time has come, but for those that another thread is making; tell when the next will.

        So many threads may do so at once as bots shall think at the same time.
        """
        with self._searching:
            self._search()
        for _ in range(MAX_MOVES):
            match = self._next()
            if match is None:
                break
            self._lend(match)
        with self._changed:
            return min((due for match, due in self._dues.items() if match not in self._lent), default=None)

    def wait(self, timeout: float) -> None:
        """Wait so many seconds, or until a match is noted anew."""
        with self._changed:
            self._changed.wait(timeout)

    def _next(self) -> str | None:
        with self._changed:
            free = ((due, match) for match, due in self._dues.items() if match not in self._lent)
            due, match = min(free, default=(0, None))
            if match is None or due > self._context.clock():
                return None
            self._lent.add(match)
            return match

    def _search(self) -> None:
        """Note all matches that may ever need a hand."""
        now = self._context.clock()
        if self._searched is not None and 0 <= now - self._searched < POLL_MS:  # less: the clock was put back
            return
        self._searched = now
        query = Query(status="going")
        while page := list(self._context.store.list(query)):
            for match, row in page:
                with suppress(StoreError):  # of a sheet that no host wrote
                    terms = metadata_of(row, match).terms
                    if terms.turn_limit_ms is not None or terms.bots:
                        self._look(match)
            query = evolve(query, before=(page[-1][1].changed_at_ms, page[-1][0]))

    def _look(self, match: str) -> None:
        try:
            with self._context.locked(match) as live:
                self.reschedule(live)
        except KifuError:
            self.schedule(match, self._context.clock() + RETRY_MS)

    def _lend(self, match: str) -> None:
        """Make one move in a match, if it is time; look at it again later if that fails."""
        try:
            self._move(match)
        except ConcurrentUpdate:
            self._look(match)
        except KifuError:
            self.schedule(match, self._context.clock() + RETRY_MS)
        finally:
            with self._changed:
                self._lent.discard(match)
                self._changed.notify_all()

    def _move(self, match: str) -> None:
        context = self._context
        with context.locked(match) as live:
            due = next_seat_due(live, context.clock())
            self.reschedule(live)
            if due is None or due[0] > context.clock():
                return
            seat, count, info_state = due[1], live.count, live.information_state(due[1])
            bot = live.metadata.terms.bots.get(seat)
        try:
            self._record(match, count, seat, *self._asked(bot, info_state))
        except BOT_FAILURES:
            if not info_state.legal:  # commands without number, and none that can be listed
                raise
            self._record(match, count, seat, self._at_random(info_state), stand_in_for(bot or STAND_IN))

    def _asked(self, bot: str | None, info_state: InformationState[Any, Any]) -> tuple[Any, str]:
        """Have the seat's bot, or the stand-in, choose a command; and tell who it is."""
        if bot is None:
            stand_in = self._context.stand_in
            return (
                self._at_random(info_state) if stand_in is None else self._asking.choose(stand_in, info_state)
            ), STAND_IN
        if bot not in self._context.bots:
            raise BotError("not here")
        return self._asking.choose(self._context.bots[bot], info_state), bot

    def _at_random(self, info_state: InformationState[Any, Any]) -> Any:
        if not info_state.legal:
            raise BotError("nothing can be listed")
        return random_bot(self._context.entropy(SEED_BYTES))(info_state)

    def _record(self, match: str, count: int, seat: Seat, command: Any, by: str) -> None:
        """Write a move down, unless somebody was quicker."""
        with self._context.locked(match) as live:
            if live.count == count and not live.ended:
                self._context.append(live, seat, command, Meta(self._context.now(live), by=by))
            self.reschedule(live)

"""Tending the matches: bots act at their turn, and the stand-in for seats that are not there in time."""

from __future__ import annotations

from contextlib import suppress
from threading import Condition, Lock
from typing import Any

from attrs import evolve

from ..bot import MOST_BY, Sight, at_random
from ..errors import BotError, GameError, KifuError, StoreError
from ..game import Meta, RuleViolation, Seat
from ..stores.store import Query
from .asking import Asking
from .desk import SEED_BYTES, Desk
from .folds import Overtaken
from .papers import papers_of
from .turns import STAND_IN, moment, next_due

SEARCH = 30_000
"""Milliseconds after which the store is searched again for matches that another host has opened or moved on."""
LATER = 5_000
"""Milliseconds after which a match is tended again whose store or whose rules failed."""
MOST = 1_000
"""The most moves in one go."""


class Tending:
    """Knows when which match needs a hand, and lends it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._asking = Asking(desk.patience)
        self._dues: dict[str, int] = {}
        self._lent: set[str] = set()
        """Those in which somebody is making a move just now."""
        self._searched: int | None = None
        self._searching = Lock()
        self._changed = Condition()

    def note(self, match: str, due: int | None) -> None:
        """Note when a match needs a hand next."""
        with self._changed:
            if due is None:
                self._dues.pop(match, None)
            elif self._dues.get(match) != due:
                self._dues[match] = due
                self._changed.notify_all()

    def tend(self) -> int | None:
        """Make all moves whose time has come, but for those that another thread is making; tell when the next will.

        So many threads may do so at once as bots shall think at the same time.
        """
        with self._searching:
            self._search()
        for _ in range(MOST):
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
            if match is None or due > self._desk.clock():
                return None
            self._lent.add(match)
            return match

    def _search(self) -> None:
        """Note all matches that may ever need a hand."""
        now = self._desk.clock()
        if self._searched is not None and 0 <= now - self._searched < SEARCH:  # less: the clock was put back
            return
        self._searched = now
        query = Query(status="going")
        while page := list(self._desk.store.list(query)):
            for match, sheet in page:
                with suppress(StoreError):  # of a sheet that no host wrote
                    terms = papers_of(sheet, match).terms
                    if terms.limit is not None or terms.bots:
                        self._look(match)
            query = evolve(query, before=(page[-1][1].changed, page[-1][0]))

    def _look(self, match: str) -> None:
        try:
            with self._desk.fresh(match) as live:
                self.note(match, moment(live, self._desk.clock()))
        except KifuError:
            self.note(match, self._desk.clock() + LATER)

    def _lend(self, match: str) -> None:
        """Make one move in a match, if it is time; look at it again later if that fails."""
        try:
            self._move(match)
        except Overtaken:
            self._look(match)
        except KifuError:
            self.note(match, self._desk.clock() + LATER)
        finally:
            with self._changed:
                self._lent.discard(match)
                self._changed.notify_all()

    def _move(self, match: str) -> None:
        desk = self._desk
        with desk.fresh(match) as live:
            due = next_due(live, desk.clock())
            self.note(match, moment(live, self._desk.clock()))
            if due is None or due[0] > desk.clock():
                return
            seat, count, sight = due[1], live.count, live.sight(due[1])
            bot = live.papers.terms.bots.get(seat)
        try:
            command, by = self._asked(bot, sight)
            self._record(match, count, seat, command, by)
        except (BotError, RuleViolation, GameError):
            if not sight.legal:  # commands without number, and none that can be listed
                raise
            by = f"{STAND_IN} for {bot or STAND_IN}"  # why it had no answer may tell of its cards
            self._record(match, count, seat, self._at_random(sight), by[:MOST_BY])

    def _asked(self, bot: str | None, sight: Sight[Any, Any]) -> tuple[Any, str]:
        """Have the seat's bot, or the stand-in, choose a command; and tell who it is."""
        if bot is None:
            stand_in = self._desk.stand_in
            return (self._at_random(sight) if stand_in is None else self._asking.answer(stand_in, sight)), STAND_IN
        if bot not in self._desk.bots:
            raise BotError("not here")
        return self._asking.answer(self._desk.bots[bot], sight), bot

    def _at_random(self, sight: Sight[Any, Any]) -> Any:
        if not sight.legal:
            raise BotError("nothing can be listed")
        return at_random(self._desk.entropy(SEED_BYTES))(sight)

    def _record(self, match: str, count: int, seat: Seat, command: Any, by: str) -> None:
        """Write a move down, unless somebody was quicker."""
        with self._desk.fresh(match) as live:
            if live.count == count and not live.ended:
                self._desk.record(live, seat, command, Meta(self._desk.now(live), by=by))
            self.note(match, moment(live, self._desk.clock()))

"""The scheduler: bots act at their turn, the stand-in for seats whose turn limit is over."""

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
from .fair_deal import fail_if_due
from .match_cache import ConcurrentUpdate, LiveMatch
from .metadata import MatchMetadata, metadata_of

POLL_MS = 30_000
"""How often the store is searched for matches that another host has opened or changed."""
RETRY_MS = 5_000
"""How long a match rests after its store or its rules failed."""
MAX_MOVES = 1_000
"""The most commands that one call of `run_due` makes."""


class Scheduler:
    """The deadlines of all live matches, and the commands that bots and stand-ins make when they are due."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._runner = BotRunner(context.bot_timeout_ms)
        self._deadlines: dict[str, int] = {}
        self._busy: set[str] = set()
        """The matches in which a thread acts for a seat."""
        self._polled_at_ms: int | None = None
        self._polling = Lock()
        self._changed = Condition()

    def schedule(self, match: str, due_at_ms: int | None) -> None:
        """Set the next deadline of a match, in milliseconds since the Unix epoch; None: it has none."""
        with self._changed:
            if due_at_ms is None:
                self._deadlines.pop(match, None)
            elif self._deadlines.get(match) != due_at_ms:
                self._deadlines[match] = due_at_ms
                self._changed.notify_all()

    def reschedule(self, live: LiveMatch) -> None:
        """Set the next deadline of a locked match."""
        self.schedule(live.id, next_deadline(live, self._context.clock()))

    def run_due(self) -> int | None:
        """Act in all matches that are due, but for those in which another thread acts; return the next deadline.

        Milliseconds since the Unix epoch, None if there is none. Several threads may run it: one bot thinks in each.
        """
        with self._polling:
            self._poll()
        for _ in range(MAX_MOVES):
            match = self._next_due_match()
            if match is None:
                break
            self._run(match)
        with self._changed:
            return min((due for match, due in self._deadlines.items() if match not in self._busy), default=None)

    def wait(self, timeout_s: float) -> None:
        """Wait so many seconds, or until a deadline changes."""
        with self._changed:
            self._changed.wait(timeout_s)

    def _next_due_match(self) -> str | None:
        """Take the match that is due first and mark it busy; None if none is due."""
        with self._changed:
            free = ((due, match) for match, due in self._deadlines.items() if match not in self._busy)
            due, match = min(free, default=(0, None))
            if match is None or due > self._context.clock():
                return None
            self._busy.add(match)
            return match

    def _poll(self) -> None:
        """Schedule all matches in the store that have a turn limit or bots, every `POLL_MS`."""
        now_ms = self._context.clock()
        if (
            self._polled_at_ms is not None and 0 <= now_ms - self._polled_at_ms < POLL_MS
        ):  # less: the clock was put back
            return
        self._polled_at_ms = now_ms
        for status in ("going", "open"):
            query = Query(status=status)
            while page := list(self._context.store.list(query)):
                for match, row in page:
                    with suppress(StoreError):  # metadata that no host wrote
                        if _has_deadlines(metadata_of(row, match), status):
                            self.update(match)
                query = evolve(query, before=(page[-1][1].changed_at_ms, page[-1][0]))

    def update(self, match: str, *, refresh: bool = True) -> None:
        """Set the next deadline of a match; if that fails, rest for `RETRY_MS` first. `refresh`: read the store."""
        try:
            with self._context.locked(match, refresh=refresh) as live:
                self.reschedule(live)
        except KifuError:
            self.schedule(match, self._context.clock() + RETRY_MS)

    def _run(self, match: str) -> None:
        """Act for one seat of a match if it is due; try again later if that fails."""
        try:
            self._act(match)
        except ConcurrentUpdate:
            self.update(match)
        except KifuError:
            self.schedule(match, self._context.clock() + RETRY_MS)
        finally:
            with self._changed:
                self._busy.discard(match)
                self._changed.notify_all()

    def _act(self, match: str) -> None:
        """Act for the seat that is due; a bot chooses without the lock, and a random one replaces what fails."""
        context = self._context
        with context.locked(match) as live:
            fail_if_due(context, live)
            due = next_seat_due(live, context.clock())
            self.reschedule(live)
            if due is None or due[0] > context.clock():
                return
            seat, count, info_state = due[1], live.count, live.information_state(due[1])
            bot = live.metadata.terms.bots.get(seat)
        try:
            self._append(match, count, seat, *self._choose(bot, info_state))
        except BOT_FAILURES:
            if not info_state.legal:  # no legal command can be listed
                raise
            self._append(match, count, seat, self._random_command(info_state), stand_in_for(bot or STAND_IN))

    def _choose(self, bot: str | None, info_state: InformationState[Any, Any]) -> tuple[Any, str]:
        """Return the command of the seat's bot, or of the stand-in, and its name; raises `BotError`."""
        if bot is None:
            stand_in = self._context.stand_in
            return (
                self._random_command(info_state) if stand_in is None else self._runner.choose(stand_in, info_state)
            ), STAND_IN
        if bot not in self._context.bots:
            raise BotError("not here")
        return self._runner.choose(self._context.bots[bot], info_state), bot

    def _random_command(self, info_state: InformationState[Any, Any]) -> Any:
        """Return a random legal command; raises `BotError` if none can be listed."""
        if not info_state.legal:
            raise BotError("nothing can be listed")
        return random_bot(self._context.entropy(SEED_BYTES))(info_state)

    def _append(self, match: str, count: int, seat: Seat, command: Any, actor: str) -> None:
        """Append a command, unless the match has changed since `count`."""
        with self._context.locked(match) as live:
            if live.count == count and not live.ended:
                self._context.append(live, seat, command, Meta(self._context.elapsed_ms(live), by=actor))
            self.reschedule(live)


def _has_deadlines(metadata: MatchMetadata, status: str) -> bool:
    """Return True if something is to happen in a match of this status when nobody asks."""
    if status == "open":
        return metadata.preparation is not None and metadata.preparation.deadline_at_ms is not None
    return metadata.terms.turn_limit_ms is not None or bool(metadata.terms.bots)

"""The scheduler: bots act at their turn, the stand-in for seats whose turn limit is over.

When something is due stands in the store, so that any number of hosts share the work: a host claims what is due for a
while, and what a dead host had claimed is due again soon after.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

from ..errors import BotError, KifuError, NewerRules, StoreError
from ..game import Meta, Seat
from ..match.bot import BOT_FAILURES, STAND_IN, InformationState, random_bot, stand_in_for
from ..match.header import SEED_BYTES
from ..stores.store import HEADER_ALONE, Claim, Due, Query, Schedule, commit_one
from .bot_runner import BotRunner
from .context import HostContext
from .deadlines import is_left, last_event_at_ms, next_seat_due
from .fair_deal import fail_if_due
from .fair_queue import BotTurn, FairQueue
from .live_match import LiveMatch
from .metadata import metadata_of
from .witnessing import WitnessWriter

LEASE_MS = 1_500
"""For how long a host claims a seat's deadline: so late it is at most if the host dies."""
BOT_LEASE_MS = 5_000
"""For how long it claims a bot's turn, which may have to wait for its thread."""
RENEW_S = 0.5
"""How often a claim is renewed while a bot thinks."""
POLL_S = 0.25
"""How often the store is asked for what other hosts have left."""
CATCH_UP = 20
"""In how many matches a host that starts looks for the newest time."""
IDLE_S = 0.02
"""The least time between two questions."""
LEAVE_MS = 20
"""How soon a match of newer rules is due again, for a host that plays them, where nothing says when it was due."""
YIELD_S = 0.3
"""How long a host claims nothing after it has met such a match: the next question of another host comes before."""
RETRY_MS = 5_000
"""How long a match rests after its store or its rules failed."""
MAX_MOVES = 1_000
"""The most commands that one call of `run_due` makes."""
MAX_DEADLINES = 16
"""The most deadlines that a host has claimed at the same time: those that it can meet before the claims lapse."""
MAX_TURNS = 64
"""The most turns of bots that it has claimed, not counting those of bots alone, which may have to wait for long."""
MAX_LEFT = 10_000
"""Of how many matches it remembers that all have left them; another host may have ended some since."""
BOT_THREADS = 2
DEADLINE_THREADS = 4
"""The threads that meet deadlines: they wait for the store."""
STAND_IN_THREADS = 8
"""As many if the stand-in is a bot, which may think for long."""
UNAVAILABLE = (StoreError, RuntimeError)
"""What is tried again later: the store failed, or no thread is available."""
CLAIMED = Due(-1)
EVER_MS = 1 << 52


class Scheduler:
    """The deadlines of all live matches, and the commands that bots and stand-ins make when they are due."""

    def __init__(self, context: HostContext, witnesses: WitnessWriter) -> None:
        self._context, self._witnesses = context, witnesses
        self._runner = BotRunner(context.bot_timeout_ms, context.threads)
        self.turns = FairQueue(context.threads, context.bots_alone_share)
        self._left: set[str] = set()
        """The matches that all players have left to the stand-in."""
        self._acting = 0
        """Deadlines that threads of `run` are acting for."""
        self._changed = context.threads.condition()
        self._woken = False
        self._woken_here: asyncio.Event | None = None
        """Set with `_woken`, for the event loop that runs `run_here`."""
        self._read_ms = 0
        self._earliest_ms: int | None = None
        """When the first of what was last claimed had been due; None if nothing was."""
        self._yields_until_s = 0.0
        """Until when newer hosts come first, as `Threads.monotonic` counts."""

    def run_due(self, limit: int = MAX_MOVES) -> int | None:
        """Act in all matches that are due, but for those that are claimed; return when something is next due.

        Milliseconds since the Unix epoch, None if nothing is. Several threads may run it: one bot thinks in each.
        """
        self._notice_a_clock_put_back()
        for _ in range(limit):
            is_bot = not (claimed := self._claim(1, is_bot=False))
            claimed = claimed or self._claim(1, is_bot=True)
            if not claimed:
                break
            self._run(claimed[0], is_bot=is_bot)
        return self._context.store.earliest_due()

    def run(self, stop: Event) -> None:
        """Act in all matches that are due, until `stop` is set; bots, and what is written behind, in own threads."""
        caught_up, workers = False, list[Any]()
        to_start: list[tuple[Callable[[], None], str]] = [(lambda: self._witnesses.run(stop), "kifu witnesses")]
        to_start += [(lambda: self._work(stop), "kifu bots")] * BOT_THREADS
        size = DEADLINE_THREADS if self._context.stand_in is None else STAND_IN_THREADS
        with self._context.threads.executor(size, "kifu deadlines") as executor:
            self._start(to_start, workers)
            while not stop.is_set():
                wait_s = 1.0
                with suppress(*UNAVAILABLE):  # the next round tries again
                    caught_up = caught_up or self._catch_up_with_the_clock()
                    wait_s = wait_s if to_start else self._round(executor)
                self._wait(wait_s)
                self._start(to_start, workers)
        for worker in workers:
            worker.join()

    def _start(self, waiting: list[tuple[Callable[[], None], str]], workers: list[Any]) -> None:
        """Start the threads that wait for it, as long as there are any."""
        with suppress(RuntimeError):  # the next round tries again
            while waiting:
                workers.append(self._context.threads.start(*waiting[-1]))
                waiting.pop()

    async def run_here(self) -> None:
        """Act in all matches that are due, in this event loop, which goes on after each command; until cancelled."""
        self._woken_here = woken = asyncio.Event()
        due_ms = None
        while True:
            woken.clear()
            before_ms, due_ms = due_ms, self._context.clock() + RETRY_MS
            with suppress(StoreError):  # the next round tries again
                due_ms = min(due_ms, self.run_due(1) or due_ms)
            least_s = IDLE_S if due_ms == before_ms else 0.0  # another holds what was due already
            with suppress(TimeoutError):
                async with asyncio.timeout(max((due_ms - self._context.clock()) / 1000, least_s)):
                    await woken.wait()
            await asyncio.sleep(0)

    def _round(self, executor: Any) -> float:
        """Claim what is due, and pass it on; return the seconds until the next round."""
        yields_s = self._yields_until_s - self._context.threads.monotonic()
        if yields_s > 0:
            return yields_s
        now_ms, due_ms = self._context.clock(), self._context.store.earliest_due()
        if due_ms is None or due_ms > now_ms:  # one question is all that an idle host asks
            return POLL_S if due_ms is None else min(max((due_ms - now_ms) / 1000, 2 * IDLE_S), POLL_S)
        self._earliest_ms = due_ms
        with self._changed:
            free = MAX_DEADLINES - self._acting
        deadlines = self._claim(free, is_bot=False)
        for claim in deadlines:
            with self._changed:
                self._acting += 1
            executor.submit(self._meet_deadline, claim, now_ms + LEASE_MS)
        turns = self._claim(MAX_TURNS - self.turns.waiting(has_players=True), is_bot=True)
        for claim in turns:
            self._enqueue(claim, now_ms + BOT_LEASE_MS)
        due_ms = self._context.store.earliest_due()
        left_s = POLL_S if due_ms is None else (due_ms - self._context.clock()) / 1000
        return min(max(left_s, IDLE_S if deadlines or turns else 2 * IDLE_S), POLL_S)

    def _meet_deadline(self, claim: Claim, until_ms: int) -> None:
        """Act in a match that is claimed until then; afterwards another host may have claimed it."""
        try:
            if self._context.clock() < until_ms:
                self._run(claim, is_bot=False)
        finally:
            with self._changed:
                self._acting -= 1

    def _work(self, stop: Event) -> None:
        """Let one bot after the other act."""
        monotonic = self._context.threads.monotonic
        while not stop.is_set():
            turn = self.turns.get(POLL_S)
            if turn is None:
                continue
            began_s = monotonic()
            try:
                if turn.claimed_until_ms - self._context.clock() > LEASE_MS:  # else it is claimed anew
                    with suppress(*UNAVAILABLE):
                        self._run(turn.claim, is_bot=True)
                    self._wake()
            finally:
                self.turns.done(turn, monotonic() - began_s)

    def _enqueue(self, claim: Claim, until_ms: int) -> None:
        """Let the turn of a bot wait; of the match only the row is read, as a deadline may be the next to meet."""
        try:
            metadata = metadata_of(self._context.store.read(claim.match, HEADER_ALONE).row, claim.match)
        except KifuError as cause:
            self._rest(claim.match, cause)
            return
        has_players = len(metadata.terms.bots) < len(metadata.names) and claim.match not in self._left
        self.turns.put(BotTurn(claim, metadata.opener, has_players, until_ms))

    def _claim(self, limit: int, *, is_bot: bool) -> tuple[Claim, ...]:
        now_ms = self._context.clock()
        until_ms = now_ms + (BOT_LEASE_MS if is_bot else LEASE_MS)
        return tuple(self._context.store.claim(now_ms, until_ms, limit, is_bot=is_bot)) if limit > 0 else ()

    def _notice_a_clock_put_back(self) -> None:
        """Look at all matches once if the clock was put back: some would wait until it is as late again."""
        now_ms = self._context.clock()
        if now_ms < self._read_ms:
            for is_bot in (False, True):
                self._context.store.claim(EVER_MS, now_ms, EVER_MS, is_bot=is_bot)
        self._read_ms = now_ms

    def _catch_up_with_the_clock(self) -> bool:
        """Go on from the newest time that hosts have noted in the store, if the clock was put back while none ran."""
        store, advance = self._context.store, self._context.advance_clock
        for query in (Query(limit=1), Query(status="going", limit=CATCH_UP)):
            for match, row in store.list(query):
                advance(row.changed_at_ms)
                if row.status == "going":
                    advance(self._last_event_at_ms(match))
        return True

    def _last_event_at_ms(self, match: str) -> int:
        """Return when a host appended the last event of a match, 0 if that is unknown; raises `StoreError`."""
        try:
            with self._context.locked(match) as live:
                return last_event_at_ms(live)
        except StoreError:
            raise
        except KifuError:  # its rules fail, or it was deleted
            return 0

    def _wait(self, timeout_s: float) -> None:
        """Wait so many seconds, or until something becomes due earlier."""
        with self._changed:
            if not self._woken:
                self._changed.wait(timeout_s)
            self._woken = False

    def _wake(self) -> None:
        if self._woken_here is not None:
            self._woken_here.set()
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def stored(self, live: LiveMatch) -> None:
        """Look at what is due in a locked match, after a change of it was stored."""
        if live.ended:
            self._left.discard(live.id)
        if live.due is not None and live.due.at_ms is not None:
            self._wake()

    def _rest(self, match: str, cause: KifuError) -> None:
        """Let a match rest whose store or rules failed; leave one that is under newer rules to a newer host."""
        now_ms = self._context.clock()
        again_ms = now_ms + RETRY_MS
        if isinstance(cause, NewerRules):  # as early as it was due: the clock of another host may be behind
            again_ms = now_ms + LEAVE_MS if self._earliest_ms is None else self._earliest_ms
            self._yields_until_s = self._context.threads.monotonic() + YIELD_S
        with suppress(KifuError):
            count = self._context.store.read(match, HEADER_ALONE).count
            commit_one(self._context.store, Schedule(match, count, Due(again_ms)))

    def _run(self, claim: Claim, *, is_bot: bool) -> None:
        """Act for one seat of a claimed match if it is due; try again later if that fails."""
        try:
            self._act(claim.match, is_bot, claim.count)
        except KifuError as cause:
            self._rest(claim.match, cause)

    def _act(self, match: str, is_bot: bool, claimed_at: int) -> None:
        """Act for the seat that is due; a bot chooses without the lock, and a random one replaces what fails."""

        def look(live: LiveMatch) -> tuple[int, Seat, str | None, InformationState[Any, Any]] | None:
            if live.count != claimed_at:  # whoever changed it has said when it is next due, and it may be claimed anew
                return None
            return self._due_turn(live, is_bot=is_bot)

        turn = self._context.run(match, look, computes=is_bot, reads=True)
        if turn is None:
            return
        count, seat, bot, info_state = turn
        try:
            self._append(match, count, seat, *self._choose(match, count, bot, info_state))
        except BOT_FAILURES:
            if not info_state.legal:  # no legal command can be listed
                raise
            self._append(match, count, seat, self._random_command(info_state), stand_in_for(bot or STAND_IN))

    def _due_turn(
        self, live: LiveMatch, *, is_bot: bool
    ) -> tuple[int, Seat, str | None, InformationState[Any, Any]] | None:
        """Return the number of events, the seat that is due, its bot and what it knows; None if none is to act now.

        With `is_bot` false only for a player's seat: a bot's turn becomes due as such, in a thread that may wait.
        """
        context, live.due = self._context, CLAIMED
        fail_if_due(context, live)
        due = next_seat_due(live, context.clock())
        bot = None if due is None else live.metadata.terms.bots.get(due[1])
        if due is None or due[0] > context.clock() or (bot is not None and not is_bot) or context.is_full(live):
            live.schedule(context.clock())
            return None
        (self._left.add if is_left(live) else self._left.discard)(live.id)
        if len(self._left) > MAX_LEFT:
            self._left.pop()
        return live.count, due[1], bot, live.information_state(due[1])

    def _choose(
        self, match: str, count: int, bot: str | None, info_state: InformationState[Any, Any]
    ) -> tuple[Any, str]:
        """Return the command of the seat's bot, or of the stand-in, and its name; raises `BotError`."""

        def renew() -> None:
            with suppress(KifuError):
                until_ms = self._context.clock() + (LEASE_MS if bot is None else BOT_LEASE_MS)
                commit_one(self._context.store, Schedule(match, count, Due(until_ms, bot is not None)))

        if bot is None and self._context.stand_in is None:
            return self._random_command(info_state), STAND_IN
        if bot is not None and bot not in self._context.bots:
            raise BotError("not here")
        chosen = self._context.stand_in if bot is None else self._context.bots[bot]
        assert chosen is not None
        return self._runner.choose(chosen, info_state, renew, RENEW_S), bot or STAND_IN

    def _random_command(self, info_state: InformationState[Any, Any]) -> Any:
        """Return a random legal command; raises `BotError` if none can be listed."""
        if not info_state.legal:
            raise BotError("nothing can be listed")
        return random_bot(self._context.entropy(SEED_BYTES))(info_state)

    def _append(self, match: str, count: int, seat: Seat, command: Any, actor: str) -> None:
        """Append a command, unless the match has changed since `count`."""
        context = self._context

        def append(live: LiveMatch) -> None:
            live.due = CLAIMED
            if live.count == count and not live.ended:  # else whoever changed it has said when it is next due
                context.append(live, seat, command, Meta(context.elapsed_ms(live), by=actor))

        context.run(match, append, computes=not actor.startswith(STAND_IN))

"""The scheduler: bots act at their turn, the stand-in for seats whose turn limit is over.

When something is due stands in the store, so that any number of hosts share the work: a host claims what is due for a
while, and what a dead host had claimed is due again soon after.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from threading import Event, Lock
from typing import Any

from attrs import evolve, frozen

from ..errors import BotError, KifuError, NewerRules, StoreError
from ..game import Meta
from ..match.bot import BOT_FAILURES, STAND_IN, InformationState, random_bot, stand_in_for
from ..match.header import SEED_BYTES
from ..stores.store import HEADER_ALONE, Claim, Due, Schedule, commit_one
from .bots import BotRunner, BotTurn, FairQueue
from .context import HostContext
from .deadlines import is_left, next_seat_due
from .fair_deal import fail_if_due
from .live_match import LiveMatch
from .metadata import metadata_of
from .witnessing import WitnessWriter
from .writer import MatchChange

LEASE_MS = 1_500
"""For how long a host claims a seat's deadline: so late it is at most if the host dies."""
BOT_LEASE_MS = 5_000
"""For how long it claims a bot's turn, which may have to wait for its thread."""
RENEW_S = 0.5
"""How often a claim is renewed while a bot thinks."""
POLL_S = 0.25
"""How often the store is asked for what other hosts have left."""
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


@frozen
class DueTurn:
    """The seat of a match that is to act now, its bot, and what it knows."""

    seat: int
    bot: str | None
    info_state: InformationState[Any, Any]
    is_left: bool
    """Whether all players have left the match to the stand-in."""


@frozen
class Look(MatchChange[DueTurn | None]):
    """The question who is to act in a match that was claimed with so many events; the answer is None if nobody is.

    With `is_bot` false only a player's seat: a bot's turn becomes due as such, in a thread that may wait.
    """

    count: int
    is_bot: bool
    reads = True

    def apply(self, context: HostContext, live: LiveMatch) -> DueTurn | None:
        """Look; note when it is next due where nobody is to act."""
        if live.count != self.count:  # whoever changed it has said when it is next due, and it may be claimed anew
            return None
        live.claimed()
        fail_if_due(context, live)
        due = next_seat_due(live, context.clock(), context.bot_pace_ms)
        bot = None if due is None else live.metadata.terms.bots.get(due[1])
        is_others = bot is not None and not self.is_bot
        if due is None or due[0] > context.clock() or is_others or context.is_full(live):
            live.schedule(context.clock())
            return None
        return DueTurn(due[1], bot, live.information_state(due[1]), is_left(live))


@frozen
class Act(MatchChange[None]):
    """A command of a bot or a stand-in, unless the match has changed since `count`."""

    count: int
    seat: int
    command: Any
    actor: str

    def apply(self, context: HostContext, live: LiveMatch) -> None:
        """Append it."""
        live.claimed()
        if live.count == self.count and not live.ended:  # else whoever changed it has said when it is next due
            context.append(live, self.seat, self.command, Meta(by=self.actor))


class Scheduler:
    """The deadlines of all live matches, and the commands that bots and stand-ins make when they are due."""

    def __init__(self, context: HostContext, witnesses: WitnessWriter) -> None:
        self._context, self._witnesses = context, witnesses
        self._runner = BotRunner(context.bot_timeout_ms, context.threads)
        self.turns = FairQueue(context.threads, context.bots_alone_share)
        self._left: set[str] = set()
        """The matches that all players have left to the stand-in."""
        self._chosen: list[tuple[int, int, Act, InformationState[Any, Any]]] = []
        """What bots have chosen, by when it is to be played: a heap."""
        self._numbers = count()
        self._acting = 0
        """Deadlines that threads of `run` are acting for."""
        self._lock = Lock()  # held for moments
        self._woken = context.threads.event()
        """Set when something may be due earlier than was known."""
        self._woken_here: asyncio.Event | None = None
        """Set with `_woken`, for the event loop that runs `run_here`."""
        self._earliest_ms: int | None = None
        """When the first of what was last claimed had been due; None if nothing was."""
        self._yields_until_s = 0.0
        """Until when newer hosts come first, as `Threads.monotonic` counts."""

    def run_due(self, limit: int = MAX_MOVES) -> int | None:
        """Act in all matches that are due, but for those that are claimed; return when something is next due.

        Milliseconds since the Unix epoch, None if nothing is. Several threads may run it: one bot thinks in each.
        """
        self._context.ask_time()
        for _ in range(limit):
            for chosen in self._ready():
                self._play(*chosen)
            is_bot = not (claimed := self._claim(1, is_bot=False))
            claimed = claimed or self._claim(1, is_bot=True)
            if not claimed:
                break
            self._run(claimed[0], is_bot=is_bot)
        due_ms = self._context.store.earliest_due()
        return min((each for each in (due_ms, self._next_ready_ms()) if each is not None), default=None)

    def run(self, stop: Event) -> None:
        """Act in all matches that are due, until `stop` is set; bots, and what is written behind, in own threads."""
        workers = list[Any]()
        to_start: list[tuple[Callable[[], None], str]] = [(lambda: self._witnesses.run(stop), "kifu witnesses")]
        to_start += [(lambda: self._work(stop), "kifu bots")] * BOT_THREADS
        size = DEADLINE_THREADS if self._context.stand_in is None else STAND_IN_THREADS
        with self._context.threads.executor(size, "kifu deadlines") as executor:
            self._start(to_start, workers)
            while not stop.is_set():
                wait_s = 1.0
                with suppress(*UNAVAILABLE):  # the next round tries again
                    for chosen in self._ready():
                        executor.submit(self._play, *chosen)
                    wait_s = wait_s if to_start else self._round(executor)
                    if (ready_ms := self._next_ready_ms()) is not None:
                        wait_s = min(wait_s, max((ready_ms - self._context.clock()) / 1000, 0.0))
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
            before_ms, wait_s = due_ms, RETRY_MS / 1000
            with suppress(StoreError):  # the next round tries again
                due_ms = self.run_due(1)
                if due_ms is not None:
                    least_s = IDLE_S if due_ms == before_ms else 0.0  # another holds what was due already
                    wait_s = min(max((due_ms - self._context.clock()) / 1000, least_s), wait_s)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
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
        self._context.ask_time()  # what is due by a clock that is wrong is not
        now_ms = self._context.clock()
        with self._lock:
            free = MAX_DEADLINES - self._acting
        deadlines = self._claim(free, is_bot=False)
        for claim in deadlines:
            with self._lock:
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
            with self._lock:
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

    def _wait(self, timeout_s: float) -> None:
        """Wait so many seconds, or until something becomes due earlier."""
        self._woken.wait(timeout_s)
        self._woken.clear()

    def _wake(self) -> None:
        if self._woken_here is not None:
            self._woken_here.set()
        self._woken.set()

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
        """Act for the seat that is due; a bot chooses without the lock, and is heard when its pace is over."""
        turn = self._context.writer.do(Look(match, claimed_at, is_bot))
        if turn is None:
            return
        (self._left.add if turn.is_left else self._left.discard)(match)
        if len(self._left) > MAX_LEFT:
            self._left.pop()
        bot, info_state = turn.bot, turn.info_state
        thinks = bot is not None or self._context.stand_in is not None
        at_ms = self._context.clock() + (self._context.bot_pace_ms if thinks else 0)
        try:
            command, actor = self._choose(match, claimed_at, bot, info_state)
        except BOT_FAILURES:
            command, actor = self._random_command(info_state), stand_in_for(bot or STAND_IN)
        act = Act(match, claimed_at, turn.seat, command, actor)
        if at_ms <= self._context.clock():
            self._play(act, info_state)
            return
        with self._lock:
            heappush(self._chosen, (at_ms, next(self._numbers), act, info_state))
        self._wake()

    def _next_ready_ms(self) -> int | None:
        """Return when the next of what bots have chosen is to be played; None if nothing is."""
        with self._lock:
            return self._chosen[0][0] if self._chosen else None

    def _ready(self) -> list[tuple[Act, InformationState[Any, Any]]]:
        """Take what is to be played now of what bots have chosen."""
        now_ms, ready = self._context.clock(), []
        with self._lock:
            while self._chosen and self._chosen[0][0] <= now_ms:
                ready.append(heappop(self._chosen)[2:])
        return ready

    def _play(self, act: Act, info_state: InformationState[Any, Any]) -> None:
        """Play what was chosen; a random command replaces one that fails, and what cannot be stored is tried again."""
        try:
            try:
                self._context.writer.do(act)
            except BOT_FAILURES:
                actor = act.actor if act.actor.startswith(STAND_IN) else stand_in_for(act.actor)
                self._context.writer.do(evolve(act, command=self._random_command(info_state), actor=actor))
        except KifuError as cause:
            self._rest(act.match, cause)

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

"""The host: live matches for many people, kept in a store."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Event
from typing import Any

from ..errors import MatchError, Message, StoreError
from ..match.bot import Bot
from ..match.engine import engine_name
from ..match.registry import find as find_installed
from ..stores.maintenance import Outcome
from ..stores.store import Query, Store, log_bytes_of
from ..trust.signing import SigningKey
from . import lifecycle, projections, submission, watching
from .context import HostContext, UpdateRules, closed
from .fair_deal import Renew, Reveal
from .lifecycle import Join, OpenedMatch, RemovePlayer, RotateKeys
from .live_match import Find, LiveMatch
from .match_cache import MatchCache, guarded
from .metadata import Proposal, Terms, checked_bots, checked_int, is_closed
from .projections import About, HistoryEntry, Observation, about, lobby
from .proposals import Abandon, Accept, ForceAbandon, Fork, Reject, TakeBack, Undo
from .rules_update import RulesUpdate, update_store
from .scheduler import MAX_MOVES, Scheduler
from .submission import Ending, Submit
from .threads import THREADS, StoreClock, Threads
from .watching import Notifier
from .witnessing import WitnessWriter
from .writer import Writer, changing


class Host(Writer):
    """Live matches for many people, callable from any thread; any number of hosts may share a store.

    `key` is the key of a seat, None for a spectator. `events`, `expected_events` and `since` are numbers of events.
    A method that takes a match raises `NoMatch` and `StoreError`, and `GameError` or `LogError` where the match's rules
    or its log fail. One that takes a key raises `KeyRefused`; one that changes a match, `MatchError` if it cannot.
    `signature` is what a seat with a public key signs (`docs/trust.md`); one that is missing or wrong raises
    `TrustError`.
    """

    def __init__(
        self,
        store: Store,
        *,
        find: Find = find_installed,
        clock: Callable[[], int] | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        stand_in: Bot | None = None,
        bots: Mapping[str, Bot] | None = None,
        bot_timeout_ms: int = 10_000,
        bot_pace_ms: int = 0,
        cache_bytes: int = 256 << 20,
        events_per_match: int = 10_000,
        bots_alone_share: float = 0.5,
        engine: str | None = None,
        sign: SigningKey | None = None,
        threads: Threads = THREADS,
    ) -> None:
        """Serve the matches of a store.

        `find` returns a game by name, `clock` the milliseconds since the Unix epoch (by default the store's, and
        so the same for all hosts), `entropy` so many random bytes.
        `stand_in` acts for seats whose turn limit is over; None plays at random. `bots` are the bots by name.
        `bot_timeout_ms` is how long a bot may take for one command. A bot begins to think `bot_pace_ms` before its
        command is played, however soon it has chosen: longer than bots need, so that the moment tells nothing of their
        cards. `cache_bytes` is about how much memory folded matches may take, `events_per_match` is how many events a
        match may have. `bots_alone_share` is how many seconds a second bots may think in matches that nobody else
        plays. `engine` is the program's name in the headers of logs. `sign` signs what seats are told.
        `threads` makes its locks and threads, which a simulation replaces.
        Raises `MatchError` for a bot name that no log may hold.
        """
        clock = StoreClock(store.now_ms) if clock is None else clock
        self._clock = clock if isinstance(clock, StoreClock) else None
        cache = MatchCache(lambda match: LiveMatch(match, self._context), cache_bytes)
        late: OrderedDict[str, float] = OrderedDict()
        super().__init__(store, cache, threads, late)
        self._context: HostContext = HostContext(
            store=store,
            find=guarded(find),
            read_clock=clock,
            ask_time=(lambda: None) if self._clock is None else self._clock.ask,
            entropy=entropy,
            engine=engine_name() if engine is None else engine,
            cache=cache,
            writer=self,
            begun=lambda match: self._witness_writer.note(match),
            bots=checked_bots(bots or {}),
            stand_in=stand_in,
            sign=sign,
            bot_timeout_ms=bot_timeout_ms,
            bot_pace_ms=bot_pace_ms,
            events_per_match=events_per_match,
            bots_alone_share=bots_alone_share,
            threads=threads,
        )
        self._witness_writer = WitnessWriter(self._context, late)
        self._scheduler = Scheduler(self._context, self._witness_writer)
        self._notifier = Notifier(threads)

        self._rules_updated = False
        self.epoch = store.epoch
        """What names the store since it was made, or restored from a backup."""

    def open(
        self,
        game: str,
        seats: Sequence[str | None] | int,
        options: Mapping[str, Any] | None = None,
        terms: Terms = Terms(),  # noqa: B008 (frozen)
        opener: str = "",
    ) -> OpenedMatch:
        """Open a match; `seats` are the names, None for a free seat, or just the number of free seats.

        `opener` is whoever opens it: the bots of one opener's matches take turns with those of others. Raises
        `GameError`, `MatchError` or `OptionError`.
        """
        return lifecycle.open_match(self._context, game, seats, options or {}, terms, opener)

    join = changing(Join)
    remove_player = changing(RemovePlayer)
    renew = changing(Renew)
    reveal = changing(Reveal)
    submit = changing(Submit)
    take_back = changing(TakeBack)
    undo = changing(Undo)
    fork = changing(Fork)
    abandon = changing(Abandon)
    accept = changing(Accept)
    reject = changing(Reject)

    def about(self, match: str) -> About:
        """Return the public facts of a match."""
        return about(self._context, match)

    def lobby(self, query: Query = Query()) -> list[About]:  # noqa: B008 (frozen)
        """Return the public matches that fit the query, newest change first; `query.public` is ignored."""
        return lobby(self._context, query)

    def seat(self, match: str, key: str | None) -> int | None:
        """Return the seat that this key opens, None for a spectator."""
        with self._context.cache.locked(match) as live:
            return live.seat_of(key)

    def observe(self, match: str, key: str | None = None, events: int | None = None) -> Observation:
        """Return the observation of a seat now; once the match is over, also that after so many events."""
        with self._context.shown(match) as live:
            seat = live.seat_of(key)
            at = None if events is None else checked_int(events, "events")
            return projections.observe(live, seat, at, self._context.why_stopped(live))

    def moment(self, match: str) -> tuple[int, int]:
        """Return what is another with each change of the match: the numbers of its events, and of its row."""
        with self._context.cache.locked(match) as live:
            return live.judged_of

    def history(
        self, match: str, key: str | None = None, since: int = 0, limit: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """Return what a seat saw of the events from `since` on, at most `limit`: a page, after which others may follow.

        A page costs as much however long the match is. Raises `Rewound` if there are fewer events.
        """
        with self._context.shown(match) as live:
            seat = live.seat_of(key)
            most = None if limit is None else checked_int(limit, "limit")
            return projections.history(live, seat, checked_int(since, "since"), most)

    def watch(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> Iterator[HistoryEntry]:
        """Yield what a seat sees from event `since` on, as it happens, until the match has ended.

        Ends also when nothing has happened for `timeout_ms`.
        """
        changed = self.threads.event()
        unsubscribe = self._context.store.subscribe(match, changed.set)
        try:
            while True:
                changed.clear()
                new, ended = watching.page_after(self._context, match, key, since)
                yield from new
                since = max(since, 0) + len(new)
                if ended or not (new or changed.wait(None if timeout_ms is None else timeout_ms / 1000)):
                    return
        finally:
            unsubscribe()

    async def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> AsyncIterator[HistoryEntry]:
        """Yield what `watch` yields, without blocking the event loop."""
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def callback() -> None:
            loop.call_soon_threadsafe(changed.set)

        subscribing = asyncio.ensure_future(self.threads.call(self._context.store.subscribe, match, callback))
        try:
            await asyncio.shield(subscribing)
            while True:
                changed.clear()
                new, ended = await self.threads.call(watching.page_after, self._context, match, key, since)
                for each in new:
                    yield each
                since = max(since, 0) + len(new)
                if ended:
                    return
                if not new:
                    try:
                        async with asyncio.timeout(None if timeout_ms is None else timeout_ms / 1000):
                            await changed.wait()
                    except TimeoutError:
                        return
        finally:
            watching.unsubscribe_later(subscribing)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from another thread after each change of the match. Returns a function that unsubscribes.

        The callback may call the host and should be quick; what it raises is dropped.
        """
        return self._notifier.subscribe(self._context.store, match, callback)

    def ending(self, match: str, key: str | None = None) -> Ending | None:
        """Return what a seat is told of the end, under its mark; None while the match goes on, or without marks."""
        with self._context.shown(match) as live:
            return submission.ending(live, live.seat_of(key))

    def record(self, match: str, key: str | None = None) -> bytes:
        """Return the record of a seat as this host would have it: a convenience, and no evidence against the host.

        Raises `MatchError` for a match that has not begun, has no marks, or has ended while a fork of it goes on.
        """
        with self._context.shown(match) as live:
            if live.is_closed:
                raise closed()
            return submission.record(live, live.seat_of(key))

    def consent_message(self, match: str, key: str | None, proposal: Proposal) -> bytes | None:
        """Return what a seat signs to consent to this proposal; None if it signs nothing."""
        with self._context.shown(match) as live:
            return submission.proposal_message(live, live.require_seat(key), proposal)

    def log(self, match: str) -> bytes:
        """Return the whole log of a match that has ended, and so has each that shares its deals; else `MatchError`."""
        stored = self._context.store.read(match)
        if not stored.header:
            raise MatchError(Message("no-log-yet", "it has no log: it has not begun"))
        if stored.end is None:
            raise MatchError(Message("secret-log", "its log is secret while the match goes on"))
        if is_closed(self._context.store, match):
            raise closed()
        return log_bytes_of(stored)

    # What follows is for the operator alone, and for the program in which the host runs.

    @property
    def cached(self) -> tuple[int, int]:
        """How many folded matches are kept, and about how many bytes they take."""
        return len(self._context.cache), self._context.cache.total_bytes

    @property
    def threads(self) -> Threads:
        """What makes its locks and threads."""
        return self._context.threads

    def run_due(self, limit: int = MAX_MOVES) -> int | None:
        """Act for bots, and for seats whose turn limit is over; return the next deadline, None if there is none.

        Milliseconds since the Unix epoch. Makes `limit` commands at most.
        """
        return self._scheduler.run_due(limit)

    async def run_here(self) -> None:
        """Run what is due, one command at a time, until it is cancelled: for a place with one thread.

        A bot blocks the event loop while it thinks; between two commands all else goes on.
        """
        await self._scheduler.run_here()

    def run_scheduler(self, stop: Event) -> None:
        """Run what is due until `stop` is set: the work of one thread, which lets bots think in others.

        Begins with `update_rules`, unless that was called before.
        """
        if not self._rules_updated:
            with suppress(StoreError):  # each match is updated when somebody acts in it
                deque(self.update_rules(), maxlen=0)
        self._scheduler.run(stop)

    def update_rules(self) -> Iterator[RulesUpdate]:
        """Let every match that was begun under older rules go on under today's; yield what became of each.

        It goes on if every viewer has the history and the views that it had, else it ends without a result, and its log
        says what would have differed. The logger `kifu.host` has it too. A host calls this as it starts.
        """
        self._rules_updated = True
        context = self._context
        return update_store(context.store, context.find, lambda match: self.do(UpdateRules(match)), context.clock)

    def write_witnesses(self) -> Iterator[Outcome]:
        """Note what everybody has had in each match that goes on, as far as that is missing; yield what became of each.

        Without it no match goes on under newer rules. `run_scheduler` does so behind the matches, and once it is
        stopped; whoever does not run it calls this before the rules change.
        """
        return self._witness_writer.write_all()

    @property
    def clock_skew_ms(self) -> int:
        """How far the machine's clock was ahead of the store's, by which all is judged, when that was last asked."""
        return 0 if self._clock is None else self._clock.skew_ms

    def reach(self) -> None:
        """Ask the store something; raises `StoreError` if it does not answer."""
        self._context.store.earliest_due()

    def probe(self) -> int:
        """Write to the store, which changes nothing; return how late due work is, in milliseconds.

        Raises `StoreError` if nothing can be stored.
        """
        self._context.store.probe()
        self._context.ask_time()
        earliest_ms = self._context.store.earliest_due()
        return 0 if earliest_ms is None else max(0, self._context.clock() - earliest_ms)

    def export_log(self, match: str) -> bytes:
        """Return the log as it is, with deals and seed: for the operator only."""
        return log_bytes_of(self._context.store.read(match))

    force_abandon = changing(ForceAbandon)
    rotate_keys = changing(RotateKeys)

    def import_log(self, raw: bytes, terms: Terms = Terms()) -> OpenedMatch:  # noqa: B008 (frozen)
        """Store a log under new keys; an unfinished one can be played on.

        One whose id fits no address is stored under a name made of it, which is returned. Raises `LogError` if anything
        is wrong with it, `MatchError` if it cannot be stored.
        """
        return lifecycle.import_log(self._context, raw, terms)

    def _stored(self, live: LiveMatch) -> None:
        if live.due is not None:
            self._scheduler.stored(live)
        self._witness_writer.note(live.id, is_late=live.unwitnessed > 0)

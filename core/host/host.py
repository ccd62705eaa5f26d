"""The host: live matches for many people, kept in a store."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from threading import Event
from time import time
from typing import Any

from ..bot import Bot
from ..errors import MatchError, Message, StoreError
from ..game import Seat
from ..registry import find as find_installed
from ..stores.store import Query, Store, log_bytes_of
from . import lifecycle, projections, proposals, submission, watching
from .about import About, about, lobby
from .context import HostContext, checked_int
from .lifecycle import JoinedSeat, OpenedMatch
from .match_cache import Find, MatchCache
from .metadata import Proposal, Terms
from .notifications import Notifier
from .projections import HistoryEntry, Observation
from .scheduler import Scheduler
from .submission import Receipt


def now() -> int:
    """Give the milliseconds since the Unix epoch."""
    return int(time() * 1000)


class Host:
    """Runs matches for many people, from any thread; any number of hosts may share a store.

    A seat gives its key, a spectator None. `at` and `since` are numbers of events; times are milliseconds.
    """

    def __init__(
        self,
        store: Store,
        *,
        find: Find = find_installed,
        clock: Callable[[], int] = now,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        stand_in: Bot | None = None,
        bots: Mapping[str, Bot] | None = None,
        bot_timeout_ms: int = 10_000,
        cache_size: int = 256,
        engine: str | None = None,
    ) -> None:
        """Serve from this store.

        `stand_in` plays for seats that are not there in time, None: at random. `patience` is how long a bot may think,
        `keep` how many matches are kept folded. Raises `MatchError` for the name of a bot that cannot stand in a log.
        """
        self._context = HostContext(
            store=store,
            find=find,
            clock=lambda: int(clock()),
            entropy=entropy,
            engine=f"kifu {version('kifu')}" if engine is None else engine,
            cache=MatchCache(store, find, cache_size),
            bots=lifecycle.checked_bots(bots or {}),
            stand_in=stand_in,
            bot_timeout_ms=bot_timeout_ms,
            reschedule=lambda live: self._scheduler.reschedule(live),
        )
        self._scheduler = Scheduler(self._context)
        self._notifier = Notifier()

    def open(
        self,
        game: str,
        seats: Sequence[str | None] | int,
        options: Mapping[str, Any] | None = None,
        terms: Terms = Terms(),  # noqa: B008 (frozen)
    ) -> OpenedMatch:
        """Open a match with these names at its seats, None or a mere number for seats that are free.

        Raises `GameError`, `MatchError` or `OptionError`.
        """
        return lifecycle.open_match(self._context, game, seats, options or {}, terms)

    def join(self, match: str, name: str, seat: int | None = None) -> JoinedSeat:
        """Take a free seat, the first or this one; the last to join begins the match."""
        return self._context.run(match, lambda live: lifecycle.join(self._context, live, name, seat))

    def about(self, match: str) -> About:
        """Tell the public facts of a match."""
        return about(self._context, match)

    def lobby(self, query: Query = Query()) -> list[About]:  # noqa: B008 (frozen)
        """List the public matches that the query asks for, newest change first."""
        return lobby(self._context, query)

    def seat(self, match: str, key: str | None) -> Seat | None:
        """Name the seat that this key opens, None for a spectator; raises `KeyRefused`."""
        with self._context.locked(match) as live:
            return live.seat_of(key)

    def submit(
        self, match: str, key: str | None, command: Any, expected_events: int, idempotency_key: bytes | None = None
    ) -> Receipt:
        """Give a command, or its tag and fields, made when there were `at` events; it is on disk when this returns.

        The same `id` (1 to 32 bytes) again gives the first answer again. Raises `RuleViolation`, `Conflict` with what
        happened meanwhile, `KeyRefused`, `NoMatch`, `MatchError`.
        """
        return self._context.run(
            match,
            lambda live: submission.submit(
                self._context,
                live,
                live.require_seat(key),
                command,
                checked_int(expected_events, "at"),
                idempotency_key,
            ),
            optimistic=True,
        )

    def observe(self, match: str, key: str | None = None, events: int | None = None) -> Observation:
        """Show how a match stands; once it is over, also how it stood after `at` events."""
        with self._context.locked(match) as live:
            seat = live.seat_of(key)
            return projections.observe(live, seat, None if events is None else checked_int(events, "at"))

    def history(self, match: str, key: str | None = None, since: int = 0) -> tuple[HistoryEntry, ...]:
        """Tell what a seat saw of the events from `since` on."""
        with self._context.locked(match) as live:
            return projections.history(live, live.seat_of(key), checked_int(since, "since"))

    def watch(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> Iterator[HistoryEntry]:
        """Give what a seat sees from event `since` on, as it happens, until the match has ended.

        Ends too once nothing has happened for `timeout` milliseconds.
        """
        return watching.watch(self._context, match, key, max(checked_int(since, "since"), 0), timeout_ms)

    def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> AsyncIterator[HistoryEntry]:
        """Do as `watch`, for a program with an event loop."""
        return watching.follow(self._context, match, key, max(checked_int(since, "since"), 0), timeout_ms)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` soon after anything about the match has changed; the answer ends that.

        It is called from another thread, may ask the host, and should be quick; what it raises is lost.
        """
        return self._notifier.subscribe(self._context.store, match, callback)

    def take_back(self, match: str, key: str | None, to: int) -> Proposal:
        """Restore the state after event `to` (-1: the start); by consent, unless nobody has learnt anything since."""
        return self._context.run(
            match, lambda live: proposals.take_back(self._context, live, live.require_seat(key), checked_int(to, "to"))
        )

    def fork(self, match: str, key: str | None, events: int) -> Proposal:
        """Begin another match with the same seats, keys and first `at` events: once this is over, else by consent."""
        proposal = self._context.run(
            match, lambda live: proposals.fork(self._context, live, live.require_seat(key), checked_int(events, "at"))
        )
        return self._forked(proposal)

    def abandon(self, match: str, key: str | None) -> Proposal:
        """End the match without a result, by consent."""
        return self._context.run(match, lambda live: proposals.abandon(self._context, live, live.require_seat(key)))

    def accept(self, match: str, key: str | None, number: int) -> Proposal:
        """Agree to the wish of this number; the last to agree brings it about."""
        proposal = self._context.run(
            match, lambda live: proposals.respond(self._context, live, live.require_seat(key), number, agrees=True)
        )
        return self._forked(proposal)

    def reject(self, match: str, key: str | None, number: int) -> Proposal:
        """Refuse the wish of this number, also one's own."""
        return self._context.run(
            match, lambda live: proposals.respond(self._context, live, live.require_seat(key), number, agrees=False)
        )

    def run_due(self) -> int | None:
        """Let bots act, and the stand-in for seats that are not there in time; tell when there is more to do."""
        return self._scheduler.run_due()

    def run_scheduler(self, stop: Event) -> None:
        """Tend for as long as `stop` is not set: the work of a thread, or of several if several bots are to think."""
        while not stop.is_set():
            due = None
            with suppress(StoreError):  # it is asked again
                due = self._scheduler.run_due()
            left = 1.0 if due is None else (due - self._context.clock()) / 1000
            self._scheduler.wait(min(max(left, 0.01), 1.0))

    def log(self, match: str) -> bytes:
        """Give the whole log, once the match has ended; before that raises `MatchError`."""
        kept = self._context.store.read(match)
        if not kept.header:
            raise MatchError(Message("no-log-yet", "it has no log: it has not begun"))
        if kept.end is None:
            raise MatchError(Message("secret-log", "its log is the table's secret for as long as the match goes on"))
        return log_bytes_of(kept)

    def export_log(self, match: str) -> bytes:
        """Give the log as it is, deals and seed and all: for the operator alone."""
        return log_bytes_of(self._context.store.read(match))

    def force_abandon(self, match: str) -> None:
        """End a match without a result, whatever the seats wish: for the operator alone."""
        self._context.run(match, lambda live: proposals.force_abandon(self._context, live))

    def rotate_keys(self, match: str, seats: Iterable[int] | None = None) -> OpenedMatch:
        """Issue new keys for these seats, or for all that players have, and revoke theirs: for the operator alone.

        Seats that get none have None. Forks of the match have keys of their own. Raises `MatchError` for a seat that is
        free or a bot's.
        """
        return self._context.run(match, lambda live: lifecycle.rotate_keys(self._context, live, seats))

    def import_log(self, raw: bytes, terms: Terms = Terms()) -> OpenedMatch:  # noqa: B008 (frozen)
        """Put a log into the store, an unfinished one to be played on.

        Raises `LogError` if anything is wrong with it, `MatchError` if it cannot be kept.
        """
        return lifecycle.import_log(self._context, raw, terms)

    def _forked(self, proposal: Proposal) -> Proposal:
        if proposal.kind == "fork" and proposal.state == "accepted" and proposal.fork is not None:
            with self._context.locked(proposal.fork) as live:
                self._scheduler.reschedule(live)
        return proposal

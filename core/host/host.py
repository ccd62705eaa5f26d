"""The host: live matches for many people, kept in a store."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ..errors import MatchError, Message
from ..game import Seat
from ..match.bot import Bot
from ..match.engine import engine_name
from ..match.registry import find as find_installed
from ..stores.store import Due, Query, Store, log_bytes_of
from ..trust.signing import SigningKey
from . import checks, fair_deal, lifecycle, projections, proposals, signatures, submission, watching
from .about import About, about, lobby
from .clock import SteadyClock
from .context import HostContext, checked_int
from .deadlines import due_of
from .job import InTurn, Then
from .judge import Judge
from .lifecycle import JoinedSeat, OpenedMatch
from .live_match import Find, LiveMatch
from .match_cache import MatchCache
from .metadata import Proposal, Terms
from .notifications import Notifier
from .operations import HostOperations
from .projections import HistoryEntry, Observation
from .scheduler import Scheduler
from .signatures import Ending
from .submission import Receipt
from .threads import THREADS, Threads
from .trust_status import TrustStatus
from .witnessing import WitnessWriter

T = TypeVar("T")
P = ParamSpec("P")


class Host(HostOperations):
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
        cache_size: int = 4096,
        cache_bytes: int = 256 << 20,
        events_per_match: int = 10_000,
        bots_alone_share: float = 0.5,
        engine: str | None = None,
        sign: SigningKey | None = None,
        threads: Threads = THREADS,
    ) -> None:
        """Serve the matches of a store.

        `find` returns a game by name, `clock` the milliseconds since the Unix epoch (by default one that never goes
        back), `entropy` so many random bytes.
        `stand_in` acts for seats whose turn limit is over; None plays at random. `bots` are the bots by name.
        `bot_timeout_ms` is how long a bot may take for one command. `cache_size` is how many folded
        matches are kept, `cache_bytes` about how much memory they may take; `events_per_match` is how many events a
        match may have. `bots_alone_share` is how many seconds a second bots may think in matches that nobody else
        plays. `engine` is the program's name in the headers of logs. `sign` signs what seats are told.
        `threads` makes its locks and threads, which a simulation replaces.
        Raises `MatchError` for a bot name that no log may hold.
        """
        steady = clock if isinstance(clock, SteadyClock) else SteadyClock()
        read_clock = steady if clock is None else clock
        cache = MatchCache(store, find, cache_size, sign, self._due_of, threads, cache_bytes)
        self._context = HostContext(
            store=store,
            find=find,
            clock=lambda: int(read_clock()),
            advance_clock=steady.advance,
            entropy=entropy,
            engine=engine_name() if engine is None else engine,
            cache=cache,
            judge=Judge(store, cache, threads, self._stored),
            begun=lambda match: self._witness_writer.note(match),
            bots=checks.checked_bots(bots or {}),
            stand_in=stand_in,
            sign=sign,
            bot_timeout_ms=bot_timeout_ms,
            events_per_match=events_per_match,
            bots_alone_share=bots_alone_share,
            threads=threads,
        )
        self._witness_writer = WitnessWriter(self._context)
        self._scheduler = Scheduler(self._context, self._witness_writer)
        self._notifier = Notifier(threads)

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

    def join(
        self,
        match: str,
        name: str,
        seat: int | None = None,
        *,
        commitment: bytes | None = None,
        public_key: bytes | None = None,
    ) -> JoinedSeat:
        """Take a free seat, by default the first; the last to join begins the match, or the reveals of a fair deal.

        A fair deal needs the seat's `commitment`. Under `public_key` the seat signs its commands. Both are 32 bytes;
        else raises `TrustError`. Raises `MatchError`.
        """
        return self._run(match, lambda live: lifecycle.join(self._context, live, name, seat, commitment, public_key))

    def remove_player(self, match: str, opener_key: str | None, seat: int) -> None:
        """Free the seat of a player again before the match begins, by `OpenedMatch.opener_key` or its own.

        Raises `KeyRefused` for another key, `MatchError` for a seat without a player or once all seats are taken.
        """
        return self._run(match, lambda live: lifecycle.remove_player(self._context, live, opener_key, seat))

    def renew(self, match: str, key: str | None, attempt: int, commitment: bytes) -> TrustStatus:
        """Commit a seat to a new secret, because an attempt at a fair deal has failed; the same again changes nothing.

        Raises `MatchError` for another attempt than the one that is on, `TrustError`.
        """
        return self._as_seat(match, key, fair_deal.renew, attempt, commitment)

    def reveal(
        self, match: str, key: str | None, attempt: int, roster: bytes, secret: bytes
    ) -> tuple[TrustStatus, bytes | None]:
        """Reveal a seat's secret for the roster of this digest; the last one begins the match.

        The same again gets the same answer. Returns the host's receipt too, None without a key. Raises `MatchError`,
        and `TrustError` for another roster or a secret that does not open the commitment.
        """
        return self._as_seat(match, key, fair_deal.reveal, attempt, roster, secret)

    def about(self, match: str) -> About:
        """Return the public facts of a match."""
        return about(self._context, match)

    def lobby(self, query: Query = Query()) -> list[About]:  # noqa: B008 (frozen)
        """Return the public matches that fit the query, newest change first; `query.public` is ignored."""
        return lobby(self._context, query)

    def seat(self, match: str, key: str | None) -> Seat | None:
        """Return the seat that this key opens, None for a spectator."""
        with self._context.locked(match) as live:
            return live.seat_of(key)

    def submit(
        self,
        match: str,
        key: str | None,
        command: Any,
        expected_events: int,
        idempotency_key: bytes | None = None,
        signature: bytes | None = None,
    ) -> Receipt:
        """Apply a command of a seat, store it, and return its receipt.

        `command` is an object of the game's, or its tag and fields. `expected_events` is the `count` of the observation
        that it was chosen from. The same `idempotency_key` (1 to 32 bytes) again returns the first receipt. Raises
        `RuleViolation`, `MatchError`, or `Conflict` with the events since.
        """
        given = key, command, expected_events, idempotency_key, signature
        return self._run(match, lambda live: submission.submit(self._context, live, *given))

    def observe(self, match: str, key: str | None = None, events: int | None = None) -> Observation:
        """Return the observation of a seat now; once the match is over, also that after so many events."""
        with self._context.shown(match) as live:
            seat = live.seat_of(key)
            at = None if events is None else checked_int(events, "events")
            return projections.observe(live, seat, at, self._context.why_stopped(live))

    def history(
        self, match: str, key: str | None = None, since: int = 0, limit: int | None = None
    ) -> tuple[HistoryEntry, ...]:
        """Return what a seat saw of the events from `since` on, at most `limit`: a page, after which others may follow.

        A page costs as much however long the match is.
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
        return watching.watch(self._context, match, key, since, timeout_ms)

    def follow(
        self, match: str, key: str | None = None, since: int = 0, timeout_ms: int | None = None
    ) -> AsyncIterator[HistoryEntry]:
        """Yield what `watch` yields, without blocking the event loop."""
        return watching.follow(self._context, match, key, since, timeout_ms)

    def subscribe(self, match: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from another thread after each change of the match. Returns a function that unsubscribes.

        The callback may call the host and should be quick; what it raises is dropped.
        """
        return self._notifier.subscribe(self._context.store, match, callback)

    def ending(self, match: str, key: str | None = None) -> Ending | None:
        """Return what a seat is told of the end, under its mark; None while the match goes on, or without marks."""
        with self._context.shown(match) as live:
            return signatures.ending(live, live.seat_of(key))

    def record(self, match: str, key: str | None = None) -> bytes:
        """Return the record of a seat as this host would have it: a convenience, and no evidence against the host.

        Raises `MatchError` for a match that has not begun, or has no marks.
        """
        with self._context.shown(match) as live:
            return signatures.record(self._context.sign, live, live.seat_of(key))

    def consent_message(self, match: str, key: str | None, proposal: Proposal) -> bytes | None:
        """Return what a seat signs to consent to this proposal; None if it signs nothing."""
        with self._context.shown(match) as live:
            return signatures.proposal_message(live, live.require_seat(key), proposal)

    def take_back(self, match: str, key: str | None, to: int, signature: bytes | None = None) -> Proposal:
        """Propose to restore the state after event `to` (-1: the start).

        Carried out at once if nobody has learnt anything since.
        """
        return self._as_seat(match, key, proposals.propose_takeback, to, signature)

    def undo(self, match: str, key: str | None, signature: bytes | None = None) -> Proposal:
        """Propose to take back the seat's last effective command, with all that followed it, as `Match.undo` does.

        A seat that signs its consents names the event: `take_back`. Raises `MatchError` if no command is left.
        """
        return self._as_seat(match, key, proposals.propose_undo, signature)

    def fork(self, match: str, key: str | None, events: int, signature: bytes | None = None) -> Proposal:
        """Propose a new match with the same seats, keys and first events; carried out at once if this match is over."""
        return self._as_seat(match, key, proposals.propose_fork, events, signature)

    def abandon(self, match: str, key: str | None, signature: bytes | None = None) -> Proposal:
        """Propose to end the match without a result."""
        return self._as_seat(match, key, proposals.propose_abandon, signature)

    def accept(self, match: str, key: str | None, number: int, signature: bytes | None = None) -> Proposal:
        """Accept the proposal of this number; with the last consent it is carried out."""
        return self._as_seat(match, key, proposals.respond, number, accepts=True, signature=signature)

    def reject(self, match: str, key: str | None, number: int) -> Proposal:
        """Reject the proposal of this number; its proposer withdraws it so."""
        return self._as_seat(match, key, proposals.respond, number, accepts=False)

    def log(self, match: str) -> bytes:
        """Return the whole log of a match that has ended; else raises `MatchError`."""
        stored = self._context.store.read(match)
        if not stored.header:
            raise MatchError(Message("no-log-yet", "it has no log: it has not begun"))
        if stored.end is None:
            raise MatchError(Message("secret-log", "its log is the table's secret for as long as the match goes on"))
        return log_bytes_of(stored)

    async def soon(self, change: Callable[Concatenate[Host, P], T], *args: P.args, **more: P.kwargs) -> T:
        """Call a method that changes a match, without a thread that waits: `await host.soon(Host.join, match, "Aki")`.

        `change` is `Host.join`, `remove_player`, `renew`, `reveal`, `submit`, `take_back`, `undo`, `fork`,
        `abandon`, `accept`, `reject`, `force_abandon` or `rotate_keys`.
        """
        return await self.soon_in(nullcontext, change, *args, **more)

    async def soon_in(
        self, turn: InTurn, change: Callable[Concatenate[Host, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """Do what `soon` does; what computes for long, as a fork once all agree, does so in `async with turn()`."""
        match, work = cast("Any", change(self._soon, *args, **more))
        done: T = await self._context.judge.soon(match, work, turn)
        return done

    @cached_property
    def _soon(self) -> Host:
        """This host, whose changes are returned to be awaited."""
        soon = object.__new__(_Soon)
        soon.__dict__.update(self.__dict__)
        return soon

    def _as_seat(
        self,
        match: str,
        key: str | None,
        change: Callable[Concatenate[HostContext, LiveMatch, Seat, P], T | Then[T]],
        *args: P.args,
        **more: P.kwargs,
    ) -> T:
        """Have a change made by the seat that this key opens."""
        return self._run(match, lambda live: change(self._context, live, live.require_seat(key), *args, **more))

    def _stored(self, live: LiveMatch) -> None:
        """Look at a locked match that a change was stored of."""
        self._scheduler.stored(live)
        self._witness_writer.stored(live)

    def _due_of(self, live: LiveMatch, now_ms: int) -> Due | None:
        """Return when something is next due in a match; None for one in which nothing ever is."""
        return Due(None) if live.folded is not None and self._context.is_full(live) else due_of(live, now_ms)


class _Soon(Host):
    """A host whose changes are not made: `Host.soon` awaits them."""

    def _run(self, match: str, work: Callable[[LiveMatch], T | Then[T]]) -> Any:
        """Return what is to be done."""
        return match, lambda live: self._context.under_todays_rules(live, work)

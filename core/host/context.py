"""The context that all modules of the host share: store, cache, clock, entropy; and appending events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, TypeVar

from attrs import frozen

from ..errors import KifuError, MatchError, MatchFull, Message, StoreError
from ..game import TABLE, Meta, Seat, Step, Takeback
from ..match.bot import Bot
from ..stores.store import Store
from ..trust.signing import SigningKey
from .live_match import ConcurrentUpdate, Find, LiveMatch
from .match_cache import MatchCache
from .metadata import MatchMetadata
from .rules_update import RulesUpdate, is_to_end, update_rules, why_stopped
from .standstill import begun_under_message
from .storing import Storing, stored_by
from .threads import Threads

T = TypeVar("T")

MAX_ATTEMPTS = 64
"""How often a change is tried in all, while other hosts keep writing first."""


@frozen(eq=False)
class HostContext:
    """The store, the cache and the settings of one host."""

    store: Store
    find: Find
    clock: Callable[[], int]
    """Milliseconds since the Unix epoch."""
    entropy: Callable[[int], bytes]
    """Returns the given number of random bytes."""
    engine: str
    cache: MatchCache
    bots: Mapping[str, Bot]
    stand_in: Bot | None
    sign: SigningKey | None
    """The host's key, which signs what it tells."""
    advance_clock: Callable[[int], None]
    """Makes the clock go on from a time that was noted before."""
    bot_timeout_ms: int
    """Milliseconds that a bot may take for one command."""
    events_per_match: int
    """How many events a match may have."""
    bots_alone_share: float
    """How many seconds a second bots may think in matches that nobody else plays."""
    threads: Threads

    def locked(self, match: str, *, refresh: bool = True) -> AbstractContextManager[LiveMatch]:
        """Lock the match and yield it: as the store has it now, or without `refresh` as it is cached."""
        return self.cache.locked(match, refresh=refresh)

    @contextmanager
    def shown(self, match: str) -> Iterator[LiveMatch]:
        """Lock the match to show it, and yield it.

        One that newer rules do not keep is ended first: while it goes on, they could show what was hidden.
        """
        with self.locked(match) as live:
            if not is_to_end(live):
                yield live
                return
        self.run(match, lambda _: None)
        with self.locked(match) as live:
            yield live

    def run(self, match: str, work: Callable[[LiveMatch], T], *, optimistic: bool = False) -> T:
        """Run `work` on the locked match, again each time that another host wrote first; return what it returns.

        With `optimistic`, the first attempt uses the cached match, and the store rejects it if that is out of date.
        Raises what `work` raises, or `MatchError` after `MAX_ATTEMPTS` attempts.
        """
        for attempt in range(MAX_ATTEMPTS):
            with suppress(ConcurrentUpdate):
                return self._attempt(match, work, refresh=attempt > 0 or not optimistic)
        raise MatchError(Message("others-first", "other hosts kept changing this match first: try again"))

    def _attempt(self, match: str, work: Callable[[LiveMatch], T], *, refresh: bool) -> T:
        """Run `work` once; raises what it raises, and `ConcurrentUpdate` if another host may have been first.

        On the cached match an error may come of its being out of date, but only before the first write: an error after
        that must not repeat the write. A match that was begun under older rules is first brought under today's.
        """
        with self.cache.locked(match, refresh=refresh, writes=True) as live:
            writes = live.writes
            try:
                self.update_rules(live)
                return work(live)
            except KifuError as error:
                if isinstance(error, StoreError) and live.writes > writes:
                    live.failure = error
                if refresh or live.writes > writes:
                    raise
                raise ConcurrentUpdate from error

    def update_rules(self, live: LiveMatch) -> RulesUpdate | None:
        """Let a locked match go on under today's rules, or end it; None if it has ended, or is under them."""
        if live.folded is not None and live.is_current_version:
            return None
        return update_rules(live, 0 if live.folded is None else self.elapsed_ms(live), self.clock())

    def update_rules_of(self, match: str) -> RulesUpdate | None:
        """Do so with a match, again each time that another host wrote first."""
        for _ in range(MAX_ATTEMPTS):
            with suppress(ConcurrentUpdate), self.locked(match) as live:
                return self.update_rules(live)
        return None

    def elapsed_ms(self, live: LiveMatch) -> int:
        """Return the milliseconds since the match started, at least 0."""
        return max(0, self.clock() - started_at_ms(live))

    def is_full(self, live: LiveMatch) -> bool:
        """Return True if a match that goes on takes no more events."""
        return not live.ended and live.count >= self.events_per_match

    def why_stopped(self, live: LiveMatch) -> Message | None:
        """Return why a locked match has no result and takes no commands; None if it does, or its players ended it."""
        return self._full_message if live.folded is not None and self.is_full(live) else why_stopped(live)

    @property
    def _full_message(self) -> Message:
        english = "the match has {most} events, and takes no more: it can be abandoned or forked"
        return Message("match-is-full", english, most=self.events_per_match)

    def append(
        self, live: LiveMatch, seat: Seat, command: Any, meta: Meta, metadata: MatchMetadata | None = None
    ) -> Step[Any, Any]:
        """Apply a command, deal if a deal is due, store all of it, and return the step of the command.

        Raises `RuleViolation`, or `MatchFull`; then nothing has changed. After any other error the cached match is
        dropped; after a `StoreError` the store may have changed.
        """
        return stored_by(self.store, self.appending(live, seat, command, meta, metadata))

    def appending(
        self, live: LiveMatch, seat: Seat, command: Any, meta: Meta, metadata: MatchMetadata | None = None
    ) -> Storing[Step[Any, Any]]:
        """Do what `append` does, but leave the storing to the caller."""
        check_in_progress(live)
        if self.is_full(live):
            raise MatchFull(self._full_message)
        step = live.match.apply(seat, command, meta)
        live.match.deal(Meta(self.elapsed_ms(live)), self.entropy)
        yield from live.committing(self.clock(), metadata)
        return step

    def append_takeback(
        self,
        live: LiveMatch,
        to: int,
        by: Seat,
        signatures: Iterable[tuple[Seat, bytes]] = (),
        metadata: MatchMetadata | None = None,
    ) -> Step[Any, Any]:
        """Append a takeback to the state after event `to`, on behalf of seat `by`; checks no consent."""
        signed = [list(pair) for pair in sorted(signatures)]
        meta = Meta(self.elapsed_ms(live), by=f"seat {by}", more=(("sign", signed),) if signed else ())
        return self.append(live, TABLE, Takeback(to), meta, metadata)


def checked_int(number: int, what: str) -> int:
    """Return a number that came from outside; raises `MatchError` unless it is an `int`."""
    if number.__class__ is not int:
        raise MatchError(
            Message(
                "no-whole-number", "{what} is a whole number, not {given}", what=what, given=ascii(str(number)[:60])
            )
        )
    return number


def started_at_ms(live: LiveMatch) -> int:
    """Return when the match started, the zero of its event times; milliseconds since the Unix epoch."""
    header = live.match.header
    return live.metadata.opened_at_ms if header.started is None else header.started


def check_in_progress(live: LiveMatch) -> None:
    """Raise `MatchError` if the match was abandoned or was begun under older rules: no event may follow."""
    match = live.match
    if match.abandoned:
        abandoned = Message("was-abandoned", "the match was abandoned: nothing can follow")
        raise MatchError(why_stopped(live) or abandoned)
    if not live.is_current_version:
        raise MatchError(why_stopped(live) or begun_under_message(match.rules, live.game.rules))

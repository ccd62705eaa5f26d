"""The context that all modules of the host share: store, cache, clock, entropy; and appending events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from ..errors import MatchError, MatchFull, Message
from ..game import TABLE, Meta, Step, Takeback
from ..match import AnyMatch
from ..match.bot import Bot
from ..stores.store import Due, Store
from ..trust.signing import SigningKey
from .deadlines import due_of
from .live_match import Find, LiveMatch
from .match_cache import MatchCache
from .metadata import MatchMetadata, is_closed
from .rules_update import RulesUpdate, is_to_end, update_rules, why_stopped
from .standstill import begun_under_message
from .threads import Threads
from .writer import MatchChange, Writer


def closed() -> MatchError:
    """Return why nothing is opened of a match that has ended while another one goes on that shares its deals."""
    english = "another match with the same cards goes on: what was hidden is opened once that has ended, too"
    return MatchError(Message("shared-cards", english))


@frozen(eq=False)
class HostContext:
    """The store, the cache and the settings of one host."""

    store: Store
    find: Find
    read_clock: Callable[[], float]
    entropy: Callable[[int], bytes]
    """Returns the given number of random bytes."""
    engine: str
    cache: MatchCache
    writer: Writer
    begun: Callable[[str], None]
    """Called with each match that is stored with its first events: a fork, or one that was imported."""
    bots: Mapping[str, Bot]
    stand_in: Bot | None
    sign: SigningKey | None
    """The host's key, which signs what it tells."""
    ask_time: Callable[[], None]
    """Sets the clock by the store's; raises `StoreError`."""
    bot_timeout_ms: int
    """Milliseconds that a bot may take for one command."""
    bot_pace_ms: int
    """Milliseconds from when a bot begins to think until its command is played."""
    events_per_match: int
    """How many events a match may have."""
    bots_alone_share: float
    """How many seconds a second bots may think in matches that nobody else plays."""
    threads: Threads

    def clock(self) -> int:
        """Return the milliseconds since the Unix epoch."""
        return int(self.read_clock())

    @contextmanager
    def shown(self, match: str) -> Iterator[LiveMatch]:
        """Lock the match to show it, and yield it.

        One that newer rules do not keep is ended first: while it goes on, they could show what was hidden.
        """
        while True:
            with self.cache.locked(match) as live:
                if not is_to_end(live):
                    self._note_whether_closed(live)
                    yield live
                    return
            self.writer.do(UpdateRules(match))

    def _note_whether_closed(self, live: LiveMatch) -> None:
        """Note whether what was hidden stays so; for a match without forks that is none itself no store is asked."""
        is_fork = live.folded is not None and live.folded.header.fork is not None
        live.is_closed = live.ended and (is_fork or bool(live.metadata.forks))
        if live.is_closed:
            live.is_closed = is_closed(self.store, live.id)

    def update_rules(self, live: LiveMatch) -> RulesUpdate | None:
        """Let a locked match go on under today's rules, or end it; None if it has ended, or is under them."""
        return update_rules(live, 0 if live.folded is None else self.elapsed_ms(live), self.clock())

    def elapsed_ms(self, live: LiveMatch) -> int:
        """Return the milliseconds since the match started, at least 0."""
        return max(0, self.clock() - live.started_at_ms)

    def is_full(self, live: LiveMatch) -> bool:
        """Return True if a match that goes on takes no more events."""
        return not live.ended and live.count >= self.events_per_match

    def due_of(self, live: LiveMatch, now_ms: int) -> Due | None:
        """Return when something is next due in a match; None for one in which nothing ever is."""
        if live.folded is not None and self.is_full(live):
            return Due(None)
        return due_of(live, now_ms, self.bot_pace_ms)

    def why_stopped(self, live: LiveMatch) -> Message | None:
        """Return why a locked match has no result and takes no commands; None if it does, or its players ended it."""
        return self._full_message if live.folded is not None and self.is_full(live) else why_stopped(live)

    @property
    def _full_message(self) -> Message:
        english = "the match has {most} events, and takes no more: it can be abandoned or forked"
        return Message("match-is-full", english, most=self.events_per_match)

    def append(
        self, live: LiveMatch, seat: int, command: Any, meta: Meta, metadata: MatchMetadata | None = None
    ) -> Step[Any, Any]:
        """Apply a command now, deal if a deal is due, note all of it to be stored, and return the step of the command.

        Raises `RuleViolation`, or `MatchFull`; then nothing has changed.
        """
        match, now_ms = match_in_progress(live), self.clock()
        if self.is_full(live):
            raise MatchFull(self._full_message)
        elapsed_ms = max(0, now_ms - live.started_at_ms)
        step = match.apply(seat, command, Meta(elapsed_ms, meta.id, meta.by, meta.more))
        if TABLE in match.to_act:
            match.deal(Meta(elapsed_ms), self.entropy)
        live.record(now_ms, metadata)
        return step

    def append_takeback(
        self,
        live: LiveMatch,
        to: int,
        by: int,
        signatures: Iterable[tuple[int, bytes]] = (),
        metadata: MatchMetadata | None = None,
    ) -> Step[Any, Any]:
        """Append a takeback to the state after event `to`, on behalf of seat `by`; checks no consent."""
        signed = [list(pair) for pair in sorted(signatures)]
        meta = Meta(by=f"seat {by}", more=(("sign", signed),) if signed else ())
        return self.append(live, TABLE, Takeback(to), meta, metadata)


@frozen
class UpdateRules(MatchChange[RulesUpdate | None]):
    """The step to today's rules: the match goes on under them, or ends; None if it has ended, or is under them."""

    is_under_todays_rules = False

    def apply(self, context: HostContext, live: LiveMatch) -> RulesUpdate | None:
        """Bring it there."""
        return context.update_rules(live)


def match_in_progress(live: LiveMatch) -> AnyMatch:
    """Return the folded match; raises `MatchError` if it was abandoned or is under older rules: nothing follows."""
    match = live.match
    if match.abandoned:
        abandoned = Message("was-abandoned", "the match was abandoned: nothing can follow")
        raise MatchError(why_stopped(live) or abandoned)
    if not live.is_current_version:
        raise MatchError(why_stopped(live) or begun_under_message(match.rules, live.game.version))
    return match

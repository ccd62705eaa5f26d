"""The context that all modules of the host share: store, cache, clock, entropy; and appending events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from attrs import frozen

from ..errors import MatchError, MatchFull, Message
from ..game import TABLE, Meta, Seat, Step, Takeback
from ..match.bot import Bot
from ..stores.store import Store
from ..trust.signing import SigningKey
from .job import Then
from .judge import Judge
from .live_match import Find, LiveMatch
from .match_cache import MatchCache
from .metadata import MatchMetadata
from .rules_update import RulesUpdate, is_to_end, update_rules, why_stopped
from .standstill import begun_under_message
from .threads import Threads

T = TypeVar("T")


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
    judge: Judge
    begun: Callable[[str], None]
    """Called with each match that is stored with its first events: a fork, or one that was imported."""
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

    def locked(self, match: str) -> AbstractContextManager[LiveMatch]:
        """Lock the match and yield it, as the store has it now."""
        return self.cache.locked(match)

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

    def run(
        self, match: str, work: Callable[[LiveMatch], T | Then[T]], *, computes: bool = False, reads: bool = False
    ) -> T:
        """Run `work` on the match, have what it changes stored, and return what it returns; raises what it raises.

        `reads`: it is run only on the match as the store has it, and again only if others have changed that meanwhile.
        """
        return self.judge.do(match, lambda live: self.under_todays_rules(live, work), computes=computes, reads=reads)

    def under_todays_rules(self, live: LiveMatch, work: Callable[[LiveMatch], T]) -> T:
        """Run `work` on a match that was first brought under today's rules."""
        self.update_rules(live)
        return work(live)

    def update_rules(self, live: LiveMatch) -> RulesUpdate | None:
        """Let a locked match go on under today's rules, or end it; None if it has ended, or is under them."""
        if live.folded is not None and live.is_current_version:
            return None
        return update_rules(live, 0 if live.folded is None else self.elapsed_ms(live), self.clock())

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
        """Apply a command, deal if a deal is due, note all of it to be stored, and return the step of the command.

        Raises `RuleViolation`, or `MatchFull`; then nothing has changed.
        """
        check_in_progress(live)
        if self.is_full(live):
            raise MatchFull(self._full_message)
        match = live.match
        step, now_ms = match.apply(seat, command, meta), self.clock()
        if TABLE in match.to_act:
            match.deal(Meta(max(0, now_ms - started_at_ms(live))), self.entropy)
        live.record(now_ms, metadata)
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

"""What an operator has of a host: figures, the work that is due, newer rules, and matches without consent."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Event

from ..errors import StoreError
from ..stores.maintenance import Outcome
from ..stores.store import log_bytes_of
from . import lifecycle
from .context import HostContext, UpdateRules
from .lifecycle import OpenedMatch, RotateKeys
from .metadata import Terms
from .proposals import ForceAbandon
from .rules_update import RulesUpdate, update_store
from .scheduler import MAX_MOVES, Scheduler
from .threads import StoreClock, Threads
from .witnessing import WitnessWriter
from .writer import changing


class HostOperations:
    """The part of a `Host` that is for its operator alone, and for the program in which it runs."""

    _context: HostContext
    _scheduler: Scheduler
    _witness_writer: WitnessWriter
    _clock: StoreClock | None
    _rules_updated = False

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
        return update_store(
            context.store, context.find, lambda match: context.writer.do(UpdateRules(match)), context.clock
        )

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

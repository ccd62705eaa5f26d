"""Witnesses of what everybody has, written behind the matches that are played: when the host rests, and at its stop."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Lock

from attrs import frozen

from ..errors import KifuError, NoMatch, StoreError
from ..stores.maintenance import Outcome, rows_of
from ..stores.store import HEADER_ALONE
from .context import HostContext
from .live_match import LiveMatch
from .metadata import metadata_of
from .rules_update import why_unproven
from .writer import MatchChange

LATE_S = 2.0
"""How long after an event its witness is due."""
SLICE = 32
"""Of how many events witnesses are made at a time: that long commands wait."""
BUSY = 500
"""How many changes a second a host makes that does not rest."""
IDLE_S = 0.5
"""How often it is looked whether the host rests, and something is due."""
PAUSE_S = 0.01
"""How long commands go before the next slice, at least."""
RESTS = 9
"""How long the writer rests after a slice, in times of what that took: all else the host computes is slow meanwhile.

At most `LATE_S`: it may have waited for a store that stood still.
"""
STOP_S = 10.0
"""How long a host that stops writes witnesses."""


@frozen
class WriteWitnesses(MatchChange[int]):
    """Some of the witnesses that a match lacks; how many it lacks then."""

    is_under_todays_rules = False

    def apply(self, context: HostContext, live: LiveMatch) -> int:  # noqa: ARG002
        """Note them."""
        live.write_witnesses(SLICE)
        return live.unwitnessed


class WitnessWriter:
    """Which matches have events without a witness, as far as this host knows, and the witnesses that it writes."""

    def __init__(self, context: HostContext, late: OrderedDict[str, float]) -> None:
        """`late` says by match since when it has had such events, as `Threads.monotonic` counts."""
        self._context, self._late = context, late
        self._lock = Lock()
        self._done, self._done_s = 0, 0.0
        self._left = self._left_by_kills()

    def note(self, match: str, *, is_late: bool = True) -> None:
        """Note whether a match has events without a witness."""
        with self._lock:
            if is_late:
                self._late.setdefault(match, self._context.threads.monotonic())
            else:
                self._late.pop(match, None)

    def run(self, stop: Event) -> None:
        """Write witnesses when the host rests, first those that a host before has left, until `stop` is set."""
        while not stop.is_set():
            stop.wait(self._round())
        self._finish()

    def _round(self) -> float:
        """Write some witnesses if it is time; return the seconds until the next round."""
        if self._is_busy():
            return IDLE_S
        match, since_s = self._latest()
        if match is None or self._context.threads.monotonic() < since_s + LATE_S:
            match = self._next_left()
        if match is None:
            return IDLE_S
        began_s = self._context.threads.monotonic()
        self._write(match)
        return min(max(PAUSE_S, RESTS * (self._context.threads.monotonic() - began_s)), LATE_S)

    def _latest(self) -> tuple[str | None, float]:
        """Return the match that has waited longest, and since when; None if none waits."""
        with self._lock:
            return next(iter(self._late.items()), (None, 0.0))

    def _is_busy(self) -> bool:
        """Return whether more changes were made than by a host that rests, since this was last asked."""
        done, now_s = self._context.writer.made, self._context.threads.monotonic()
        many = done - self._done > BUSY * (now_s - self._done_s) + 2
        self._done, self._done_s = done, now_s
        return many

    def _next_left(self) -> str | None:
        """Return the next match that a killed host has left, None if there is none; begin anew if the store failed."""
        try:
            return next(self._left, None)
        except StoreError:
            self._left = self._left_by_kills()
            return None

    def _left_by_kills(self) -> Iterator[str]:
        """Yield the matches with events that a killed host has left without a witness; raises `StoreError`."""
        for match, row in rows_of(self._context.store, "going"):
            try:
                written = metadata_of(row, match).witnessed_to
            except StoreError:  # no host wrote it
                continue
            with suppress(NoMatch):  # it was deleted
                if self._context.store.read(match, HEADER_ALONE).count > written:
                    yield match

    def _finish(self) -> None:
        """Write what is left, in the time that there is; the rest is for the next start, under the same rules."""
        until_s = self._context.threads.monotonic() + STOP_S
        while (match := self._latest()[0]) and self._context.threads.monotonic() < until_s:
            if not self._write(match):
                self.note(match, is_late=False)

    def _write(self, match: str) -> bool:
        """Write a slice of the witnesses of a match; return False if the store failed, which is tried again later.

        The match's next slice has its turn after the other matches'.
        """
        try:
            self._context.writer.do(WriteWitnesses(match))
        except StoreError:
            self.note(match, is_late=False)
            self.note(match)
            return False
        except KifuError:  # it was deleted, or its rules are newer
            self.note(match, is_late=False)
        with self._lock, suppress(KeyError):
            self._late.move_to_end(match)
        return True

    def write_all(self) -> Iterator[Outcome]:
        """Write the witnesses of all matches of the store that go on; yield what became of each."""
        for match, row in rows_of(self._context.store, "going"):
            try:
                while self._context.writer.do(WriteWitnesses(match)):
                    pass
                with self._context.cache.locked(match) as live:
                    why = why_unproven(live)
                yield Outcome(match, row.status, why)
            except NoMatch:  # it was deleted meanwhile
                continue
            except KifuError as failure:
                yield Outcome(match, row.status, failure.summary)

"""What the stepper shows: the match of a log, or a fork of it, with the findings."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from ...core.game import TABLE, Seat, Shuffler, is_deal
from ...core.log import Finding, Reading
from ...core.match import AnyMatch, Match, Position
from ...core.match.fold import Fold
from ...core.match.header import SEED_BYTES, Fork
from ...core.match.legal import MAX_LEGAL

AnyPosition = Position[Any, Any, Any]

START = -1
"""The place before the first step."""


@frozen(eq=False)
class Record:
    """A match with its findings. Its places are `START`, the number of every step, and one for findings at the end."""

    match: AnyMatch
    findings: tuple[Finding, ...] = ()
    forked: int | None = None
    """Of a fork: the last step that is in the log too. None: this is the log."""
    origin: Record | None = None
    """The record it was forked from; their first `shared` steps are the same."""
    shared: int = 0

    @classmethod
    def of(cls, reading: Reading, *, live: bool = False) -> Record:
        """Return the record of a log; the torn tail of a live log is still being written, and no finding."""
        assert reading.match is not None
        findings = (finding for finding in reading.findings if not (live and finding.kind == "torn"))
        return cls(reading.match, tuple(findings))

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.match.events)

    @property
    def last(self) -> int:
        """The last place."""
        return self.count if any(self._place(finding) == self.count for finding in self.findings) else self.count - 1

    def position(self, at: int) -> AnyPosition:
        """Return the match's position at a place."""
        return self.match.at(min(at, self.count - 1))

    def is_step(self, at: int) -> bool:
        """Return True if a place is a step."""
        return 0 <= at < self.count

    def in_log(self, at: int) -> bool:
        """Return True if a place is in the log, and not only in a fork."""
        return self.forked is None or at <= self.forked

    def wrong(self, at: int) -> list[Finding]:
        """Return the findings at a place."""
        return [finding for finding in self.findings if self._place(finding) == at]

    def wrong_places(self) -> list[int]:
        """Return the places with findings, in order."""
        return sorted({self._place(finding) for finding in self.findings})

    def _place(self, finding: Finding) -> int:
        return self.count if finding.seq is None else min(finding.seq, self.count)

    def choices(self, at: int, viewer: Seat | None) -> Iterator[tuple[Seat, Any]]:
        """Yield (seat, command) for the legal commands at a place: of all seats for `TABLE`, else of the viewer.

        At most `MAX_LEGAL` for each seat; a single deal for the table.
        """
        position = self.position(at)
        for seat in sorted(position.to_act):
            if viewer not in (TABLE, seat):
                continue
            if seat == TABLE:
                yield TABLE, self._deal(at)
            else:
                yield from ((seat, each) for each in islice(position.game.legal(position.state, seat), MAX_LEGAL))

    def following(self, at: int) -> tuple[Seat, Any] | None:
        """Return (seat, command) of the next event, or None at the end."""
        return next(((event.seat, event.command) for event in self.match.events[at + 1 : at + 2]), None)

    def fork(self, at: int, seat: Seat, command: Any) -> Record:
        """Return a record that goes on from a place with another command, and the deals that follow it."""
        at = min(at, self.count - 1)
        fold = _fold_until(self.match, at)
        header = evolve(self.match.header, fork=Fork(self.match.header.match, at), more=())
        match: AnyMatch = Match(self.match.game, header, fold=fold, events=self.match.events[: at + 1])
        match.apply(seat, command)
        match.deal()
        forked = at if self.forked is None else min(at, self.forked)
        return Record(match, forked=forked, origin=self, shared=at + 1)

    def _deal(self, at: int) -> Any:
        """Return the deal of the seed; without a seed the deal that the log has here, else any."""
        match = self.match
        fold = _fold_until(match, min(at, self.count - 1))
        if fold.seed is not None:
            return fold.deal()
        following = match.events[at + 1 : at + 2]
        if any(map(is_deal, following)):
            return following[0].command
        seed = blake2b(match.header.match.encode(), digest_size=SEED_BYTES).digest()
        return match.game.deal(fold.state, Shuffler(seed, fold.deals))


def _fold_until(match: AnyMatch, at: int) -> Fold:
    """Return a fold of the events up to `at`, ready for another continuation."""
    fold = Fold(match.game, match.header)
    fold.states = list(match.states[: at + 2])
    fold.state, fold.seq = fold.states[-1], at + 1
    fold.deals = sum(map(is_deal, match.events[: at + 1]))
    return fold

"""What the stepper shows: the match of a log with the findings, and its places."""

from __future__ import annotations

from attrs import frozen

from ...core.log import Finding, Reading
from ...core.match import AnyMatch, AnyPosition

START = -1
"""The place before the first step."""


@frozen(eq=False)
class Record:
    """A match with its findings. Its places are `START`, the number of every step, and one for findings at the end."""

    match: AnyMatch
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, reading: Reading) -> Record:
        """Return the record of a log."""
        assert reading.match is not None
        return cls(reading.match, tuple(reading.findings))

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.match.events)

    @property
    def last(self) -> int:
        """The last place."""
        return max([self.count - 1, *self.wrong_places()])

    def position(self, at: int) -> AnyPosition:
        """Return the match's position at a place."""
        return self.match.at(min(at, self.count - 1))

    def is_step(self, at: int) -> bool:
        """Return True if a place is a step."""
        return 0 <= at < self.count

    def wrong(self, at: int) -> list[Finding]:
        """Return the findings at a place."""
        return [finding for finding in self.findings if self._place(finding) == at]

    def wrong_places(self) -> list[int]:
        """Return the places with findings."""
        return [self._place(finding) for finding in self.findings]

    def _place(self, finding: Finding) -> int:
        return self.count if finding.seq is None else min(finding.seq, self.count)

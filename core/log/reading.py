"""What reading a log gives: the match as far as it is good, and everything that is wrong with it."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from ..errors import LogError, Message
from ..game import Event, Game, Result, RuleViolation
from ..header import Header
from ..match import Match


@frozen
class Finding:
    """One thing that is wrong with a log.

    `kind` is `header`, `torn`, `chain`, `form`, `rule`, `digest` or `result`; `seq` the event, None where it is on
    none; `rule` the number of the broken rule for kind `rule`; `violation` what the rules said, for `rule` and `form`.
    """

    kind: str
    message: str
    seq: int | None = None
    rule: str | None = None
    violation: RuleViolation | None = None


@define
class Reading:
    """A log as it was read: the good prefix and the findings, in the order of the file."""

    findings: list[Finding] = field(factory=list)
    name: str | None = None
    """The game's name and its rules version as the header says them, whether or not they can be used."""
    rules: int | None = None
    trusted: bool = False
    """Whether the header has `fair`, `veil` or `sign`: the whole audit (`core.trust.audit`) checks them."""
    game: Game[Any, Any, Any] | None = None
    header: Header | None = None
    match: Match[Any, Any, Any] | None = None
    """The good prefix; None where the header cannot be used, or if no match was asked for."""
    refused: Event[Any] | None = None
    """The event whose command the rules refused; None also where it is no command of the game at all."""
    events: int = 0
    """Events read, also those after the fold stopped."""
    result: Result | None = None
    """The fold's own result, if it reached the end of the game."""
    ended: str | None = None
    """`over` or `abandoned`, if there is an end record."""
    digests: str = "absent"
    """`checked`, `absent`, or `unchecked` (they are of another layout of the state)."""
    chain: bytes = b""
    """The last recorded chain."""
    size: int = 0
    """Where the last whole object ends: what a writer would keep."""
    tail: bytes = b""
    """What follows, if the file ends inside an object."""

    @property
    def ok(self) -> bool:
        return not self.findings

    def problem(self, path: str | None = None) -> LogError | None:
        """Give the first finding as an error, None if there is none."""
        if not self.findings:
            return None
        first = self.findings[0]
        return LogError(first.kind, first.message, first.seq, first.rule, path)

    def error(self, path: str | None = None) -> LogError:
        """Return the first finding as an error; without a finding, the error that there is no match in the log."""
        return self.problem(path) or LogError("header", Message("no-match-in-it", "there is no match in it"), path=path)

"""What is found in a log: the match up to the first error, and all that is wrong, also as text for one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from attrs import define, field, frozen

from ..errors import LogError, Message
from ..game import TABLE, AnyGame, Event, Result, RuleViolation
from ..match import AnyMatch, plain_result
from ..match.header import Header
from ..text.sanitize import sanitize

if TYPE_CHECKING:
    from ..text.texts import Names, Texts

LogKind = Literal["file", "header", "torn", "chain", "form", "rule", "rules", "game", "digest", "result"]
TrustKind = Literal["fair", "veil", "signature", "key", "head", "mark", "told", "missing", "view", "record"]
FindingKind = LogKind | TrustKind
"""What is wrong with a log, and with what trust adds to it."""
MOST_REASONS = 10
"""So many reasons one finding gives; of others it says how many there are."""


@frozen
class Finding:
    """One thing that is wrong with a log.

    - `kind`: one of those of the log format, or of trust; `file` is one that cannot be read.
    - `seq`: the number of the event; None if the finding is not at an event.
    - `rule`: the number of the broken rule, for kind `rule`.
    - `violation`: the violation, for kind `rule` and some of kind `form`.
    - `by`: in a verdict (`core.trust`), whose word it is: of the `host`, a `seat`, or the `owner` of a file alone.
    """

    kind: FindingKind
    message: str
    seq: int | None = None
    rule: str | None = None
    violation: RuleViolation | None = None
    by: str | None = None


def one_message(reasons: Iterable[str]) -> str:
    """Return one message that gives each reason, at least one, once."""
    first, *others = dict.fromkeys(reasons)
    message, more = first, others[MOST_REASONS - 1 :]
    for other in others[: MOST_REASONS - 1]:
        message = Message("one-and-other", "{one}; {other}", one=message, other=other)
    return Message("one-and-more", "{one}; and {count} more", one=message, count=len(more)) if more else message


@define
class Reading:
    """A log as it was read: the valid prefix as a match, and the findings in the order of the file."""

    findings: list[Finding] = field(factory=list)
    name: str | None = None
    """The game's name in the header; None if the header has none."""
    rules: int | None = None
    """The rules version in the header, whether or not it is known; None if the header has none."""
    newer_rules: int | None = None
    """The rules version that the match goes on under, if the game has no such version here."""
    trusted: bool = False
    """Whether the header has `fair`, `veil` or `sign`: the whole audit (`core.trust.audit`) checks them."""
    game: AnyGame | None = None
    header: Header | None = None
    match: AnyMatch | None = None
    """The valid prefix; None if the header cannot be used, or if no states were to be kept."""
    refused: Event[Any] | None = None
    """The event whose command a rule forbids; None too if it is no command of the game."""
    events: int = 0
    """The number of events read, those after the fold stopped included."""
    result: Result | None = None
    """The fold's own result, if it reached the end of the game."""
    ended: Literal["over", "abandoned"] | None = None
    """`over` or `abandoned`, if there is an end record."""
    digests: Literal["checked", "absent", "unchecked"] = "absent"
    """`checked`, `absent`, or `unchecked` (of another layout of the state, or not to be compared)."""
    chain: bytes = b""
    """The last recorded chain, 16 bytes."""
    size: int = 0
    """Where the last whole object ends, in bytes: what a writer would keep."""
    tail: bytes = b""
    """The bytes behind `size`, if the file ends inside an object."""

    @property
    def ok(self) -> bool:
        """True if there are no findings."""
        return not self.findings

    def problem(self, path: str | None = None) -> LogError | None:
        """Return the first finding as an error; None if there is none."""
        if not self.findings:
            return None
        first = self.findings[0]
        return LogError(first.kind, first.message, first.seq, first.rule, path)

    def error(self, path: str | None = None) -> LogError:
        """Return the first finding as an error; without findings, the error that the log has no match."""
        return self.problem(path) or LogError("header", Message("no-match-in-it", "there is no match in it"), path=path)


def audit_record(reading: Reading) -> dict[str, Any]:
    """Return the record of a log that `replay audit --json` prints, without the texts of the findings."""
    return {
        "game": reading.name,
        "rules": reading.rules,
        "events": reading.events,
        "ok": reading.ok,
        "finished": reading.result is not None,
        **plain_result(reading.result),
        "digests": reading.digests,
        "findings": [{"seq": each.seq, "kind": each.kind, "rule": each.rule} for each in reading.findings],
    }


def finding_message(
    finding: Finding, match: AnyMatch, viewer: int | None, texts: Texts, names: Names | None = None
) -> str:
    """Format a finding; for one seat with the rule alone, since the facts may be another seat's secret."""
    game, why = match.game, sanitize(texts.message(finding.message), 400)
    if viewer != TABLE:
        why = texts.rule(game.rule(finding.rule), game) if finding.rule else ""
    elif finding.violation is not None:
        why = texts.violation(finding.violation, game, names or match.header.seats)
    where = texts.format("at-event", seq=finding.seq) if finding.seq is not None else ""
    kind = texts.format(f"finding-{finding.kind}")
    return f"{where}{kind}{f' {finding.rule}' if finding.rule else ''}{texts.colon + why if why else ''}"

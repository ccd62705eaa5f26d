"""The whole audit of a log: what its bytes and the rules say, and what `fair`, `veil` and `sign` in its header do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from attrs import field, frozen

from ..errors import Message, TrustError
from ..log import Finding, Reading, read_bytes
from ..log.reader import Find
from ..match.engine import engine_name
from ..match.registry import find as find_installed
from .fair_check import check
from .fork_audit import check_fork, excess
from .formulas import fingerprint
from .header_keys import read_keys, read_veil
from .raw_log import RawLog, read_log
from .signature_audit import audit_signatures
from .takeback_consent import TakebackRules

MAX_NAME = 200
"""The most characters of a name that a log gives."""


@frozen
class Audit:
    """A log as it was read, with everything that is wrong with it: by event, and what is on none last."""

    reading: Reading
    log: RawLog
    signatures: str
    """`checked`, `absent`, or `unchecked` where the extra is missing that they need."""
    unchecked: tuple[str, ...] = ()
    """What was not checked, and why."""
    played_for: Mapping[int, Mapping[str, int]] = field(factory=dict)
    """For each seat with a key, how many of its commands somebody else gave, by the name that stands in `by`."""

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong with the log."""
        return self.reading.findings

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def host_key(self) -> bytes | None:
        """The host's public key that the header names; None if there is none, or `sign` is malformed."""
        try:
            return read_keys(self.log.header).host
        except TrustError:
            return None

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the host's key, for people to compare; None if it has none."""
        return None if self.host_key is None else fingerprint(self.host_key)


def audit(
    data: bytes,
    find: Find = find_installed,
    *,
    keep_states: bool = True,
    parent: bytes | None = None,
    engine: str | None = None,
) -> Audit:
    """Audit a log from its bytes; never raises. With `keep_states` false the reading has no match.

    `parent` is the log that a fork began from: its shared events, and the consents to it, are held against that.
    Whether a takeback needed consent is asked of the rules if `engine`, by default this program, recorded the log.
    """
    return complete(read_bytes(data, find, keep_states=keep_states), data, find, parent, engine)


def complete(
    reading: Reading,
    data: bytes,
    find: Find = find_installed,
    parent: bytes | None = None,
    engine: str | None = None,
) -> Audit:
    """Complete what was read of these bytes by what `fair`, `veil` and `sign` say of them."""
    log = read_log(data, strict=bool(reading.findings))
    rules = TakebackRules(log, reading, data, find, engine or engine_name())
    found = audit_signatures(log, rules.why_consent_is_needed)
    added = [*found.findings, *check(log.header), *excess(log)]
    try:
        read_veil(log.header)
    except TrustError as cause:
        added.append(Finding("veil", cause.why))
    if parent is not None:
        added += _held_to(parent, data, log, find)
    reading.findings = in_order([*reading.findings, *added]) if added else reading.findings
    signed = "sign" in log.header
    return Audit(
        reading,
        log,
        "unchecked" if found.unchecked else "checked" if signed else "absent",
        (*_unchecked(log if parent is None else read_log(parent), log.forked_at), *rules.unchecked),
        _played_for(log),
    )


def _held_to(parent: bytes, data: bytes, log: RawLog, find: Find) -> list[Finding]:
    """Hold a fork against its parent's log, which must be without findings itself."""
    found = check_fork(data, parent, find)
    if "fork" in log.header and audit(parent, find).findings:
        english = "the parent's log has findings of its own: audit it"
        found.append(Finding("head", Message("parent-has-findings", english)))
    return found


def _unchecked(log: RawLog, last: int) -> tuple[str, ...]:
    """Say what of the events up to `last` is left out if this log, the oldest that is at hand, is a fork itself.

    What a fork shares stands in its parent's log, and was agreed to there.
    """
    if log.header.get("fork").__class__ is not dict or log.forked_at < 0 or not log.is_trusted:
        return ()
    english = "events 0 to {last}, which a fork shares: signatures and deals are in its parent's log"
    return (Message("fork-unchecked", english, last=min(log.forked_at, last)),)


def _played_for(log: RawLog) -> dict[int, dict[str, int]]:
    """Count the commands that somebody else gave for a seat with a key: everybody was told so, and none is signed."""
    try:
        keys = read_keys(log.header)
    except TrustError:
        return {}
    found: dict[int, Counter[str]] = {}
    for event in log.events:
        if keys.of(event.seat) is not None and event.of_meta("by") is not None:
            found.setdefault(event.seat, Counter())[str(event.of_meta("by"))[:MAX_NAME]] += 1
    return {seat: dict(sorted(found[seat].items())) for seat in sorted(found)}


def in_order(findings: list[Finding]) -> list[Finding]:
    """Sort findings: what makes a log unusable first, then by event, then those on no event."""
    return sorted(findings, key=lambda each: (each.kind != "header", each.seq is None, each.seq or 0))

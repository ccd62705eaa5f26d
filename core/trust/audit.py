"""The whole audit of a log: what its bytes and the rules say, and what `fair`, `veil` and `sign` in its header do."""

from __future__ import annotations

from attrs import frozen

from ..errors import TrustError
from ..log import Finding, Reading, read_bytes
from ..log.reader import Find
from ..match.registry import find as find_installed
from .command_audit import audit_signatures
from .fair_check import check
from .header_keys import read_veil
from .raw_log import RawLog, read_log


@frozen
class Audit:
    """A log as it was read, with everything that is wrong with it: by event, and what is on none last."""

    reading: Reading
    log: RawLog
    signatures: str
    """`checked`, `absent`, or `unchecked` where the extra is missing that they need."""

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong with the log."""
        return self.reading.findings

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def audit(data: bytes, find: Find = find_installed, *, keep_states: bool = True) -> Audit:
    """Audit a log from its bytes; never raises. With `keep_states` false the reading has no match."""
    return complete(read_bytes(data, find, keep_states=keep_states), data)


def complete(reading: Reading, data: bytes) -> Audit:
    """Complete what was read of these bytes by what `fair`, `veil` and `sign` say of them."""
    log = read_log(data)
    found = audit_signatures(log)
    added = [*found.findings, *check(log.header)]
    try:
        read_veil(log.header)
    except TrustError as cause:
        added.append(Finding("veil", cause.why))
    reading.findings = in_order([*reading.findings, *added]) if added else reading.findings
    signed = "sign" in log.header
    return Audit(reading, log, "unchecked" if found.unchecked else "checked" if signed else "absent")


def in_order(findings: list[Finding]) -> list[Finding]:
    """Sort findings: what makes a log unusable first, then by event, then those on no event."""
    return sorted(findings, key=lambda each: (each.kind != "header", each.seq is None, each.seq or 0))

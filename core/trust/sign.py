"""Signed commands: keys, the messages that are signed, and the check of those in a log (extra `kifu[sign]`)."""

from ..log.findings import Finding
from .fork_audit import check_fork
from .formulas import command_message, told_message, wish_message
from .raw_log import read_log
from .signature_audit import audit_signatures
from .signing import SigningKey, check, is_available


def audit(log: bytes) -> list[Finding]:
    """Check the signatures of a log's commands and takebacks; never raises.

    Without the extra only what needs no key is checked: who signed, and what was signed before.
    """
    return audit_signatures(read_log(log)).findings


__all__ = [
    "SigningKey",
    "audit",
    "check",
    "check_fork",
    "command_message",
    "is_available",
    "told_message",
    "wish_message",
]

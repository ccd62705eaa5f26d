"""The verdict on a seat record, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.log import Reading
from ...core.text.texts import Texts
from ...core.trust.records import Record, Verdict, code, compare, key_text, verify, verify_fork
from ..call_errors import CallError
from .findings import finding_text, played_for, said

AS_THEY_ARE = (
    *("match", "seat", "ok", "partial", "by", "first", "last", "signed", "log_signed", "ended", "proof"),
    *("fingerprint", "attempt"),
)
"""The values of a verdict that are plain data already."""


def verdict(records: Sequence[Record], log: bytes | None = None, parent: bytes | None = None) -> Verdict:
    """Compare two records, one with a log, or look at one alone; `parent` is the log of the match that `log` forks.

    Without a record the log is held against its parent's.
    """
    if not records:
        return verify_fork(log or b"", parent or b"")
    if len(records) == 2:
        return compare(*records)
    return verify(records[0], log, parent=parent)


def printed_code(records: Sequence[Record], found: Verdict, moment: int | None = None) -> str | None:
    """Return the code of a moment, by default of the last; raises `CallError` if a record has no mark of it."""
    if moment is None:
        return found.code
    marks = [each.marks().get(moment) for each in records]
    if None in marks:
        raise CallError("no-mark", "there is no mark of moment {moment} in what is recorded", moment=moment)
    return code(marks[0] or b"")


def verification(found: Verdict, printed: str | None, texts: Texts, *, as_program: bool) -> dict[str, Any]:
    """Return the object of `replay verify --json`, without the names of files; `as_program`: always in English."""
    return {
        **{name: getattr(found, name) for name in AS_THEY_ARE},
        "gaps": [list(each) for each in found.gaps],
        "code": printed,
        "unchecked": [said(each, texts, as_program=as_program) for each in found.unchecked],
        "host_key": None if found.host_key is None else key_text(found.host_key),
        "refused": [list(each) for each in found.refused],
        "played_for": played_for(found.played_for),
        "findings": [
            {
                "seq": each.seq,
                "kind": each.kind,
                "rule": each.rule,
                "by": each.by,
                "message": finding_text(each, Reading(), texts, as_program=as_program),
            }
            for each in found.findings
        ],
    }

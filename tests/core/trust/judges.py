"""The two judges: `verify`, and a verifier that was written from the contract alone."""

from __future__ import annotations

from collections.abc import Set

import pytest
from kifu.core.match.engine import engine_name
from kifu.core.trust import records
from kifu.core.trust.audit import audit

OF_THE_ENGINE = {"rule", "digest", "result", "view", "form", "chain", "rules"}
"""Kinds of findings that are the engine's, or of the log's form."""

Found = dict[tuple[str, int | None], str | None]
"""By kind and event of each finding whose word it is."""


def by_verify(record: bytes | None, other: bytes) -> Found:
    """Return what the command line finds in a log, in a record beside it, or between two records."""
    if record is None:
        audited = audit(other)
        return {(each.kind, each.seq): "host" if audited.log_signed else "owner" for each in audited.findings}
    verdict = (records.compare if is_record(other) else records.verify)(record, other)
    found = {(each.kind, each.seq): each.by for each in verdict.findings}
    order = sorted(found, key=lambda each: (each[1] is None, each[1] or 0, each[0]))
    assert [(each.kind, each.seq) for each in verdict.findings] == order, "at most one of each kind and event"
    return found


def is_record(content: bytes) -> bool:
    return b"kifu_record" in content[:20]


def by_both(record: bytes | None, other: bytes, left: Set[str] = frozenset(), name: str = "") -> Found:
    """Return what the command line finds, if the second judge finds it, too, and whose word it is.

    `left` names the kinds of findings that only the rules tell.
    """
    found = by_verify(record, other)
    unknown = {("told", seq) for kind, seq in found if kind == "form"}  # only the rules tell that it is no command
    ours = {each: by for each, by in found.items() if each[0] not in OF_THE_ENGINE and each not in unknown}
    judged = pytest.importorskip(f"{__package__}.independent", reason="needs kifu[web]").judged
    alone = {each: by for each, by in judged(record, other, engine_name()).items() if each not in unknown}
    if ("header", None) in ours:  # of no game here: how such a log ends, and what its commands say, is not judged
        alone = {each: by for each, by in alone.items() if each in ours or each[0] not in {"torn", "told"}}
    needed = {finding: by for finding, by in ours.items() if finding[0] not in left or finding in alone}
    assert alone == needed, name
    return ours

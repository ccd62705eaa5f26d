"""Whatever a host changes afterwards is found by everybody's record; what a proposal says, by those who sign it."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.trust import records
from kifu.core.trust.audit import audit
from kifu.core.trust.canonical import canonical

from . import rigged
from .playing import Table, cake, put_together, taken_apart

BESIDES = {"rule", "digest", "result", "view", "form", "chain"}
"""What a change may also break."""


def kinds(findings: Any) -> set[tuple[str, int | None]]:
    return {(each.kind, each.seq) for each in findings if each.kind not in BESIDES}


@pytest.mark.ci
def test_any_change_of_any_event_is_found_by_everybody_s_record() -> None:
    table = rigged.table()
    for seq in range(table.count):
        header, events, end = taken_apart(table.log)
        events[seq][2] = {**(events[seq][2] or {}), "note": "x"}  # a key that nobody is shown
        log = put_together((header, events, end))
        audited = kinds(audit(log).findings)
        for viewer in table.viewers:
            assert kinds(records.verify(table.record(viewer), log).findings) == {("mark", seq), *audited}


def agreed(table: Table, kind: str, by: int, seats: tuple[int, ...]) -> records.Verdict:
    """Verify the record of seat 2 with a proposal of this kind that these seats have signed."""
    told = canonical([kind, 0, by, table.consent(kind, 0, seats)])
    wish = records.Entry(records.WISH, table.count, told, None, table.evidence.marks[-1], None)
    raw = table.record(2) + wish.packed()
    table.abandon(None)
    end = table.entries[2].pop()
    return records.verify(raw + end.packed(), table.log)


@pytest.mark.parametrize(
    ("kind", "by", "seats", "found", "ended"),
    [
        ("abandon", 0, (0, 1), False, "by consent"),
        ("abandon", 2, (0, 1), False, "by consent"),
        ("abandon", 0, (0,), True, "called off"),
        ("abandon", 2, (1,), True, "called off"),
        ("fork", 0, (0,), False, "called off"),
        ("fork", 0, (1,), True, "called off"),
        ("take_back", 2, (), False, "called off"),
    ],
)
def test_a_proposal_is_agreed_to_by_those_who_sign(
    kind: str, by: int, seats: tuple[int, ...], found: bool, ended: str
) -> None:
    table = cake(5)
    table.play(4)
    verdict = agreed(table, kind, by, seats)
    assert kinds(verdict.findings) == ({("signature", 4)} if found else set())
    assert verdict.ended == ended

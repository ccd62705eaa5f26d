"""Every case of the published vectors: just the findings that must come, in logs, records and pairs of records."""

from __future__ import annotations

from typing import Any

import pytest
from kifu.core.trust import records
from kifu.core.trust.audit import audit

from .vectors import CASES, CASES_2, FILES, LEFT_ASIDE, files_of

OF_THE_FORM = {*LEFT_ASIDE, "form", "chain"}

RUNS: dict[str, Any] = {"audit": audit, "verify": records.verify, "compare": records.compare}


def found(findings: Any) -> set[tuple[str, int | None]]:
    return {(each.kind, each.seq) for each in findings if each.kind not in LEFT_ASIDE}


def test_a_case_has_just_its_findings() -> None:
    for case in CASES:
        verb, *names = case["run"]
        findings = RUNS[verb](*(FILES[name] for name in names)).findings
        assert found(findings) == {(kind, seq) for kind, seq in case["findings"]}, case["name"]
        assert len({(each.kind, each.seq) for each in findings}) == len(findings), f"{case['name']}: one of each kind"
        assert case["attack"] != "none" or not findings, case["name"]


def test_the_parts_of_a_verdict() -> None:
    verdict = records.verify(FILES["consent.seat"], FILES["base.log"])
    assert verdict.ok
    assert (verdict.match, verdict.seat, verdict.first, verdict.last) == ("a1b2c3d4e5f60718", 1, 0, 24)
    assert (verdict.signed, verdict.ended, verdict.proof) == (True, "by consent", False)
    assert records.verify(FILES["seat1.seat"], FILES["base.log"]).ended == "called off"
    assert records.verify(FILES["whole-seat1.seat"], FILES["whole.log"]).ended == "over"
    assert records.verify(FILES["seat0-until-10.seat"], FILES["base.log"]).last == 9
    assert not records.verify(FILES["marks-only-seat2.seat"], FILES["marks-only.log"]).signed


def test_two_players_at_the_same_moment_have_the_same_code() -> None:
    one, other = (records.verify(FILES[f"seat{seat}.seat"]) for seat in (0, 1))
    assert one.ok
    assert other.ok
    assert one.code == other.code == records.code(records.marks(FILES["base.log"])[24])
    assert len(one.code.replace("-", "")) == 26


def test_what_was_signed_in_version_1_convicts_nobody() -> None:
    found = records.compare(FILES["unkeyed-seat0-public.seat"], FILES["seat1-other-history-public.seat"])
    assert (found.by, found.proof) == ("owner", False)
    assert [str(each) for each in found.unchecked] == [
        "what was agreed: in version 1 signatures name the match alone, and convict nobody"
    ]


def test_marks_are_those_of_each_moment_and_of_the_end() -> None:
    marks = records.marks(FILES["base.log"])
    record = records.read_bytes(FILES["seat0.seat"])
    assert len(marks) == 26
    for entry in record.entries:
        if entry.kind == records.EVENT:
            assert marks[entry.number + 1] == entry.mark
        elif entry.kind == records.LOOK:
            assert marks[entry.number] == entry.mark
        elif entry.kind == records.END:
            assert marks[-1] == entry.mark


def test_the_public_form_is_the_vector_s() -> None:
    assert records.public(FILES["unkeyed-seat0.seat"]) == FILES["unkeyed-seat0-public.seat"]
    assert records.public(FILES["seat0-public.seat"]) == FILES["seat0-public.seat"]
    shown = records.read_bytes(FILES["seat0.seat"]).public().entries
    kept = [each for each in shown if each.kind != records.LOOK]  # the vector has no looks
    assert kept == list(records.read_bytes(FILES["seat0-public.seat"]).entries)


@pytest.mark.parametrize("case", CASES_2, ids=lambda case: case["name"])
def test_a_case_of_version_2_has_just_its_findings_and_whose_word_they_are(case: dict[str, Any]) -> None:
    """Of hosts that cheat, of tamperings, and of forks beside their parents; and of honest ones."""
    verb, given = case["run"][0], files_of(case)
    if verb == "fork":
        record, fork, parent = given
        alone = record is None
        verdict = records.verify_fork(fork, parent) if alone else records.verify(record, fork, parent=parent)
    else:
        verdict = RUNS[verb](*given) if verb == "compare" else RUNS[verb](*given, engine="another")
    by = "host" if verb == "audit" and verdict.log_signed else "owner"
    mine = {(each.kind, each.seq, each.by or by) for each in verdict.findings if each.kind not in OF_THE_FORM}
    assert mine == {tuple(each) for each in case["findings"]}
    assert mine or case["name"].startswith("honest") is verdict.ok

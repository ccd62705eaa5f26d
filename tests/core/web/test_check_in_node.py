"""The page's own check, in node: it finds what the command line finds, but for what only the rules can tell."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit

from ..trust import rigged
from ..trust.vectors import CASES, FILES

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "web" / "table"
pytestmark = pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")

ENGINES = {"rule", "digest", "result", "view", "form", "chain", "rules"}
"""Kinds of findings that are the engine's, or of the log's form."""

CHECKING = """
import { readFileSync } from "node:fs";
import { auditLog, check } from "TABLE/check.mjs";
import { SeatRecord } from "TABLE/record.mjs";
import { readRecord } from "TABLE/record_file.mjs";
const bytes = (name) => new Uint8Array(readFileSync(name));
const found = {};
for (const [name, record, log] of JSON.parse(readFileSync("cases.json", "utf8"))) {
  found[name] = { findings: record ? await check(bytes(record), bytes(log)) : await auditLog(bytes(log)) };
  if (!record || found[name].findings.some(({ kind }) => kind === "record" || kind === "torn")) continue;
  const { head, entries } = readRecord(bytes(record));
  const again = new SeatRecord("m", head.seat);
  for (const entry of entries) again.take(entry);
  found[name].code = again.code();
  const written = again.bytes(head.roster, head.sig);
  found[name].same = Buffer.compare(Buffer.from(written), Buffer.from(bytes(record))) === 0;
}
console.log(JSON.stringify(found));
"""

Files = Mapping[str, tuple[bytes | None, bytes]]
"""By the name of a case a record, or None, and a log."""


def checked(cases: Files, folder: Path) -> dict[str, Any]:
    """Return what the page finds in these cases."""
    node = shutil.which("node") or pytest.skip("needs node")
    listed = []
    for number, (name, (record, log)) in enumerate(cases.items()):
        (folder / f"{number}.log").write_bytes(log)
        if record is not None:
            (folder / f"{number}.seat").write_bytes(record)
        listed.append([name, record and f"{number}.seat", f"{number}.log"])
    (folder / "cases.json").write_text(json.dumps(listed), encoding="utf-8")
    (folder / "checking.mjs").write_text(CHECKING.replace("TABLE", TABLE.as_posix()), encoding="utf-8")
    done = subprocess.run([node, "checking.mjs"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kinds(findings: Any) -> set[tuple[str, int | None]]:
    pairs = [(each["kind"], each["seq"]) if isinstance(each, dict) else (each.kind, each.seq) for each in findings]
    return {(kind, seq) for kind, seq in pairs if kind not in ENGINES}


def judged(record: bytes | None, log: bytes) -> set[tuple[str, int | None]]:
    """Return what the command line finds."""
    return kinds(audit(log).findings if record is None else records.verify(record, log).findings)


@pytest.mark.ci
def test_every_vector_has_the_same_findings_at_the_page(tmp_path):
    cases = {}
    for case in CASES:
        run, *names = case["run"]
        if run != "compare":
            cases[case["name"]] = (FILES[names[0]] if run == "verify" else None, FILES[names[-1]])
    found = checked(cases, tmp_path)
    assert len(cases) > 80
    for case in CASES:
        if case["name"] in cases:
            assert kinds(found[case["name"]]["findings"]) == {(kind, seq) for kind, seq in case["findings"]}, case[
                "name"
            ]


@pytest.mark.ci
def test_what_a_rigged_host_does_is_found_at_the_page_too(tmp_path):
    """What it leaves to the engine is named: then the page has said that it has not checked that."""
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    evening = docs["Evening"]()
    evening.end()
    cases: dict[str, tuple[bytes | None, bytes]] = {"honest": (evening.players[1].record, evening.log)}
    for crime in docs["CRIMES"]:
        tool, *files = crime(docs["Evening"]())
        if tool != "compare":
            cases[crime.__name__] = (files[0], files[1]) if tool == "verify" else (None, files[0])
    of_docs = list(cases)
    cases |= rigged.crimes()
    assert len(cases) > 20
    found = checked(cases, tmp_path)
    assert found["honest"]["findings"] == []
    assert all(found[name].get("same", True) for name in of_docs), "the page writes the record's bytes"
    for name, (record, log) in cases.items():
        ours, theirs = judged(record, log), kinds(found[name]["findings"])
        left = rigged.LEFT_TO_THE_ENGINE.get(name, set())
        assert {kind for kind, _ in ours - theirs} == left, name
        assert theirs <= ours, name
        if record is not None and "code" in found[name]:
            assert found[name]["code"] == records.verify(record).code, name


@pytest.mark.ci
def test_cards_that_are_not_the_seed_s_are_the_engine_s_to_find(tmp_path):
    """All that the host told fits its log, and the seed is honest; only the game's own deal tells."""
    record, log = rigged.deals_other_cards()
    (finding,) = records.verify(record, log).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 0, "SEED")
    assert checked({"dealt": (record, log)}, tmp_path)["dealt"]["findings"] == []
    assert "that the cards come from the seed" in (ROOT / "core/web/texts/en.ftl").read_text(encoding="utf-8")


@pytest.mark.long
def test_every_tampering_with_a_log_or_record_has_the_same_findings_at_the_page(tmp_path):
    cases = rigged.tamperings()
    assert len(cases) >= 105
    found = checked(cases, tmp_path)
    wrong = {}
    for name, (record, log) in cases.items():
        findings = records.verify(record, log).findings
        assert findings, f"{name}: nothing is found"
        ours, theirs = kinds(findings), kinds(found[name]["findings"])
        if ours != theirs:
            wrong[name] = (ours - theirs, theirs - ours)
    assert wrong == {}

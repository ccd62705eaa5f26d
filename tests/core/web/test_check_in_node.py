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

from ..trust import rigged, rigged_by_others
from ..trust.vectors import CASES, FILES

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "web" / "table"
pytestmark = pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")

ENGINES = {"rule", "digest", "result", "view", "form", "chain", "rules"}
"""Kinds of findings that are the engine's, or of the log's form."""

CHECKING = """
import { readFileSync } from "node:fs";
import { auditLog, check } from "TABLE/check.mjs";
import { compare, isRecord } from "TABLE/compare.mjs";
import { SeatRecord } from "TABLE/record.mjs";
import { readRecord } from "TABLE/record_file.mjs";
const bytes = (name) => new Uint8Array(readFileSync(name));
const found = {};
for (const [name, record, log] of JSON.parse(readFileSync("cases.json", "utf8"))) {
  if (record && isRecord(bytes(log))) {
    found[name] = { findings: await compare(bytes(record), bytes(log)) };
    continue;
  }
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
"""By the name of a case a record, or None, and a log, or another record."""


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
    return kinds(rigged.judged(record, log))


@pytest.mark.ci
def test_every_vector_has_the_same_findings_at_the_page(tmp_path):
    cases = {}
    for case in CASES:
        run, *names = case["run"]
        cases[case["name"]] = (None if run == "audit" else FILES[names[0]], FILES[names[-1]])
    found = checked(cases, tmp_path)
    assert len(cases) == len(CASES) == 98
    for case in CASES:
        told = kinds(found[case["name"]]["findings"])
        assert told == {(kind, seq) for kind, seq in case["findings"]}, case["name"]


@pytest.mark.ci
def test_what_a_rigged_host_does_is_found_at_the_page_too(tmp_path):
    """What it leaves to the engine is named: then the page has said that it has not checked that."""
    docs = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    evening = docs["Evening"]()
    evening.end()
    cases: dict[str, tuple[bytes | None, bytes]] = {"honest": (evening.players[1].record, evening.log)}
    for crime in docs["CRIMES"]:
        tool, *files = crime(docs["Evening"]())
        cases[crime.__name__] = (None if tool == "audit" else files[0], files[-1])
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
def test_what_the_hosts_of_an_outsider_do_is_found_at_the_page_too(tmp_path):
    cases = rigged_by_others.crimes()
    honest = rigged_by_others.honest()
    found = checked({**cases, **honest}, tmp_path)
    for name, files in cases.items():
        ours, told = judged(*files), kinds(found[name]["findings"])
        assert told <= ours, name
        assert {kind for kind, _ in ours - told} <= rigged_by_others.LEFT_TO_THE_ENGINE.get(name, set()), name
        assert rigged_by_others.CONVICTED[name] in {kind for kind, _ in told}, name
    assert [found[name]["findings"] for name in honest] == [[]] * len(honest)


@pytest.mark.ci
def test_cards_that_are_not_the_seed_s_are_the_engine_s_to_find(tmp_path):
    """All that the host told fits its log, and the seed is honest; only the game's own deal tells."""
    record, log = rigged.deals_other_cards()
    (finding,) = records.verify(record, log).findings
    assert (finding.kind, finding.seq, finding.rule) == ("rule", 0, "SEED")
    assert checked({"dealt": (record, log)}, tmp_path)["dealt"]["findings"] == []
    assert "that the cards come from the seed" in (ROOT / "core/web/texts/en.ftl").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    "at", [None, ("gosne", 4, 1), ("mabr", 2, 2), ("palace", 3, 3)], ids=lambda at: at[0] if at else "cake"
)
def test_every_tampering_with_a_log_or_record_has_the_same_findings_at_the_page(tmp_path, at):
    """Also at tables of other games, seats, ids and secrets."""
    cases = rigged.tamperings(at and rigged.table_of(*at))
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

"""What the page's own check finds, in node, and what the other two verifiers do."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ..trust import independent, rigged

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "web" / "table"

OF_THE_ENGINE = {"rule", "digest", "result", "view", "form", "chain", "rules"}
"""Kinds of findings that are the engine's, or of the log's form."""

CHECKING = """
import { readFileSync } from "node:fs";
import { about, auditLog, check } from "TABLE/check.mjs";
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
  found[name].about = about(record && bytes(record), bytes(log));
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

Found = set[tuple[str, int | None]]


def at_the_page(cases: Files, folder: Path) -> dict[str, Any]:
    """Return what the page finds in these cases, and how it writes the records."""
    node = shutil.which("node") or pytest.skip("needs node")
    listed = []
    for number, (name, (record, log)) in enumerate(cases.items()):
        (folder / f"{number}.log").write_bytes(log)
        if record is not None:
            (folder / f"{number}.seat").write_bytes(record)
        listed.append([name, record and f"{number}.seat", f"{number}.log"])
    (folder / "cases.json").write_text(json.dumps(listed), encoding="utf-8")
    (folder / "checking.mjs").write_text(CHECKING.replace("TABLE", TABLE.as_posix()), encoding="utf-8")
    done = subprocess.run([node, "checking.mjs"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kinds(findings: Any) -> Found:
    """Return kind and event of each finding, but for those that are the engine's."""
    pairs = [(each["kind"], each["seq"]) if isinstance(each, dict) else (each.kind, each.seq) for each in findings]
    return {(kind, seq) for kind, seq in pairs if kind not in OF_THE_ENGINE}


def by_command(record: bytes | None, other: bytes) -> Found:
    """Return what the command line finds."""
    return kinds(rigged.judged(record, other))


def by_contract(record: bytes | None, other: bytes) -> Found:
    """Return what the verifier finds that was written from the contract alone."""
    if record is None:
        found = independent.audit(other)
    else:
        found = (independent.compare if independent.is_record(other) else independent.verify)(record, other)
    return {(kind, seq) for kind, seq in found if kind not in OF_THE_ENGINE}

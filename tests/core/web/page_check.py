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
import { auditLog, check } from "TABLE/check.mjs";
import { compare, isRecord } from "TABLE/compare.mjs";
import { SeatRecord } from "TABLE/record.mjs";
import { readRecord } from "TABLE/record_file.mjs";
const bytes = (name) => new Uint8Array(readFileSync(name));
const found = {};
for (const [name, record, log, parent] of JSON.parse(readFileSync("cases.json", "utf8"))) {
  if (record && isRecord(bytes(log))) {
    found[name] = await compare(bytes(record), bytes(log));
    continue;
  }
  const forked = parent && bytes(parent);
  found[name] = record ? await check(bytes(record), bytes(log), forked) : await auditLog(bytes(log), forked);
  if (!record || found[name].findings.some(({ kind }) => kind === "record" || kind === "torn")) continue;
  const { head, entries } = readRecord(bytes(record));
  const again = new SeatRecord("m", head.seat);
  for (const entry of entries) again.take(entry);
  found[name].ownCode = again.code();
  const written = again.bytes(head.roster, head.sig);
  found[name].same = Buffer.compare(Buffer.from(written), Buffer.from(bytes(record))) === 0;
}
console.log(JSON.stringify(found, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));
"""

Files = Mapping[str, tuple[bytes | None, bytes] | tuple[bytes | None, bytes, bytes]]
"""By the name of a case a record, or None, a log, or another record, and of a fork perhaps its parent's log."""

Found = set[tuple[str, int | None]]


def at_the_page(cases: Files, folder: Path) -> dict[str, Any]:
    """Return what the page finds in these cases, and how it writes the records."""
    node = shutil.which("node") or pytest.skip("needs node")
    listed = []
    for number, (name, files) in enumerate(cases.items()):
        given = dict(zip((".seat", ".log", ".parent.log"), files, strict=False))
        names = {ending: f"{number}{ending}" for ending, content in given.items() if content is not None}
        for ending, each in names.items():
            (folder / each).write_bytes(given[ending])
        listed.append([name, *map(names.get, (".seat", ".log", ".parent.log"))])
    (folder / "cases.json").write_text(json.dumps(listed), encoding="utf-8")
    (folder / "checking.mjs").write_text(CHECKING.replace("TABLE", TABLE.as_posix()), encoding="utf-8")
    done = subprocess.run([node, "checking.mjs"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kinds(findings: Any) -> Found:
    """Return kind and event of each finding, but for those that are the engine's."""
    pairs = [
        (each["kind"], _int(each["seq"])) if isinstance(each, dict) else (each.kind, each.seq) for each in findings
    ]
    return {(kind, seq) for kind, seq in pairs if kind not in OF_THE_ENGINE}


def _int(seq: Any) -> int | None:
    return int(seq.removesuffix("n")) if isinstance(seq, str) else seq


LINES = ("first", "last", "code", "signed", "ended", "bound", "proof")
"""What `replay verify` prints besides of findings, of what it covers; the page has the host's key, too, and counts."""


def by_command(*files: bytes | None) -> Found:
    """Return what the command line finds."""
    return kinds(rigged.judged(*files))


def lines_of(verdict: Any) -> dict[str, Any]:
    """Return what the command line prints of a verdict besides of findings, as the page has it."""
    told = {name: getattr(verdict, name) for name in LINES} | {"bound": list(verdict.bound)}
    played = sum(sum(each.values()) for each in verdict.played_for.values())
    return {**told, "key": verdict.fingerprint, "played": played}


def by_contract(record: bytes | None, other: bytes, parent: bytes | None = None) -> Found:
    """Return what the verifier finds that was written from the contract alone."""
    if record is None:
        found = independent.audit(other, parent)
    elif independent.is_record(other):
        found = independent.compare(record, other)
    else:
        found = independent.verify(record, other, parent)
    return {(kind, seq) for kind, seq in found if kind not in OF_THE_ENGINE}

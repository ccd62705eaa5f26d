"""The page's own check, in node: an honest match is right, and the crimes of the rigged host are wrong."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from kifu.core.trust import records, sign
from kifu.core.trust.audit import audit

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "web" / "table"
pytestmark = pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")

CHECKING = """
import {{ readFileSync }} from "node:fs";
import {{ check }} from "{table}/check.mjs";
import {{ SeatRecord, readRecord }} from "{table}/record.mjs";
const bytes = (name) => new Uint8Array(readFileSync(name));
const found = {{}};
for (const name of {names}) {{
  const raw = bytes(`${{name}}.seat`);
  const record = readRecord(raw);
  const again = new SeatRecord("m", record.head.seat);
  for (const entry of record.entries) again.take(entry);
  const same = Buffer.compare(Buffer.from(again.bytes(record.head.roster, record.head.sig)), Buffer.from(raw)) === 0;
  found[name] = {{ findings: await check(record, bytes(`${{name}}.log`)), same, code: again.code() }};
}}
console.log(JSON.stringify(found));
"""


def test_what_the_page_checks_is_what_the_command_line_checks(tmp_path):
    node = shutil.which("node") or pytest.skip("needs node")
    rigged = runpy.run_path(str(ROOT / "docs" / "examples" / "rigged_host.py"))
    evening = rigged["Evening"]()
    evening.end()
    cases = {"honest": (evening.players[1].record, evening.log)}
    for crime in rigged["CRIMES"]:
        evening = rigged["Evening"]()
        record = evening.players[1].record
        tool, *files = crime(evening)
        if tool != "compare":
            cases[crime.__name__] = (files[0], files[1]) if tool == "verify" else (record, files[0])
    for name, (record, log) in cases.items():
        (tmp_path / f"{name}.seat").write_bytes(record)
        (tmp_path / f"{name}.log").write_bytes(log)
    script = tmp_path / "checking.mjs"
    script.write_text(CHECKING.format(table=TABLE.as_posix(), names=json.dumps(list(cases))), encoding="utf-8")
    done = subprocess.run([node, script.name], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["honest"]["findings"] == []
    assert all(each["same"] for each in found.values()), "the page writes the record's bytes"
    for name, (record, log) in cases.items():
        judged = records.verify(record, log)
        assert found[name]["code"] == judged.code
        ours = {each.kind for each in judged.findings}
        theirs = {each["kind"] for each in found[name]["findings"]}
        assert theirs <= ours | {"form", "chain"}, name
        expected = next((kind for crime, kind in rigged["CRIMES"].items() if crime.__name__ == name), None)
        if expected is not None and name != "takes_back_alone":  # which the browser sees as marks that are missing
            assert expected in theirs, name
    assert audit(cases["honest"][1]).findings == []

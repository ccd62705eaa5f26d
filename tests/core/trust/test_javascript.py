"""The formulas of `docs/trust.md` in JavaScript, as far as the page needs them: by the vectors."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from . import torsion
from .vectors import FOLDER

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "web" / "table"
NODE = shutil.which("node")

needs_node = pytest.mark.skipif(NODE is None, reason="needs node")

ADDRESS = "http://localhost"
"""Where a browser signs: in a secure context."""


def node(*args: object, given: str = "") -> str:
    said = subprocess.run([NODE, *args], input=given, capture_output=True, text=True, check=False, timeout=300)
    assert said.returncode in (0, 1), said.stderr
    return said.stdout


@pytest.mark.ci
@needs_node
def test_it_gives_every_formula_of_the_vectors() -> None:
    module = json.dumps(Path(__file__).with_name("formulas.mjs").as_uri())
    script = f"import {{ check }} from {module}; import {{ readFileSync }} from 'node:fs';"
    script += "console.log(JSON.stringify(await check(readFileSync(0, 'utf8'))));"
    said = node("--input-type=module", "-e", script, given=(FOLDER / "formulas.json").read_text("utf-8"))
    assert json.loads(said) == {"formulas": 35, "wrong": []}


def test_a_browser_gives_every_formula_of_the_vectors(browser: Any) -> None:
    tab = browser.new_page()
    tab.route(f"{ADDRESS}/**", lambda route: route.fulfill(path=ROOT / route.request.url.removeprefix(f"{ADDRESS}/")))
    tab.route(f"{ADDRESS}/", lambda route: route.fulfill(body="", content_type="text/html"))
    tab.goto(f"{ADDRESS}/")
    script = """async (text) => (await import("/tests/core/trust/formulas.mjs")).check(text)"""
    said = tab.evaluate(script, (FOLDER / "formulas.json").read_text("utf-8"))
    assert said == {"formulas": 35, "wrong": []}
    tab.close()


@pytest.mark.ci
@needs_node
def test_it_takes_no_key_under_which_verifiers_differ() -> None:
    keys = sorted({key for key, _ in torsion.vectors().values()})
    script = f"import {{ isWeak }} from {json.dumps((TABLE / 'formulas.js').as_uri())};"
    script += "console.log(JSON.stringify(process.argv.slice(1).map((key) => isWeak(Buffer.from(key, 'hex')))));"
    said = json.loads(node("--input-type=module", "-e", script, *[key.hex() for key in keys]))
    assert said == [key != torsion.KEY for key in keys]


READING = """
import { canonical } from %s;
import { decode } from %s;
import { readFileSync } from "node:fs";
const again = (text) => {
  try {
    return Buffer.from(canonical(decode(Uint8Array.from(Buffer.from(text, "hex")))[0])).toString("hex");
  } catch {
    return null;
  }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(again)));
"""


def read_and_written(values: list[str]) -> list[str | None]:
    """Return what the page writes of what it reads; None for what it does not read."""
    script = READING % tuple(json.dumps((TABLE / f"{name}.js").as_uri()) for name in ("canonical", "msgpack"))
    said: list[str | None] = json.loads(node("--input-type=module", "-e", script, given=json.dumps(values)))
    return said


@pytest.mark.ci
@needs_node
def test_it_reads_what_it_writes_and_nothing_that_is_cut_or_no_value() -> None:
    formulas = json.loads((FOLDER / "formulas.json").read_text("utf-8"))["formulas"]
    values = [each["out"] for each in formulas if each["name"] == "canonical" and "$map" not in str(each["in"])]
    assert len(values) == 26
    assert read_and_written(values) == values
    wrong = [each[:-2] for each in values]
    wrong += ["c1", "d40100", "ca00000000", "a1ff", "ddffffffff", "dfffffffff", "91" * 100_000]
    assert read_and_written(wrong) == [None] * len(wrong)

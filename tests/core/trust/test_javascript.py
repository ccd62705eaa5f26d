"""The formulas of `docs/trust.md` in JavaScript, and how its reader finds unfair deals: by the vectors."""

from __future__ import annotations

import json
import shutil
import subprocess
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import pytest

from .vectors import CASES, FILES, FOLDER

ROOT = Path(__file__).parents[3]
READER = ROOT / "core" / "web" / "table" / "reader"
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
    assert json.loads(said) == {"formulas": 48, "wrong": []}


def test_a_browser_gives_every_formula_of_the_vectors(browser: Any) -> None:
    tab = browser.new_page()
    tab.route(f"{ADDRESS}/**", lambda route: route.fulfill(path=ROOT / route.request.url.removeprefix(f"{ADDRESS}/")))
    tab.route(f"{ADDRESS}/", lambda route: route.fulfill(body="", content_type="text/html"))
    tab.goto(f"{ADDRESS}/")
    script = """async (text) => (await import("/tests/core/trust/formulas.mjs")).check(text)"""
    said = tab.evaluate(script, (FOLDER / "formulas.json").read_text("utf-8"))
    assert said == {"formulas": 48, "wrong": []}
    tab.close()


@pytest.mark.ci
@needs_node
def test_the_reader_finds_the_unfair_deals_of_the_vectors_and_no_others(tmp_path: Path) -> None:
    cases = [case for case in CASES if case["run"][0] == "audit"]
    paths = [tmp_path / f"{place:02}.log" for place in range(len(cases))]
    for path, case in zip(paths, cases, strict=True):
        path.write_bytes(FILES[case["run"][1]])
    said = [json.loads(line) for line in node(READER / "kifu.mjs", "--json", *paths).splitlines()]
    for case, read in zip(cases, said, strict=True):
        found = [(each["kind"], each["seq"]) for each in read["findings"]]
        assert found == [("fair", None)] * (["fair", None] in case["findings"]), case["name"]


SCRIPT = """
import { blake2b, sha256 } from %s;
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const [data, key] = [(size) => new Uint8Array(size).fill(7), new Uint8Array(32).fill(9)];
const hashed = (some) => [sha256([some]), blake2b([some], 32, key), blake2b([some])];
const made = JSON.parse(%s).map((size) => hashed(data(size)));
console.log(JSON.stringify(made.map((three) => three.map(hex))));
"""


@pytest.mark.ci
@needs_node
def test_its_hashes_are_sha_256_and_keyed_blake2b() -> None:
    sizes = [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 1000]
    script = SCRIPT % (json.dumps((READER / "hash.mjs").as_uri()), json.dumps(json.dumps(sizes)))
    said = json.loads(node("--input-type=module", "-e", script))
    for size, (plain, keyed, short) in zip(sizes, said, strict=True):
        data = b"\x07" * size
        assert plain == sha256(data).hexdigest()
        assert keyed == blake2b(data, digest_size=32, key=b"\x09" * 32).hexdigest()
        assert short == blake2b(data, digest_size=16).hexdigest()

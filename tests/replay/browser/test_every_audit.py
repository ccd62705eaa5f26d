"""Each log has the audit of the command, and its words, in node and in chromium; `KIFU_LOGS` names more folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.text.texts import Texts
from kifu.replay.analysis.findings import judgement
from kifu.replay.analysis.verdict_words import audit_words

pytestmark = pytest.mark.ci

TESTS = Path(__file__).parents[2]
MORE = [Path(each) for each in os.environ.get("KIFU_LOGS", "").split(os.pathsep) if each]
FOLDERS = [TESTS.parent / "fixtures", TESTS / "cases", *MORE]
TIMEOUT_S = 1200
IN_CHROMIUM = """async (calls) => {
  const { startEngine } = await import("./kifu/engine.js"), said = [];
  globalThis.engine ??= await startEngine();
  for (const [name, { log, ...args }] of calls) {
    const given = log ? { log: new Uint8Array(await (await fetch(log.$file)).arrayBuffer()), ...args } : args;
    said.push({ value: await engine.call(name, given) });
  }
  return said;
}"""


SOME_OR_ALL = pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.long)])


@pytest.fixture
def expected(replay) -> Callable[[int], list[tuple[list, dict]]]:
    """Of every tenth, say, log each call, and what the command says."""

    def pairs(every: int) -> list[tuple[list, dict]]:
        every_log = [log for folder in FOLDERS for log in sorted(folder.rglob("*.log"))]
        logs = every_log[::every]
        assert len(every_log) > 400
        assert {log.parent.name for log in logs} == {log.parent.name for log in every_log}
        printed = replay("audit", *logs, "--json").lines
        by_log = {each.pop("log"): each for each in printed}
        return [pair for log in logs for pair in of_log(log, by_log[str(log)])]

    return pairs


def of_log(log: Path, printed: dict) -> Iterator[tuple[list, dict]]:
    """The calls of a log: its audit for programs, and in each language its audit and the words of that."""
    file = {"log": {"$file": str(log)}}
    said = [(["audit", {**file, "as_program": True}], printed)]
    for lang in ("en", "ja"):
        texts = Texts(lang, "kifu.replay")
        judged = judgement(log, texts, as_program=False)
        judged.pop("log")
        said.append((["audit", {**file, "lang": lang}], judged))
        said.append((["verdict_words", {"judged": judged, "lang": lang}], audit_words(judged, texts)))
    for call, value in said:
        yield call, json.loads(json.dumps({"value": value}, default=attrs.asdict))


@SOME_OR_ALL
def test_in_node(expected, every, package) -> None:
    node = shutil.which("node") or pytest.skip("needs node")
    command, pairs = [node, str(Path(__file__).parent / "same_bytes.mjs"), str(package)], expected(every)
    asked = "".join(f"{json.dumps(call)}\n" for call, _ in pairs)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [call for (call, told), each in zip(pairs, said, strict=True) if each != told] == []


@pytest.mark.long
@SOME_OR_ALL
def test_in_chromium(expected, every, package, browser, served, tmp_path) -> None:
    (tmp_path / "kifu").symlink_to(package)
    for number, folder in enumerate(FOLDERS):
        (tmp_path / f"logs-{number}").symlink_to(folder)
    (tmp_path / "index.html").write_text("<!doctype html><title>t</title>")
    page, asked_for = browser.new_page(), []
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto(served(tmp_path)[0])
    pairs = expected(every)
    for some in (pairs[at : at + 100] for at in range(0, len(pairs), 100)):
        asked = json.loads(json.dumps([call for call, _ in some]), object_hook=at_the_server)
        said = page.evaluate(IN_CHROMIUM, asked)
        assert [call for (call, told), each in zip(some, said, strict=True) if each != told] == []
    page.close()
    of_engine = [url for url in asked_for if "/kifu/" in url]
    assert len(of_engine) == len({*of_engine}) > 5, "each file is asked for once"


def at_the_server(value: dict) -> dict:
    """Return the address of a file in place of its path."""
    if "$file" not in value:
        return value
    number, path = next((at, path) for at, path in enumerate(FOLDERS) if Path(value["$file"]).is_relative_to(path))
    return {"$file": f"logs-{number}/{quote(Path(value['$file']).relative_to(path).as_posix())}"}

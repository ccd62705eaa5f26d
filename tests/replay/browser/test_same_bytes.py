"""The engine in WebAssembly says what it says natively, to the byte: audits, traces, pages, verdicts, decisions.

Each log has the audit of the command, and its words, in node and in chromium; `KIFU_LOGS` names more folders.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import attrs
import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

from kifu.core.text.texts import Texts
from kifu.replay.analysis.findings import judgement
from kifu.replay.analysis.verdict_words import audit_words
from kifu.replay.browser.engine import Engine

pytestmark = pytest.mark.ci

TESTS = Path(__file__).parents[2]
MORE = [Path(each) for each in os.environ.get("KIFU_LOGS", "").split(os.pathsep) if each]
FOLDERS = [TESTS.parent / "fixtures", TESTS / "cases", *MORE]
LOGS = sorted((TESTS.parent / "fixtures").rglob("*.log"))
GAMES = ("cake", "gosne", "mabr", "palace", "take_and_share")
SEED = "2a" * 32
IN_CHROMIUM = """async (calls) => {
  const { startEngine } = await import("./kifu/engine.js"), said = [];
  globalThis.engine ??= await startEngine();
  for (const [name, { log, ...args }] of calls) {
    const given = log ? { log: new Uint8Array(await (await fetch(log.$file)).arrayBuffer()), ...args } : args;
    said.push({ value: await engine.call(name, given) });
  }
  return said;
}"""


@pytest.fixture(scope="module")
def native():
    """Make a call here; bytes by their hash, as `same_bytes.mjs` prints them."""
    engine = Engine()

    def said(name, given):
        blobs = []

        def blob(value):
            if isinstance(value, dict) and "$file" in value:
                blobs.append(Path(value["$file"]).read_bytes())
                return {"$blob": len(blobs) - 1}
            return value

        arguments = json.dumps({key: blob(value) for key, value in given.items()})
        answer = apart.submit(asyncio.run, engine.call(name, arguments, blobs)).result()
        return {"sha256": sha256(answer).hexdigest()} if isinstance(answer, bytes) else json.loads(answer)

    with ThreadPoolExecutor(1) as apart:  # in this thread a browser's loop may run
        yield said


@pytest.fixture(scope="module")
def compared(package, native, tmp_path_factory):
    """Make calls in one engine of each kind, and compare each; while the one in node answers, the other does, too."""
    node = shutil.which("node") or pytest.skip("needs node")
    errors = tmp_path_factory.mktemp("node") / "errors"
    command = [node, "--liftoff-only", str(Path(__file__).parent / "same_bytes.mjs"), str(package)]
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True) as engine,
    ):

        def both(call):
            engine.stdin.write(json.dumps(call) + "\n")
            engine.stdin.flush()
            here = native(*call)
            there = engine.stdout.readline()
            assert there, errors.read_text()
            return call, json.loads(there), here

        def compare(calls):
            said = [*map(both, calls)]
            differing = [(call, one, other) for call, one, other in said if one != other]
            assert not differing, differing[:3]
            return [other for _, _, other in said]

        yield compare


SOME_OR_ALL = pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.long)])


@pytest.mark.parametrize("most", [1, pytest.param(100, marks=pytest.mark.long)])
def test_traces_and_pages_are_alike(compared, most):
    """Of so many logs of each game, the shortest first."""
    assert len(LOGS) > 50
    shortest = sorted(LOGS, key=lambda log: log.stat().st_size)
    logs = [log for game in GAMES for log in [each for each in shortest if each.parent.name == game][:most]]
    compared([[name, {"log": {"$file": str(log)}}] for log in logs for name in ("trace", "step_through")])


@pytest.fixture
def expected(replay):
    """Of every tenth, say, log each call, and what the command says."""

    def pairs(every):
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
def test_audits_and_their_words_are_those_of_the_command(compared, expected, every):
    pairs = expected(every)
    said = compared([call for call, _ in pairs])
    assert [call for (call, told), each in zip(pairs, said, strict=True) if each != told] == []


@pytest.mark.long
@SOME_OR_ALL
def test_audits_and_their_words_are_those_of_the_command_in_chromium_too(
    expected, every, package, browser, served, tmp_path
):
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


def test_bots_choose_alike_in_every_game(compared):
    """Of each game the first decision, by both levels, from a seed."""
    calls = []
    for number, game in enumerate(GAMES, 1):
        seats = ["Aki", "Ren", "Mio", "Sou"] if game == "gosne" else ["Aki", "Ren", "Mio"]
        calls.append(["new", {"game": game, "seats": seats, "seed": SEED}])
        given = {"seed": SEED, "number": number}
        calls += [["choose", {**given, "seat": seat, "bot": bot}] for bot in ("easy", "normal") for seat in range(3)]
    compared(calls)


def judging(folder, cases):
    """Write the files of each case, and return the calls that judge them, as the page makes them."""
    calls = []
    for place, files in enumerate(cases):
        named = {}
        for name, content in zip(("record", "against", "parent"), files, strict=False):
            if content is not None:
                path = folder / f"{place}.{name}"
                path.write_bytes(content)
                named[name] = {"$file": str(path)}
        if "record" not in named:
            name = "record" if "parent" in named else "log"
            named[name] = named.pop("against")
        calls.append(["audit" if "log" in named else "verify", named])
    return calls


@SOME_OR_ALL
def test_logs_records_and_forks_are_judged_alike(compared, tmp_path, hosts_that_cheat, forks, vectors, every):
    """The published cases: tampered logs and records, keys, forks and signatures, and hosts that cheat."""
    published = vectors.judged_of(cases=vectors.CASES) | vectors.judged_of("tampered")
    cases = [*published.values(), *hosts_that_cheat.values(), *forks.values()]
    assert len(cases) > 200
    compared(judging(tmp_path, cases[::every]))


def is_record(path):
    return Path(path).read_bytes()[1:13] == b"\xabkifu_record"


def test_verdicts_are_said_alike_and_as_the_command_says_them(
    compared, native, tmp_path, rigged, hosts_that_cheat, replay
):
    """In words of both languages, of a finding, a proof, a fork without its parent's log, and a log alone."""
    at = rigged.table()
    crime = "cheats: withholds what it told one and tells another something new"
    cases = [(at.record(0), at.log), rigged.deals_other_cards(), hosts_that_cheat[crime], (None, at.log)]
    for (name, given), lang in ((each, lang) for each in judging(tmp_path, cases) for lang in ("en", "ja")):
        judged = native(name, {**given, "lang": lang})["value"]
        call = ["verdict_words", {"judged": judged, "lang": lang}]
        compared([call])
        words = native(*call)["value"]
        record, *against = [each["$file"] for each in given.values()]
        against = ["--against", *against] if against and not is_record(against[0]) else against
        said = "".join(replay(name, record, *against, "--lang", lang).out.split())
        lines = [words["verdict"], words["summary"], *(text for each in words["findings"] for text in each)]
        lines += [*words["left"], *words["facts"], *([words["proof"]] if words["proof"] else [])]
        assert [line for line in lines if "".join(line.split()) not in said] == []


def test_the_example_of_the_docs_runs_as_it_stands(package, node):
    page = (TESTS.parent / "docs" / "browser.md").read_text("utf-8")
    [example] = re.findall(r"```javascript\n(.*?)```", page, re.DOTALL)
    (package.parent / "example.mjs").write_text(example.replace("console.log(", "print("))
    (package.parent / "run.mjs").write_text(
        'globalThis.print = (said) => console.log(JSON.stringify(said));\nawait import("./example.mjs");\n'
    )
    [words] = node(str(package.parent / "run.mjs"))
    assert len(words) > 1

"""The site in chromium: judged, stepped through and played to the end without a network; kept, and owned by one tab."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from runpy import run_path

import pytest

pytest.importorskip("msgspec", reason="needs kifu[site]")
pytest.importorskip("playwright", reason="needs kifu[browser]")

from kifu.replay.browser.checks import audit, row
from kifu.replay.browser.site import Listed, write_site

pytestmark = pytest.mark.ci

TESTS = Path(__file__).parents[2]
AT_THE_TABLE = run_path(str(TESTS / "core" / "web" / "browsing.py"))
DESKTOP, PHONE = AT_THE_TABLE["DESKTOP"], AT_THE_TABLE["PHONE"]
open_match, play_out, act_until = (AT_THE_TABLE[name] for name in ("open_match", "play_out", "act_until"))
FIXTURES = TESTS.parent / "fixtures"
CASES = sorted((TESTS / "cases" / "cake").glob("*-illegal.json"))
TIMEOUT_MS = 120_000
KEPT = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


@pytest.fixture(scope="session")
def written(runtime, tmp_path_factory):
    """A site of the golden logs, written once."""
    pytest.importorskip("ecdsa", reason="needs kifu[site]")
    folder = tmp_path_factory.mktemp("site") / "site"
    logs = sorted(FIXTURES.rglob("*.log"))
    listed = (Listed(log.relative_to(FIXTURES).as_posix(), log.read_bytes(), row(log.read_bytes())) for log in logs)
    assert write_site(folder, listed, runtime).logs == len(logs)
    return folder


@pytest.fixture
def visit(chromium, served, written):
    """Open the site in a browser of its own; its pages may report no error."""
    address, stop = served(written)
    contexts, errors = [], []

    def open_site(path="", size=DESKTOP, locale="en-GB", context=None):
        if context is None:
            context = chromium.new_context(viewport=size, locale=locale)
            contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(TIMEOUT_MS)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        tab.goto(address + path)
        return tab

    open_site.stop = stop
    yield open_site
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


def test_without_a_network_a_match_is_judged_stepped_through_and_played_to_its_end(visit):
    tab = visit()
    tab.locator(".row").first.wait_for()
    tab.wait_for_function(KEPT)
    visit.stop()
    tab.reload()
    tab.locator("#search").press_sequentially("first_elder")
    tab.locator(".row").first.click()
    tab.locator(".fine").wait_for()
    with tab.context.expect_page() as shown:
        tab.locator("#do-steps").click()
    shown.value.locator(".steps .step").nth(1).wait_for()
    tab.locator("#from").fill("40")
    tab.locator("#do-play-on").click()
    tab.locator("main.playing").wait_for()
    assert tab.locator(".players li").count() >= 3
    play_out(tab)
    assert tab.locator(".players .winner-badge").count() >= 1
    with tab.expect_download() as download:
        tab.get_by_text("Download the log").click()
    assert row(Path(download.value.path()).read_bytes())["ended"] == "over"
    with tab.context.expect_page() as shown:
        tab.locator("#step-through").click()
    shown.value.locator(".steps .step").nth(1).wait_for()


def test_a_file_that_is_dropped_is_judged_by_the_rules(visit):
    tab = visit()
    broken = (json.loads(each.read_text("utf-8")) | {"log": each.with_suffix(".log")} for each in CASES)
    expected = next(each for each in broken if each["rules"])
    tab.locator("#file").set_input_files(expected["log"])
    found = tab.locator(".found")
    found.wait_for()
    assert expected["rules"][0] in found.inner_text()
    tab.locator("#close").click()
    tab.locator("#file").set_input_files({"name": "photo.log", "mimeType": "image/png", "buffer": b"\x89PNG"})
    found.wait_for()
    assert "Traceback" not in tab.locator("dialog").inner_text()


def test_a_match_at_the_table_is_kept_and_belongs_to_one_tab(visit):
    tab = visit("play/", PHONE, "ja-JP")
    tab.locator("#do-open").wait_for()
    assert tab.locator("#own-browser").is_visible(), "it is said that nothing is hidden from the owner"
    assert tab.locator("#tick-fair").count() == 0, "no deal here is called fair"
    address = open_match(tab, "take_and_share", "here Aki", "bot easy", "bot easy")
    tab.locator(".board.mine .selectable").first.wait_for()
    other = visit("play/", context=tab.context)
    other.locator("#loading", has_text="another tab").or_(other.locator("#loading", has_text="別のタブ")).wait_for()
    count = tab.evaluate("game.observation.count")
    tab.close()
    other.locator("#do-open").wait_for()
    other.goto(address)
    other.locator(".board.mine .selectable").first.wait_for()
    assert other.evaluate("game.observation.count") >= count
    act_until(other, ".step", least=count + 3)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_engine_says_in_chromium_what_it_says_natively(visit):
    """Once more the golden logs, in a worker of a real browser."""
    tab = visit()
    names = sorted(log.relative_to(FIXTURES).as_posix() for log in FIXTURES.rglob("*.log"))
    script = """async (names) => {
      const { load } = await import("./kifu/kifu.mjs");
      const kifu = await load({ worker: true }), said = [];
      const bytes = async (name) => new Uint8Array(await (await fetch(`logs/${name}`)).arrayBuffer());
      for (const name of names) said.push(await kifu.audit(await bytes(name)));
      return said;
    }"""
    said = tab.evaluate(script, names)
    native = [audit((FIXTURES / name).read_bytes()) for name in names]
    assert said == json.loads(json.dumps(native))


FIRST_START = """async () => {
  const { load } = await import("./kifu/kifu.mjs"), { openStorage } = await import("./kifu/storage.mjs");
  await load({ worker: true });
  const storage = await openStorage("compiled engine");
  for (;;) {
    const [kept] = await storage.all();
    if (kept) return kept[1].length;
    await new Promise((done) => setTimeout(done, 200));
  }
}"""
SECOND_START = """async (log) => {
  const { startPython } = await import("./kifu/engine.mjs"), { openCompiled } = await import("./kifu/compiled.mjs");
  const python = await startPython();
  python.globals.set("log", Uint8Array.from(log));
  const said = python.runPython(`
import json, os, typing, kifu.core.match
from kifu.replay.browser.checks import audit
compiled = os.path.exists(kifu.core.match.__cached__)
json.dumps([typing.__file__, compiled, audit(log.to_bytes())])`);
  const other = await openCompiled(Uint8Array.of(1), "another");
  return [...JSON.parse(said), other.files];
}"""


SPOIL = """async () => {
  const { openStorage } = await import("./kifu/storage.mjs"), storage = await openStorage("compiled engine");
  const [[key]] = await storage.all();
  await storage.put([[key, [["/lib/compiled/encodings/__init__.py", Uint8Array.of(1)]]]]);
}"""


def test_a_second_start_finds_all_compiled_and_says_the_same(visit):
    log = (FIXTURES / "cake" / "elder_silent_of_five.log").read_bytes()
    tab = visit()
    assert tab.evaluate(FIRST_START) > 1000
    tab.reload()
    library, compiled, said, other = tab.evaluate(SECOND_START, list(log))
    assert (library, compiled) == ("/lib/compiled/typing.py", True)
    assert said == audit(log)
    assert other is None, "of another engine nothing is kept"
    tab.evaluate(SPOIL)
    tab.reload()
    library, _, said, _ = tab.evaluate(SECOND_START, list(log))
    assert (library.startswith("/lib/compiled"), said) == (False, audit(log)), "what is damaged is left alone"


@pytest.mark.parametrize("name", ["browser", "preact"])
def test_a_frontend_of_the_docs_plays_to_the_end_and_goes_on_where_it_was(name, chromium, served, package, tmp_path):
    example = TESTS.parent / "docs" / "examples" / name
    assert len((example / "play.mjs").read_text("utf-8").splitlines()) < 80
    shutil.copytree(example, tmp_path / "page")
    (tmp_path / "page" / "kifu").symlink_to(package)
    if (example / "package.json").is_file():
        subprocess.run(["npm", "install", "--silent", "--ignore-scripts"], cwd=tmp_path / "page", check=True)
    address, _ = served(tmp_path / "page")
    tab = chromium.new_page()
    tab.set_default_timeout(TIMEOUT_MS)
    tab.goto(address)
    tab.get_by_text("Your turn").wait_for()
    lines = tab.locator("li").count()
    tab.locator("button").first.click()
    tab.wait_for_function(f"document.querySelectorAll('li').length > {lines}")
    tab.get_by_text("Undo").click()
    tab.wait_for_function("document.querySelectorAll('button').length > 1")
    tab.reload()
    tab.get_by_text("Your turn").wait_for()
    assert tab.locator("li").count() >= lines, "the saved game goes on"
    for _ in range(600):
        if tab.get_by_text("Again", exact=True).count():
            break
        tab.evaluate("document.querySelector('button')?.click()")
        tab.wait_for_timeout(30)
    assert "Over:" in tab.get_by_role("status").inner_text()
    tab.close()

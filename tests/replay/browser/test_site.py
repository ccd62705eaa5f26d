"""The site in chromium: judged, stepped through and played to the end without a network; kept, and owned by one tab."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from runpy import run_path
from urllib.parse import urlsplit

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


class Site:
    """The site on a server, which can be stopped for a test; it is at one address in all."""

    def __init__(self, folder, served):
        self.folder, self.served = folder, served
        self.address, self._stop = served(folder)
        self.is_there = True

    def stop(self):
        self._stop()
        self.is_there = False

    def start(self):
        if not self.is_there:
            _, self._stop = self.served(self.folder, urlsplit(self.address).port)
            self.is_there = True


@pytest.fixture(scope="module")
def site(served, written):
    return Site(written, served)


@pytest.fixture(scope="module")
def visitor(browser):
    """A browser that has been here before: only the first of these tests waits until the engine is compiled."""
    with browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def visit(browser, site, visitor):
    """Open the site, in another browser where something is said of that; its pages may report no error."""
    contexts, errors = [], []

    def open_site(path="", context=visitor, **other):
        if other:
            context = browser.new_context(reduced_motion="reduce", **other)
            contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(TIMEOUT_MS)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        tab.goto(site.address + path)
        return tab

    open_site.stop = site.stop
    yield open_site
    site.start()
    forget = {"origin": site.address.rstrip("/"), "storageTypes": "local_storage"}  # not what is compiled
    visitor.new_cdp_session(visitor.new_page()).send("Storage.clearDataForOrigin", forget)
    for tab in visitor.pages:
        tab.close()
    for context in contexts:
        context.close()
    assert not errors


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
    last = tab.locator("#from").get_attribute("max")
    assert tab.locator(".fine", has_text=f" {int(last) + 1} ").count(), "behind the last event nothing is to be played"
    tab.locator("#from").fill(str(int(last) - 20))
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


def test_a_page_that_comes_too_late_to_be_opened_by_itself_is_there_to_be_opened(visit):
    """A browser opens a tab for some seconds after a press; an analysis takes longer."""
    tab = visit()
    tab.evaluate("Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })")
    tab.locator(".row").first.click()
    tab.locator("#do-steps").click()
    tab.locator("#do-show").wait_for()
    assert len(tab.context.pages) == 1
    with tab.context.expect_page() as shown:
        tab.locator("#do-show").click()
    steps = shown.value.locator(".steps")
    steps.locator(".step").nth(1).wait_for()
    told = steps.inner_text()
    tab.keyboard.press("Escape")
    tab.locator(".row").last.click()
    tab.locator("#do-steps").click()
    tab.locator("#do-show").click()
    shown.value.reload()
    steps.locator(".step").nth(1).wait_for()
    assert steps.inner_text() == told, "the tab shows its own match still"


def test_the_language_of_the_library_is_that_of_the_table(visit):
    tab = visit()
    tab.locator("#language").click()
    assert tab.locator("html").get_attribute("lang") == "ja"
    tab.locator("#play").click()
    tab.locator("#do-open").wait_for()
    assert tab.locator("html").get_attribute("lang") == "ja"
    assert tab.evaluate("siteSay('site-close')") == "閉じる"


def test_without_a_network_a_page_is_found_by_all_its_addresses(visit):
    tab = visit()
    tab.wait_for_function(KEPT)
    visit.stop()
    site = tab.url
    for path in ("index.html", "index.html?from=mail", "play/index.html", "play"):
        tab.goto(site + path)
        tab.locator("#play, #loading, main").first.wait_for()


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
    tab = visit("play/", viewport=PHONE, locale="ja-JP")
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
    """Once more some golden logs of each game, in a worker of a real browser; test_same_bytes.py takes all, in node."""
    tab = visit()
    names = sorted(log.relative_to(FIXTURES).as_posix() for log in FIXTURES.rglob("*.log"))[::6]
    assert {name.partition("/")[0] for name in names} == {log.parent.name for log in FIXTURES.rglob("*.log")}
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
  const { load } = await import("./kifu/kifu.mjs"), { openKept } = await import("./kifu/compiled.mjs");
  await load({ worker: true });
  const storage = await openKept(new URL("kifu/", location.href));
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
  const bytes = new Uint8Array(await (await fetch("kifu/engine.tar.xz")).arrayBuffer());
  const { version } = await import("./kifu/runtime/pyodide.mjs"), here = new URL("kifu/", location.href);
  const kept = [[bytes, here], [Uint8Array.of(1), here], [bytes, new URL("other/kifu/", location.href)]];
  const found = await Promise.all(kept.map(([given, base]) => openCompiled(given, version, base)));
  return [...JSON.parse(said), found.map(({ files }) => files !== null)];
}"""


THIRD_START = """async (log) => {
  const { load } = await import("./kifu/kifu.mjs");
  return (await load()).audit(Uint8Array.from(log));
}"""
HOST_OF_THAT_NAME = """async () => {
  const { openStorage } = await import("./kifu/storage.mjs"), { openKept } = await import("./kifu/compiled.mjs");
  const storage = await openStorage(new URL("kifu/", location.href).href);
  return !(await storage.all()).length && (await (await openKept(new URL("kifu/", location.href))).all()).length === 1;
}"""
SPOIL = """async (part) => {
  const { openKept } = await import("./kifu/compiled.mjs");
  const storage = await openKept(new URL("kifu/", location.href));
  const [[key, files] = ["", []]] = await storage.all();
  const spoilt = files.filter(([path]) => path.includes(part));
  for (const each of spoilt) each[1] = Uint8Array.of(1);
  await storage.put([[key, files]]);
  return spoilt.length;
}"""
NEVER_WRITTEN = """() => {
  const open = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (names, mode, ...more) {
    if (mode === "readwrite") throw new Error("the disk is full");
    return open.call(this, names, mode, ...more);
  };
}"""


ON_A_FULL_DISK = """async () => {
  const { load } = await import("./kifu/kifu.mjs"), { openStorage } = await import("./kifu/storage.mjs");
  const put = IDBObjectStore.prototype.put, said = [];
  const kifu = await load(), host = await kifu.host({ name: "full", unkept: (why) => said.push(why) });
  const headers = { "Content-Type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify({ game: "cake", seats: [{}, {}, {}] }) };
  IDBObjectStore.prototype.put = () => { throw new DOMException("the disk is full", "QuotaExceededError"); };
  const { status } = await host.fetch("/api/matches", asked);
  IDBObjectStore.prototype.put = put;
  await host.fetch("/api/matches");
  await host.close();
  const storage = await openStorage("full"), kept = (await storage.all()).length;
  await storage.put([["lost", new Uint8Array([1])]]);
  const again = await kifu.host({ name: "full" });
  await again.close();
  return [status, said, kept, again.unreadable, (await storage.all()).length];
}"""


def test_on_a_full_disk_a_match_is_opened_and_is_kept_once_there_is_room_and_beside_one_that_cannot_be_read(visit):
    status, said, *kept = visit().evaluate(ON_A_FULL_DISK)
    assert (status, said[0], said[-1]) == (201, "the disk is full", "")
    assert kept == [1, ["lost"], 2]


@pytest.mark.long
def test_a_second_start_finds_all_compiled_and_says_the_same(visit):
    log = (FIXTURES / "cake" / "elder_silent_of_five.log").read_bytes()
    tab = visit(locale="en-GB")
    assert tab.evaluate(FIRST_START) > 1000
    tab.reload()
    library, compiled, said, kept = tab.evaluate(SECOND_START, list(log))
    assert (library, compiled) == ("/lib/compiled/typing.py", True)
    assert said == audit(log)
    assert kept == [True, False, False], "of another engine, or at another address, nothing is kept"
    assert tab.evaluate(HOST_OF_THAT_NAME), "no name of a host is that of what was compiled"


@pytest.mark.long
@pytest.mark.parametrize("part", ["/lib/compiled/encodings/", "/replay/browser/"])
def test_what_is_kept_and_damaged_is_left_alone(part, visit):
    """Whether Python does not start with it, or kifu does not; also where it cannot be deleted."""
    log = (FIXTURES / "cake" / "elder_silent_of_five.log").read_bytes()
    tab = visit(locale="en-GB")
    tab.evaluate(FIRST_START)
    assert tab.evaluate(SPOIL, part) > 0
    tab.reload()
    tab.evaluate(NEVER_WRITTEN)
    assert tab.evaluate(THIRD_START, list(log)) == audit(log)
    tab.reload()
    assert tab.evaluate(THIRD_START, list(log)) == audit(log)
    assert tab.evaluate(SPOIL, part) == 0, "what was damaged is forgotten"


@pytest.mark.parametrize("name", ["browser", pytest.param("preact", marks=pytest.mark.long)])
def test_a_frontend_of_the_docs_plays_to_the_end_and_goes_on_where_it_was(name, browser, served, package, tmp_path):
    example = TESTS.parent / "docs" / "examples" / name
    assert len((example / "play.mjs").read_text("utf-8").splitlines()) < 80
    shutil.copytree(example, tmp_path / "page")
    (tmp_path / "page" / "kifu").symlink_to(package)
    if (example / "package.json").is_file():
        subprocess.run(["npm", "install", "--silent", "--ignore-scripts"], cwd=tmp_path / "page", check=True)
    address, _ = served(tmp_path / "page")
    tab = browser.new_page(reduced_motion="reduce")
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

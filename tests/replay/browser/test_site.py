"""The site in chromium: judged, stepped through and played to the end without a network; kept, and owned by one tab."""

import json
import shutil
import subprocess
from pathlib import Path
from runpy import run_path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")

from kifu.replay.browser.checks import row

pytestmark = pytest.mark.ci

TESTS = Path(__file__).parents[2]
AT_THE_TABLE = run_path(str(TESTS / "core" / "web" / "browsing.py"))
DESKTOP, PHONE = AT_THE_TABLE["DESKTOP"], AT_THE_TABLE["PHONE"]
open_match, play_out, act_until = (AT_THE_TABLE[name] for name in ("open_match", "play_out", "act_until"))
FIXTURES = TESTS.parent / "fixtures"
CASES = sorted((TESTS / "cases" / "cake").glob("*-illegal.json"))
TIMEOUT_MS = 120_000
KEPT = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


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
    """A browser that has been here before."""
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


def test_without_a_network_a_match_is_judged_stepped_through_and_played_on_from_the_table_to_its_end(visit):
    tab = visit()
    tab.locator(".row").first.wait_for()
    tab.wait_for_function(KEPT)
    visit.stop()
    tab.reload()
    tab.locator("#search").press_sequentially("FIRST_elder")
    assert 1 <= tab.locator(".row").count() < tab.evaluate("library.rows.length")
    tab.locator("#search").press_sequentially(" finished 1.1-nothing")
    assert tab.locator(".row").count() == 0, "every word is sought"
    tab.locator("#search").fill("finished first_elder")
    tab.locator(".row").first.click()
    tab.locator("#verdict.right").wait_for()
    with tab.context.expect_page() as shown:
        tab.locator("#do-steps").click()
    steps = shown.value.locator(".steps")
    steps.locator(".step").nth(1).wait_for()
    told = steps.inner_text()
    tab.locator("#do-at-the-table").click()
    tab.locator(".sheet tbody tr").first.wait_for()
    assert tab.locator(".players .winner-badge").count() >= 1, "it is over"
    tab.locator("#do-fork").click()
    last = int(tab.locator("#fork-at").get_attribute("max"))
    assert last == tab.evaluate("game.observation.count") - 1, "behind the last event nothing is to be played"
    tab.evaluate(f"moveFork({last - 8})")
    tab.locator("#do-play-on").click()
    tab.wait_for_function("() => game?.observation?.status === 'going'")
    assert tab.locator(".players li").count() >= 3
    play_out(tab)
    assert tab.locator(".players .winner-badge").count() >= 1
    with tab.expect_download() as download:
        tab.get_by_text("Download the log").click()
    assert row(Path(download.value.path()).read_bytes())["ended"] == "over"
    with tab.context.expect_page() as other:
        tab.locator("#step-through").click()
    other.value.locator(".steps .step").nth(1).wait_for()
    shown.value.reload()
    steps.locator(".step").nth(1).wait_for()
    assert steps.inner_text() == told, "the first tab shows its own match still"


def test_the_language_of_the_library_is_that_of_the_table_and_without_a_network_a_page_has_all_its_addresses(visit):
    tab = visit()
    site = tab.url
    tab.locator("#choose-language").select_option("1")
    assert tab.locator("html").get_attribute("lang") == "ja"
    tab.locator("#play").click()
    tab.locator("#do-open").wait_for()
    assert tab.locator("html").get_attribute("lang") == "ja"
    tab.wait_for_function(KEPT)
    visit.stop()
    for path in ("index.html", "index.html?from=mail", "#play"):
        tab.goto(site + path)
        tab.locator("#play, #loading, main").first.wait_for()


def test_a_file_that_is_given_is_judged_by_the_rules(visit):
    tab = visit()
    broken = (json.loads(each.read_text("utf-8")) | {"log": each.with_suffix(".log")} for each in CASES)
    expected = next(each for each in broken if each["rules"])
    tab.locator("#files-to-check").set_input_files(expected["log"])
    found = tab.locator("#verdict.wrong")
    found.wait_for()
    assert expected["rules"][0] in found.inner_text()
    assert tab.locator("#do-at-the-table, #do-play-on").count() == 0
    tab.locator("#files-to-check").set_input_files({"name": "photo.log", "mimeType": "", "buffer": b"\x89PNG"})
    tab.wait_for_function("() => document.querySelector('#verdict')?.innerText.includes('no log')")
    assert "Traceback" not in tab.locator("#checked").inner_text()
    assert tab.locator("#do-steps").count() == 0


def test_a_match_at_the_table_is_kept_and_belongs_to_one_tab(visit):
    tab = visit("#play", viewport=PHONE, locale="ja-JP")
    tab.locator("#do-open").wait_for()
    assert tab.locator("#own-browser").is_visible(), "it is said that nothing is hidden from the owner"
    assert tab.locator("#tick-fair").count() == 0, "no deal here is called fair"
    address = open_match(tab, "take_and_share", "here Aki", "bot easy", "bot easy")
    tab.locator(".board.mine .selectable").first.wait_for()
    other = visit("#play", context=tab.context)
    other.locator("#loading", has_text="another tab").or_(other.locator("#loading", has_text="別のタブ")).wait_for()
    count = tab.evaluate("game.observation.count")
    tab.close()
    other.locator("#do-open").wait_for()
    other.goto(address)
    other.locator(".board.mine .selectable").first.wait_for()
    assert other.evaluate("game.observation.count") >= count
    act_until(other, ".step", least=count + 3)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")


STORED = """
  const { load } = await import(kifuTransport.engine);
  const { openStorage } = await import(new URL("storage.js", kifuTransport.engine));
  const headers = { "Content-Type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify({ game: "cake", seats: [{}, {}, {}] }) };
  globalThis.kifu ??= await load();
"""
ON_A_FULL_DISK = """async () => {STORED
  const put = IDBObjectStore.prototype.put, said = [];
  const host = await kifu.host({ name: "full", unkept: (why) => said.push(why) });
  IDBObjectStore.prototype.put = () => { throw new DOMException("the disk is full", "QuotaExceededError"); };
  const { status } = await host.fetch("/api/matches", asked);
  IDBObjectStore.prototype.put = put;
  await host.fetch("/api/matches");
  await host.close();
  const storage = await openStorage("full"), kept = (await storage.all()).length;
  await storage.put([["lost", new Uint8Array([1])]]);
  const again = await kifu.host({ name: "full" });
  await again.close();
  return [status, said[0], said.at(-1), kept, again.unreadable, (await storage.all()).length];
}""".replace("STORED", STORED)
TWO_MATCHES = """async (second) => {STORED
  globalThis.cut ??= await kifu.host({ name: "cut" });
  const { status } = await globalThis.cut.fetch("/api/matches", asked);
  if (second) await globalThis.cut.close();
  return [status, second ? (await (await openStorage("cut")).all()).length : 1];
}""".replace("STORED", STORED)


def test_matches_are_kept_once_there_is_room_beside_one_that_cannot_be_read_and_again_where_they_were_deleted(visit):
    """On a full disk a match is opened nevertheless; a host keeps all its matches again if they go under its hands."""
    page = visit()
    assert page.evaluate(ON_A_FULL_DISK) == [201, "the disk is full", "", 1, ["lost"], 2]
    assert page.evaluate(TWO_MATCHES, False) == [201, 1]
    asked = {"origin": page.evaluate("location.origin"), "storageTypes": "indexeddb"}
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", asked)
    assert page.evaluate(TWO_MATCHES, True) == [201, 2]


def built(example: Path, folder: Path) -> Path:
    """The folder to serve: an example with a package.json is checked by TypeScript and built by Vite."""
    if not (example / "package.json").is_file():
        return folder
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=folder, check=True)
    return folder / "dist"


TAKEN = """(lines) => {
  const isBusy = document.querySelector("#commands")?.inert;
  return !isBusy && document.querySelectorAll("li").length !== lines;
}"""
"""Whether a frontend has taken a change, and shows another story."""


@pytest.mark.parametrize("name", ["browser", pytest.param("preact", marks=pytest.mark.long)])
def test_a_frontend_of_the_docs_plays_to_the_end_and_goes_on_where_it_was(name, browser, served, package, tmp_path):
    example = TESTS.parent / "docs" / "examples" / name
    (program,) = example.glob("play.*")
    assert len(program.read_text("utf-8").splitlines()) <= 80
    shutil.copytree(example, tmp_path / "page")
    (tmp_path / "page" / "kifu").symlink_to(package)
    address, _ = served(built(example, tmp_path / "page"))
    tab = browser.new_page(reduced_motion="reduce")
    tab.set_default_timeout(TIMEOUT_MS)
    tab.goto(address)
    undo = tab.get_by_role("button", name="Undo")
    acts = tab.locator("button").filter(has_not_text="Undo")

    def press(button):
        button.wait_for()
        lines = tab.locator("li").count()
        button.click()
        tab.wait_for_function(TAKEN, arg=lines)

    undo.wait_for()
    press(acts.first)
    press(undo)
    assert "Taken back" in tab.locator("li").last.inner_text()
    press(acts.first)
    lines = tab.locator("li").count()
    tab.reload()
    undo.wait_for()
    assert tab.locator("li").count() == lines, "the saved game goes on"
    tab.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('it is full'); }; }")
    while tab.get_by_text("Your turn").count():
        press(acts.first)
    tab.get_by_role("status").filter(has_text="Over:").filter(has_text="it is full").wait_for()
    tab.close()

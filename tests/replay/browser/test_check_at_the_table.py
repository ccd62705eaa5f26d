"""The page of `replay serve` checks by the rules what JavaScript alone cannot: the engine comes when asked for."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("playwright.sync_api", reason="needs kifu[webtest]")
pytest.importorskip("ecdsa", reason="needs kifu[site]")
from kifu.core.trust import records, sign

pytestmark = [pytest.mark.ci, pytest.mark.skipif(not sign.is_available, reason="needs kifu[sign]")]
LOADING_MS = 120_000


@pytest.fixture(scope="module")
def table(runtime, browser):
    """Open the page of a server on a machine that has the runtime; it may report no error."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", "memory:", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+", server.stdout.readline())[0]
    errors = []
    tab = browser.new_page(reduced_motion="reduce")
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    tab.goto(address)
    tab.locator("#check-files").click()
    yield tab
    tab.close()
    server.send_signal(signal.SIGINT)
    with server:
        server.wait(60)
    assert errors == []


def choose_files(tab, record: bytes | None, log: bytes, parent: bytes | None = None):
    """Give the page a record and a log, perhaps its parent's."""
    for name, content in (("record", record), ("log", log), ("parent", parent)):
        given = {"name": f"a.{name}", "mimeType": "application/octet-stream", "buffer": content}
        tab.locator(f"#check-{name}-file").set_input_files([] if content is None else given)


def judged(tab, record: bytes | None, log: bytes, parent: bytes | None = None):
    """Have the page check these; return what it says by itself, and by the rules."""
    choose_files(tab, record, log, parent)
    tab.locator("#do-check-files").click()
    tab.locator("#not-checked", has_text="Not checked here").wait_for()
    alone = tab.locator("#verdict").get_attribute("class")
    tab.locator("#do-check-whole").click()
    tab.locator("#checked-whole").wait_for(timeout=LOADING_MS)
    lines = tab.locator("#verdict li").all_inner_texts()
    return alone, lines


SLOWLY = """() => {
  const now = checkFiles;
  window.checkFiles = (...given) => new Promise((done) => {
    window.finish = async () => {
      window.checkFiles = now;
      done(await now(...given));
    };
  });
}"""


def test_a_verdict_is_of_the_files_that_are_chosen_now(table, rigged):
    """Another file takes an old verdict away, and one that comes late is not shown."""
    at = rigged.table()
    choose_files(table, at.record(0), at.log)
    table.locator("#do-check-files").click()
    table.locator("#verdict.right").wait_for()
    choose_files(table, at.record(1), at.log)
    assert table.locator("#verdict").count() == 0
    table.evaluate(SLOWLY)
    table.locator("#do-check-files").click()
    table.wait_for_function("window.finish !== undefined")
    choose_files(table, None, at.log)
    table.evaluate("finish()")
    table.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert table.locator("#verdict").count() == 0


def test_of_a_log_alone_the_page_says_that_its_key_is_only_named_there(table, rigged):
    at = rigged.table()
    fingerprint = records.verify(at.record(0), at.log).fingerprint
    for record, said in ((None, "Nothing in a log is signed"), (at.record(0), "proves something only to those")):
        choose_files(table, record, at.log)
        table.locator("#do-check-files").click()
        table.locator("#verdict").wait_for()
        [line] = [each for each in table.locator(".about-files").all_inner_texts() if fingerprint in each]
        assert said in line


def test_cards_that_are_not_the_seeds_are_found_by_the_rules(table, rigged):
    record, log = rigged.deals_other_cards()
    alone, lines = judged(table, record, log)
    assert "right" in alone, "JavaScript does not know the rules"
    assert len(lines) == len(records.verify(record, log).findings) > 0
    assert "comes from the server" in table.locator("#page-is-hosts").inner_text()


def test_an_honest_match_is_right_by_the_rules(table, rigged):
    at = rigged.table()
    assert judged(table, at.record(0), at.log) == ("verdict right", [])
    table.locator("#checked-whole").wait_for()


def test_a_fork_is_held_against_its_parent_by_the_page_and_by_the_rules(table, forked):
    honest, wrong = forked.honest(), forked.wrong()
    assert judged(table, *honest["agreed to"]) == ("verdict right", [])
    assert "first 9 events" not in table.locator("#verdict").inner_text()
    assert judged(table, *honest["agreed to"][:2]) == ("verdict right", [])
    assert "first 9 events" in table.locator("#verdict").inner_text()
    for name in ("other fields", "that one has not signed"):
        alone, lines = judged(table, *wrong[name])
        verdict = records.verify_fork(*wrong[name][1:])
        assert ("wrong" in alone, len(lines)) == (True, min(len(verdict.findings), 8)), name


def test_the_proof_against_a_host_is_a_line_of_its_own(table, rigged_by_others):
    one, other = rigged_by_others.crimes()["withholds what it told one and tells another something new"]
    for name, content in (("record", one), ("log", other)):
        given = {"name": "a.seat", "mimeType": "application/octet-stream", "buffer": content}
        table.locator(f"#check-{name}-file").set_input_files(given)
    table.locator("#do-check-files").click()
    verdict = records.compare(one, other)
    assert verdict.proof
    assert verdict.fingerprint in table.locator("#proof").inner_text()

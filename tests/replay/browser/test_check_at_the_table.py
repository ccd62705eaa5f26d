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
def table(runtime):
    """Open the page of a server on a machine that has the runtime; it may report no error."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", "memory:", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+", server.stdout.readline())[0]
    errors = []
    with sync_playwright() as playing:
        chromium = playing.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        tab = chromium.new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        tab.goto(address)
        tab.locator("#check-files").click()
        yield tab
        chromium.close()
    server.send_signal(signal.SIGINT)
    with server:
        server.wait(60)
    assert errors == []


def judged(tab, record: bytes, log: bytes):
    """Give the page a record and a log; return what it says by itself, and by the rules."""
    for name, content in (("record", record), ("log", log)):
        given = {"name": f"a.{name}", "mimeType": "application/octet-stream", "buffer": content}
        tab.locator(f"#check-{name}-file").set_input_files(given)
    tab.locator("#do-check-files").click()
    tab.locator("#not-checked", has_text="Not checked here").wait_for()
    alone = tab.locator("#verdict").get_attribute("class")
    tab.locator("#do-check-whole").click()
    tab.locator("#checked-whole").wait_for(timeout=LOADING_MS)
    lines = tab.locator("#verdict li").all_inner_texts()
    return alone, lines


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

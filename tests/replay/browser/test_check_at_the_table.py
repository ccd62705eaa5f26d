"""The page of a server checks with the engine, which comes when asked for; without it nothing is called right."""

import re

import pytest

pytest.importorskip("playwright.sync_api", reason="needs kifu[dev]")
pytest.importorskip("prometheus_client", reason="needs kifu[web]")
from kifu.core.errors import TrustError
from kifu.core.text.texts import Texts
from kifu.core.trust import records, signing
from kifu.replay.analysis.verdict_words import verify_words
from kifu.replay.analysis.verification import verification

from .conftest import Served

pytestmark = [pytest.mark.ci, pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")]
LOADING_MS = 120_000


@pytest.fixture(scope="module")
def address(package):
    """Serve the page with the engine of a site."""
    with Served(engine=lambda: package) as served:
        yield served.address


@pytest.fixture(scope="module")
def table(address, browser):
    """Open the page; it may report no error."""
    errors = []
    tab = browser.new_page(reduced_motion="reduce")
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    tab.goto(address)
    tab.locator("#check-files").click()
    yield tab
    tab.close()
    assert errors == []


def is_record(content: bytes) -> bool:
    try:
        records.read_bytes(content)
    except TrustError:
        return False
    return True


def choose_files(tab, record: bytes | None, log: bytes, parent: bytes | None = None):
    """Give the page a record and a log, or another record, and perhaps the parent's log: it checks them."""
    named = {"a.seat": record, "b.seat" if is_record(log) else "a.log": log, "parent.log": parent}
    given = [{"name": name, "mimeType": "", "buffer": each} for name, each in named.items() if each is not None]
    tab.locator("#files-to-check").set_input_files(given)


def judged(tab, record: bytes | None, log: bytes, parent: bytes | None = None):
    """Have the page check these; return whether it says that all is right, and its findings."""
    choose_files(tab, record, log, parent)
    tab.locator("#verdict").wait_for(timeout=LOADING_MS)
    lines = tab.locator("#verdict li").all_inner_texts()
    return "right" in tab.locator("#verdict").get_attribute("class").split(), lines


def said(verdict) -> list[str]:
    """Return the findings in the words of the command."""
    texts = Texts("en", "kifu.replay")
    words = verify_words(verification(verdict, None, texts, as_program=False), texts)
    return [f"{what}: {message}" for what, message in words.findings]


SLOWLY = """() => {
  const now = judge;
  window.judge = (...given) => new Promise((done) => {
    window.finish = async () => {
      window.judge = now;
      done(await now(...given));
    };
  });
}"""


@pytest.mark.long
def test_it_says_that_it_is_loading_until_there_is_a_verdict(table, rigged):
    """How far it is, too: it stands at each of its steps."""
    table.evaluate(
        "() => { const now = drawCheck; window.seen = []; drawCheck = (check) => (seen.push(check), now(check)); }"
    )
    at = rigged.table()
    assert judged(table, at.record(0), at.log) == (True, [])
    seen = table.evaluate("window.seen")
    assert [each["steps"] for each in seen[:-1]] == [[0, 1], *([done, 4] for done in range(1, 5)), None]
    assert seen[-1]["words"]["ok"]
    assert "come from the server" in table.locator("#page-is-hosts").inner_text()


def test_a_verdict_is_of_the_files_that_are_chosen_now(table, rigged):
    """Another file takes an old verdict away, and one that comes late is not shown."""
    at = rigged.table()
    choose_files(table, at.record(0), at.log)
    table.locator("#verdict.right").wait_for(timeout=LOADING_MS)
    table.evaluate(SLOWLY)
    choose_files(table, at.record(1), at.log)
    table.wait_for_function("() => window.finish !== undefined")
    assert table.locator("#verdict").count() == 0
    table.locator("#files-to-check").set_input_files([{"name": "a.txt.seat", "mimeType": "", "buffer": b""}] * 3)
    table.locator("#no-check", has_text="not checked together").wait_for()
    table.evaluate("finish()")
    table.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert table.locator("#verdict").count() == 0


def test_a_log_is_checked_alone_and_what_is_no_log_is_said(table, rigged):
    at = rigged.table()
    assert judged(table, None, at.log) == (True, [])
    assert judged(table, None, b"no log")[0] is False
    choose_files(table, b"no record", at.log)
    table.locator("#no-check", has_text="no record").wait_for()
    assert table.locator(".right").count() == 0


def test_every_host_that_cheats_is_judged_as_by_the_command(table, hosts_that_cheat):
    """Cards that are not the seed's, too, which only the rules can tell."""
    for name, (record, log) in hosts_that_cheat.items():
        if record is None:
            assert judged(table, None, log)[0] is False, name
            continue
        try:
            verdict = records.compare(record, records.read_bytes(log))
        except TrustError:
            verdict = records.verify(record, log)
        assert judged(table, record, log) == (False, said(verdict)), name
        assert table.locator("#proof").count() == (verdict.by is not None), name
        if verdict.proof:
            assert verdict.fingerprint in table.locator("#proof").inner_text()


def test_a_fork_is_held_against_its_parent(table, forks):
    agreed = forks["honest fork: agreed to"]
    assert judged(table, *agreed) == (True, [])
    assert "events 0 to 8" not in table.locator("#verdict").inner_text()
    assert judged(table, *agreed[:2]) == (True, [])
    assert "events 0 to 8" in table.locator("#verdict").inner_text()
    for name in ("fork: other fields", "fork: that one has not signed"):
        assert judged(table, *forks[name]) == (False, said(records.verify_fork(*forks[name][1:]))), name


MISSING = ("kifu.js", "worker.js", "engine.data", "runtime/pyodide.asm.wasm", "runtime/python_stdlib.zip")


def test_without_the_engine_nothing_is_called_right(address, browser, rigged):
    """Whatever of it cannot be loaded; once all of it can, it checks."""
    at = rigged.table()
    tab = browser.new_page(reduced_motion="reduce")
    unheard = []
    tab.on("pageerror", lambda error: unheard.append(str(error)))
    tab.goto(address)
    tab.locator("#check-files").click()
    for missing in MISSING:
        address_of_it = re.compile(f"/engine/{re.escape(missing)}")
        tab.route(address_of_it, lambda route: route.abort())
        with tab.expect_request(address_of_it, timeout=LOADING_MS):  # what was missing is asked for again
            choose_files(tab, at.record(0), at.log)
        tab.locator("#no-check", has_text="Nothing was checked").wait_for(timeout=LOADING_MS)
        assert tab.locator(".right, #verdict").count() == 0
        assert tab.locator("#elsewhere code").inner_text() == "replay verify a.seat --against a.log"
        tab.unroute_all(behavior="ignoreErrors")
    assert judged(tab, at.record(0), at.log) == (True, [])
    assert not [each for each in unheard if "engine.data" in each], "who asked for it hears of it, and nobody else"
    tab.close()

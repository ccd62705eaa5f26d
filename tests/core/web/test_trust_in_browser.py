"""A match with a fair deal, records and signatures between two browsers and a bot, to its end and its check."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from kifu.core.trust import signing
from kifu.core.trust.formulas import LOOK
from kifu.core.trust.records import read_bytes
from kifu.replay.browser.runtime import can_be_made

from .browsing import PHONE, join, open_match, play_out, sit, sit_two
from .conftest import serving

LOADING_MS = 120_000
pytestmark = [pytest.mark.long, pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Start a server that signs."""
    key = tmp_path_factory.mktemp("host") / "host.pem"
    with serving("--bots", "random", "--sign-key", str(key)) as address:
        yield address
        assert key.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def refusals() -> tuple[str, ...]:
    """The statuses that a page may be answered with; a server without the engine has no file of it."""
    return ("422", "401", "409") if can_be_made() else ("422", "401", "409", "404")


def wait_for_verdict(tab, verdict: str) -> None:
    """Wait until the page calls the match right or wrong; without the engine until it says that nothing was checked."""
    if can_be_made():
        tab.locator(f"#verdict.{verdict}").wait_for(timeout=LOADING_MS)
    else:
        tab.locator("#no-check").wait_for()
        assert tab.locator(".verdict.right").count() == 0


def open_fairly(tab, game: str, *players: str) -> str:
    tab.locator("details.more summary").click()
    tab.locator("#tick-fair").check()
    return open_match(tab, game, *players)


def saved(tab, button: str, path: Path) -> Path:
    """Save what a button downloads."""
    with tab.expect_download() as download:
        tab.locator(button).click()
    download.value.save_as(path)
    return path


def replay(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "kifu.replay", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def forging(tab, change) -> None:
    """Let the server say something else of the match from now on: `change` is given what it says."""

    def forge(route):
        response = route.fetch()
        about = response.json()
        change(about)
        route.fulfill(response=response, json=about)

    tab.unroute_all(behavior="ignoreErrors")
    tab.route(re.compile(r"/api/matches/[0-9a-f]+$"), forge)
    tab.reload()


def test_two_browsers_and_a_bot_play_fairly_and_verify(opened, tmp_path):
    aki, ren = sit_two(opened, "cake", opens=open_fairly, size=PHONE)
    where = aki.url
    for tab in (aki, ren):
        tab.locator(".board.mine").wait_for()
        signed = tab.evaluate("seatsHere(game.match).map((seat) => game.about.trust.seats[seat].signs)")
        assert signed == [True]
    play_out(aki, ren)
    aki.locator("#do-fork").click()
    aki.locator("#fork-at").fill("3")
    aki.wait_for_function("() => game.past?.count === 3")
    aki.locator("#do-cancel").click()
    records = []
    for name, tab in (("aki.seat", aki), ("ren.seat", ren)):
        tab.locator("#do-record").first.click()
        tab.locator("#moment-code").wait_for()
        records.append(saved(tab, "#do-keep-record", tmp_path / name))
        tab.locator("#do-check-record").click()
        wait_for_verdict(tab, "right")
    codes = {tab.locator("#moment-code").inner_text() for tab in (aki, ren)}
    assert len(codes) == 1
    aki.locator("#code-at").fill("3")
    aki.locator("#code-at").press("Tab")
    aki.get_by_text("The code after 3 events:").wait_for()
    assert aki.locator("#moment-code").inner_text() not in codes
    looks = [each.number for each in read_bytes(records[0].read_bytes()).entries if each.kind == LOOK]
    assert 3 in looks, "of an earlier moment, as it was looked at after the end"
    assert not aki.locator("#alarm").count()
    assert not ren.locator("#alarm").count()
    aki.locator("#do-close").click()
    log = saved(aki, "#do-get-log", tmp_path / "match.log")
    audited = replay("audit", log, "--json")
    assert audited.returncode == 0, audited.stdout
    aki.goto(where.partition("#")[0])
    aki.locator("#check-files").click()
    aki.on("request", lambda asked: pytest.fail("it asks the server") if asked.url.endswith("/log") else None)
    changed = tmp_path / "changed.log"
    log_bytes = log.read_bytes()
    changed.write_bytes(log_bytes[:-60] + bytes((log_bytes[-60] ^ 1,)) + log_bytes[-59:])
    for record, other, verdict in (
        (None, log, "right"),
        (0, log, "right"),
        (0, records[1], "right"),
        (0, changed, "wrong"),
    ):
        aki.locator("#files-to-check").set_input_files([*([] if record is None else [records[record]]), other])
        wait_for_verdict(aki, verdict)
    for path in records:
        verified = replay("verify", path, "--against", log, "--json")
        assert verified.returncode == 0, verified.stdout
        verdict = json.loads(verified.stdout)
        assert (verdict["ok"], verdict["signed"], verdict["ended"]) == (True, True, "over")
    assert replay("verify", *records).returncode == 0


def test_a_browser_that_stays_away_is_named_and_the_deal_begins_again(opened, address):
    aki = opened(size=PHONE)
    where = open_fairly(aki, "cake", "here Aki", "link", "bot random")
    ren = opened(where)
    ren.route("**/fair", lambda route: route.fulfill(status=422, json={"detail": "away"}))
    join(ren, "Ren")
    aki.locator("#fair-deal", has_text="Ren").wait_for()
    aki.locator(".menu.settings summary").click()
    aki.locator("#choose-language").select_option("日本語")
    aki.locator("#fair-deal", has_text="公平").wait_for()


def test_two_tabs_keep_one_record_and_give_the_secret_to_one_roster(opened):
    aki = opened()
    where = open_fairly(aki, "cake", "here Aki", "link", "bot random")
    other = aki.context.new_page()
    other.goto(where)
    rosters = []
    aki.context.on("request", lambda asked: rosters.append(asked.post_data) if asked.url.endswith("/fair") else None)
    ren = opened(where)
    join(ren, "Ren")
    for tab in (aki, other, ren):
        tab.locator(".board.mine").wait_for()
    assert (
        len({json.loads(each)["secret"] for each in rosters})
        == len({json.loads(each)["roster"] for each in rosters})
        == 1
    )
    aki.close()
    play_out(other, ren)
    other.evaluate("Promise.resolve(game.record.entries.length = 0)")
    other.evaluate("game.record.seen.clear()")
    count = "recordFile(game.record).then(() => game.record.entries.filter(([kind]) => kind === 0).length)"
    assert other.evaluate(count) == other.evaluate("game.observation.count"), "what either tab was told is kept"


def test_a_browser_says_before_it_joins_that_it_cannot_sign(opened):
    aki = opened()
    where = open_match(aki, "cake", "here Aki", "link", "bot random")
    ren = opened(where, script="delete Crypto.prototype.subtle")
    ren.locator("#unsigned", has_text="This browser cannot sign").wait_for()
    join(ren, "Ren")
    ren.locator(".board.mine").wait_for()
    aki.goto(where.partition("#")[0])
    ren.goto(open_fairly(aki, "cake", "here Aki", "link", "bot random"))
    join(ren, "Ren")
    ren.locator(".trouble", has_text="open this page with https").wait_for()


def test_another_key_of_the_server_is_told_until_it_is_accepted(opened):
    aki = opened()
    open_match(aki, "cake", "here Aki", "link", "bot random")
    aki.wait_for_function("() => game.hostKey")
    known = aki.evaluate("game.hostKey.fingerprint")
    assert len(known) == 19

    forging(aki, lambda about: about["trust"].update(host_key="A" * 42 + "E"))
    aki.locator("#host-key-changed", has_text=known).wait_for()
    aki.locator("#do-host-key-accept").click()
    aki.locator("#host-key-changed").wait_for(state="detached")
    aki.reload()
    aki.locator(".waiting").wait_for()
    assert not aki.locator("#host-key-changed").count()
    aki.unroute_all(behavior="ignoreErrors")


NO_ED25519 = """for (const name of ["generateKey", "importKey"]) {
  const made = SubtleCrypto.prototype[name];
  SubtleCrypto.prototype[name] = function (...given) {
    if (given.includes("Ed25519")) return Promise.reject(new DOMException("no Ed25519", "NotSupportedError"));
    return made.apply(this, given);
  };
}"""


def test_a_server_that_takes_back_what_was_agreed_alarms_and_the_record_stays(opened):
    aki = sit(opened, "cake", opens=open_fairly)
    key = aki.evaluate("game.hostKey.fingerprint")
    forging(aki, lambda about: about.update(trust=None, fair=False))
    aki.locator("#alarm", has_text="another agreement").wait_for()
    aki.locator("summary#more").click()
    aki.locator("#do-record").click()
    panel = aki.locator(".record-panel").inner_text()
    assert "Your browser's secret number is part of the deal (attempt 1)" in panel
    assert "The server signs all that it tells you." in panel
    assert "Your browser signs each of your moves." in panel
    assert aki.locator("#host-key").inner_text() == key

    def lies(about):
        about["trust"].update(attempt=3, host_key=None)
        about["trust"]["seats"][0].update(signs=False, key=None)

    forging(aki, lies)
    aki.locator("#alarm", has_text="another agreement").wait_for()
    sent = []
    aki.on("request", lambda asked: sent.append(asked.post_data_json) if asked.url.endswith("/commands") else None)
    play_out(aki)
    assert sent != []
    assert all(each.get("sig") for each in sent), "it signs though the server says that it does not"
    forging(aki, lambda about: about["seats"][1].update(name="Zoe"))
    aki.locator("#alarm", has_text="another agreement").wait_for()
    aki.unroute_all(behavior="ignoreErrors")


def test_a_browser_without_ed25519_plays_and_says_what_it_has_not_checked(opened):
    aki = opened(script=NO_ED25519)
    aki.locator("#unsigned", has_text="This browser cannot sign").wait_for()
    open_fairly(aki, "cake", "here Aki", "bot random", "bot random")
    aki.locator(".board.mine").wait_for()
    play_out(aki)
    aki.locator("#do-record").first.click()
    assert "signatures are not checked as you play" in aki.locator(".record-panel").inner_text()
    aki.locator("#do-check-record").click()
    wait_for_verdict(aki, "right")
    assert not aki.locator("#alarm").count()


def test_a_server_that_opens_no_fair_deal_gets_no_player(opened):
    aki = opened()
    asked = []
    aki.on("request", lambda request: asked.append(request.url) if request.url.endswith("/seats") else None)

    def unfair(route):
        body = route.request.post_data_json
        route.continue_(post_data=json.dumps({**body, "fair": False}) if body else None)

    aki.route("**/api/matches", unfair)
    aki.locator("details.more summary").click()
    aki.locator("#tick-fair").check()
    aki.locator("#do-open").click()
    aki.locator("#open-trouble", has_text="not opened this table as a fair deal").wait_for()
    assert asked == []


def test_a_match_that_the_server_denies_leaves_its_record(opened, tmp_path):
    aki = sit(opened, "cake")
    where = aki.url
    play_out(aki)
    aki.wait_for_function("() => game.record.entries.some(([kind]) => kind === 2)")
    match = where.rpartition("=")[2]
    aki.locator("#do-record").first.click()
    kept = saved(aki, "#do-keep-record", tmp_path / "kept.seat")
    refused = {"status": 422, "json": {"detail": "no match"}}  # as by a 404, which the page's tests let no server send
    aki.route(re.compile(rf"/api/matches/{match}"), lambda route: route.fulfill(**refused))
    aki.goto(where.partition("#")[0])
    denied = saved(aki, f"#kept-{match}", tmp_path / "denied.seat")
    assert replay("verify", kept, denied).returncode == 0, "one history"
    aki.locator("#checked > *").first.wait_for()
    aki.unroute_all(behavior="ignoreErrors")


def test_the_files_for_a_check_elsewhere_are_those_of_the_command_that_is_shown(opened, tmp_path):
    aki = sit(opened, "cake", size=PHONE)
    play_out(aki)
    came = []
    aki.on("download", lambda each: came.append(each))
    aki.locator("#do-record").first.click()
    aki.locator("#do-check-elsewhere").click()
    aki.locator("#elsewhere").wait_for()
    verb, *files = aki.locator("#elsewhere code").inner_text().removeprefix("replay ").split()
    named = {each for each in files if not each.startswith("--")}
    while len(came) < len(named):
        aki.wait_for_event("download")
    assert {each.suggested_filename for each in came} == named
    for each in came:
        each.save_as(tmp_path / each.suggested_filename)
    arguments = [each if each.startswith("--") else tmp_path / each for each in files]
    assert replay(verb, *arguments).returncode == 0
    assert aki.locator(".verdict.right").count() == 0

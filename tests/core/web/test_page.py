"""The page to play at: its texts, its script, what it lets a browser do, and the engine that it may load."""

import json
import re
import shutil
import subprocess
import zlib
from collections import Counter
from gzip import compress
from pathlib import Path

import pytest
from kifu.core.errors import KifuError
from kifu.core.host import Host
from kifu.core.stores import MemoryStore


@pytest.fixture
def script(client) -> str:
    return client.get("/table.js").text


def test_every_text_of_the_page_is_there_in_both_languages(script):
    words = json.loads(re.search(r"^const words = (.*);$", script, re.MULTILINE)[1])
    own = script[script.index("// The server's API") :]
    used = set(re.findall(r'\b(?:say|action|drawList|rangeText)\(\s*"([a-z-]+)"', script))
    used |= set(re.findall(r'say\([^()"]*\? "([a-z-]+)"', own)) | {"no-your-matches", "no-public-matches"}
    used |= set(re.findall(r'say\([^()"]*\? "[a-z-]+" : "([a-z-]+)"', own))
    used |= {f"status-{each}" for each in ("open", "going", "over", "abandoned")}
    used |= {"unfinished", "analysis-waiting", "analysis-running", "go-there", "join-again", "cannot-sign"}
    used |= {f"difficulty-{each}" for each in (1, 2, 3)}
    used |= {f"proposes-{each}" for each in ("take_back", "fork", "abandon")}
    phases, alarms = (
        ("revealing", "renewing", "failed"),
        ("roster", "signature", "blamed", "lost", "mark", "told", "changed", "key", "unasked"),
    )
    used |= {f"deal-{each}" for each in phases} | {f"deal-why-{each}" for each in phases}
    used |= {f"alarm-{each}" for each in alarms}
    used |= {f"limit-{each}" for each in (30, 60, 180, 600, 3600, 86400, 259200)}
    used |= {"new-holder"} | {f"level-{each}" for each in ("easy", "normal", "strong")}
    assert used - set(words) == set()
    assert set(words) - used - {"needs-script", "do", "no-limit"} == set()
    assert all(len(each) == 2 and all(each) for each in words.values())
    assert [key for key, each in words.items() if "{days}" in "".join(each) and key != "left-days"] == [], "unformatted"
    assert [key for key, (english, japanese) in words.items() if english == japanese and key != "do"] == []


def test_a_browser_without_scripts_shows_that_they_are_needed(client):
    text = client.get("/").text
    assert "This page needs JavaScript. / このページ" in text


def test_the_page_never_reads_a_text_as_markup_nor_runs_one(script):
    reading = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|setAttribute\(\"on"
    assert re.findall(reading, script) == []


def test_the_policy_lets_a_browser_run_nothing_else(client):
    response = client.get("/")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in response.text
    assert "style=" not in response.text
    assert response.headers["x-content-type-options"] == "nosniff"


def test_an_unchanged_page_is_not_sent_again(client):
    first = client.get("/table.js")
    for known in ("{}", 'W/{}, "older"', '"older",{}'):
        again = client.get("/table.js", headers={"If-None-Match": known.format(first.headers["etag"])})
        assert (again.status_code, again.content) == (304, b"")
    assert client.get("/table.js", headers={"If-None-Match": '"older"'}).status_code == 200


def test_a_page_is_packed_once_for_all_who_ask(client, monkeypatch):
    packed = client.get("/table.js", headers={"Accept-Encoding": "gzip"})
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    monkeypatch.setattr(zlib, "compressobj", lambda *_, **__: pytest.fail("it is packed anew"))
    assert client.get("/table.js", headers={"Accept-Encoding": "gzip"}).content == packed.content
    plain = client.get("/table.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == packed.content


SELECTING = """
const command = (tag, fields, ...parts) => ({ tag, fields, parts });
const name = (...part) => JSON.stringify(part);
const share = [[1, 2], [2, 1]].map((cards) => command("share", { cards }, ...cards.map((card) => ["share", card])));
let now = new Selection(share);
now.choose(name("share", 2), false); now.choose(name("share", 1), false);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)), now.orders.length);

const take = [command("take", { cards: [3, 3] }, ["card", 3], ["card", 3]),
  command("take", { cards: [3, 5] }, ["card", 3], ["card", 5])];
now = new Selection(take);
now.choose(name("card", 5), true); now.choose(name("card", 3), true);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)));
now.choose(name("card", 5), false); now.choose(name("card", 3), true);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)), now.offers(name("card", 5)));

const word = (text, ...places) =>
  command("word", { word: text, cards: places }, ["word"], ...places.map((place) => ["place", place]));
const schemas = [{ tag: "word", fields: { properties: { word: { type: "string" }, cards: { type: "array" } } } },
  { tag: "draw", fields: { properties: { abbreviation: { type: "string" } } } }];
now = new Selection([word("ab", 0, 1), word("ba", 0, 1)], schemas, true);
now.typed.word = "ba"; now.choose(name("place", 0), false); now.choose(name("place", 1), false);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields)));
now.typed.word = "zz";
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));
now.clear(); now.choose(name("stack", "T"), true); now.choose(name("stack", "K"), true);
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));

const swap = { tag: "swap", fields: { properties: { place: { type: "integer" }, other: { type: "integer" } } } };
const listed = [word("ab", 0, 1), command("swap", { place: 4, other: 2 }, ["place", 4], ["other", 1, 2])];
const states = (...parts) => console.log(...parts.map((part) => now.stateOf(name(...part))));
now = new Selection(listed, [...schemas, swap], true);
states(["place", 0], ["place", 3], ["other", 1, 2], ["other", 1, 3], ["stack", "T"]);
now.choose(name("place", 0), false);
states(["place", 1], ["place", 4], ["other", 1, 2], ["other", 1, 3], ["drawn", "T"]);
now = new Selection([...listed, command("draw", { abbreviation: "T" }, ["stack", "T"])], [...schemas, swap], true);
now.choose(name("stack", "K"), true);
states(["stack", "S"], ["place", 0]);
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));
now.clear(); now.choose(name("place", 3), false);
console.log(now.ready.length, now.stateOf(name("stack", "T")));
now.choose(name("other", 1, 2), false);
console.log(now.chosen.join(), now.ready.length);
now = new Selection(listed, [...schemas, swap], false);
states(["place", 0], ["place", 3], ["other", 1, 2], ["stack", "T"]);

now = new Selection([word("abc", 0, 1, 2), word("ba", 1, 0), word("ba", 1, 2)], schemas, false);
const typing = (text) => { now.typed.word = text; };
typing("a"); console.log(now.settled, now.strange.length);
typing("abc"); console.log(now.settled.fields.word, now.listed.length);
typing("ba"); console.log(now.settled, now.listed.length);
typing("x"); console.log(now.settled, now.strange.join());

const bid = (count, number) => command("bid", { count, number }, ["count", count], ["number", number]);
now = new Selection([bid(1, 1), bid(1, 2), bid(2, 1), bid(2, 2)]);
console.log(now.buttons(new Set()).map(([, part]) => part.join(" ")).join());

const build = (card, cost) => command("build", { card }, ["card", card], ["build", "second"], ["card", cost]);
now = new Selection([build(0, 3), build(3, 0)]); // what was tapped first is built, wherever the button was pressed
for (const part of [["card", 3], ["card", 0], ["build", "second"]]) now.choose(name(...part), true);
console.log(now.settled.fields.card, now.listed.length);
"""


def test_clicks_select_the_command_that_is_meant(script, tmp_path):
    node = shutil.which("node") or pytest.skip("needs node")
    selection = script[script.index("const MAX_LISTED") : script.index("// A match at the table")]
    (tmp_path / "selection.js").write_text(selection + SELECTING, encoding="utf-8")
    done = subprocess.run([node, tmp_path / "selection.js"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [
        "[[2,1]] 1",
        "[[3,5]]",
        "[[3,3]] false",
        '[{"word":"ba","cards":[0,1]}]',
        '[["word",{"word":"zz","cards":[0,1]}]]',
        '[["draw",{"abbreviation":"TK"}]]',
        "selectable possible selectable null possible",
        "selectable possible replaces null possible",
        "possible replaces",
        '[["draw",{"abbreviation":"K"}]]',
        "0 replaces",
        '["other",1,2] 0',
        "selectable null selectable null",
        "null 0",
        "abc 0",
        "null 2",
        "null x",
        "count 1,count 2,number 1,number 2",
        "3 0",
    ]


TRYING = """
const command = (tag, fields, ...parts) => ({ tag, fields, parts });
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
let game;
const sit = (legal, open) => { game = { selection: new Selection(legal, [], open) }; };
const tried = (...part) => console.log(JSON.stringify(commandNaming(part)?.fields ?? null));
const [swap, play, inspect] = [command("swap", { place: 2, other: 1 }, ["place", 2], ["other", 1]),
  command("play", { card: 1, count: 1 }, ["card", 1]), command("inspect", { targets: [[1, 0]] }, ["palace", 1, 0])];
sit([swap, play, inspect, command("draw", { from: "top" }, ["pile", 0])], false);
tried("card", 7); tried("palace", 2, 4); tried("place", 3); tried("pile", 1); tried("other", 1);
sit([swap, play, inspect], true);
tried("card", 7);
"""
"""Whatever is open may be accepted, and what names the part otherwise would be done: neither is tried."""


def test_what_may_not_be_chosen_is_tried_only_where_the_try_is_sure_to_be_refused(script, tmp_path):
    node = shutil.which("node") or pytest.skip("needs node")
    selection = script[script.index("const MAX_LISTED") : script.index("// A match at the table")]
    naming = script[script.index("// Why not this one") : script.index("// Say at the thing")]
    (tmp_path / "naming.js").write_text(selection + naming + TRYING, encoding="utf-8")
    done = subprocess.run([node, tmp_path / "naming.js"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ['{"card":7,"count":1}', '{"targets":[[2,4]]}', *["null"] * 4]


def test_the_page_serves_each_module_that_it_has(client):
    """One that is missing would break the whole check, not before somebody asks for it."""
    table = Path(__file__).parents[3] / "core" / "web" / "table"
    names = [
        path.name for path in table.glob("*.js") if re.search("^(?:im|ex)port ", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(names) > 5
    assert {name: client.get(f"/{name}").status_code for name in names} == dict.fromkeys(names, 200)


def test_the_scripts_of_the_page_declare_each_name_once(script):
    names = re.findall(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", script, re.MULTILINE)
    assert len(names) > 300
    assert [name for name, count in Counter(names).items() if count > 1] == []


@pytest.fixture
def asked():
    """Return a function that opens a client of an app with this maker of an engine."""
    from kifu.core.web import app
    from starlette.testclient import TestClient

    return lambda make: TestClient(app(Host(MemoryStore()), engine=make), base_url="http://localhost")


def test_the_files_of_the_engine_are_made_once_and_only_its_worker_may_compile(asked, tmp_path):
    from kifu.core.web.page import POLICY

    folder = tmp_path / "kifu"
    (folder / "runtime").mkdir(parents=True)
    for name in ("kifu.js", "worker.js", "runtime/a.wasm"):
        (folder / name).write_text(name)
    (folder / "runtime" / "b.wasm").write_text("plain")
    (folder / "runtime" / "b.wasm.gz").write_bytes(compress(b"packed"))
    (tmp_path / "secret.pem").write_text("key")
    made = []
    with asked(lambda: made.append(1) or folder) as client:
        for name, kind in (("kifu.js", "text/javascript"), ("runtime/a.wasm", "application/wasm")):
            got = client.get(f"/engine/{name}")
            assert (got.status_code, got.text) == (200, name)
            assert got.headers["content-type"].startswith(kind)
            assert got.headers["content-security-policy"] == POLICY
        for accepted, text in (("gzip", "packed"), ("identity", "plain")):
            assert client.get("/engine/runtime/b.wasm", headers={"accept-encoding": accepted}).text == text
        worker = client.get("/engine/worker.js")
        assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        assert "wasm" not in client.get("/").headers["content-security-policy"]
        again = client.get("/engine/worker.js", headers={"if-none-match": worker.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("../secret.pem", "..%2fsecret.pem", "runtime", "", "runtime/../../secret.pem"):
            assert client.get(f"/engine/{name}").status_code == 404, name
    assert made == [1]


def test_a_server_without_an_engine_says_so(asked):
    def fails():
        raise KifuError("no runtime")

    for make in (None, fails):
        with asked(make) as client:
            assert client.get("/engine/kifu.js").status_code == 404

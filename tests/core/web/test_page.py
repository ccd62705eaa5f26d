"""The page to play at: its words, its script and what it lets a browser do."""

import json
import re
import shutil
import subprocess

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("httpx2", reason="needs kifu[webtest]")


@pytest.fixture
def script(client) -> str:
    return client.get("/table.js").text


def test_every_word_that_the_page_says_is_there_in_both_languages(script):
    words = json.loads(re.search(r"^const words = (.*);$", script, re.MULTILINE)[1])
    own = script[script.index("// Talking with the server") :]
    said = set(re.findall(r'\b(?:say|action|drawList)\(\s*"([a-z-]+)"', script))
    said |= set(re.findall(r'say\([^()"]*\? "([a-z-]+)"', own)) | {"no-your-matches", "no-public-matches"}
    said |= set(re.findall(r'say\([^()"]*\? "[a-z-]+" : "([a-z-]+)"', own))
    said |= {f"part-{mark}" for mark in ("deal", "round", "trick")}
    said |= {f"status-{each}" for each in ("open", "going", "over", "abandoned")}
    said |= {f"wishes-{each}" for each in ("take_back", "fork", "abandon")}
    assert said - set(words) == set()
    assert set(words) - said - {"needs-script", "do", "no-limit", "seconds"} == set()
    assert all(len(each) == 2 and all(each) for each in words.values())
    assert [key for key, (english, japanese) in words.items() if english == japanese and key != "do"] == []


def test_who_has_no_scripts_is_told_that_they_are_needed(client):
    told = client.get("/").text
    assert "This page needs JavaScript. / このページ" in told


def test_the_page_never_reads_a_text_as_markup_nor_runs_one(script):
    reading = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|setAttribute\(\"on"
    assert re.findall(reading, script) == []


def test_the_browser_is_told_to_run_nothing_else(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in answer.text
    assert "style=" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_what_a_browser_has_already_is_not_sent_again(client):
    first = client.get("/table.js")
    again = client.get("/table.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


CHOOSING = """
const command = (tag, fields, ...parts) => ({ tag, fields, parts });
const name = (...part) => JSON.stringify(part);
const share = [[1, 2], [2, 1]].map((cards) => command("share", { cards }, ...cards.map((card) => ["share", card])));
let now = new Choosing(share);
now.choose(name("share", 2), false); now.choose(name("share", 1), false);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)), now.orders.length);

const take = [command("take", { cards: [3, 3] }, ["card", 3], ["card", 3]),
  command("take", { cards: [3, 5] }, ["card", 3], ["card", 5])];
now = new Choosing(take);
now.choose(name("card", 5), true); now.choose(name("card", 3), true);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)));
now.choose(name("card", 5), false); now.choose(name("card", 3), true);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields.cards)), now.offers(name("card", 5)));

const word = (text, ...places) =>
  command("word", { word: text, cards: places }, ["word"], ...places.map((place) => ["place", place]));
const shapes = [{ tag: "word", fields: { properties: { word: { type: "string" }, cards: { type: "array" } } } },
  { tag: "draw", fields: { properties: { abbreviation: { type: "string" } } } }];
now = new Choosing([word("ab", 0, 1), word("ba", 0, 1)], shapes, true);
now.typed.word = "ba"; now.choose(name("place", 0), false); now.choose(name("place", 1), false);
console.log(JSON.stringify(now.ready.map(({ fields }) => fields)));
now.typed.word = "zz";
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));
now.clear(); now.choose(name("stack", "T"), true); now.choose(name("stack", "K"), true);
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));

const swap = { tag: "swap", fields: { properties: { place: { type: "integer" }, other: { type: "integer" } } } };
const listed = [word("ab", 0, 1), command("swap", { place: 4, other: 2 }, ["place", 4], ["other", 1, 2])];
const standing = (...parts) => console.log(...parts.map((part) => now.standing(name(...part))));
now = new Choosing(listed, [...shapes, swap], true);
standing(["place", 0], ["place", 3], ["other", 1, 2], ["other", 1, 3], ["stack", "T"]);
now.choose(name("place", 0), false);
standing(["place", 1], ["place", 4], ["other", 1, 2], ["other", 1, 3], ["drawn", "T"]);
now = new Choosing([...listed, command("draw", { abbreviation: "T" }, ["stack", "T"])], [...shapes, swap], true);
now.choose(name("stack", "K"), true);
standing(["stack", "S"], ["place", 0]);
console.log(JSON.stringify(now.ready.map(({ tag, fields }) => [tag, fields])));
now.clear(); now.choose(name("place", 3), false);
console.log(now.ready.length, now.standing(name("stack", "T")));
now.choose(name("other", 1, 2), false);
console.log(now.chosen.join(), now.ready.length);
now = new Choosing(listed, [...shapes, swap], false);
standing(["place", 0], ["place", 3], ["other", 1, 2], ["stack", "T"]);
"""


def test_clicks_become_the_command_that_is_meant(script, tmp_path):
    node = shutil.which("node") or pytest.skip("needs node")
    choosing = script[script.index("class Choosing {") : script.index("// A match at the table")]
    (tmp_path / "choosing.js").write_text(choosing + CHOOSING, encoding="utf-8")
    told = subprocess.run([node, tmp_path / "choosing.js"], capture_output=True, text=True, timeout=60, check=True)
    assert told.stdout.splitlines() == [
        "[[2,1]] 1",
        "[[3,5]]",
        "[[3,3]] false",
        '[{"word":"ba","cards":[0,1]}]',
        '[["word",{"word":"zz","cards":[0,1]}]]',
        '[["draw",{"abbreviation":"TK"}]]',
        "can maybe can null maybe",
        "can maybe instead null maybe",
        "maybe instead",
        '[["draw",{"abbreviation":"K"}]]',
        "0 instead",
        '["other",1,2] 0',
        "can null can null",
    ]

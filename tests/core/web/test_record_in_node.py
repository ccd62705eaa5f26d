"""The browser's part in trust, in node: what it keeps, sends and alarms of; what it shows is what it was told."""

import copy
import json
import runpy
import shutil
import subprocess
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import msgpack
import pytest
from kifu import games
from kifu.core.errors import TrustError
from kifu.core.trust import records, signing
from kifu.core.trust.roster import read_roster
from kifu.core.trust.seat_record import entry_error

TABLE = Path(__file__).parents[3] / "core" / "web" / "table"

pytestmark = pytest.mark.ci
GAMES = games.names()


@pytest.fixture(scope="module", autouse=True)
def web() -> None:
    """No server is needed here."""


def in_node(*arguments: str, given: str = "") -> str:
    node = shutil.which("node") or pytest.skip("needs node")
    done = subprocess.run([node, *arguments], input=given, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_in_node(script: str, given: Any) -> Any:
    return json.loads(
        in_node("--input-type=module", "-e", script.replace("TABLE", TABLE.as_uri()), given=json.dumps(given))
    )


@pytest.mark.parametrize("script", ["ceremony", "trust_page", "vault"])
def test_the_browser_keeps_to_what_it_agreed_to_and_alarms_of_nothing_else(script):
    assert in_node(str(Path(__file__).with_name(f"{script}.mjs"))) == "fine\n"


SAYING = """
import { readFileSync } from "node:fs";
import { SeatRecord, says } from "TABLE/record.js";
import { canonical } from "TABLE/canonical.js";
import { decode, encode } from "TABLE/vault.js";
const said = JSON.parse(readFileSync(0, "utf8")).map(([told, shown]) => says(decode(told), shown));
const record = new SeatRecord("m", 0);
const proposal = (told, mark) => ({ moment: 3, told: encode(canonical(told)), mark: encode(new Uint8Array(mark)) });
const odd = [[["end", 0, 3], 32], [["end", 0, 3, [[1, new Uint8Array(63)]]], 32], [["end", 0, 3, []], 31]];
const poison = await Promise.all(odd.map((each) => record.consented(proposal(...each))));
const untold = await record.tell(0, 3, {}, {});
console.log(JSON.stringify({ said, untold, poison: [poison, record.entries.length] }));
"""


def said(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    answer: dict[str, Any] = run_in_node(SAYING, pairs)
    return answer


def lies(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the event as a host could show it that has told something else."""
    found = [{**event, "tag": "x"}, {**event, "seat": 7}, {**event, "notes": [*event["notes"], *event["notes"]]}]
    found += [{**event, "notes": event["notes"][:-1]}]
    for key, value in (("rule", "99.9"), ("begins", "hand"), ("number", 77)):
        other = copy.deepcopy(event)
        other["notes"][-1][key] = value
        found.append(other)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_page_takes_what_an_honest_host_shows_and_nothing_else(open_table, game):
    table = open_table(game, games.find(game).seats[0])
    table.play_on(most=25)
    pairs: list[tuple[str, Any]] = []
    for seat in (None, 0, 1):
        pairs += [(each["told"], each) for each in table.get("/history?since=0", seat).json()["events"]]
    assert len(pairs) > 20
    wrong = [(told, lie) for told, event in pairs[:40] for lie in lies(event)]
    assert set(said(pairs)["said"]) == {True}
    assert set(said(wrong)["said"]) == {False}


def test_the_result_that_is_shown_is_the_one_of_the_end(open_table):
    table = open_table("cake", 3)
    table.play_on()
    observation = table.observe(0)
    result, ended = observation["result"], observation["ended"]
    assert result["points"]
    more = {**result, "points": [result["points"][0] + 1, *result["points"][1:]]}
    others = {**result, "winners": [0, 1, 2] if result["winners"] != [0, 1, 2] else [0]}
    answer = said([(ended["told"], {"result": each}) for each in (result, more, others, None)])
    assert answer == {"said": [True, False, False, False], "untold": "told", "poison": [["told"] * 3, 0]}


KEEPING = """
import { readFileSync } from "node:fs";
import { SeatRecord } from "TABLE/record.js";
const [salt, mark] = [16, 32].map((length) => Buffer.alloc(length).toString("base64url"));
const tell = (kind, told) => new SeatRecord("m", 0).tell(kind, 3, { told, salt, mark, sig: null });
const keeps = async ([kind, told]) => (await tell(kind, told)) === null;
console.log(JSON.stringify(await Promise.all(JSON.parse(readFileSync(0, "utf8")).map(keeps))));
"""


def deep(levels: int) -> list[Any]:
    return [deep(levels - 1)] if levels > 1 else []


def test_it_keeps_what_a_reader_of_records_takes_and_nothing_else():
    """At an entry that a reader does not take it ends: a lie behind it would be safe."""
    odd = [{1: 2}, {b"x": 1}, {None: 1}, {"a": {1: 2}}, {"options": {1: 2}}, {"options": {"x": {"y": {1: 2}}}}, 1.5]
    views = [{}, *odd, {"options": {"x": {1: 2, -(2**63): 3}}}, [{"options": {"x": {1: 2}}}], 2**64 - 1]
    views += [deep(200), deep(201), {"a": [0] * 65531}, {"a": [0] * 65532}]
    told = [(records.LOOK, [3, view]) for view in views]
    notes = [[["a", None, [[name, 1]], None]] for name in ("x", 1, None, b"x")]
    for fields, each in [({1: 2}, []), ({"options": {"x": {1: 2}}}, []), *(({}, note) for note in notes)]:
        told.append((records.EVENT, [3, 0, "pass", fields, False, None, None, each]))
    raw = [(kind, msgpack.packb(value)) for kind, value in told]
    wrong = [entry_error([kind, 3, each, bytes(16), bytes(32), None], "full") for kind, each in raw]
    kept = run_in_node(KEEPING, [(kind, urlsafe_b64encode(each).decode().rstrip("=")) for kind, each in raw])
    assert kept == [why is None for why in wrong]
    assert kept.count(True) == 5


POISON = """
import { SeatRecord } from "TABLE/record.js";
import { canonical } from "TABLE/canonical.js";
import { wishMessage } from "TABLE/formulas.js";
import { encode } from "TABLE/vault.js";
const [salt, mark, sig] = [16, 32, 64].map((length) => new Uint8Array(length)), record = new SeatRecord("m", 0);
const sent = ["x", null, -1, 1.5, [], 2 ** 53].map((seq) => record.sent(seq, canonical([]), mark, sig));
const kept = [await Promise.all(sent), record.entries.length, await record.sent(3, canonical([]), mark, sig)];
const told = { told: encode(canonical([3, {}])), salt: encode(salt), mark: encode(mark), sig: encode(sig) };
const tell = (agreed, parts) => Object.assign(new SeatRecord("m", 0), { agreed }).tell(1, 3, { ...told, ...parts });
const hosts = [tell({ hostKey: null }), tell({ hostKey: null }, { sig: null }), tell(undefined)];
const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
const value = { 13: [key, null] }, of = mark, said = wishMessage(of, 0, 3, mark, "abandon", 0);
const right = [[0, new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, said))]];
const wishes = [["abandon", 1, right], ["fork", 1, []], ["fork", 0, []], ["abandon", 1, []]];
wishes.push(["abandon", 1, [[0, sig]]], ...[1, 9].map((other) => ["abandon", 1, [...right, [other, sig]]]));
const consented = wishes.map(([kind, by, signed]) => {
  const said = { moment: 3, told: encode(canonical([kind, 0, by, signed])), mark: encode(mark) };
  return Object.assign(new SeatRecord("m", 0), { agreed: { value }, of }).consented(said);
});
console.log(JSON.stringify([kept, await Promise.all(hosts), await Promise.all(consented)]));
"""


def test_no_host_has_it_keep_unseen_what_a_reader_finds_wrong():
    """An event of no number for what the seat sent, at which reading ends; signatures of no key; no consents."""
    kept, hosts, consented = run_in_node(POISON, [])
    assert kept == [["told"] * 6, 0, None]
    assert hosts == ["signature", None, None]
    assert consented == [None, None, *["signature"] * 5]


ROSTERS = """
import { readFileSync } from "node:fs";
import { isRoster } from "TABLE/record.js";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((each) => isRoster(Buffer.from(each, "hex")))));
"""


def test_it_takes_the_rosters_that_a_reader_takes_and_no_others():
    """A record under any other roster is none: all lies in it would be safe."""
    hash_ = bytes(32)
    parts = [
        "kifu roster 2",
        "m",
        "cake",
        1,
        {},
        ["Aki"],
        [0],
        1,
        [[hash_, [0]]],
        hash_,
        [hash_],
        hash_,
        hash_,
        [hash_],
    ]
    right = [*parts, None, None, 1]
    given = [right, [*right, 1], right[:-1], [*right[:13], [], *right[14:]]]
    odd = (None, -1, 2**64 - 1, "x", b"x", hash_, {}, {1: 2}, [], [None], ["x"], [-1], [[hash_, []]], [[hash_]])
    given += [[*right[:at], each, *right[at + 1 :]] for at in range(1, len(right)) for each in odd]
    given += [[*right[:5], [""] * count, *right[6:13], [hash_] * count, *right[14:]] for count in (100, 101)]
    raw = [msgpack.packb(each) for each in given]

    def is_read(each: bytes) -> bool:
        try:
            return read_roster(each) is not None
        except TrustError:
            return False

    expected = list(map(is_read, raw))
    assert run_in_node(ROSTERS, [each.hex() for each in raw]) == expected
    assert min(expected.count(True), expected.count(False)) > 50


WRITING = """
import { readFileSync } from "node:fs";
import { SeatRecord } from "TABLE/record.js";
import { decode } from "TABLE/msgpack.js";
const again = async (text) => {
  const data = Uint8Array.from(Buffer.from(text, "hex"));
  let [head, place] = decode(data);
  const record = new SeatRecord("m", head.seat);
  while (place < data.length) {
    const [entry, end] = decode(data, place);
    record.take(entry);
    place = end;
  }
  const file = async (form) => Buffer.from(await record.bytes(head.roster, head.sig, form)).toString("hex");
  return [await file("full"), await file("public"), record.code()];
};
console.log(JSON.stringify(await Promise.all(JSON.parse(readFileSync(0, "utf8")).map(again))));
"""


@pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")
def test_it_writes_a_record_s_bytes_in_both_forms_and_says_its_code():
    docs = runpy.run_path(str(TABLE.parents[2] / "docs" / "examples" / "rigged_host.py"))
    evening = docs["Evening"]()
    evening.end()
    kept = [player.record for player in evening.players]
    answer = run_in_node(WRITING, [each.hex() for each in kept])
    assert len(answer) > 1
    for record, (full, public, code) in zip(kept, answer, strict=True):
        read = records.read_bytes(record)
        assert (full, public) == (record.hex(), records.public(read).hex())
        assert code == records.verify(record, evening.log).code

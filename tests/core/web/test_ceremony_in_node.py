"""The browser's part in a fair deal, in node: what it keeps, what it sends, and when it stops."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TABLE = Path(__file__).parents[3] / "core" / "web" / "table"

SCRIPT = """
import assert from "node:assert/strict";
import { act, draw, hold, note } from "TABLE/ceremony.mjs";
import { rosterBytes, rosterDigest } from "TABLE/reader/trust.mjs";
import { decode, encode } from "TABLE/vault.mjs";

const host = encode(new Uint8Array(32).fill(7)), veil = encode(new Uint8Array(32).fill(8));

// A table of one browser and a bot, whose host waits for the secret of seat 0.
async function table(match) {
  const seat = (who, commitment) => ({ who, commitment, revealed: false, key: null });
  const about = { game: "cake", options: {}, seats: [{ name: "Aki" }, { name: "Bot" }] };
  const trust = { attempt: 1, host, veil, host_key: null, past: [], roster: null, roster_sig: null };
  trust.seats = [seat(0, await draw(match, 0, 1)), seat(2, null)];
  about.trust = trust;
  await note(match, about);
  trust.phase = "revealing";
  trust.roster = encode(rosterOf(match, trust));
  return { match, seat: 0, name: "Aki", publicKey: null, about, rules: 1 };
}

function rosterOf(match, trust, bot = "Bot", { game = "cake", options = {} } = {}) {
  return rosterBytes({
    match, game, rules: 1, options, names: ["Aki", bot], who: [0, 2], attempt: trust.attempt,
    past: trust.past.map(({ roster, refused }) => [decode(roster), refused]), host: decode(trust.host),
    seats: trust.seats.map(({ commitment }) => decode(commitment)), veil: decode(trust.veil),
    hostKey: null, seatKeys: [null, null],
  });
}

const sent = [];
const answers = async (body) => { sent.push(body); return { trust: {}, receipt: null }; };
const lost = async (body) => { sent.push(body); throw new Error("the answer was lost"); };
const failed = (from) => {
  const about = structuredClone(from.about);
  const past = [{ roster: encode(new Uint8Array(32)), refused: [0] }];
  Object.assign(about.trust, { phase: "renewing", attempt: 2, past });
  about.trust.seats[0].commitment = null;
  return { ...from, about };
};

// A secret is drawn once, sent once, and never again whatever match the host says that it is.
const one = await table("one");
assert.equal(await draw("one", 0, 1), one.about.trust.seats[0].commitment);
assert.equal(await act(one, answers), null);
assert.equal(sent.length, 1);
assert.notEqual(await draw("one", 0, 1), one.about.trust.seats[0].commitment);

// After an answer the browser knows that it has revealed; without one the host may honestly say that it has not.
const blamed = await table("blamed");
await act(blamed, answers);
assert.equal(await act(failed(blamed), answers), "blamed");
const unheard = await table("unheard");
await assert.rejects(act(unheard, lost));
sent.length = 0;
assert.equal(await act(failed(unheard), answers), null);
assert.deepEqual(Object.keys(sent[0]), ["attempt", "commitment"]);

// The same roster is told the secret again, another one is not: the host has seen it.
const again = await table("again");
await assert.rejects(act(again, lost));
sent.length = 0;
assert.equal(await act(again, answers), null);
assert.equal(sent.length, 1);
const other = await table("other");
await assert.rejects(act(other, lost));
other.about.seats[1].name = "Zoe";
other.about.trust.roster = encode(rosterOf("other", other.about.trust, "Zoe"));
sent.length = 0;
assert.equal(await act(other, answers), "roster");
assert.equal(sent.length, 0);

// Nor is it told where the past is hidden or is not what happened, nor to another roster of an attempt that was left.
const second = async (match, past) => {
  const first = await table(match);
  assert.equal(await act(first, answers), null);
  const about = structuredClone(first.about);
  Object.assign(about.trust, { attempt: 2, past: past(first.about.trust) });
  about.trust.seats[0].commitment = await draw(match, 0, 2);
  about.trust.roster = encode(rosterOf(match, about.trust));
  sent.length = 0;
  return [first, { ...first, about }];
};
const happened = ({ roster }) => [{ roster: encode(rosterDigest(decode(roster))), refused: [1] }];
assert.equal(await act((await second("hidden", () => []))[1], answers), "roster");
assert.equal(await act((await second("false", () => [{ roster: host, refused: [1] }]))[1], answers), "roster");
assert.equal(sent.length, 0);
const [first, honest] = await second("honest", happened);
assert.equal(await act(honest, answers), null);
first.about.trust.roster = encode(rosterOf("honest", first.about.trust, "Zoe"));
sent.length = 0;
assert.equal(await act(first, answers), "roster");
assert.equal(sent.length, 0);

// The game and its options are those that the seat was taken for.
for (const change of [{ game: "gosne" }, { options: { first: 1 } }]) {
  const bait = await table("bait " + Object.keys(change)[0]);
  Object.assign(bait.about, change);
  bait.about.trust.roster = encode(rosterOf(bait.match, bait.about.trust, "Bot", change));
  assert.equal(await act(bait, answers), "roster");
}

// What was agreed to stays agreed to, whatever the host shows afterwards.
const { trust } = one.about;
const agreed = await hold("one", trust);
assert.ok(agreed.same);
const changed = { ...trust, host: veil };
const held = await hold("one", { ...changed, roster: encode(rosterOf("one", changed)) });
assert.equal(held.same, false);
assert.deepEqual(held.roster, agreed.roster);
assert.equal((await hold("one", { ...trust, host_key: host })).same, false);
console.log("fine");
"""


@pytest.mark.ci
def test_the_browser_keeps_to_what_it_agreed_to(tmp_path):
    node = shutil.which("node") or pytest.skip("needs node")
    script = tmp_path / "ceremony.mjs"
    script.write_text(SCRIPT.replace("TABLE", TABLE.as_posix()), encoding="utf-8")
    done = subprocess.run([node, script.name], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "fine\n"

// The browser's part in a fair deal, and what it holds a host to: `test_record_in_node.py` runs it.
import assert from "node:assert/strict";
import { act, draw, goOn, hold, note, sitDown } from "../../../core/web/table/ceremony.js";
import { agreementMessage, isSigned, revealMessage, rosterBytes, rosterMessage, sha256 } from "../../../core/web/table/formulas.js";
import { decode, encode, get, holdAnew, knowHostKey, newKey, signingKey, strangeHostKey } from "../../../core/web/table/vault.js";

const host = encode(new Uint8Array(32).fill(7)), veil = encode(new Uint8Array(32).fill(8));

// A table of one browser and a bot, whose host waits for the secret of seat 0.
async function table(match, hostKey = null) {
  const seat = (who, commitment) => ({ who, commitment, revealed: false, key: null });
  const about = { game: "cake", options: {}, seats: [{ name: "Aki" }, { name: "Bot" }] };
  const trust = { attempt: 1, host, veil, host_key: hostKey, past: [], roster: null, roster_sig: null };
  trust.seats = [seat(0, await draw(match, 0, 1)), seat(2, null)];
  about.trust = trust;
  await note(match, about);
  trust.phase = "revealing";
  trust.roster = encode(rosterOf(match, trust));
  return { match, seat: 0, name: "Aki", publicKey: null, about, rules: 1 };
}

function rosterOf(match, trust, bot = "Bot", { game = "cake", options = {}, fork = null, name = "Aki" } = {}) {
  return rosterBytes({
    match, game, rules: 1, options, names: [name, bot], who: [0, 2], attempt: trust.attempt,
    past: trust.past.map(({ roster, refused }) => [decode(roster), refused]), host: decode(trust.host),
    seats: trust.seats.map(({ commitment }) => decode(commitment)), veil: decode(trust.veil),
    hostKey: decode(trust.host_key), seatKeys: trust.seats.map(({ key }) => decode(key)), fork,
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
  Object.assign(about.trust, { attempt: 2, past: await past(first.about.trust) });
  about.trust.seats[0].commitment = await draw(match, 0, 2);
  about.trust.roster = encode(rosterOf(match, about.trust));
  sent.length = 0;
  return [first, { ...first, about }];
};
const happened = async ({ roster }) => [{ roster: encode(await sha256(decode(roster))), refused: [1] }];
assert.equal(await act((await second("hidden", () => []))[1], answers), "roster");
assert.equal(await act((await second("false", () => [{ roster: host, refused: [1] }]))[1], answers), "roster");
assert.equal(sent.length, 0);
const [first, honest] = await second("honest", happened);
assert.equal(await act(honest, answers), null);
first.about.trust.roster = encode(rosterOf("honest", first.about.trust, "Zoe"));
sent.length = 0;
assert.equal(await act(first, answers), "roster");
assert.equal(sent.length, 0);

// Nor is it told to a roster with a seat's key under which verifiers would differ.
const weak = await table("weak");
weak.about.trust.seats[1].key = encode(new Uint8Array(32));
weak.about.trust.roster = encode(rosterOf("weak", weak.about.trust));
assert.equal(await act(weak, answers), "roster");
assert.equal(sent.length, 0);

// What is said late of an attempt that was left is no lie, and is not answered.
const [left, next] = await second("late", happened);
assert.equal(await act(next, answers), null);
sent.length = 0;
assert.equal(await act(left, answers), null);
assert.equal(sent.length, 0);

// Two seats of one browser give their secrets to one roster of an attempt.
const pairOf = async (match) => {
  const both = await table(match);
  both.about.trust.seats[1] = { who: 0, commitment: await draw(match, 1, 1), revealed: false, key: null };
  const rosterFor = (names) => encode(rosterBytes({ match, game: "cake", rules: 1, options: {}, names, who: [0, 0], attempt: 1, past: [], host: decode(host),
    seats: both.about.trust.seats.map(({ commitment }) => decode(commitment)), veil: decode(veil), hostKey: null, seatKeys: [null, null] }));
  both.about.trust.roster = rosterFor(["Aki", "Ren"]);
  return [both, { ...both, seat: 1, name: "Ren" }, rosterFor];
};
const [aki, ren] = await pairOf("both");
assert.deepEqual([await act(aki, answers), await act(ren, answers)], [null, null]);
const [akiAlone, renAlone, rosterFor] = await pairOf("apart");
assert.equal(await act(akiAlone, answers), null);
renAlone.about.trust.roster = rosterFor(["Eve", "Ren"]);
sent.length = 0;
assert.equal(await act(renAlone, answers), "roster");
assert.equal(sent.length, 0);

// The game and its options are those that the seat was taken for.
for (const change of [{ game: "gosne" }, { options: { first: 1 } }]) {
  const bait = await table("bait " + Object.keys(change)[0]);
  Object.assign(bait.about, change);
  bait.about.trust.roster = encode(rosterOf(bait.match, bait.about.trust, "Bot", change));
  assert.equal(await act(bait, answers), "roster");
}

// What was agreed to stays agreed to, whatever the host shows afterwards: nothing is taken away unnoticed.
const { about } = one, begun = { status: "going" };
Object.assign(about, begun);
about.seats.forEach((each, seat) => Object.assign(each, { seat, bot: seat ? "easy" : null }));
about.trust.phase = "dealt";
const agreed = await hold("one", about);
assert.deepEqual([agreed.wrong, agreed.isPart, agreed.changed], [null, false, []]);
await sitDown("one", 0, one);
await sitDown("again", 0, again);
const dealt = { ...again.about, seats: about.seats, trust: { ...again.about.trust, phase: "dealt" } };
assert.equal((await hold("again", dealt, [0])).isPart, true);
const shown = async (more, trust = {}) => hold("one", { ...about, ...more, trust: { ...about.trust, ...trust } }, [0], true);
const otherRoster = encode(rosterOf("one", { ...about.trust, host: veil }));
for (const change of [{ roster: otherRoster }, { host_key: host }, { roster: null }, { phase: "joining" }, { roster: "AAAA" }, { roster: "!" }, { roster: 7 }]) {
  const held = await shown({}, change);
  assert.equal(held.wrong, "changed", JSON.stringify(change));
  assert.deepEqual(held.roster, agreed.roster);
}
for (const change of [{ trust: null }, { trust: undefined }]) assert.equal((await hold("one", { ...about, ...change }, [], true)).wrong, "changed");
for (const facts of [7, [{ name: 7, bot: null }, about.seats[1]], [null, null]]) assert.equal((await shown({ seats: facts })).wrong, "changed");

// A deal is held once: what was agreed to is not given up for another attempt, and no secret is.
const undone = structuredClone(one.about);
Object.assign(undone.trust, { phase: "renewing", attempt: 2, past: [{ roster: encode(await sha256(agreed.roster)), refused: [1] }], roster: null });
undone.trust.seats[0].commitment = null;
sent.length = 0;
assert.equal(await act({ ...one, about: undone }, answers), null);
assert.equal(sent.length, 0);
assert.equal((await hold("one", undone, [0], true)).wrong, "changed");

const seats = (...names) => ({ seats: names.map((name, seat) => ({ seat, name, bot: seat ? "easy" : null })) });
assert.equal((await shown(seats("Aki", "Zoe"))).wrong, "changed");
assert.equal((await shown({ seats: [about.seats[0], { ...about.seats[1], bot: null }] })).wrong, "changed");
for (const name of ["Bot (1)", "Bot", "B…"]) assert.equal((await shown(seats("Aki", name))).wrong, null, name);

// Nor does it deal without the secret that a seat was taken with, nor begin and show no agreement, nor another game, nor a fork.
const bare = await table("bare");
const bareSeats = seats("Aki", "Bot").seats;
Object.assign(bare.about, { fair: true, seats: bareSeats, ...begun });
await sitDown("bare", 0, bare);
bare.about.trust.phase = "joining";
assert.equal((await hold("bare", bare.about, [0], true)).wrong, "changed");
assert.equal(await hold("bare", bare.about, [0], false), null);
bare.about.trust.phase = "dealt";
assert.equal((await hold("bare", bare.about, [0], true)).wrong, "unasked");
assert.equal((await hold("bare", bare.about, [0], true)).wrong, "unasked", "the next time, too");
for (const [name, more] of Object.entries({ game: { game: "gosne" }, options: { options: { first: 1 } }, key: { hostKey: veil }, name: { name: "Eve" }, fork: { fork: { match: "m", seq: 3 } } })) {
  const bait = await table(name);
  Object.assign(bait.about, { fair: false, seats: bareSeats });
  bait.about.trust.phase = "dealt";
  const { name: as = "Aki", hostKey = null, fork = null, ...said } = more;
  bait.about.trust.roster = encode(rosterOf(name, bait.about.trust, "Bot", { fork }));
  await sitDown(name, 0, { ...bait, name: as, about: { ...bait.about, ...said, trust: { ...bait.about.trust, host_key: hostKey } } });
  assert.equal((await hold(name, bait.about, [0], true)).wrong, "changed", name);
}

// A host keeps a name in NFC, without blanks around it, however it was typed; any other name is a lie.
for (const [typed, name, isSame] of [["か\u3099 ", "が", true], ["\x85Aki\x1f", "Aki", true], ["ﬁ", "fi", false]]) {
  const named = { ...(await table(`named ${name}`)), name: typed };
  named.about.trust.roster = encode(rosterOf(named.match, named.about.trust, "Bot", { name }));
  assert.equal(await act(named, answers), isSame ? null : "roster", name);
  Object.assign(named.about, { fair: false, seats: [{ ...bareSeats[0], name }, bareSeats[1]] });
  named.about.trust.phase = "dealt";
  await sitDown(named.match, 0, named);
  assert.equal((await hold(named.match, named.about, [0], true)).wrong, isSame ? null : "changed", name);
}

// A fork's seat goes on under its key, and is told if the fork has another; nothing was said of the fork as it was taken.
const forked = async (fork, seatKeys) => {
  const shared = await table(fork);
  Object.assign(shared.about, { fair: false, seats: bareSeats });
  const names = ["Aki", "Bot"];
  const roster = rosterBytes({ match: fork, game: "cake", rules: 1, options: {}, names, who: null, attempt: 0, past: [], host: null, seats: null, veil: decode(veil), hostKey: null, seatKeys });
  Object.assign(shared.about.trust, { phase: "dealt", attempt: 0, roster: encode(roster) });
  await goOn("parent", fork, 0);
  return (await hold(fork, shared.about, [0], true)).wrong;
};
const [ownKey, otherKey] = [await newKey(), await newKey()];
await sitDown("parent", 0, { ...one, publicKey: encode(ownKey) });
assert.equal(await forked("fork", [ownKey, null]), null);
assert.equal(await forked("false fork", [otherKey, null]), "key");
assert.equal(await forked("bare fork", [null, null]), "key");

// The roster of a deal that is not fair is the host's word too: it is signed, or that is told.
const plain = await table("plain", host);
Object.assign(plain.about, { fair: false, seats: bareSeats });
plain.about.trust.phase = "dealt";
await sitDown("plain", 0, plain);
const unsigned = { ...plain.about, trust: { ...plain.about.trust, roster: encode(rosterOf("plain", plain.about.trust)) } };
for (const sig of [null, "AAAA", encode(new Uint8Array(64))]) {
  unsigned.trust.roster_sig = sig;
  assert.equal((await hold("plain", unsigned, [0], true)).wrong, "signature");
}

// What is no signature makes the record none, though nobody can check it.
Object.assign(unsigned.trust, { host_key: null, roster_sig: "AAAA", roster: encode(rosterOf("plain", { ...plain.about.trust, host_key: null })) });
assert.equal((await hold("plain", unsigned, [], true)).wrong, "signature");

// Nothing was said of marks and keys where an older host had opened the match; newer rules may have more options.
const older = await table("older", null);
Object.assign(older.about, { fair: false, seats: bareSeats });
await sitDown("older", 0, { ...older, about: { ...older.about, trust: null } });
older.about.trust.phase = "dealt";
assert.equal((await hold("older", older.about, [0], true)).wrong, null);
for (const [rules, wrong] of [[0, null], [1, "changed"], [null, "changed"]]) {
  const grown = await table(`grown ${rules}`);
  Object.assign(grown.about, { fair: false, seats: bareSeats });
  grown.about.trust.roster = encode(rosterOf(grown.match, grown.about.trust, "Bot", { options: { first: 0 } }));
  grown.about.trust.phase = "dealt";
  await sitDown(grown.match, 0, { ...grown, rules });
  assert.equal((await hold(grown.match, grown.about, [0], true)).wrong, wrong);
}

// Who sits elsewhere than was told as a seat was taken is told, once the roster says so.
const moved = await table("moved");
Object.assign(moved.about, { fair: false, seats: seats("Aki", "Zoe").seats });
await sitDown("moved", 0, moved);
Object.assign(moved.about, { seats: bareSeats });
moved.about.trust.phase = "dealt";
assert.deepEqual((await hold("moved", moved.about, [0], true)).changed, [[1, "Zoe"]]);
const human = { ...moved.about, seats: [bareSeats[0], { ...bareSeats[1], bot: null }] };
await sitDown("moved", 0, { ...moved, about: human });
assert.deepEqual((await hold("moved", moved.about, [0], true)).changed, [[1, "Bot"]]);

// The host's receipt is kept once it has been checked, and asked for until there is one, after the deal, too.
const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
const key = encode(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
const signedBy = async (message) => encode(new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, message)));
const keyed = await table("keyed", key);
const digest = await sha256(decode(keyed.about.trust.roster));
keyed.about.trust.roster_sig = await signedBy(rosterMessage(digest));
sent.length = 0;
await assert.rejects(act(keyed, lost));
assert.equal(await act(keyed, answers), "signature");
keyed.about.trust.seats[0].revealed = true;
assert.equal(await act(keyed, answers), "signature", "that it has the secret is no receipt");
keyed.about.trust.phase = "dealt";
const receipt = await signedBy(revealMessage(digest, 1, 0));
const signing = async (body) => { sent.push(body); return { trust: {}, receipt }; };
assert.equal(await act(keyed, signing), null);
assert.equal(new Set(sent.map((body) => JSON.stringify(body))).size, 1);
assert.equal(sent.length, 4);
assert.equal(await act(keyed, signing), null);
assert.equal(sent.length, 4);
assert.deepEqual((await get("deals", ["keyed", 0, 1])).receipt, decode(receipt));

// A seat with a key signs the roster that it gives its secret to.
const signer = await newKey(), agrees = await table("agrees");
agrees.publicKey = encode(signer);
agrees.about.trust.seats[0].key = agrees.publicKey;
agrees.about.trust.roster = encode(rosterOf("agrees", agrees.about.trust));
sent.length = 0;
assert.equal(await act(agrees, answers), null);
const [{ sig, roster: agreedTo }] = sent;
assert.ok(await isSigned(signer, agreementMessage(decode(agreedTo), 0), decode(sig)));

// A host that had no key, and has one, cannot go back to none unnoticed; nor is a match that never had one warned of.
assert.equal(await strangeHostKey("m", null), null);
assert.equal(await strangeHostKey("m2", host), null);
assert.equal(await strangeHostKey("m", null), null);
assert.equal(await strangeHostKey("m3", null), host);
assert.equal(await strangeHostKey("m3", veil), host);
await knowHostKey("m3", null);
assert.equal(await strangeHostKey("m3", null), null);
assert.equal(await strangeHostKey("m4", host), null);
assert.equal(await strangeHostKey("m5", null), host);

// A seat signs under the key of the roster, though the host says that it signs nothing; but for one brought anew by a link.
const mine = await newKey(), other32 = new Uint8Array(32).fill(9);
assert.equal(await signingKey("s", 0, mine, false), encode(mine));
assert.equal(await signingKey("s", 0, other32, false), null);
assert.equal(await signingKey("s", 0, other32, true), encode(other32));
assert.equal(await signingKey("s", 0, null, true), null);
await holdAnew("s", 0);
assert.equal(await signingKey("s", 0, mine, false), encode(mine), "it had not sat down there");
await sitDown("s", 0, one);
await holdAnew("s", 0);
assert.deepEqual([await signingKey("s", 0, mine, false), await signingKey("s", 0, mine, true)], [null, encode(mine)]);
console.log("fine");

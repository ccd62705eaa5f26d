// The table page's part in trust, `trust.js`, at a server that answers as it likes: `test_record_in_node.py` runs it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { canonical } from "../../../core/web/table/canonical.js";
import { commandMessage, rosterBytes, sha256, wishMessage } from "../../../core/web/table/formulas.js";
import { draw, sitDown } from "../../../core/web/table/ceremony.js";
import { SeatRecord } from "../../../core/web/table/record.js";
import { encode, get, put } from "../../../core/web/table/vault.js";

const TABLE = new URL("../../../core/web/table/", import.meta.url);
const text = readFileSync(new URL("trust.js", TABLE), "utf8").replaceAll('import("./', `import("${TABLE}`);
const page = await import(`data:text/javascript,${encodeURIComponent(`${text}\nexport { holdRoster, keepLook, keepTold, keepView, signCommand, signConsent, signHere, takeSeat, tendDeal, trustLoaded };`)}`);
await page.trustLoaded();

let answer = null, asked = [];
const unanswered = () => Object.assign(new Error("no answer"), { againMs: 5 });
const refused = (status) => Object.assign(new Error("refused"), { problem: { status } });
Object.assign(globalThis, {
  game: null, ASK_AGAIN_MS: 5, say: (key) => key, drawBar: () => null, update: Object.assign, loadGames: async () => ({ games: [] }), refresh: () => null, seatsHere: () => [0], keyOf: () => "key",
  request: async (path, more = {}) => { asked.push(path); return answer(path, more); },
});
const veil = new Uint8Array(32).fill(8);
const seats = ["Aki", "Ren"].map((name, seat) => ({ seat, name, bot: null }));
const rosterFor = (match, names = ["Aki", "Ren"], seatKeys = [null, null]) => encode(rosterBytes({ match, game: "cake", rules: 1, options: {}, names, who: null, attempt: 0, past: [],
  host: null, seats: null, veil, hostKey: null, seatKeys }));
const dealt = (match) => ({ fair: false, game: "cake", options: {}, status: "going", seats,
  trust: { phase: "dealt", attempt: 0, host: null, veil: encode(veil), host_key: null, past: [], roster: rosterFor(match), roster_sig: null, seats: [{ signs: false }, { signs: false }] } });
const joining = (match) => ({ ...dealt(match), status: "open", trust: { ...dealt(match).trust, phase: "joining", roster: null } });

// Sit down at a table, and open its record.
async function at(match, about = dealt(match)) {
  asked = [];
  answer = () => dealt(match);
  await sitDown(match, 0, { name: "Aki", publicKey: null, about: joining(match) });
  globalThis.game = { match, viewer: 0, about, alarm: null, trouble: null, changed: null, rules: { rules_version: 1 } };
  const record = await SeatRecord.open(match, 0);
  await page.holdRoster(game, record);
  return record;
}
const evidence = (told, mark = new Uint8Array(32).fill(1)) => ({ told: encode(canonical(told)), salt: encode(new Uint8Array(16)), mark: encode(mark), sig: null });
const event = (seq) => ({ seq, seat: 0, tag: "pass", fields: {}, redacted: false, elapsed_ms: null, actor: null, notes: [{ rule: null, begins: null, number: null }],
  ...evidence([seq, 0, "pass", {}, false, null, null, []], new Uint8Array(32).fill(seq + 1)) });
const later = () => new Promise((done) => setTimeout(done, 300));

// What is told is kept; what no reader takes is an alarm and not kept, and what follows is told all the same.
const odd = [[], [1, 0, "pass", { deep: Array(200).fill().reduce((each) => [each], [1]) }, false, null, null, []], [1, 0, "pass", {}, false, null, null, [], 7], [1, 0, "pass", [], false, null, null, []], [1, 0, "pass", {}, false, null, null, [["a", null, 1, null]]]].map((told) => ({ told: encode(canonical(told)) }));
for (const wrong of [{ told: "!" }, { told: encode(new Uint8Array([0xc1])) }, { mark: undefined }, { notes: 7 }, { seq: "one" }, ...odd, { mark: encode(new Uint8Array(31)) }, { salt: encode(new Uint8Array(15)) }, { sig: encode(new Uint8Array(63)) }, { told: encode([0x98, 0xcc, 1, ...canonical([1, 0, "pass", {}, false, null, null, []]).slice(2)]) }]) {
  const record = await at(`told ${JSON.stringify(wrong)}`);
  await page.keepTold(game, record, { event: event(0) });
  assert.deepEqual([game.alarm, record.entries.length], [null, 1]);
  await page.keepTold(game, record, { event: { ...event(1), ...wrong } });
  const kept = record.entries.length;
  assert.deepEqual([game.alarm, kept], ["told", wrong.notes ? 2 : 1], JSON.stringify(wrong));
  await page.keepTold(game, record, { event: event(2) });
  assert.equal(record.entries.length, kept + 1);
}
const ends = await at("ends");
await page.keepTold(game, ends, { ended: { number: 1, proposals: 7, ...evidence([1, "over", null, null]) } });
assert.deepEqual([game.alarm, ends.entries.length], ["told", 1]);

// An end that is told under two marks is two ends.
const twice = await at("twice");
for (const [mark, alarm] of [[1, null], [1, null], [2, "mark"]]) {
  await page.keepTold(game, twice, { ended: { number: 1, proposals: [], ...evidence([1, "abandoned", null, null], new Uint8Array(32).fill(mark)) } });
  assert.equal(game.alarm, alarm);
}

// Without an answer nothing is convicted, and what was told is kept nevertheless.
for (const error of [unanswered(), refused(500)]) {
  const match = `offline ${error.message}`, record = await at(match, joining(match));
  answer = () => { throw error; };
  await page.keepTold(game, record, { event: event(0) });
  assert.deepEqual([game.alarm, game.trouble, record.entries.length], [null, error.message, 1]);
}

// An event, a look or an end that is shown and not told is an alarm; but not a look that was asked for before the deal.
const untold = await at("untold");
await page.keepTold(game, untold, { event: { ...event(0), told: undefined } });
assert.equal(game.alarm, "told");
for (const [wasHeld, alarm] of [[true, "told"], [false, null]]) {
  const record = await at(`look ${wasHeld}`);
  await page.keepLook(game, record, { count: 0 }, wasHeld);
  assert.equal(game.alarm, alarm);
}
const unended = await at("unended");
await page.keepLook(game, unended, { count: 0, status: "over", ...evidence([0, {}]) }, true);
assert.equal(game.alarm, "told");

// What was said before the deal may come after it. That is asked anew, and only an answer convicts.
const slow = await at("slow");
game.about = joining("slow");
await page.holdRoster(game, slow);
assert.deepEqual([game.alarm, game.about.status], [null, "going"]);
game.about = joining("slow");
answer = () => { throw unanswered(); };
await page.holdRoster(game, slow);
assert.equal(game.alarm, null);
answer = () => joining("slow");
await later();
assert.equal(game.alarm, "changed");

// Who was removed before the deal, unseen, is held to nothing by a key that opens no seat; whose key does is.
const other = (match) => ({ ...dealt(match), seats: [{ ...seats[0], name: "Eve" }, seats[1]], trust: { ...dealt(match).trust, roster: rosterFor(match, ["Eve", "Ren"]) } });
for (const [status, alarm] of [[401, null], [500, "changed"], [null, "changed"]]) {
  const record = await at(`removed ${status}`, joining("none"));
  game.about = other(game.match);
  answer = () => { if (status) throw refused(status); return {}; };
  await page.holdRoster(game, record);
  assert.equal(game.alarm, alarm, String(status));
}

// A takeback, or an end, is consented to only of the moment that is shown; a fork leaves the match as it is.
const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
const publicKey = encode(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
await put("keys", publicKey, pair.privateKey);
game = { match: "consent", viewer: 0, observation: { count: 2 }, record: await SeatRecord.open("consent", 0) };
for (const seq of [0, 1]) await game.record.tell(0, seq, event(seq));
const of = new Uint8Array(32).fill(5);
Object.assign(game.record, { signingKey: publicKey, of });
for (const kind of ["take_back", "abandon"]) await assert.rejects(page.signConsent(game, {}, { kind, target: 0, count: 1 }), /proposal-old/);
for (const [kind, count] of [["take_back", 2], ["abandon", 2], ["fork", 1]]) {
  const { sig } = await page.signConsent(game, {}, { kind, target: 0, count });
  const message = wishMessage(of, 0, count, game.record.marks.get(count), kind, 0);
  assert.ok(await crypto.subtle.verify("Ed25519", pair.publicKey, Uint8Array.from(Buffer.from(sig, "base64url")), message));
}

// A second answer to one moment names the first, also after a reload, or another moment; another moment's names none.
const answer2 = (at) => ({ expected_events: at, idempotency_key: "00".repeat(16), tag: "pass", fields: {} });
const signed = [];
for (const [at, isReplacing] of [[1, false], [1, true], [1, true], [2, false], [1, true]]) {
  const body = answer2(at), { message } = await page.signCommand(game, body);
  assert.deepEqual(body.replaced ? Buffer.from(body.replaced, "base64url") : null, isReplacing ? Buffer.from(signed[at]) : null);
  assert.deepEqual(message, commandMessage(of, 0, at, game.record.marks.get(at), "pass", {}, new Uint8Array(16), isReplacing ? signed[at] : null));
  signed[at] = await sha256(message);
}
// A host may show one match under two addresses: its roster is the same.
const moved = answer2(2);
await page.signCommand({ ...game, match: "consent elsewhere" }, moved);
assert.deepEqual(Buffer.from(moved.replaced, "base64url"), Buffer.from(signed[2]));
// Two that are signed at once, as by two tabs or a card tapped twice, are signed one after the other.
const turns = new Map();
Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks: { request: (name, act) => turns.set(name, (turns.get(name) ?? Promise.resolve()).then(act)).get(name) } } });
const both = [answer2(2), answer2(2)];
await Promise.all(both.map((body) => page.signCommand(game, body)));
assert.notDeepEqual(both[0].replaced, both[1].replaced, "the later one names the earlier one");
delete globalThis.navigator;
await assert.rejects(page.signConsent(game, {}, { kind: "fork", target: 0, count: 7 }), /alarm-told/, "there is no mark of it");

const deep = Array(200).fill().reduce((each) => [each], [1]);
await assert.rejects(page.signCommand(game, { ...answer2(2), fields: { deep } }), /alarm-told/, "no record holds it");

// Under a roster of another match, or with another key of one's seat, nothing is signed.
for (const [match, named, alarm] of [["shown as another", "consent", "changed"], ["another key", "another key", "key"]]) {
  const about = dealt(match);
  Object.assign(about.trust, { roster: rosterFor(named, ["Aki", "Ren"], [Uint8Array.from(Buffer.from(publicKey, "base64url")), null]), seats: [{ signs: true }, { signs: false }] });
  const record = await at(match, about);
  game.record = record;
  await record.tell(0, 0, event(0));
  assert.deepEqual([game.alarm, record.signingKey], [alarm, publicKey]);
  await assert.rejects(page.signCommand(game, answer2(1)), new RegExp(`alarm-${alarm}`));
}

// A step of a deal that seems wrong is asked anew; one that was not answered is made again.
const deal = async (match) => {
  const commitment = await draw(match, 0, 1), host = encode(new Uint8Array(32).fill(7));
  const trust = { phase: "revealing", attempt: 1, host, veil: encode(veil), host_key: null, past: [], roster_sig: null, deadline_at_ms: null,
    seats: [{ who: 0, commitment, revealed: false, key: null }, { who: 2, commitment: null, revealed: false, key: null }] };
  const bytes = (value) => Uint8Array.from(Buffer.from(value, "base64url"));
  trust.roster = encode(rosterBytes({ match, game: "cake", rules: 1, options: {}, names: ["Aki", "Bot"], who: [0, 2], attempt: 1, past: [], host: bytes(host), seats: [bytes(commitment), null], veil, hostKey: null, seatKeys: [null, null] }));
  const about = { fair: true, game: "cake", options: {}, status: "open", seats: [seats[0], { seat: 1, name: "Bot", bot: "easy" }], trust };
  await sitDown(match, 0, { name: "Aki", publicKey: null, about });
  game = { match, viewer: 0, about, alarm: null, rules: { rules_version: 1 } };
  asked = [];
  return about;
};
const fits = await deal("late");
game.about = { ...fits, trust: { ...fits.trust, roster: rosterFor("late") } };
answer = (path) => (path.endsWith("/fair") ? { receipt: null } : fits);
await page.tendDeal();
assert.deepEqual([game.alarm, (await get("deals", ["late", 0, 1])).answered], [null, true]);
const lies = await deal("lies");
game.about = { ...lies, trust: { ...lies.trust, roster: rosterFor("lies") } };
answer = () => game.about;
await page.tendDeal();
assert.equal(game.alarm, "roster");
assert.ok(!asked.some((path) => path.endsWith("/fair")));
const breaks = await deal("breaks");
answer = () => { throw unanswered(); };
await page.tendDeal();
answer = (path) => (path.endsWith("/fair") ? { receipt: null } : breaks);
await later();
assert.deepEqual([game.alarm, (await get("deals", ["breaks", 0, 1])).answered], [null, true]);

// Without its secret a seat says so; for the next attempt one is drawn, and nothing else is silenced meanwhile.
const lost = await deal("lost");
await put("deals", ["lost", 0, 1], null);
answer = () => game.about;
await page.tendDeal();
assert.deepEqual([game.noSecret, game.alarm], [true, null]);
const [own, bot] = lost.trust.seats;
game.about = { ...lost, trust: { ...lost.trust, phase: "renewing", attempt: 2, host: encode(new Uint8Array(32).fill(9)), past: [{ roster: lost.trust.roster, refused: [0] }], seats: [{ ...own, commitment: null }, bot] } };
asked = [];
await page.tendDeal();
assert.deepEqual([game.noSecret, game.alarm, asked.includes("matches/lost/fair")], [false, null, true]);

// Of two tabs that take one seat at once one has it, and the secret that it has committed to is the one that is kept.
const queues = new Map();
const locks = { request: (name, act) => { const turn = (queues.get(name) ?? Promise.resolve()).then(act); queues.set(name, turn.catch(() => null)); return turn; } };
Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
const free = { ...joining("tabs"), fair: true, seats: [{ seat: 0, name: null, bot: null }, seats[1]] };
const sent = [];
answer = async (path, { body }) => { sent.push(body.commitment); if (sent.length > 1) throw refused(409); return { seat: 0, key: "key" }; };
const taken = await Promise.allSettled([1, 2].map(() => page.takeSeat("tabs", "Aki", free)));
assert.deepEqual(taken.map(({ status }) => status), ["fulfilled", "rejected"]);
const secret = await get("deals", ["tabs", 0, 1]);
assert.deepEqual(sent, [await draw("tabs", 0, 1), await draw("tabs", 0, 1)]);
await put("deals", ["tabs", 0, 1], { ...secret, sent: true });
await assert.rejects(page.takeSeat("tabs", "Aki", free), /seat-is-here/);
assert.deepEqual([await get("deals", ["tabs", 0, 1]), sent.length], [{ ...secret, sent: true }, 2], "what was shown is not drawn anew");

// A look at an earlier moment is kept, and says what was told of that moment.
const looks = await at("looks");
await page.keepView(game, looks, { count: 3, ...evidence([3, {}]) }, 3);
assert.deepEqual([game.alarm, looks.entries.map(([kind, number]) => [kind, number])], [null, [[1, 3]]]);
await page.keepView(game, looks, { count: 2, ...evidence([2, {}]) }, 1);
assert.equal(game.alarm, "told");
console.log("fine");
process.exit(0);

// A seat's part in a fair deal: it draws a secret, commits to it, compares the roster, and only then reveals.

import { decode as unpack } from "./msgpack.js";
import { canonical, equal } from "./canonical.js";
import { agreementMessage, canSign, commitment, isSigned, isWeak, revealMessage, rosterBytes, rosterMessage, sha256 } from "./formulas.js";
import { isRoster } from "./record.js";
import { alone, decode, encode, get, put, sign } from "./vault.js";

/** Draw a secret for an attempt, keep it, and return the commitment to it, in base64url. One that was sent is never drawn again. */
export async function draw(match, seat, attempt) {
  const key = [match, seat, attempt];
  const kept = await get("deals", key);
  const isFresh = kept && !kept.sent;
  const secret = isFresh ? kept.secret : crypto.getRandomValues(new Uint8Array(32));
  if (!isFresh) await put("deals", key, { secret, sent: false, answered: false });
  return encode(await commitment(match, attempt, seat, secret));
}

/** Note what the host has published, the first time that it is seen: the seat holds it to that. */
export async function note(match, { trust, ...known }) {
  const first = (await get("deals", [match, "first"])) ?? { veil: trust.veil, host_key: trust.host_key, hosts: {}, past: [], ...known };
  first.hosts[trust.attempt] ??= trust.host;
  const kept = JSON.stringify(trust.past.slice(0, first.past.length)) === JSON.stringify(first.past);
  if (kept) first.past = trust.past;
  await put("deals", [match, "first"], first);
  return { ...first, kept, latest: Math.max(...Object.keys(first.hosts)) };
}

/** Do what a seat is asked for now, by `send`; returns null, or what is wrong: `roster`, `signature`, `blamed`, `lost` (its secret). */
export function act(seated, send) {
  return alone(`${seated.match} ${seated.seat}`, () => actAlone(seated, send));
}

async function actAlone({ match, seat, name, publicKey, about, rules }, send) {
  const { trust } = about;
  if (trust.seats[seat].who !== 0 || !["revealing", "renewing", "dealt"].includes(trust.phase)) return null;
  const kept = await get("deals", [match, seat, trust.attempt]);
  if (trust.phase === "dealt") return kept?.sent && !kept.answered ? reveal(match, seat, trust, publicKey, kept, send) : null;
  const before = await agreed(match);
  if (before?.dealt) return null; // said before the deal, or taken back: `hold` tells which
  const first = await note(match, { trust });
  for (const [at, { refused }] of trust.past.entries()) {
    if (refused.includes(seat) && (await get("deals", [match, seat, at + 1]))?.answered) return "blamed";
  }
  const roster = decode(trust.roster), digest = roster && (await sha256(roster));
  if (trust.attempt < first.latest) return kept?.sent && digest && !equal(kept.roster, digest) ? "roster" : null; // it came late
  if (trust.phase === "renewing") {
    if (trust.seats[seat].commitment === null) await send({ attempt: trust.attempt, commitment: await draw(match, seat, trust.attempt) });
    return null;
  }
  if (!kept) return trust.seats[seat].revealed ? null : "lost";
  if (!(await isExpected({ match, seat, name, publicKey, about, rules, first, secret: kept.secret }, roster))) return "roster";
  if (kept.sent && !equal(kept.roster, digest)) return "roster"; // it was another one
  if (before?.attempt === trust.attempt && !equal(before.roster, roster)) return "roster"; // another seat here was shown another one
  if (!(await hasOwnPast(match, seat, trust.past))) return "roster";
  if (kept.answered) return null;
  if (!(await isHosts(decode(trust.host_key), rosterMessage(digest), decode(trust.roster_sig)))) return "signature";
  await put("deals", [match, "agreed"], { attempt: trust.attempt, roster, sig: decode(trust.roster_sig), hostKey: decode(trust.host_key) });
  return reveal(match, seat, trust, publicKey, { ...kept, sent: true, roster: digest }, send);
}

/** Give the secret to the roster that it is for, which a seat with a key signs, and keep the host's receipt: without one it is asked for again. */
async function reveal(match, seat, { attempt, host_key: hostKey }, publicKey, kept, send) {
  const key = [match, seat, attempt];
  await put("deals", key, kept);
  const signed = publicKey && (await sign(publicKey, agreementMessage(kept.roster, seat)));
  const { receipt } = await send({ attempt, roster: encode(kept.roster), secret: encode(kept.secret), ...(signed ? { sig: encode(signed) } : {}) });
  if (!(await isHosts(decode(hostKey), revealMessage(kept.roster, attempt, seat), decode(receipt)))) return "signature";
  await put("deals", key, { ...kept, answered: true, receipt: decode(receipt) });
  return null;
}

/** Tell whether the attempts that have failed are, as far as this browser gave its secret to them, those that it saw. */
async function hasOwnPast(match, seat, past) {
  for (const [at, { roster }] of past.entries()) {
    const kept = await get("deals", [match, seat, at + 1]);
    if (kept?.sent && !equal(kept.roster, decode(roster))) return false;
  }
  return true;
}

/** The roster that this browser has agreed to, signature and host's key: the one that it gave its secret to, else the first that it saw. */
export const agreed = async (match) => (await get("deals", [match, "agreed"])) ?? null;

// A name as hosts keep it: in Unicode's form NFC, without blanks around it.
const keptName = (name) => name.normalize("NFC").replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g, "");

/** Keep what a seat was taken for: all that the host said of the match then. */
export async function sitDown(match, seat, { name, publicKey, about: { fair, game, options, seats, trust }, rules = null }) {
  const said = { fair, game, rules, options, seats, veil: trust?.veil ?? null, hostKey: trust?.host_key ?? null };
  await put("deals", [match, seat, "joined"], { name, publicKey, said });
}

/** Keep of a seat that goes on in a fork under which name and key it does. */
export async function goOn(match, fork, seat) {
  const joined = await get("deals", [match, seat, "joined"]);
  if (!joined) return;
  await put("deals", [fork, seat, "joined"], { name: joined.name, publicKey: joined.publicKey });
  if (await get("deals", [match, seat, "new holder"])) await put("deals", [fork, seat, "new holder"], true);
}

// Hold the host to the roster agreed to: where there was no reveal, to the first one seen. `here` are the seats of this browser,
// `hasBegun` whether something was told. Returns null before there is one; `wrong`: `changed`, `key`, `signature`, `unasked`.
export async function hold(match, about, here = [], hasBegun = false) {
  const kept = await agreed(match);
  const joined = (await Promise.all(here.map(async (seat) => ({ seat, ...(await get("deals", [match, seat, "joined"])) })))).filter(({ name }) => name !== undefined);
  const { trust } = about;
  if (!trust?.roster || trust.phase !== "dealt") {
    if (kept?.dealt) return heldTo(match, kept, about, joined, "changed");
    return hasBegun && (trust || kept || joined.length) ? { roster: null, wrong: "changed", changed: [] } : null;
  }
  const shown = { attempt: trust.attempt, roster: decode(trust.roster), sig: decode(trust.roster_sig), hostKey: decode(trust.host_key) };
  if (kept) {
    const isSame = equal(kept.roster, shown.roster) && sameBytes(kept.hostKey, shown.hostKey);
    if (isSame && !kept.dealt) await put("deals", [match, "agreed"], { ...kept, dealt: true });
    return heldTo(match, kept, about, joined, isSame ? null : "changed");
  }
  if (joined.some(({ said }) => said?.fair)) return heldTo(match, shown, about, joined, "unasked");
  const held = await heldTo(match, shown, about, joined, null);
  if (held.wrong === null) await put("deals", [match, "agreed"], { ...shown, dealt: true });
  return held;
}

const sameBytes = (one, other) => encode(one ?? []) === encode(other ?? []);

// What a roster says, beside what the host says otherwise and what it said as the seats of this browser were taken.
async function heldTo(match, { roster, sig, hostKey }, about, joined, wrong) {
  const value = valueOf(roster);
  if (value === null) return { roster: null, wrong: "changed", changed: [] };
  const { isAsSaid, changed } = compared(match, value, hostKey, about, joined);
  const isKeyed = joined.every(({ seat, publicKey }) => sameBytes(decode(publicKey), value[13][seat]));
  const digest = await sha256(roster);
  const isSigned = (sig === null || sig.length === 64) && (await isHosts(hostKey, rosterMessage(digest), sig));
  const parts = await Promise.all(joined.map(({ seat }) => get("deals", [match, seat, value[7]])));
  return {
    roster, sig, hostKey, value, changed, digest,
    isPart: parts.some((part) => part?.sent && equal(part.roster, digest)),
    wrong: wrong ?? (!isAsSaid ? "changed" : !isKeyed ? "key" : !isSigned ? "signature" : null),
  };
}

// Whether a roster says what the host says now and said as the seats here were taken, and who has changed since. Of a match
// that an older host had opened nothing was said of marks and keys.
function compared(match, value, hostKey, about, joined) {
  const [, of, game, rules, options, names, who] = value, veil = value[11], fork = value[14];
  // rules that have become newer before the deal may have more options, at their defaults
  const isNewer = (said) => said.rules !== null && rules > said.rules;
  const known = (said) => (isNewer(said) ? Object.fromEntries(Object.entries(options).filter(([key]) => key in said.options)) : options);
  try {
    const isOf = of === match && sameBytes(value[12], hostKey) && about.seats.length === names.length
      && about.seats.every(({ name, bot }, seat) => isNamed(name, names[seat], seat) && (who === null || (bot !== null) === (who[seat] === 2)));
    const asJoined = joined.every(({ seat, name, said }) => names[seat] === keptName(name) && (!said || (said.game === game && fork === null
      && sameBytes(canonical(said.options), canonical(known(said)))
      && (said.veil === null || (sameBytes(decode(said.veil), veil) && sameBytes(decode(said.hostKey), hostKey))))));
    return { isAsSaid: isOf && asJoined, changed: changedSince(joined, value, about.seats) };
  } catch {
    return { isAsSaid: false, changed: [] };
  }
}

// What a roster says; nothing of one that no reader takes, or under whose seats' keys verifiers would differ.
function valueOf(roster) {
  const value = isRoster(roster) ? unpack(roster, 0)[0] : null;
  return value?.[13].some((key) => key !== null && isWeak(key)) ? null : value;
}

// The other seats that are not as they were told when a seat here was taken: `[seat, name then]`.
function changedSince(joined, [, , , , , names, who], seats) {
  const own = joined.map(({ seat }) => seat), found = new Map();
  for (const { said } of joined) {
    for (const { seat, name, bot } of said?.seats ?? []) {
      const now = who !== null && who[seat] !== 2 ? null : seats[seat]?.bot ?? null;
      if (!own.includes(seat) && name !== null && !(isNamed(name, names[seat], seat) && now === bot)) found.set(seat, name);
    }
  }
  return [...found];
}

// Whether a name is shown so: without what cannot be seen, cut if it is long, with the seat's number if two are the same.
function isNamed(shown, name, seat) {
  const letters = (text) => text.normalize("NFC").replace(/[^\p{L}\p{N}\p{P}\p{S}]|[\u2400-\u2426\ufffd]/gu, "");
  const bare = (shown ?? "").replace(new RegExp(` \\(${seat}\\)$`), "");
  const whole = letters(name ?? "");
  return whole === "" || letters(shown ?? "") === whole || letters(bare) === whole || (bare.endsWith("…") && whole.startsWith(letters(bare.slice(0, -1))));
}

// Whether a message is signed by the host, or not at all if that has no key; in a browser that cannot check, it is not asked.
async function isHosts(hostKey, message, sig) {
  if (hostKey === null) return sig === null;
  return !(await canSign()) || (sig !== null && isSigned(hostKey, message, sig));
}

/** Tell whether the roster is, byte by byte, the one that this seat makes of what it knows and of the others' parts. */
async function isExpected({ match, seat, name, publicKey, about, rules, first, secret }, roster) {
  const { trust } = about;
  if (!first.kept || trust.veil !== first.veil || trust.host_key !== first.host_key) return false;
  if (trust.past.length !== trust.attempt - 1) return false;
  const value = valueOf(roster);
  if (!Array.isArray(value?.[6])) return false;
  const [, , , , , names, who] = value, [fork, engine, layout] = value.slice(14);
  if (fork !== null) return false;
  const seats = trust.seats.map((each) => decode(each.commitment));
  const seatKeys = trust.seats.map(({ key }) => decode(key));
  seats[seat] = await commitment(match, trust.attempt, seat, secret);
  seatKeys[seat] = decode(publicKey);
  const mine = {
    match, game: first.game ?? about.game, rules, options: first.options ?? about.options,
    names: names.map((each, at) => (at === seat ? keptName(name) : each)), who: who.map((each, at) => (at === seat ? 0 : each)),
    attempt: trust.attempt, past: trust.past.map((each) => [decode(each.roster), each.refused]),
    host: decode(first.hosts[trust.attempt]), seats, veil: decode(first.veil), hostKey: decode(first.host_key), seatKeys, engine, layout,
  };
  try {
    return equal(rosterBytes(mine), roster);
  } catch {
    return false;
  }
}

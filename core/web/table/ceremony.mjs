// A seat's part in a fair deal: it draws a secret, commits to it, compares the roster, and only then reveals.

import { decode as unpack } from "./reader/kifu.mjs";
import { order } from "./reader/canonical.mjs";
import { commitment, revealMessage, rosterBytes, rosterDigest, rosterMessage, isSigned } from "./reader/trust.mjs";
import { alone, decode, encode, get, put } from "./vault.mjs";

const equal = (one, other) => order(one, other) === 0;

/** Draw a secret for an attempt, keep it, and return the commitment to it, in base64url. One that was sent is never drawn again. */
export async function draw(match, seat, attempt) {
  const key = [match, seat, attempt];
  const kept = await get("deals", key);
  const isFresh = kept && !kept.sent;
  const secret = isFresh ? kept.secret : crypto.getRandomValues(new Uint8Array(32));
  if (!isFresh) await put("deals", key, { secret, sent: false, answered: false });
  return encode(commitment(match, attempt, seat, secret));
}

/** Note what the host has published, the first time that it is seen: the seat holds it to that. */
export async function note(match, { trust, ...known }) {
  const first = (await get("deals", [match, "first"])) ?? { veil: trust.veil, host_key: trust.host_key, hosts: {}, past: [], ...known };
  first.hosts[trust.attempt] ??= trust.host;
  const kept = JSON.stringify(trust.past.slice(0, first.past.length)) === JSON.stringify(first.past);
  if (kept) first.past = trust.past;
  await put("deals", [match, "first"], first);
  return { ...first, kept };
}

/**
 * Do what a seat is asked for now, by `send`, which posts to the host; returns null, or what is wrong: `roster`,
 * `signature`, `blamed` (it is said to have refused, and did not), `lost` (this browser has not its secret).
 */
export function act(seated, send) {
  return alone(`${seated.match} ${seated.seat}`, () => actAlone(seated, send));
}

async function actAlone({ match, seat, name, publicKey, about, rules }, send) {
  const { trust } = about;
  if (trust.seats[seat].who !== 0 || !["revealing", "renewing"].includes(trust.phase)) return null;
  const first = await note(match, { trust });
  for (const [at, { refused }] of trust.past.entries()) {
    if (refused.includes(seat) && (await get("deals", [match, seat, at + 1]))?.answered) return "blamed";
  }
  if (trust.phase === "renewing") {
    if (trust.seats[seat].commitment === null) await send({ attempt: trust.attempt, commitment: await draw(match, seat, trust.attempt) });
    return null;
  }
  if (trust.seats[seat].revealed) return null;
  const kept = await get("deals", [match, seat, trust.attempt]);
  if (!kept) return "lost";
  const roster = decode(trust.roster);
  if (!expected({ match, seat, name, publicKey, about, rules, first, secret: kept.secret }, roster)) return "roster";
  const digest = rosterDigest(roster);
  if (kept.sent && !equal(kept.roster, digest)) return "roster"; // it was another one
  if (!(await hasOwnPast(match, seat, trust.past))) return "roster";
  if (crypto.subtle && trust.host_key !== null && !(await signed(trust, rosterMessage(digest), trust.roster_sig))) return "signature";
  await put("deals", [match, "agreed"], { attempt: trust.attempt, roster, sig: decode(trust.roster_sig), hostKey: decode(trust.host_key) });
  await put("deals", [match, seat, trust.attempt], { ...kept, sent: true, roster: digest });
  const { receipt } = await send({ attempt: trust.attempt, roster: encode(digest), secret: encode(kept.secret) });
  await put("deals", [match, seat, trust.attempt], { ...kept, sent: true, roster: digest, answered: true });
  const message = revealMessage(match, trust.attempt, seat, digest);
  return crypto.subtle && trust.host_key !== null && !(await signed(trust, message, receipt)) ? "signature" : null;
}

/** Tell whether the attempts that have failed are, as far as this browser gave its secret to them, those that it saw. */
async function hasOwnPast(match, seat, past) {
  for (const [at, { roster }] of past.entries()) {
    const kept = await get("deals", [match, seat, at + 1]);
    if (kept?.sent && !equal(kept.roster, decode(roster))) return false;
  }
  return true;
}

/**
 * The roster that this browser has agreed to, with its signature and the host's key: in a fair deal the one that it gave its
 * secret to, else the first that it saw.
 */
export async function agreed(match) {
  return (await get("deals", [match, "agreed"])) ?? null;
}

/**
 * Hold the host to the roster agreed to; the first one seen is agreed to where there was no reveal. Returns it, and in
 * `same` whether the host still shows it.
 */
export async function hold(match, trust) {
  const roster = decode(trust.roster), sig = decode(trust.roster_sig), hostKey = decode(trust.host_key);
  const kept = await agreed(match);
  if (!kept) await put("deals", [match, "agreed"], { attempt: trust.attempt, roster, sig, hostKey });
  const held = kept ?? { roster, sig, hostKey };
  return { ...held, same: equal(held.roster, roster) && encode(held.hostKey ?? []) === encode(hostKey ?? []) };
}

/** Tell whether a roster has the key that a seat of this browser joined with; true for a seat that did not join here. */
export async function hasKey(match, seat, roster) {
  const joined = seat === null ? null : await get("deals", [match, seat, "joined"]);
  const [named] = unpack(roster, 0);
  return !joined || encode(named[13][seat] ?? []) === (joined.publicKey ?? "");
}

async function signed(trust, message, sig) {
  return sig ? isSigned(decode(trust.host_key), message, decode(sig)) : false;
}

/** Tell whether the roster is, byte by byte, the one that this seat makes of what it knows and of the others' parts. */
function expected({ match, seat, name, publicKey, about, rules, first, secret }, roster) {
  const { trust } = about;
  if (!first.kept || trust.veil !== first.veil || trust.host_key !== first.host_key) return false;
  if (trust.past.length !== trust.attempt - 1) return false;
  const [value, end] = unpack(roster, 0);
  if (end !== roster.length || !Array.isArray(value) || value.length !== 14) return false;
  const [, , , , , names, who] = value;
  const seats = trust.seats.map((each) => decode(each.commitment));
  const seatKeys = trust.seats.map(({ key }) => decode(key));
  seats[seat] = commitment(match, trust.attempt, seat, secret);
  seatKeys[seat] = decode(publicKey);
  const mine = {
    match, game: first.game ?? about.game, rules, options: first.options ?? about.options,
    names: names.map((each, at) => (at === seat ? name : each)), who: who.map((each, at) => (at === seat ? 0 : each)),
    attempt: trust.attempt, past: trust.past.map((each) => [decode(each.roster), each.refused]),
    host: decode(first.hosts[trust.attempt]), seats, veil: decode(first.veil), hostKey: decode(first.host_key), seatKeys,
  };
  try {
    return equal(rosterBytes(mine), roster);
  } catch {
    return false;
  }
}

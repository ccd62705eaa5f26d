// Fair deals (trust.md): whether the seed of a log is the one that the secrets of those who played it give.

import { HOST, commitment, hex, isWeak, rosterBytes, rosterDigest, seedOf, veilCommitment } from "./trust.mjs";

const BYTES = 32;
const MOST = 7; // failed attempts that a log can tell of

class Malformed extends Error {}

/** Say what is wrong with the fair deal of a header, null if nothing is or there is none. Never throws. */
export function checkFair(header) {
  if (!("fair" in header)) return null;
  try {
    const reasons = [...wrongs(header, shaped(header.fair, header.seats.length))];
    return reasons.length === 0 ? null : reasons.join("; ");
  } catch (cause) {
    if (cause instanceof Malformed) return cause.message;
    throw cause;
  }
}

// --- shapes ----------------------------------------------------------------------------------------------------------

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);

const isBytes = (value) => value instanceof Uint8Array && value.length === BYTES;

const hasKeys = (value, keys) => isMap(value) && Object.keys(value).sort().join() === keys;

const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => each === null || isBytes(each));

function need(fits, message) {
  if (!fits) throw new Malformed(message);
}

/** Take the header's `fair` apart; throws Malformed. */
function shaped(fair, seats) {
  need(hasKeys(fair, "host,past,seats,v,who"), "'fair' has not exactly the keys v, who, host, seats, past");
  need(fair.v === 1, "'fair' is not of version 1");
  const { who, past } = fair;
  const known = Array.isArray(who) && who.length === seats && who.every((each) => [0, 1, 2].includes(each));
  need(known, "'who' is not 0, 1 or 2 for each seat");
  need(who.includes(0), "no seat has contributed to the deal");
  need(Array.isArray(past) && past.length <= MOST, `'past' is not a list of at most ${MOST} attempts`);
  const last = attempt({ host: fair.host, seats: fair.seats }, who);
  need(refusers(last).length === 0, "a seat has not revealed its secret, and still it was dealt");
  return { who, past: past.map((each) => attempt(each, who)), last };
}

function attempt(value, who) {
  need(hasKeys(value, "host,seats"), "an attempt has not exactly the keys host, seats");
  const { host, seats } = value;
  need(isPair(host) && !host.includes(null), "the host's commitment and secret are not twice 32 bytes");
  need(Array.isArray(seats) && seats.length === who.length, "an attempt has not one entry for each seat");
  const fits = seats.every((pair, seat) => (who[seat] === 0 ? isPair(pair) : pair === null));
  need(fits, "a seat's commitment and secret are not twice 32 bytes or nil");
  const pairs = seats.filter((pair) => pair !== null);
  const early = pairs.some(([committed]) => committed === null) && pairs.some(([, secret]) => secret !== null);
  need(!early, "a secret was revealed before all had committed");
  return value;
}

/** List the seats that did not commit; if all did, those that did not reveal. */
function refusers({ seats }) {
  const without = (part) => seats.flatMap((pair, seat) => (pair !== null && pair[part] === null ? [seat] : []));
  const late = without(0);
  return late.length > 0 ? late : without(1);
}

// --- what must hold --------------------------------------------------------------------------------------------------

function* wrongs(header, deal) {
  if ("fork" in header) yield "a fork has no fair deal of its own";
  const used = new Set();
  const attempts = [...deal.past, deal.last];
  for (const [place, each] of attempts.entries()) {
    const parties = [[HOST, each.host], ...each.seats.entries()];
    for (const [party, pair] of parties) {
      if (pair === null || pair[1] === null) continue;
      const name = `attempt ${place + 1}: ${party === HOST ? "the host" : `seat ${party}`}`;
      if (hex(commitment(header.match, place + 1, party, pair[1])) !== hex(pair[0])) {
        yield `${name} has opened another secret than it had committed to`;
      }
      if (used.has(hex(pair[1]))) yield `${name} has used a secret that was used before`;
      used.add(hex(pair[1]));
    }
    if (each !== deal.last && refusers(each).length === 0) yield `attempt ${place + 1} has failed, and nobody refused`;
  }
  yield* wrongSeed(header, deal, attempts);
}

function* wrongSeed(header, deal, attempts) {
  if (header.seed === null) {
    yield "a fair deal without a seed";
    return;
  }
  const keys = keysOf(header);
  if (keys === null) return; // a finding of its own, which needs signatures
  if ("veil" in header && !isBytes(header.veil)) {
    yield "no roster can be made of the header: 'veil' is not 32 bytes";
    return;
  }
  let past = [];
  let digest = null;
  attempts.forEach((each, place) => {
    digest = rosterDigest(rosterOf(header, { ...deal, attempt: place + 1, past, ...each }, keys));
    past = [...past, [digest, refusers(each)]];
  });
  const secrets = deal.last.seats.filter((pair) => pair !== null).map(([, secret]) => secret);
  if (hex(seedOf(digest, deal.last.host[1], secrets)) !== hex(header.seed)) {
    yield "the seed is not the one that the roster and the secrets give";
  }
}

/** Read the public keys of a header; null if its `sign` is malformed. */
function keysOf({ sign, seats }) {
  if (sign === undefined) return { host: null, seats: seats.map(() => null) };
  const fits = isMap(sign) && sign.v === 1 && "host" in sign && Array.isArray(sign.seats) && sign.seats.length === seats.length;
  if (!fits || ![sign.host, ...sign.seats].every((key) => key === null || (isBytes(key) && !isWeak(key)))) return null;
  return sign;
}

/** Make the roster of one attempt: all that is public of a match before its first event. */
function rosterOf(header, { who, attempt, past, host, seats }, keys) {
  return rosterBytes({
    ...header,
    names: header.seats,
    who,
    attempt,
    past,
    host: host[0],
    seats: seats.map((pair) => pair && pair[0]),
    veil: header.veil === undefined ? null : veilCommitment(header.match, header.veil),
    hostKey: keys.host,
    seatKeys: keys.seats,
  });
}

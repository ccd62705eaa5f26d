// Fair deals (trust.md): whether the seed of a log is the one that the secrets of those who played it give.

import { HOST, commitment, hex, isWeak, rosterBytes, rosterDigest, seedOf, veilCommitment } from "./trust.mjs";

const BYTES = 32;
const MOST = 7; // failed attempts that a log can tell of

class Malformed extends Error {}

/** Say what is wrong with the fair deal of a header, whatever it is worth; null if nothing is or there is none. */
export function checkFair(header) {
  if (!("fair" in header)) return null;
  try {
    const reasons = [...wrongs(header, shaped(header))];
    return reasons.length === 0 ? null : reasons.join("; ");
  } catch (cause) {
    if (cause instanceof Malformed) return cause.message;
    throw cause;
  }
}

/** Make the roster of a header, of the attempt that was dealt from; null where none can be made. */
export function rosterOfHeader(header) {
  try {
    return "fair" in header ? dealtFrom(header, shaped(header)) : rosterOf(header, NO_DEAL);
  } catch (cause) {
    if (cause instanceof Malformed || cause instanceof TypeError) return null; // its names or options have no canonical form
    throw cause;
  }
}

/** Read the public keys of a header; null if its `sign` is malformed. */
export function keysOf(header) {
  const count = namesOf(header)?.length ?? 0;
  if (!("sign" in header)) return { host: null, seats: Array(count).fill(null) };
  const { sign } = header;
  const fits = isMap(sign) && sign.v === 1 && "host" in sign && Array.isArray(sign.seats) && sign.seats.length === count;
  return fits && [sign.host, ...sign.seats].every((key) => key === null || (isBytes(key) && !isWeak(key))) ? sign : null;
}

// --- shapes ----------------------------------------------------------------------------------------------------------

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);

const isBytes = (value) => value instanceof Uint8Array && value.length === BYTES;

const hasKeys = (value, keys) => isMap(value) && Object.keys(value).sort().join() === keys;

const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => each === null || isBytes(each));

const isText = (value) => typeof value === "string";

const namesOf = ({ seats }) => (Array.isArray(seats) && seats.every(isText) ? seats : null);

function need(fits, message) {
  if (!fits) throw new Malformed(message);
}

/** Take the header's `fair` apart; throws Malformed. */
function shaped(header) {
  const { fair } = header;
  const seats = namesOf(header)?.length ?? 0;
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
  for (const [place, each] of attemptsOf(deal).entries()) {
    const parties = [[HOST, each.host], ...each.seats.entries()];
    for (const [party, pair] of parties) {
      if (pair === null || pair[1] === null) continue;
      const name = `attempt ${place + 1}: ${party === HOST ? "the host" : `seat ${party}`}`;
      if (!isText(header.match) || hex(commitment(header.match, place + 1, party, pair[1])) !== hex(pair[0])) {
        yield `${name} has opened another secret than it had committed to`;
      }
      if (used.has(hex(pair[1]))) yield `${name} has used a secret that was used before`;
      used.add(hex(pair[1]));
    }
    if (each !== deal.last && refusers(each).length === 0) yield `attempt ${place + 1} has failed, and nobody refused`;
  }
  yield* wrongSeed(header, deal);
}

function* wrongSeed(header, deal) {
  if ((header.seed ?? null) === null) {
    yield "a fair deal without a seed";
    return;
  }
  if (keysOf(header) === null) return; // a finding of its own, which needs signatures
  const roster = rosterOfHeader(header);
  if (roster === null) {
    yield "no roster can be made of the header";
    return;
  }
  const secrets = deal.last.seats.filter((pair) => pair !== null).map(([, secret]) => secret);
  if (!isBytes(header.seed) || hex(seedOf(rosterDigest(roster), deal.last.host[1], secrets)) !== hex(header.seed)) {
    yield "the seed is not the one that the roster and the secrets give";
  }
}

// --- rosters ---------------------------------------------------------------------------------------------------------

const NO_DEAL = { who: null, attempt: 0, past: [], host: null, seats: null };

const attemptsOf = ({ past, last }) => [...past, last];

/** Make the roster of the last attempt: each names the rosters of those before it. */
function dealtFrom(header, deal) {
  let past = [], roster = null;
  attemptsOf(deal).forEach((each, place) => {
    const seats = each.seats.map((pair) => pair && pair[0]);
    roster = rosterOf(header, { who: deal.who, attempt: place + 1, past, host: each.host[0], seats });
    past = [...past, [rosterDigest(roster), refusers(each)]];
  });
  return roster;
}

/** Make the roster of one attempt: all that is public of a match before its first event. */
function rosterOf(header, deal) {
  const { match, game, rules, options, veil } = header;
  const isRules = (Number.isInteger(rules) || typeof rules === "bigint") && rules >= 0;
  need(isText(match) && isText(game), "the header has no 'match' or 'game'");
  need(isRules && isMap(options) && namesOf(header) !== null, "the header has no 'rules', 'options' or 'seats'");
  need(!("veil" in header) || isBytes(veil), "'veil' is not 32 bytes");
  const keys = keysOf(header);
  need(keys !== null, "'sign' is malformed");
  const known = { match, game, rules, options, names: header.seats, hostKey: keys.host, seatKeys: keys.seats };
  return rosterBytes({ ...known, ...deal, veil: "veil" in header ? veilCommitment(match, veil) : null });
}

// The formulas of trust.md that a player's program needs: what it commits to, compares, signs and checks. Hashes and
// signatures are `crypto.subtle`'s: they need a secure context (https, localhost).

import { canonical } from "./canonical.js";

export const [EVENT, LOOK, END, WISH, SENT] = [0, 1, 2, 3, 4]; // the kinds of a record's entries

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const digestOf = (...values) => sha256(canonical(values));

/** What a party publishes of its secret, before it knows any other's. */
export const commitment = (match, attempt, who, secret) => digestOf("kifu commit 1", match, attempt, who, secret);

/** The roster's bytes, of what a client knows itself: to be compared with the host's before anything is revealed. */
export function rosterBytes({ match, game, rules, options, names, who, attempt, past, host, seats, veil, hostKey, seatKeys, fork = null, engine = null, layout = 1 }) {
  const deal = [who, attempt, past, host, seats];
  return canonical(["kifu roster 2", match, game, rules, options, names, ...deal, veil, hostKey, seatKeys, fork, engine, layout]);
}

/** The hash that stands for what was told; a salt of null is that of a proposal. */
export const toldDigest = (salt, told) => digestOf("kifu told 1", salt, told);

export const rosterMessage = (digest) => canonical(["kifu roster sig 2", digest]);

/** What a seat with a key signs of a roster as it reveals. */
export const agreementMessage = (digest, seat) => canonical(["kifu roster seat 2", digest, seat]);

/** What is signed of a match names H0 first: `of`. */
export const toldMessage = (of, seat, kind, number, mark, digest) => canonical(["kifu host 2", of, seat, kind, number, mark, digest]);

export const revealMessage = (digest, attempt, seat) => canonical(["kifu reveal 2", digest, attempt, seat]);

/** What a seat signs of a command; `replaced` is the hash of what it has signed before of this moment, or null. */
export const commandMessage = (of, seat, at, mark, tag, fields, id, replaced = null) =>
  canonical(["kifu command 2", of, seat, at, mark, tag, fields, id, replaced]);

export const wishMessage = (of, seat, count, mark, kind, at) => canonical(["kifu wish 2", of, seat, count, mark, kind, at]);

let signing = null;

/** Tell, later, whether this program can sign and check: it needs Ed25519 and a secure context (https, localhost). */
export function canSign() {
  signing ??= (async () => Boolean(await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])))().catch(() => false);
  return signing;
}

// The curve of Ed25519 in Montgomery's form, where one coordinate, a fraction (a pair), is enough to multiply a point; P is its
// field, L the order of what keys are drawn from, as in core/trust/signing.py.
const P = 2n ** 255n - 19n, L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (value) => ((value % P) + P) % P;

function twice([above, below]) {
  const sum = (above + below) ** 2n % P, gap = (above - below) ** 2n % P, four = mod(sum - gap);
  return [(sum * gap) % P, (four * (gap + 121666n * four)) % P];
}

// The sum of two points, whose difference is known.
function plus([a, b], [c, d], [above, below]) {
  const one = (a - b) * (c + d), other = (a + b) * (c - d);
  return [(below * (one + other) ** 2n) % P, (above * (one - other) ** 2n) % P];
}

function timesL(point) {
  let [result, next] = [[1n, 0n], point];
  for (const bit of L.toString(2)) {
    const sum = plus(result, next, point);
    [result, next] = bit === "1" ? [sum, twice(next)] : [twice(result), sum];
  }
  return result;
}

const judged = new Map();

/** Tell whether a public key is no point of order L: under such a key, one of small or mixed order, verifiers differ. */
export function isWeak(key) {
  const name = key.join();
  if (!judged.has(name)) {
    const y = BigInt(`0x${[...key].reverse().map((byte) => byte.toString(16).padStart(2, "0")).join("")}`) & (2n ** 255n - 1n);
    const point = [mod(1n + y), mod(1n - y)];
    judged.set(name, y >= P || point.includes(0n) || timesL(point)[1] !== 0n); // a key that is no point has no order L either
  }
  return judged.get(name);
}

/** Tell, later, whether a signature is of this key and these bytes; of one that cannot be checked here (`canSign`), whether it has the form. */
export async function isSigned(key, message, signature) {
  if (key.length !== 32 || isWeak(key) || signature.length !== 64) return false;
  if (!(await canSign())) return true;
  const known = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", known, signature, message);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function base32(bytes) {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const text = bits.match(/.{1,5}/g).map((five) => letters[parseInt(five.padEnd(5, "0"), 2)]);
  return text.join("").match(/.{1,4}/g).join("-");
}

/** The code of a moment, for two players to read to each other: 26 letters of its mark, in groups. */
export const codeOf = (mark) => base32(mark.slice(0, 16));

/** What people compare of a public key: 16 letters of a hash, in groups. */
export const fingerprintOf = async (key) => base32((await digestOf("kifu key 1", key)).slice(0, 10));

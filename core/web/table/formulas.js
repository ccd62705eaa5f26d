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

// The group of Ed25519, as in core/trust/signing.py: P its field, L the order of what keys are drawn from.
const P = 2n ** 255n - 19n, L = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (value) => ((value % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % P;
    if (bit === "1") result = (result * base) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));

// The point that 32 bytes encode canonically, or null.
function pointOf(key) {
  const top = key[31] >> 7, y = BigInt(`0x${[...key].reverse().map((byte) => byte.toString(16).padStart(2, "0")).join("")}`) & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n), v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(mod(u * v ** 7n), (P - 5n) / 8n));
  if (mod(v * x * x + u) === 0n) x = mod(x * power(2n, (P - 1n) / 4n));
  if (mod(v * x * x - u) || (x === 0n && top)) return null;
  if (Number(x & 1n) !== top) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function plus([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = (y1 - x1) * (y2 - x2), b = (y1 + x1) * (y2 + x2), c = 2n * t1 * mod(t2 * D), d = 2n * z1 * z2;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a].map(mod);
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function isNeutral([x, y, z]) {
  return x === 0n && y === z;
}

function timesL(point) {
  let result = [0n, 1n, 1n, 0n];
  for (const bit of L.toString(2)) {
    result = plus(result, result);
    if (bit === "1") result = plus(result, point);
  }
  return result;
}

const judged = new Map();

/** Tell whether a public key is no point of order L: under such a key, one of small or mixed order, verifiers differ. */
export function isWeak(key) {
  const name = key.join();
  if (!judged.has(name)) {
    const point = pointOf(key);
    judged.set(name, point === null || isNeutral(point) || !isNeutral(timesL(point)));
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

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

const WEAK = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** Tell whether a public key has small order: under it anything verifies, by WebCrypto too. Its highest bit says nothing. */
export function isWeak(key) {
  const cleared = [...key.slice(0, 31), key[31] & 0x7f];
  return WEAK.has(cleared.map((byte) => byte.toString(16).padStart(2, "0")).join(""));
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

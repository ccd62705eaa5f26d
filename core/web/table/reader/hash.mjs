// Two hashes, for programs that have to hash at once: what a browser has (`crypto.subtle`) answers later.

/** Put byte arrays one after the other, and zeros up to a whole number of blocks that leaves `spare` bytes. */
function joined(parts, block, spare) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const message = new Uint8Array(Math.max(1, Math.ceil((length + spare) / block)) * block);
  let at = 0;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return { message, length };
}

// --- BLAKE2b (RFC 7693) ----------------------------------------------------------------------------------------------

const IV = BigUint64Array.of(
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
);
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const MIXED = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const BLOCK = 128;

/** Hash these byte arrays one after the other, with BLAKE2b (RFC 7693) of `size` bytes. */
export function blake2b(parts, size = 16, key = new Uint8Array(0)) {
  const keyed = key.length > 0 ? [key, new Uint8Array(BLOCK - key.length), ...parts] : parts;
  const { message, length } = joined(keyed, BLOCK, 0);
  const view = new DataView(message.buffer);
  const state = IV.slice();
  state[0] ^= 0x01010000n ^ (BigInt(key.length) << 8n) ^ BigInt(size);
  for (let start = 0; start < message.length; start += BLOCK) {
    compress(state, view, start, BigInt(Math.min(start + BLOCK, length)), start + BLOCK === message.length);
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => out.setBigUint64(8 * place, word, true));
  return new Uint8Array(out.buffer, 0, size);
}

function compress(state, view, start, counted, last) {
  const work = new BigUint64Array(16);
  work.set(state);
  work.set(IV, 8);
  work[12] ^= counted;
  if (last) work[14] = ~work[14];
  const words = Array.from({ length: 16 }, (_, place) => view.getBigUint64(start + 8 * place, true));
  for (let round = 0; round < 12; round += 1) {
    const order = SIGMA[round % 10];
    MIXED.forEach(([a, b, c, d], place) => {
      mix(work, a, b, c, d, words[order[2 * place]], words[order[2 * place + 1]]);
    });
  }
  for (let place = 0; place < 8; place += 1) state[place] ^= work[place] ^ work[place + 8];
}

function mix(work, a, b, c, d, one, other) {
  work[a] = work[a] + work[b] + one;
  work[d] = turned(work[d] ^ work[a], 32n);
  work[c] = work[c] + work[d];
  work[b] = turned(work[b] ^ work[c], 24n);
  work[a] = work[a] + work[b] + other;
  work[d] = turned(work[d] ^ work[a], 16n);
  work[c] = work[c] + work[d];
  work[b] = turned(work[b] ^ work[c], 63n);
}

const turned = (word, by) => BigInt.asUintN(64, (word >> by) | (word << (64n - by)));

// --- SHA-256 (FIPS 180-4) --------------------------------------------------------------------------------------------

const PRIMES = (() => {
  const found = [];
  for (let number = 2; found.length < 64; number += 1) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
})();
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** Hash these byte arrays one after the other, with SHA-256. */
export function sha256(parts) {
  const { message, length } = joined([...parts, Uint8Array.of(0x80)], 64, 8);
  const view = new DataView(message.buffer);
  view.setBigUint64(message.length - 8, BigInt(length - 1) * 8n);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let start = 0; start < message.length; start += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(start + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const [two, fifteen] = [words[at - 2], words[at - 15]];
      const early = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen >>> 3);
      const late = rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10);
      words[at] = words[at - 16] + early + words[at - 7] + late;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) >>> 0;
      const two = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => out.setUint32(4 * at, word));
  return new Uint8Array(out.buffer);
}

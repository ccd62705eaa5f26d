// SHA-256 (FIPS 180-4), for a page without a secure context, which has no `crypto.subtle`: it plays fair deals, too.

const PRIMES = (() => {
  const found = [];
  for (let number = 2; found.length < 64; number += 1) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
})();
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** Hash bytes with SHA-256. */
export function sha256(bytes) {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set([...bytes, 0x80]);
  const view = new DataView(message.buffer);
  view.setBigUint64(message.length - 8, BigInt(bytes.length) * 8n);
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

// Says which of the vectors `core/web/table/formulas.js` does not give, in node and in a browser.

import { canonical } from "../../../core/web/table/canonical.js";
import * as trust from "../../../core/web/table/formulas.js";

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$bytes" in value) return unhex(value.$bytes);
  if ("$int" in value) return BigInt(value.$int);
  if ("$map" in value) return new Map(value.$map.map(([key, each]) => [plain(key), plain(each)]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

const FORMULAS = {
  canonical: ({ value }) => canonical(value),
  commitment: ({ match, attempt, who, secret }) => trust.commitment(match, attempt, who, secret),
  roster_digest: ({ roster }) => trust.sha256(roster),
  told_digest: ({ salt, told }) => trust.toldDigest(salt, told),
};

const long = /("value": )(-?\d{16,})/g; // more than a number can hold
/** Check the text of `formulas.json`; give how many formulas there are, and what is wrong. */
export async function check(text) {
  const { formulas, weak_keys: weak } = JSON.parse(text.replace(long, '$1{"$int": "$2"}'));
  const wrong = [];
  let known = 0; // the rest only who has the log needs
  for (const [place, { name, in: given, out, signature }] of formulas.entries()) {
    const value = plain(given);
    if (signature === undefined && !FORMULAS[name]) continue;
    known += 1;
    if (signature === undefined) {
      if (hex(await FORMULAS[name](value)) !== out) wrong.push(`${place} ${name}`);
    } else {
      const signed = unhex(signature);
      if (!(await trust.isSigned(value.public, value.message, signed))) wrong.push(`${place} ${name}`);
      signed[0] ^= 1;
      if (await trust.isSigned(value.public, value.message, signed)) wrong.push(`${place} ${name}: changed`);
    }
  }
  const counted = Uint8Array.from({ length: 32 }, (_, at) => at);
  if (trust.codeOf(counted) !== "AAAQ-EAYE-AUDA-OCAJ-BIFQ-YDIO-B4") wrong.push("code");
  for (const key of weak) if (!trust.isWeak(unhex(key))) wrong.push(`weak ${key}`);
  const neutral = Uint8Array.of(1, ...new Uint8Array(31)); // with it as key and point, 0 signs everything
  if (await trust.isSigned(neutral, counted, Uint8Array.of(...neutral, ...new Uint8Array(32)))) wrong.push("signed by a weak key");
  if ((await trust.fingerprintOf(counted.slice(0, 32))) !== "ODDA-DA7Z-HVAM-SPEA") wrong.push("fingerprint");
  for (const value of [1.5, undefined, Symbol("x"), "\ud800", 1n << 64n, -(1n << 63n) - 1n]) {
    try {
      canonical([value]);
      wrong.push(`canonical of ${String(value)}`);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
    }
  }
  return { formulas: known, wrong };
}

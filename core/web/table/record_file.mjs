// The file of a seat record: its head and entries up to the first malformed one, and what is wrong with it.

import { decode as unpack } from "./reader/kifu.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { END, EVENT, LOOK, SENT, WISH } from "./reader/trust.mjs";

const CODE_BYTES = 16;
const SENT_PARTS = { "kifu command 1": 8, "kifu wish 1": 7 };

export const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
export const isInt = (value, least = 0) => (Number.isInteger(value) || typeof value === "bigint") && value >= least;
export const isBytes = (value, length) => value instanceof Uint8Array && value.length === length;
const isText = (value) => typeof value === "string";
const isOrNull = (value, fits) => value === null || fits(value);
const isSig = (value) => isBytes(value, 64);

/** Read a record: `{head, roster, entries, findings}`; throws for what is none. */
export function readRecord(data) {
  const [head, start] = unpack(data, 0);
  const roster = isHead(head) ? unpack(head.roster, 0)[0] : null;
  if (!Array.isArray(roster) || roster.length !== 14 || roster[0] !== "kifu roster 1") throw new Error("no record");
  const entries = [], findings = [];
  for (let place = start; place < data.length;) {
    let entry, end;
    try {
      [entry, end] = unpack(data, place);
    } catch (cause) {
      findings.push({ kind: cause.message ? "record" : "torn", seq: null });
      break;
    }
    if (!isEntry(entry, head.form)) {
      findings.push({ kind: "record", seq: null });
      break;
    }
    entries.push(entry);
    place = end;
  }
  let latest = 0;
  for (const [kind, number] of entries) {
    if (kind > END) continue;
    const time = 2 * number + (kind === EVENT ? 1 : 0);
    if (time < latest) findings.push({ kind: "record", seq: number });
    latest = Math.max(latest, time);
  }
  return { head, roster, entries, findings };
}

function isHead(head) {
  const fits = isMap(head) && head.kifu_record === 1 && ["full", "public"].includes(head.form) && isOrNull(head.seat, isInt);
  const noted = head?.compared ?? [];
  const compared = Array.isArray(noted) && noted.every((each) => Array.isArray(each) && each.length === 2 && isInt(each[0]) && isBytes(each[1], CODE_BYTES));
  return fits && compared && head.roster instanceof Uint8Array && isOrNull(head.sig, isSig);
}

function isEntry(value, form) {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [kind, number, told, salt, mark, sig] = value;
  if (!isInt(kind) || kind > SENT || !isInt(number) || !(told instanceof Uint8Array) || !isBytes(mark, 32)) return false;
  if (sig !== null && (!isSig(sig) || kind === WISH)) return false;
  if (form === "public") return kind !== SENT && salt === null && told.length === 32;
  if (kind > END ? salt !== null : !isBytes(salt, 16)) return false;
  return isTold(kind, told);
}

function isTold(kind, raw) {
  let told, end;
  try {
    [told, end] = unpack(raw, 0);
  } catch {
    return false;
  }
  if (end !== raw.length) return false;
  if (kind === LOOK) return !Array.isArray(told) || (told.length === 2 && isInt(told[0])); // a view may have what no log has
  return Array.isArray(told) && hasShape(kind, told) && isCanonical(told, raw);
}

function isCanonical(told, raw) {
  try {
    return order(canonical(told), raw) === 0;
  } catch {
    return false;
  }
}

function hasShape(kind, told) {
  if (kind === EVENT) {
    const [seq, actor, tag, fields, hidden, at, by, notes] = told;
    const known = told.length === 8 && isInt(seq) && isInt(actor, -1) && isText(tag) && isMap(fields) && typeof hidden === "boolean";
    return known && isOrNull(at, isInt) && isOrNull(by, isText) && Array.isArray(notes) && notes.every((each) => Array.isArray(each) && each.length === 4);
  }
  if (kind === END) return told.length === 4 && isInt(told[0]) && isText(told[1]) && told.slice(2).every((each) => isOrNull(each, Array.isArray));
  if (kind === SENT) return told.length === SENT_PARTS[told[0]] && isText(told[1]) && isInt(told[2]) && isInt(told[3]) && isBytes(told[4], 32);
  const [what, at, by, signed] = told;
  const pairs = Array.isArray(signed) && signed.every((each) => Array.isArray(each) && each.length === 2 && isInt(each[0]) && isSig(each[1]));
  return told.length === 4 && isText(what) && isInt(at, -1) && isInt(by) && pairs;
}

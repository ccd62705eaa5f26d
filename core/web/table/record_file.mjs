// The file of a seat record: its head and entries up to the first malformed one, and what is wrong with it.

import { decode as unpack } from "./reader/kifu.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { END, EVENT, LOOK, SENT, WISH } from "./reader/trust.mjs";

const CODE_BYTES = 16;
const SENT_PARTS = { "kifu command 1": 8, "kifu wish 1": 7 };

export const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
export const isInt = (value, least = 0) => (Number.isInteger(value) || typeof value === "bigint") && value >= least;
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0; // of an event or a moment
export const isBytes = (value, length) => value instanceof Uint8Array && value.length === length;
const isText = (value) => typeof value === "string";
const isOrNull = (value, fits) => value === null || fits(value);
const isSig = (value) => isBytes(value, 64);

/** Whether these bytes are a seat record. */
export function isRecord(data) {
  try {
    readRecord(data);
    return true;
  } catch {
    return false;
  }
}

/** Read a record: `{head, roster, entries, findings}`; throws for what is none. */
export function readRecord(data) {
  const [head, start] = unpack(data, 0);
  const roster = isHead(head) && firstKey(data) === "kifu_record" ? whole(head.roster) : null;
  if (!isRoster(roster) || !isOrNull(head.seat, (seat) => isInt(seat) && seat < roster[5].length)) throw new Error("no record");
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
  let latest = 0n; // twice a number may be more than a Number holds
  for (const [kind, number] of entries) {
    if (kind > END) continue;
    const time = 2n * BigInt(number) + (kind === EVENT ? 1n : 0n);
    if (time < latest) findings.push({ kind: "record", seq: number });
    else latest = time;
  }
  return { head, roster, entries, findings };
}

const isPair = (value) => Array.isArray(value) && value.length === 2;
const isAll = (value, fits) => Array.isArray(value) && value.every((each) => fits(each));
const is32 = (value) => isBytes(value, 32);

function isHead(head) {
  if (!isMap(head) || !("seat" in head && "sig" in head)) return false;
  const fits = head.kifu_record === 1 && ["full", "public"].includes(head.form) && isText("made" in head ? head.made : "");
  const compared = isAll("compared" in head ? head.compared : [], (each) => isPair(each) && isNumber(each[0]) && isBytes(each[1], CODE_BYTES));
  return fits && compared && head.roster instanceof Uint8Array && isOrNull(head.sig, isSig);
}

// The first key of the map that these bytes begin with: an object has its keys in another order if they are digits.
const firstKey = (data) => unpack(data, { 0xde: 3, 0xdf: 5 }[data[0]] ?? 1)[0];

function isRoster(value) {
  if (!Array.isArray(value) || value.length !== 14 || value[0] !== "kifu roster 1") return false;
  const [, match, game, rules, options, names, who, attempt, past, host, seats, veil, hostKey, keys] = value;
  const isPast = (each) => isPair(each) && is32(each[0]) && isAll(each[1], (seat) => isInt(seat));
  const isKey = (each) => isOrNull(each, is32);
  const first = isText(match) && isText(game) && isInt(rules) && isMap(options) && isAll(names, isText);
  const deal = isOrNull(who, (some) => isAll(some, (each) => isInt(each))) && isInt(attempt) && isAll(past, isPast) && isOrNull(seats, (some) => isAll(some, isKey));
  return first && deal && [host, veil, hostKey].every(isKey) && isAll(keys, isKey) && keys.length === names.length;
}

function isEntry(value, form) {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [kind, number, told, salt, mark, sig] = value;
  if (!isInt(kind) || kind > SENT || !isNumber(number) || !(told instanceof Uint8Array) || !isBytes(mark, 32)) return false;
  if (sig !== null && (!isSig(sig) || kind === WISH)) return false;
  if (form === "public") return kind !== SENT && salt === null && told.length === 32;
  if (kind > END ? salt !== null : !isBytes(salt, 16)) return false;
  return isTold(kind, told);
}

function isTold(kind, raw) {
  const told = whole(raw);
  return Array.isArray(told) && hasShape(kind, told);
}

// The value of these bytes; null unless they are its canonical form.
function whole(raw) {
  try {
    const [value, end] = unpack(raw, 0);
    return end === raw.length && order(canonical(value), raw) === 0 ? value : null;
  } catch {
    return null;
  }
}

const isNote = (note) =>
  Array.isArray(note) && note.length === 4 && isText(note[0]) && isOrNull(note[1], isText) && isAll(note[2], isPair) && isOrNull(note[3], isText);

function hasShape(kind, told) {
  if (kind === EVENT) {
    const [seq, actor, tag, fields, hidden, at, by, notes] = told;
    const known = told.length === 8 && isInt(seq) && isInt(actor, -1) && isText(tag) && isMap(fields) && typeof hidden === "boolean";
    return known && isOrNull(at, isInt) && isOrNull(by, isText) && isAll(notes, isNote);
  }
  if (kind === LOOK) return told.length === 2 && isInt(told[0]);
  if (kind === END) return told.length === 4 && isInt(told[0]) && isText(told[1]) && told.slice(2).every((each) => isOrNull(each, Array.isArray));
  if (kind === SENT) return isText(told[0]) && told.length === SENT_PARTS[told[0]] && isText(told[1]) && isInt(told[2]) && isInt(told[3]) && is32(told[4]);
  const [what, at, by, signed] = told;
  return told.length === 4 && isText(what) && isInt(at, -1) && isInt(by) && isAll(signed, (each) => isPair(each) && isInt(each[0]) && isSig(each[1]));
}

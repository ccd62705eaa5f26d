// A seat's record: what it was told, entry by entry, each kept before it is shown; and what contradicts it at once.

import { decode as unpack } from "./msgpack.js";
import { canonical, concat, equal } from "./canonical.js";
import { END, EVENT, LOOK, SENT, WISH, codeOf, isSigned, toldDigest, toldMessage, wishMessage } from "./formulas.js";
import { all, decode, encode, put } from "./vault.js";

const timeOf = ([kind, number]) => (kind <= END ? 2 * number + (kind === EVENT ? 1 : 0) : Infinity);

const LAST = 2 ** 52;

// An entry is kept under its time and this: so two tabs keep it once, and neither writes over what the other keeps.
const nameOf = (entry) => encode(canonical(entry));

/** The record of one viewer (`seat` null: a spectator) of a match, as this browser has kept it. */
export class SeatRecord {
  constructor(match, seat) {
    Object.assign(this, { match, seat, entries: [], marks: new Map(), seen: new Set(), hostKey: null, of: match });
  }

  static async open(match, seat) {
    const record = new SeatRecord(match, seat);
    await record.reload();
    return record;
  }

  /** Take in what other tabs have kept meanwhile. */
  async reload() {
    for (const entry of await all("entries", this.match, String(this.seat))) this.take(entry);
  }

  take(entry) {
    if (this.seen.has(nameOf(entry))) return;
    this.entries.push(entry);
    this.seen.add(nameOf(entry));
    const moment = entry[0] === EVENT ? entry[1] + 1 : entry[0] === LOOK ? entry[1] : null;
    if (moment !== null && !this.marks.has(moment)) this.marks.set(moment, entry[4]);
  }

  get last() {
    return Math.max(-1, ...this.marks.keys());
  }

  code(moment = this.last) {
    const mark = this.marks.get(moment);
    return mark ? codeOf(mark) : null;
  }

  /** Keep what the host told; returns null, or what is wrong: `mark` (two for one moment), `told` (not what is `shown`, or no entry, which is not kept), `signature`. */
  async tell(kind, number, parts, shown = null) {
    if (parts.told === undefined) return "told"; // shown, and bound by nothing
    const [told, salt, mark, sig] = ["told", "salt", "mark", "sig"].map((part) => decode(parts[part]));
    if (!isEntry(kind, number, told, salt, mark, sig)) return "told";
    await this.keep([kind, number, told, salt, mark, sig]);
    const moment = kind === EVENT ? number + 1 : kind === LOOK ? number : null;
    const isTwice = ([of, at, , , other]) => kind === END && of === END && at === number && !equal(other, mark);
    if (moment === null ? this.entries.some(isTwice) : !equal(this.marks.get(moment), mark)) return "mark";
    if (shown !== null && !says(told, shown)) return "told";
    if (this.agreed?.hostKey === null && sig !== null) return "signature"; // of a host that has no key
    if (this.hostKey === null) return null;
    const message = toldMessage(this.of, this.seat, kind, number, mark, await toldDigest(salt, told));
    return sig !== null && (await isSigned(this.hostKey, message, sig)) ? null : "signature";
  }

  /** Keep what the seat has sent; returns null, or `told` if the host names no event for it, which is not kept. */
  async sent(seq, message, mark, sig) {
    if (!isNumber(seq)) return "told";
    await this.keep([SENT, seq, message, null, mark, sig]);
    return null;
  }

  /** Keep a proposal that all have agreed to; returns null, `told` if it is no entry, which is not kept, or `signature`. */
  async consented({ moment, told, mark }) {
    const entry = [WISH, moment, decode(told), null, decode(mark), null];
    if (!isEntry(...entry)) return "told";
    await this.keep(entry);
    if (!this.agreed) return null;
    const [[kind, target, by, signed]] = unpack(entry[2]), keys = this.agreed.value[13];
    const isSeats = ([seat, sig]) => (keys[seat] ?? null) !== null && isSigned(keys[seat], wishMessage(this.of, seat, moment, entry[4], kind, target), sig);
    // who proposed it must have signed it, to abandon everybody, as far as they have keys; and nobody wrongly
    const isMissing = (key, seat) => key !== null && (seat === by || kind === "abandon") && !signed.some(([each]) => each === seat);
    return !keys.some(isMissing) && (await Promise.all(signed.map(isSeats))).every(Boolean) ? null : "signature";
  }

  async keep(entry) {
    if (this.seen.has(nameOf(entry))) return;
    this.take(entry);
    await put("entries", [this.match, String(this.seat), Math.min(timeOf(entry), LAST), nameOf(entry)], entry);
  }

  /** The file of the record: in the public form it shows no card. */
  async bytes(roster, sig, form = "full") {
    const head = [["kifu_record", 1], ["form", form], ["seat", this.seat], ["roster", roster], ["sig", sig]];
    const told = this.entries.filter(([kind]) => form === "full" || kind !== SENT);
    const sorted = [...told].sort((one, other) => timeOf(one) - timeOf(other) || 0);
    const hidden = async ([kind, number, raw, salt, mark, signed]) => [kind, number, await toldDigest(salt, raw), null, mark, signed];
    const written = form === "full" ? sorted : await Promise.all(sorted.map(hidden));
    return concat([Uint8Array.of(0x80 + head.length), ...head.flat().map(canonical), ...written.map(canonical)]);
  }
}

const isText = (value) => typeof value === "string";
const isInt = (least) => (value) => ["number", "bigint"].includes(typeof value) && value >= least;
const isBytes = (length) => (value) => value instanceof Uint8Array && value.length === length;
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
const maybe = (is) => (value) => value === null || is(value);
const listOf = (is) => (value) => Array.isArray(value) && value.every((each) => is(each));
const these = (...parts) => (value) => Array.isArray(value) && value.length === parts.length && parts.every((is, at) => is(value[at]));
const isAny = () => true;
const isMap = (value) => value instanceof Map;
const isNote = these(isText, maybe(isText), listOf(these(isText, isAny)), maybe(isText));
const TOLD = {
  [EVENT]: [isInt(0), isInt(-1), isText, isMap, (value) => typeof value === "boolean", maybe(isInt(0)), maybe(isText), listOf(isNote)],
  [LOOK]: [isInt(0), isAny],
  [END]: [isInt(0), isText, maybe(Array.isArray), maybe(Array.isArray)],
  [WISH]: [isText, isInt(-1), isInt(0), listOf(these(isInt(0), isBytes(64)))],
};

// Whether a reader takes the keys of all maps: texts, but those of an option of older rules may be ints.
function hasKeys(value, place = "object") {
  if (Array.isArray(value)) return value.every((each) => hasKeys(each, ""));
  if (!(value instanceof Map)) return true;
  const within = (key) => (place === "object" && key === "options" ? "options" : place === "options" ? "option" : "");
  return [...value].every(([key, each]) => (isText(key) || (place === "option" && isInt(-Infinity)(key))) && hasKeys(each, within(key)));
}

// Whether a reader of records takes this: at a malformed entry it ends, and all behind that would go unread.
function isEntry(kind, number, told, salt, mark, sig) {
  if (!isNumber(number) || !(kind === WISH ? salt === null : isBytes(16)(salt)) || !isBytes(32)(mark) || !maybe(isBytes(64))(sig)) return false;
  const isNamed = kind < END ? [isText] : []; // by the program that told it
  return isReadable(told, (value) => these(...TOLD[kind])(value) || these(...TOLD[kind], ...isNamed)(value));
}

/** Tell whether a reader takes these bytes as one value of this shape, in its one encoding. */
export function isReadable(raw, isShape = isAny) {
  try {
    const [value] = unpack(raw, 0, (pairs) => new Map(pairs));
    return hasKeys(value) && equal(canonical(value), raw) && isShape(value);
  } catch {
    return false;
  }
}

const isHash = isBytes(32), areCounts = listOf(isInt(0));
const DEALT = [maybe(areCounts), isInt(0), listOf(these(isHash, areCounts)), maybe(isHash), maybe(listOf(maybe(isHash)))];
const areKeys = (value) => listOf(maybe(isHash))(value) && value.filter((key) => key !== null).length <= 100; // as in core/trust/header_keys.py
const KEYS = [maybe(isHash), maybe(isHash), areKeys];
const ROSTER = [(name) => name === "kifu roster 2", isText, isText, isInt(0), isMap, listOf(isText), ...DEALT, ...KEYS, isAny, isAny, isAny];

/** Tell whether a reader of records takes these bytes as a roster: a record under any other is none. */
export function isRoster(raw) {
  return isReadable(raw, (value) => these(...ROSTER)(value) && value[5].length === value[13].length);
}

/** Tell whether the bytes that the host has bound itself to say what it shows: an event, a look, or the `result` of the end. */
export function says(told, shown) {
  const [value] = unpack(told, 0);
  if ("count" in shown) return value[0] === shown.count; // a look: the scene is drawn of it, which has no such bytes
  if ("result" in shown) return same(value.slice(2), [shown.result?.points ?? null, shown.result?.winners ?? null]);
  const { seq, seat, tag, fields, redacted, elapsed_ms: at, actor, notes } = shown;
  return same(value.slice(0, 7), [seq, seat, tag, fields, redacted, at, actor]) && same(outlineOf(value[7]), notes.map(({ rule, begins, number }) => [rule, begins, number]));
}

// What is shown of notes beside their words: the rule of each, what begins with it, and its number. An event without notes is
// shown with its command in words, as if that were one.
function outlineOf(notes) {
  const numberOf = (values, begins) => values.findLast(([name]) => name === begins)?.[1];
  const shown = (number) => (["number", "bigint", "boolean"].includes(typeof number) ? number : null);
  return notes.length ? notes.map(([, rule, values, begins]) => [rule, begins, begins === null ? null : shown(numberOf(values, begins))]) : [[null, null, null]];
}

// Whether two values are the same as JSON: there the keys of a map are texts, and sets are sorted as the host sorts them.
function same(one, other) {
  if (one instanceof Uint8Array) return true; // nothing of a view or command is bytes in JSON
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((each, at) => same(each, other[at]));
  if (one !== null && typeof one === "object") {
    const keys = Object.keys(one);
    return other !== null && typeof other === "object" && keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
  }
  return one === other || String(one) === String(other);
}

#!/usr/bin/env node
// Reads a kifu log, checks what binds its records together, and prints it.
//
//     node kifu.mjs game.log          each event on a line, then what is wrong; exit code 1 if anything is
//     node kifu.mjs --json *.log      one object a log
//
//     import { readLog } from "./kifu.mjs";
//     const { header, events, end, findings } = readLog(bytes); // a Uint8Array
//
// It knows the format (log-format.md) and no game: it finds each changed, removed or moved byte (`chain`), a file that
// ends too early (`torn`) and records of a wrong shape (`header`, `form`), but not a command that a rule forbids.
// It makes the seed of a fair deal again from what the header says of it (`fair`), but checks no signatures.
// Ints beyond 2^53 are BigInts, bytes are Uint8Arrays. There is nothing to install; the files beside it belong to it.

import { isDecimal } from "./canonical.mjs";
import { checkFair } from "./fair.mjs";
import { blake2b as hashed } from "./hash.mjs";

const LINK = 18; // the head of a bin of 16 bytes, and the chain
const PARTS = 65536; // the most values and keys of an object
const DEPTH = 200; // the deepest nesting of one
const INVALID = Symbol("no log holds this");

/** Read a log: its header, its events as objects, its end record or null, and what is wrong. Never throws. */
export function readLog(data) {
  const log = { header: null, events: [], end: null, findings: [] };
  const found = (kind, message, seq = null) => log.findings.push({ kind, seq, message });
  let place = 0;
  const next = () => {
    const [value, end, long] = decode(data, place);
    const raw = data.subarray(place, end);
    place = end;
    return [value, raw, long];
  };
  let chain = null;
  try {
    const [header, raw] = next();
    const wrong = headerWrong(header);
    if (wrong !== null) {
      found("header", wrong);
      return log;
    }
    log.header = header;
    chain = blake2b(raw);
  } catch (cause) {
    if (!(cause instanceof Torn || cause instanceof Noise)) throw cause;
    found("header", "this is no log");
    return log;
  }
  const seats = log.header.seats.length;
  let seq = 0;
  let ended = false;
  let stopped = false; // by a malformed event: after it only the chain says anything
  let rules = log.header.rules; // the version that the match is under now; Infinity: it could not go on under newer rules
  while (place < data.length) {
    const start = place;
    try {
      const [value, raw, long] = next();
      if (ended) {
        found("form", "something follows the end record");
        break;
      }
      const last = value === INVALID ? isMapHead(raw[0]) : isMap(value) && "end" in value;
      const linked = raw.length > LINK && raw[raw.length - LINK] === 0xc4 && raw[raw.length - LINK + 1] === 16;
      if (linked) {
        const right = blake2b(chain, raw.subarray(0, raw.length - LINK));
        chain = raw.subarray(raw.length - 16);
        if (!same(chain, right)) found("chain", "bytes were changed, removed, added or moved here", last ? null : seq);
      }
      if (last) {
        ended = true;
        if (value === INVALID) {
          found("form", "the end record holds what no log holds");
          continue;
        }
        const wrong = endWrong(value, seats, seq) ?? (linked ? null : "its last 16 bytes are not the chain");
        if (wrong === null) log.end = value;
        else found("result", `the end record: ${wrong}`);
        continue;
      }
      const wrong = eventWrong(value, seq, seats, long, rules) ?? (linked ? null : "the chain is not 16 bytes");
      if (wrong === null) {
        log.events.push(eventOf(value));
        if (value[1] === -1 && value[3] === ".rules") rules = value[4].to;
        if (value[1] === -1 && value[3] === ".refused") rules = Infinity;
      }
      else if (!stopped) found("form", wrong, seq);
      stopped ||= wrong !== null;
      if (isList(raw[0])) seq += 1;
    } catch (cause) {
      if (!(cause instanceof Torn || cause instanceof Noise)) throw cause;
      if (ended) found("form", "something follows the end record");
      else if (cause instanceof Torn) found("torn", `the file ends inside an object: ${data.length - start} bytes of it are there`);
      else found("form", cause.message, seq);
      break;
    }
  }
  const unfair = checkFair(log.header);
  if (unfair !== null) found("fair", unfair);
  return log;
}

/** Hash these byte arrays one after the other: BLAKE2b of 16 bytes. */
export function blake2b(...parts) {
  return hashed(parts);
}

// --- shapes: each says what is wrong, or null ------------------------------------------------------------------------

const HEADER = [
  ["kifu", (value) => value === 1, "1: this reads format 1"],
  ["game", (value) => isText(value), "the name of a game"],
  ["rules", (value) => isInt(value, 1), "the version of the rules"],
  ["seats", (value) => Array.isArray(value) && value.every(isText), "a list of names"],
  ["options", (value) => isMap(value), "a map"],
  ["seed", (value) => value === null || isBytes(value, 32), "32 bytes or nil"],
  ["match", (value) => isText(value), "a text"],
  ["started", (value) => value === null || isInt(value), "milliseconds or nil"],
  ["engine", (value) => isText(value), "a text"],
];

function headerWrong(header) {
  if (!isMap(header) || !("kifu" in header)) return "this is no log";
  for (const [key, fits, shape] of HEADER) {
    if (!(key in header)) return `no '${key}' in the header`;
    if (!fits(header[key])) return `'${key}' is not ${shape}`;
  }
  if ("layout" in header && !isInt(header.layout)) return "'layout' is not an int";
  if (!("fork" in header)) return null;
  const { fork, seed } = header;
  if (!isMap(fork) || !isText(fork.match) || !isInt(fork.seq, -1)) return "'fork' is not a map of 'match', a text, and 'seq', an int";
  return seed === null ? null : "a forked match has no seed of its own";
}

function eventWrong(value, seq, seats, long, rules) {
  if (value === INVALID) return "something in it has no place in a log";
  if (!Array.isArray(value) || value.length !== 7) return "this is no event: an event is a list of seven";
  const [number, seat, meta, tag, fields, digest, chain] = value;
  if (number !== seq) return `its number is not ${seq}, which is next`;
  if (!isInt(seat, -(2n ** 63n)) || !isText(tag) || !isMap(fields)) return "the seat is no int, the tag no text or the fields are no map";
  if (digest !== null && !isBytes(digest, 8)) return "the digest is not 8 bytes or nil";
  if (!isBytes(chain, 16)) return "the chain is not 16 bytes";
  if (long) return "an int is not in its shortest form";
  if (seat < -1 || seat >= seats) return `there are seats 0 to ${seats - 1}`;
  if (rules === Infinity) return "it could not go on under newer rules: nothing can follow";
  if (tag.startsWith(".") && !isOfFormat(tag, fields, seq, seats, rules)) {
    return "of the tags with a dot there are .takeback, .rules and .refused, with fields of their own";
  }
  return metaWrong(meta);
}

/** The commands of the log format: whether a change of the rules holds, only a program with the game's rules can say. */
function isOfFormat(tag, fields, seq, seats, rules) {
  const names = Object.keys(fields).sort().join();
  const { to, layout, event, seat, field } = fields;
  if (tag === ".takeback") return names === "to" && isInt(to, -1) && to < seq;
  if (tag === ".rules") return names === "layout,to" && isInt(to, rules) && isInt(layout, 1);
  if (tag !== ".refused" || names !== "event,field,seat,to" || !isInt(to, rules)) return false;
  return isInt(event) && event < seq && (seat === null || (isInt(seat, -1) && seat < seats)) && isText(field);
}

function metaWrong(meta) {
  if (meta === null) return null;
  if (!isMap(meta) || Object.keys(meta).length === 0) return "meta is not nil or a map of something";
  if ("at" in meta && !isInt(meta.at)) return "meta: 'at' is not milliseconds, 0 or more";
  if ("id" in meta && !(meta.id instanceof Uint8Array && meta.id.length <= 32)) return "meta: 'id' is not at most 32 bytes";
  if ("by" in meta && !(isText(meta.by) && [...meta.by].length <= 64)) return "meta: 'by' is not a text of at most 64 letters";
  return null;
}

function endWrong(value, seats, seq) {
  const { end, events, points, winners, chain } = value;
  if (Object.keys(value).sort().join() !== "chain,end,events,points,winners") return "it has not exactly the keys end, events, points, winners, chain";
  if (end !== "over" && end !== "abandoned") return "'end' is neither over nor abandoned";
  if (!isInt(events)) return "'events' is no number";
  if (!isBytes(chain, 16)) return "the chain is not 16 bytes";
  if (end === "abandoned" && (points !== null || winners !== null)) return "an abandoned match has neither points nor winners";
  if (end === "over") {
    const fits = Array.isArray(points) && points.length === seats && points.every((each) => isInt(each, -(2n ** 63n)));
    if (!fits) return "'points' is not a list of an int for each seat";
    if (!Array.isArray(winners) || !winners.every((each) => isInt(each) && each < seats)) return "'winners' is not a list of seats";
    if (!winners.every((each, at) => at === 0 || winners[at - 1] < each)) return "'winners' are not ascending";
  }
  return events === seq ? null : `it counts ${events} events, there are ${seq}`;
}

function eventOf([seq, seat, meta, tag, fields, digest, chain]) {
  return { seq, seat, meta, tag, fields, digest, chain };
}

const isList = (head) => (head >= 0x90 && head <= 0x9f) || head === 0xdc || head === 0xdd;

const isMapHead = (head) => (head >= 0x80 && head <= 0x8f) || head === 0xde || head === 0xdf;

const isMap = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);

const isInt = (value, least = 0) => (Number.isInteger(value) || typeof value === "bigint") && value >= least;

const isText = (value) => typeof value === "string";

const isBytes = (value, length) => value instanceof Uint8Array && value.length === length;

const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

// --- msgpack ---------------------------------------------------------------------------------------------------------

class Torn extends Error {}
class Noise extends Error {}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decode the object at `place`; give it, where it ends, and whether an int in it could be shorter. What no log holds
 * (floats, extensions, keys that are no texts, far too much of anything) becomes INVALID.
 */
export function decode(data, place) {
  let parts = 0;
  let long = false;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const need = (count) => {
    if (place + count > data.length) throw new Torn();
    place += count;
    return place - count;
  };
  const uint = (width) => {
    const at = need(width);
    if (width === 8) return small(view.getBigUint64(at));
    return width === 1 ? view.getUint8(at) : width === 2 ? view.getUint16(at) : view.getUint32(at);
  };
  const counted = (value, width) => {
    long ||= sizeOf(value) < 1 + width;
    return value;
  };
  const int = (width) => {
    const at = need(width);
    if (width === 8) return small(view.getBigInt64(at));
    return width === 1 ? view.getInt8(at) : width === 2 ? view.getInt16(at) : view.getInt32(at);
  };
  const bytes = (length) => data.subarray(need(length), place);
  const text = (length) => {
    const raw = bytes(length);
    try {
      return UTF8.decode(raw);
    } catch {
      return INVALID;
    }
  };
  const skip = (length) => (need(length), INVALID);

  // A stack instead of recursion: a stranger's bytes may be nested as deep as they are long.
  const stack = [];
  for (;;) {
    let value = one();
    for (;;) {
      if (stack.length === 0) return [parts > PARTS ? INVALID : value, place, long];
      const top = stack[stack.length - 1];
      top.add(value);
      if (--top.left > 0) break;
      stack.pop();
      value = top.value();
    }
  }

  function one() {
    for (;;) {
      const head = data[need(1)];
      parts += 1;
      let nested = null;
      if (head <= 0x7f) return head;
      if (head >= 0xe0) return head - 0x100;
      if (head <= 0x8f) nested = mapOf(head & 0x0f, numbered());
      else if (head <= 0x9f) nested = listOf(head & 0x0f);
      else if (head <= 0xbf) return text(head & 0x1f);
      else if (head === 0xc0) return null;
      else if (head === 0xc1) throw new Noise("byte 0xc1 begins nothing in msgpack");
      else if (head <= 0xc3) return head === 0xc3;
      else if (head <= 0xc6) return bytes(uint(1 << (head - 0xc4))).slice();
      else if (head <= 0xc9) return skip(uint(1 << (head - 0xc7)) + 1);
      else if (head <= 0xcb) return skip(head === 0xca ? 4 : 8);
      else if (head <= 0xcf) return counted(uint(1 << (head - 0xcc)), 1 << (head - 0xcc));
      else if (head <= 0xd3) return counted(int(1 << (head - 0xd0)), 1 << (head - 0xd0));
      else if (head <= 0xd8) return skip((1 << (head - 0xd4)) + 1);
      else if (head <= 0xdb) return text(uint(1 << (head - 0xd9)));
      else if (head <= 0xdd) nested = listOf(uint(head === 0xdc ? 2 : 4));
      else nested = mapOf(uint(head === 0xde ? 2 : 4), numbered());
      if (nested.left === 0) return nested.value();
      stack.push(nested);
      nested.deep = stack.length > DEPTH;
    }
  }

  /** Tell whether the map that begins here may have ints as keys: only the option of this name may. */
  function numbered() {
    const top = stack[stack.length - 1];
    return top !== undefined && top.key?.() === "chestnuts";
  }
}

export const small = (big) => (big >= Number.MIN_SAFE_INTEGER && big <= Number.MAX_SAFE_INTEGER ? Number(big) : big);

/** Give the bytes that an int takes in its shortest form. */
function sizeOf(value) {
  if (value < 0) return value >= -32 ? 1 : value >= -128 ? 2 : value >= -32768 ? 3 : value >= -(2 ** 31) ? 5 : 9;
  return value < 128 ? 1 : value < 256 ? 2 : value < 65536 ? 3 : value < 2 ** 32 ? 5 : 9;
}

function listOf(length) {
  const list = [];
  return {
    left: length,
    add: (value) => list.push(value),
    value() {
      return this.deep || list.includes(INVALID) ? INVALID : list;
    },
  };
}

function mapOf(length, numbered) {
  const pairs = [];
  return {
    left: 2 * length,
    add: (value) => pairs.push(value),
    key: () => (pairs.length % 2 === 1 ? pairs[pairs.length - 1] : null), // of the value that is next
    value() {
      const keys = pairs.filter((_, at) => at % 2 === 0);
      const fits = keys.every((key) => isText(key) || (numbered && isInt(key, -(2n ** 63n))));
      if (this.deep || !fits || new Set(keys).size < length || pairs.includes(INVALID)) return INVALID;
      const entries = keys.map((key, at) => [key, pairs[2 * at + 1]]); // in an object, 1 and "1" would be one key
      return numbered && keys.some((key) => isText(key) && isDecimal(key)) ? new Map(entries) : Object.assign(Object.create(null), Object.fromEntries(entries));
    },
  };
}

// --- the command line ------------------------------------------------------------------------------------------------

const shown = (_, value) =>
  value instanceof Uint8Array
    ? Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")
    : typeof value === "bigint"
      ? value.toString()
      : value === INVALID
        ? null
        : value;

function print(path, log) {
  const { header, events, end, findings } = log;
  const lines = [];
  if (header) lines.push(`${path}: ${header.game}, rules version ${header.rules}, ${header.seats.join(", ")}`);
  for (const { seq, seat, tag, fields } of events) {
    lines.push(`${String(seq).padStart(5)}  ${seat < 0 ? "table" : `seat ${seat}`}  ${tag} ${JSON.stringify(fields, shown)}`);
  }
  if (end) lines.push(`${end.end}: points ${JSON.stringify(end.points)}, winners ${JSON.stringify(end.winners)}`);
  for (const { kind, seq, message } of findings) {
    lines.push(`${path}: ${kind}: ${seq === null ? "" : `event ${seq}: `}${message}`);
  }
  if (findings.length === 0) lines.push(`${path}: ${events.length} events, the chain holds`);
  // eslint-disable-next-line no-control-regex
  console.log(lines.map((line) => line.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, "�")).join("\n"));
}

async function main(args) {
  const { readFileSync } = await import("node:fs");
  const asJson = args.includes("--json");
  const paths = args.filter((arg) => arg !== "--json");
  if (paths.length === 0) {
    console.error("usage: node kifu.mjs [--json] LOG...");
    return 2;
  }
  let code = 0;
  for (const path of paths) {
    let data;
    try {
      data = new Uint8Array(readFileSync(path));
    } catch (cause) {
      console.error(`${path}: cannot be read: ${cause.code ?? cause.message}`);
      code = 2;
      continue;
    }
    const log = readLog(data);
    if (log.findings.length > 0) code = Math.max(code, 1);
    if (asJson) console.log(JSON.stringify({ log: path, ...log }, shown));
    else print(path, log);
  }
  return code;
}

/** Tell whether this file is what node runs, by whatever name or link, and not imported. */
async function isRun() {
  if (typeof process === "undefined" || !process.argv?.[1]) return false;
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  try {
    return pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url;
  } catch {
    return false; // what runs is no file
  }
}

if (await isRun()) process.exitCode = await main(process.argv.slice(2));

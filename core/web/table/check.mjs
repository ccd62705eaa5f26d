// The check of a record against the log that the host gave, offline: the browser's part of `replay verify`. It needs no
// rules: marks bind every byte of the log, and what was shown of a command must stand in it.

import { decode as unpack, readLog } from "./reader/kifu.mjs";
import { order } from "./reader/canonical.mjs";
import { END, EVENT, LOOK, firstMark, isSigned, isWeak, nextMark, rosterBytes, rosterDigest, rosterMessage, saltOf, toldDigest, toldMessage, veilCommitment, commandMessage } from "./reader/trust.mjs";

const equal = (one, other) => one instanceof Uint8Array && other instanceof Uint8Array && order(one, other) === 0;

/** Return what is wrong, as `{kind, seq}`: nothing, if the log is the match that the record is of. */
export async function check({ head, entries }, data) {
  const findings = new Map();
  const found = (kind, seq = null) => findings.set(`${kind} ${seq}`, { kind, seq });
  const log = readLog(data);
  for (const { kind, seq } of log.findings) found(kind, seq);
  if (log.header === null) return [...findings.values()];
  const [roster] = unpack(head.roster, 0);
  if (log.header.match !== roster[1]) return [{ kind: "head", seq: null }];
  const made = rosterOf(log.header);
  if (made === null || !equal(made, head.roster)) found("head");
  const { veil } = log.header;
  const opens = equal(veil, veil) && veil.length === 32 && equal(veilCommitment(roster[1], veil), roster[11]);
  if (!opens) found("veil");
  const raw = objects(data);
  const events = raw.slice(1).filter((each) => Array.isArray(unpack(each, 0)[0]));
  const end = raw.length > events.length + 1 ? raw.at(-1) : null;
  const marks = opens ? marksOf(veil, raw[0], events, end) : null;
  let marked = false;
  for (const entry of entries) {
    const [kind, number, told, salt, mark] = entry;
    if (kind > END) continue;
    if ((kind === END && (end === null || number !== events.length)) || number > events.length || (kind === EVENT && number === events.length)) {
      found("missing", number);
      continue;
    }
    const place = kind === EVENT ? number + 1 : kind === END ? events.length + 1 : number;
    if (marks && !marked && !equal(marks[place], mark)) {
      found("mark", number);
      marked = true;
    }
    if (opens && !equal(saltOf(veil, kind, number, head.seat), salt)) found("told", number);
    if (!isTold(kind, unpack(told, 0)[0], events[number], end)) found("told", number);
  }
  await signatures(head, entries, log, marks, found);
  return [...findings.values()].sort((one, other) => (one.seq ?? Infinity) - (other.seq ?? Infinity));
}

function rosterOf(header) {
  const { fair, sign, veil } = header;
  try {
    const attempts = fair ? [...fair.past, { host: fair.host, seats: fair.seats }] : [];
    const rest = {
      ...header, names: header.seats, veil: veil ? veilCommitment(header.match, veil) : null,
      hostKey: sign?.host ?? null, seatKeys: sign?.seats ?? header.seats.map(() => null),
    };
    let made = rosterBytes({ ...rest, who: null, attempt: 0, past: [], host: null, seats: null });
    let past = [];
    attempts.forEach(({ host, seats }, at) => {
      made = rosterBytes({ ...rest, who: fair.who, attempt: at + 1, past, host: host[0], seats: seats.map((pair) => pair && pair[0]) });
      const without = (part) => seats.flatMap((pair, seat) => (pair && pair[part] === null ? [seat] : []));
      past = [...past, [rosterDigest(made), without(0).length ? without(0) : without(1)]];
    });
    return made;
  } catch {
    return null;
  }
}

// The objects of the file, as bytes.
function objects(data) {
  const raw = [];
  for (let place = 0; place < data.length;) {
    try {
      const [, end] = unpack(data, place);
      raw.push(data.subarray(place, end));
      place = end;
    } catch {
      break; // the reader has found that
    }
  }
  return raw;
}

// The mark of each moment, and that of the end after them.
function marksOf(veil, header, events, end) {
  const marks = [firstMark(veil, header)];
  for (const raw of [...events, ...(end ? [end] : [])]) marks.push(nextMark(veil, marks.at(-1), raw));
  return marks;
}

// Whether what was told stands in the log: all of a command that is not redacted.
function isTold(kind, told, raw, end) {
  if (kind === LOOK) return true;
  if (kind === END) {
    const [last] = unpack(end, 0);
    return same(told.slice(1), [last.end, last.points ?? null, last.winners ?? null]);
  }
  const [seq, seat, meta, tag, fields] = unpack(raw, 0)[0];
  const [number, actor, toldTag, shown, redacted, at, by] = told;
  const known = number === seq && actor === seat && toldTag === tag && at === (meta?.at ?? null) && by === (meta?.by ?? null);
  return known && (redacted || same(shown, fields)); // what a redacted command shows only the rules can tell
}

function same(one, other) {
  if (one instanceof Uint8Array) return equal(one, other);
  if (one === null || typeof one !== "object") return one === other;
  if (other === null || typeof other !== "object" || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
}

async function signatures(head, entries, log, marks, found) {
  const [roster] = unpack(head.roster, 0);
  const [match, hostKey, seatKeys] = [roster[1], roster[12], roster[13]];
  if (hostKey !== null) {
    const holds = async (message, sig) => sig !== null && (await isSigned(hostKey, message, sig));
    if (!(await holds(rosterMessage(rosterDigest(head.roster)), head.sig))) found("signature");
    for (const [kind, number, told, salt, mark, sig] of entries) {
      if (kind <= END && !(await holds(toldMessage(match, head.seat, kind, number, mark, toldDigest(salt, told)), sig))) found("signature", number);
    }
  }
  if (marks === null) return;
  const shared = log.header.fork?.seq ?? -1; // signed under the parent's marks
  if (shared >= log.events.length) found("signature");
  for (const { seq, seat, meta, tag, fields } of log.events) {
    const key = seat >= 0 ? seatKeys[seat] : null;
    if (seq <= shared || !key || meta?.by !== undefined) continue;
    const [at, sig] = Array.isArray(meta?.sign) ? meta.sign : [null, null];
    const fits = Number.isInteger(at) && at <= seq && sig instanceof Uint8Array && meta.id instanceof Uint8Array && !isWeak(key);
    if (!fits || !(await isSigned(key, commandMessage(match, seat, at, marks[at], tag, fields, meta.id), sig))) found("signature", seq);
  }
}

// The check of a record against the log that the host gave, offline: what of `replay verify` needs no rules. Marks bind
// every byte of the log, and what was shown openly of a command must stand in it. That the cards come from the seed, what
// was shown of hidden commands and of the table, notes, and what the rules say of a takeback, it leaves to the engine.

import { decode as unpack, readLog } from "./reader/kifu.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { END, EVENT, LOOK, SENT, WISH, firstMark, hex, nextMark, rosterDigest, rosterMessage, saltOf, toldDigest, toldMessage, veilCommitment, wishMessage } from "./reader/trust.mjs";
import { checkFair, keysOf, rosterOfHeader } from "./reader/fair.mjs";
import { auditCommands, holds, sharedOf } from "./command_audit.mjs";
import { auditFork, isUnderTheSameRules } from "./fork_audit.mjs";
import { isBytes, isInt, isMap, isRecord, readRecord } from "./record_file.mjs";
import { coverage, endOf, finder, inOrder, judged, only, shownKey } from "./verdict.mjs";

const equal = (one, other) => one instanceof Uint8Array && other instanceof Uint8Array && order(one, other) === 0;

/**
 * Check the bytes of a record against those of a log, and of the log of the match that it forks, if that is given:
 * `findings`, by event, those on none last, and what else `replay verify` prints.
 */
export async function check(recordData, data, parent = null) {
  const findings = new Map();
  const found = finder(findings);
  let record;
  try {
    record = readRecord(recordData);
  } catch {
    return only("record");
  }
  const log = takeApart(data);
  const { roster, head } = record;
  if (typeof log.header.match === "string" && log.header.match !== roster[1]) return only("head", roster[12]);
  for (const { kind, seq } of record.findings) found(kind, seq);
  const own = await ownChecks(record, found);
  if (!equal(rosterOfHeader(log.header), head.roster)) found("head");
  await audit(log, data, parent, found);
  const opens = log.marks !== null && equal(veilCommitment(roster[1], log.header.veil), roster[11]);
  if (!opens) found("veil");
  else compareMarks(record, log, found);
  if (log.headerRaw !== null) for (const entry of record.entries) compareEntry(entry, head, log, opens ? log.header.veil : null, found);
  const sorted = inOrder(findings);
  return { ...judged(sorted, coverage(own, sorted), aboutLog(log, parent)), ended: endOf(log, own, sorted) };
}

/**
 * Check the bytes of a log alone, its form, its fair deal, the signatures of its commands; or held against its parent: what they
 * share is not compared if they are `apart`, of two versions of the rules.
 */
export async function auditLog(data, parent = null) {
  const findings = new Map();
  const log = takeApart(data);
  await audit(log, data, parent, finder(findings));
  return { ...judged(inOrder(findings), aboutLog(log, parent)), apart: parent !== null && !isUnderTheSameRules(log, takeApart(parent)) };
}

/** The match that a log forks, null if it forks none. */
export function forkedFrom(data) {
  const { fork } = takeApart(data).header;
  return isMap(fork) && typeof fork.match === "string" ? fork.match : null;
}

// What a log says besides: whose key signs it, its events and end, what of a fork goes unchecked, the moves of others for
// seats that sign.
function aboutLog({ header, events, end, ...log }, parent) {
  const keys = keysOf(header) ?? { host: null, seats: [] };
  const played = events.filter(({ seat, meta }) => (keys.seats[seat] ?? null) !== null && (meta?.by ?? null) !== null);
  return {
    key: shownKey(keys.host), first: events.length ? 0 : null, last: events.length ? events.length - 1 : null,
    shared: unheldOf(header, parent), played: played.length, ended: endOf({ events, end, ...log }),
  };
}

// How many events, from the first on, are held to no log: a fork shares them with a parent that is not at hand, or is a fork.
function unheldOf(header, parent) {
  const old = parent === null ? null : takeApart(parent);
  if (old !== null && !isUnderTheSameRules({ header }, old)) return Number(sharedOf(header)) + 1;
  const oldest = old?.header ?? header;
  return isTrusted(oldest) ? Math.min(Number(sharedOf(header)), Number(sharedOf(oldest))) + 1 : 0;
}

const isTrusted = (header) => ["fair", "veil", "sign"].some((key) => key in header);

async function audit(log, data, parent, found) {
  for (const { kind, seq } of readLog(data).findings) found(kind, seq);
  if (checkFair(log.header) !== null) found("fair");
  if ("veil" in log.header && log.marks === null) found("veil");
  if (isTrusted(log.header) && sharedOf(log.header) >= log.events.length) found("sign" in log.header ? "signature" : "veil");
  await auditCommands(log, found);
  if (parent === null) return;
  await auditFork(log, takeApart(parent), (await auditLog(parent)).findings.length > 0, found);
}

// The log as its bytes have it: header, events and end, whatever they are worth; its marks are null where it has no veil.
function takeApart(data) {
  const [first, ...raw] = objects(data);
  const header = first ? unpack(first, 0)[0] : null;
  const log = { header: isMap(header) ? header : {}, headerRaw: isMap(header) ? first : null, events: [], end: null, endRaw: null, marks: null };
  for (const each of raw) {
    const [value] = unpack(each, 0);
    if (isMap(value) && "end" in value) {
      Object.assign(log, { end: value, endRaw: each });
      break;
    }
    const [, actor = null, meta, tag = null, fields = null] = Array.isArray(value) && value.length === 7 ? value : [];
    log.events.push({ raw: each, actor, seat: isInt(actor, -1) ? actor : null, meta: isMap(meta) ? meta : null, tag, fields });
  }
  if (isBytes(log.header.veil, 32)) log.marks = marksOf(log.header.veil, log);
  return log;
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
function marksOf(veil, { headerRaw, events, endRaw }) {
  const marks = [firstMark(veil, headerRaw)];
  for (const raw of [...events.map((event) => event.raw), ...(endRaw ? [endRaw] : [])]) marks.push(nextMark(veil, marks.at(-1), raw));
  return marks;
}

// What a mark is of: a moment, or the end.
function slotOf([kind, number, told], form) {
  if (kind === END) return `end ${number}`;
  return `moment ${kind === EVENT ? number + 1 : kind === SENT && form === "full" ? unpack(told, 0)[0][3] : number}`;
}

function compareMarks({ head, entries }, { events, end, marks }, found) {
  const known = new Map(marks.slice(0, events.length + 1).map((mark, moment) => [`moment ${moment}`, mark]));
  if (end !== null) known.set(`end ${events.length}`, marks.at(-1));
  const wrong = entries.find((entry) => {
    const slot = slotOf(entry, head.form);
    return known.has(slot) && !equal(known.get(slot), entry[4]);
  });
  if (wrong) found("mark", wrong[1]);
}

function compareEntry(entry, { form, seat }, log, veil, found) {
  const [kind, number, told, salt] = entry;
  const { events, end } = log;
  if (kind > END) return;
  const past = kind === END ? end === null || number !== events.length : number > events.length || (kind === EVENT && number === events.length);
  if (past) {
    found("missing", number);
    return;
  }
  if (form === "public") {
    if (kind !== END || veil === null) return;
    const given = canonical([number, end.end, end.points ?? null, end.winners ?? null]);
    if (!equal(told, toldDigest(saltOf(veil, kind, number, seat), given))) found("told", number);
    return;
  }
  if (veil !== null && !equal(saltOf(veil, kind, number, seat), salt)) found("told", number);
  const [value] = unpack(told, 0);
  if (Array.isArray(value) && !isTold(kind, number, value, log)) found("told", number);
}

// Whether what was told stands in the log: all of a command that is not redacted, but for one of before a change of the
// rules, which is told by its upcast from then on.
function isTold(kind, number, told, { header, events, end }) {
  if (kind === LOOK) return told[0] === number;
  if (kind === END) return same(told, [number, end.end, end.points ?? null, end.winners ?? null]);
  const [seq, actor, tag, shown, redacted, at, by] = told;
  const event = events[number];
  const known = seq === number && actor === event.seat && at === (event.meta?.at ?? null) && by === (event.meta?.by ?? null);
  const rulesAt = (moment) => events.slice(0, moment).findLast((each) => each.seat === -1 && each.tag === ".rules" && isMap(each.fields))?.fields.to ?? header.rules;
  const isUpcast = rulesAt(number) !== rulesAt(events.length);
  return known && (redacted || isUpcast || (tag === event.tag && same(shown, event.fields)));
}

function same(one, other) {
  try {
    return order(canonical(one), canonical(other)) === 0;
  } catch {
    return false;
  }
}

// What a record says by itself: two marks of one moment, codes that were compared, and all its signatures. Returns the
// record, with the places of its entries by what their marks are of, by mark, and those that the host has signed.
export async function ownChecks(record, found) {
  const { head, roster, entries } = record;
  const marks = new Map(), signed = new Set();
  for (const [place, entry] of entries.entries()) {
    const slot = slotOf(entry, head.form);
    const known = marks.get(slot) ?? new Map();
    if (known.size && !known.has(hex(entry[4]))) found("mark", entry[1]);
    marks.set(slot, known.set(hex(entry[4]), [...(known.get(hex(entry[4])) ?? []), place]));
  }
  for (const [moment, noted] of head.compared ?? []) {
    const known = [...(marks.get(`moment ${moment}`) ?? new Map()).keys()];
    if (known.length !== 1 || !known[0].startsWith(hex(noted))) found("mark", Math.max(moment - 1, 0));
  }
  const [match, hostKey] = [roster[1], roster[12]];
  const byHost = async (message, sig) => (hostKey === null ? sig === null : sig !== null && (await holds(hostKey, message, sig)));
  if (!(await byHost(() => rosterMessage(rosterDigest(head.roster)), head.sig))) found("signature");
  for (const [place, [kind, number, told, salt, mark, sig]] of entries.entries()) {
    const digest = head.form === "full" ? toldDigest(salt, told) : told;
    const right = kind <= END ? await byHost(() => toldMessage(match, head.seat, kind, number, mark, digest), sig) : head.form === "public" || (await ownSigned(record, kind, number, told, mark, sig));
    if (!right) found("signature", number);
    else if (kind <= END && hostKey !== null) signed.add(place);
  }
  return { ...record, marks, signed };
}

// Whether a proposal, or what the seat itself has sent, is signed by those who must.
async function ownSigned({ head, roster }, kind, number, told, mark, sig) {
  const [value] = unpack(told, 0);
  const match = roster[1], keys = roster[13];
  if (kind !== WISH) {
    const [, of, seat, , at] = value;
    return of === match && seat === head.seat && equal(at, mark) && sig !== null && (keys[seat] ?? null) !== null && (await holds(keys[seat], () => told, sig));
  }
  const [what, at, by, signed] = value;
  for (const [seat, signature] of signed) {
    if ((keys[seat] ?? null) === null || !(await holds(keys[seat], () => wishMessage(match, seat, number, mark, what, at), signature))) return false;
  }
  const have = signed.map(([seat]) => seat);
  return keys.every((key, seat) => key === null || have.includes(seat) || !(seat === by || what === "abandon"));
}

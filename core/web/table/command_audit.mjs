// Whether every command of a seat with a key is signed by it, once, and every takeback by those who agreed: what
// `replay audit` says under `signature`, but for whether the rules let a takeback go without consent.

import { keysOf } from "./reader/fair.mjs";
import { commandMessage, isSigned, wishMessage } from "./reader/trust.mjs";
import { isBytes, isInt, isMap } from "./record_file.mjs";

const FORMAT_TAGS = [".takeback", ".rules", ".refused"];
const MAX_STEPS = 1_000_000;

/** The last event that a fork shares with its parent, -1 if there is none. */
export const sharedOf = ({ fork }) => (isMap(fork) && isInt(fork.seq) ? fork.seq : -1);

/** Find what is wrong with the signatures of a log; its `marks` are null where the veil cannot be used. */
export async function auditCommands({ header, events, marks }, found) {
  const keys = keysOf(header);
  if (keys === null) return found("signature");
  if (!("veil" in header)) return [keys.host, ...keys.seats].some((key) => key !== null) ? found("signature") : undefined;
  if (marks === null) return undefined;
  const shared = sharedOf(header);
  const auditor = { match: header.match, keys: keys.seats, marks, found, unverified: new Map(), ids: new Map(), last: new Map(), way: way() };
  for (const [seq, event] of events.entries()) {
    if (seq > shared) await auditEvent(auditor, seq, event);
    auditor.way.add(event);
    auditor.last.set(event.seat, seq);
    if (event.meta?.id instanceof Uint8Array) auditor.ids.set(event.seat, (auditor.ids.get(event.seat) ?? new Set()).add(event.meta.id.join()));
  }
  for (const first of auditor.unverified.values()) found("signature", first);
  return undefined;
}

async function auditEvent(auditor, seq, event) {
  const { seat, meta } = event;
  const key = auditor.keys[seat] ?? null;
  if (seat === -1 && event.tag === ".takeback") return auditTakeback(auditor, seq, event);
  if (key !== null) return auditCommand(auditor, seq, event, key);
  if (meta !== null && "sign" in meta) auditor.found("signature", seq);
  return undefined;
}

async function auditCommand({ match, marks, found, unverified, ids, last }, seq, { seat, meta, tag, fields }, key) {
  const sign = meta?.sign;
  if ((meta?.by ?? null) !== null) return meta !== null && "sign" in meta ? found("signature", seq) : undefined;
  const shaped = Array.isArray(sign) && sign.length === 2 && isInt(sign[0]) && isBytes(sign[1], 64);
  const id = meta?.id instanceof Uint8Array ? meta.id : null;
  const at = shaped ? Number(sign[0]) : Infinity;
  if (!shaped || id === null || ids.get(seat)?.has(id.join()) || at > seq) found("signature", seq);
  if (!shaped || at > seq) return undefined;
  if (Math.max(last.get(seat) ?? -1, last.get(-1) ?? -1) >= at) found("signature", seq);
  if (id !== null && !(await holds(key, () => commandMessage(match, seat, at, marks[at], tag, fields, id), sign[1]))) {
    if (!unverified.has(seat)) unverified.set(seat, seq);
  }
  return undefined;
}

async function auditTakeback({ match, keys, marks, found, unverified, way }, seq, { meta, fields }) {
  const wisher = keys.findIndex((_, seat) => meta?.by === `seat ${seat}`);
  if (wisher < 0) found("signature", seq);
  const signed = meta !== null && "sign" in meta ? meta.sign : [];
  if (!areSignatures(signed)) return found("signature", seq);
  for (const [seat, signature] of signed) {
    if ((keys[seat] ?? null) === null) found("signature", seq);
    else if (!(await holds(keys[seat], () => wishMessage(match, seat, seq, marks[seq], "take_back", fields?.to ?? null), signature)) && !unverified.has(seat)) unverified.set(seat, seq);
  }
  const to = isMap(fields) && Number.isInteger(fields.to) && fields.to >= -1 && fields.to < seq ? fields.to : null;
  const free = wisher >= 0 && to !== null && way.needsNoConsent(to, wisher);
  keys.forEach((key, seat) => {
    if (key !== null && (seat === wisher || !free) && !signed.some(([each]) => each === seat)) found("signature", seq);
  });
  return undefined;
}

/** Whether it is a list of seats, ascending, each with 64 bytes. */
export const areSignatures = (value) =>
  Array.isArray(value) && value.every((each) => Array.isArray(each) && each.length === 2 && isInt(each[0]) && isBytes(each[1], 64)) && value.every((each, at) => at === 0 || value[at - 1][0] < each[0]);

/** Tell whether a signature holds; what has no canonical form was never signed. */
export async function holds(key, message, signature) {
  let raw;
  try {
    raw = message();
  } catch {
    return false;
  }
  return isSigned(key, raw, signature);
}

// The way to the present: the events that no takeback has undone.
function way() {
  const seats = [], origins = [];
  let steps = 0;
  const origin = (seq) => (seq >= 0 ? origins[seq] : -1);
  const path = (after, until) => {
    const start = origin(after), found = [];
    let now = origin(until);
    for (; now > start; now = now > 0 ? origins[now - 1] : -1) found.push(now);
    return now === start ? found : [];
  };
  return {
    add({ seat, tag, fields }) {
      const seq = seats.length;
      const back = tag === ".takeback" && isMap(fields) && Number.isInteger(fields.to) && fields.to >= -1 && fields.to < seq ? fields.to : null;
      const to = seat === -1 && FORMAT_TAGS.includes(tag) && tag !== ".takeback" ? seq - 1 : back;
      seats.push(seat);
      origins.push(to === null ? seq : origin(to));
    },
    needsNoConsent(to, wisher) {
      const now = origins.length - 1;
      steps += now - to;
      if (steps > MAX_STEPS) return false;
      const since = path(to, now);
      return (since.length > 0 || origin(to) === origin(now)) && since.every((seq) => [wisher, -1].includes(seats[seq]));
    },
  };
}

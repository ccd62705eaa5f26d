// What a verdict says besides of findings, as `replay verify` prints it: what a record covers, how the match ended, its
// code, whose key has signed, and whether the host has signed two histories.

import { END, WISH, codeOf, fingerprintOf } from "./reader/trust.mjs";
import { decode as unpack } from "./reader/kifu.mjs";

const NOTHING = { key: null, first: null, last: null, code: null, signed: false, ended: null, bound: [], proof: false, shared: 0, played: 0 };

/** Give a function that notes a finding, `{kind, seq, says}`: of a kind and an event there is one, which says all. */
export const finder = (findings) => (kind, seq = null, what = kind) => {
  const key = `${kind} ${seq}`;
  findings.set(key, { kind, seq, says: [...new Set([...(findings.get(key)?.says ?? []), what])] });
};

/** Sort findings by event, those on none last. */
export const inOrder = (findings) => [...findings.values()].sort((one, other) => (one.seq === other.seq ? 0 : (one.seq ?? Infinity) < (other.seq ?? Infinity) ? -1 : 1));

/** Put a verdict together: its findings, and of what else is known the later over the earlier. */
export const judged = (findings, record = {}, log = {}) => ({ findings, ...NOTHING, ...log, ...record });

/** A verdict of this one finding, where nothing else can be checked; of the records' host only the key is told. */
export const only = (kind, key = null) => judged([{ kind, seq: null, says: [kind] }], { key: shownKey(key) });

/** What the page found and what the engine did: every finding of either; held against its parent by the engine, a fork is compared. */
export function joined(alone, whole, isHeld) {
  const told = new Set(whole.findings.map(({ kind, seq }) => `${kind} ${seq}`));
  const more = alone.findings.filter(({ kind, seq }) => !told.has(`${kind} ${seq}`));
  const { of, shared } = alone;
  return { ...alone, ...whole, findings: [...whole.findings, ...more], of: of === "apart" ? "fork" : of, shared: isHeld ? 0 : shared };
}

export const shownKey = (key) => key && fingerprintOf(key);

/** What a record covers, once its own checks and all findings are known. */
export function coverage(own, findings) {
  const { head, roster, entries, marks, signed } = own;
  const told = [...entries.entries()].filter(([, [kind]]) => kind <= END);
  const numbers = told.map(([, [, number]]) => number);
  const ends = entries.filter(([kind]) => kind === END);
  const isWrong = findings.some(({ kind, seq }) => kind === "signature" && seq === null);
  return {
    key: shownKey(roster[12]), first: numbers.length ? Math.min(...numbers) : null, last: numbers.length ? Math.max(...numbers) : null,
    code: lastCode([...marks].filter(([slot]) => slot.startsWith("moment "))),
    signed: roster[12] !== null && !isWrong && told.every(([place]) => signed.has(place)),
    ended: ends.length && head.form === "full" ? endTold(ends.at(-1), own, findings) : null,
    bound: [...new Set((head.compared ?? []).map(([moment]) => moment))].sort((one, other) => one - other),
    proof: [...marks.keys()].some((slot) => signedMarks(own, slot).length > 1),
  };
}

/** The marks of a moment, or of the end, that the host has signed. */
export const signedMarks = ({ marks, signed }, slot) => [...(marks.get(slot) ?? [])].filter(([, places]) => places.some((place) => signed.has(place))).map(([mark]) => mark);

/** The code of the last of these moments. */
export function lastCode(slots) {
  const last = slots.sort(([one], [other]) => (BigInt(one.slice(7)) < BigInt(other.slice(7)) ? -1 : 1)).at(-1);
  return last ? codeOf(Uint8Array.from([...last[1].keys()][0].match(/../g), (pair) => parseInt(pair, 16))) : null;
}

function endTold([, number, told], own, findings) {
  return unpack(told, 0)[0][1] === "over" ? "over" : howAbandoned(number, own, findings);
}

/** How the match of a log has ended, null if it has not; whether by consent only a seat's record can tell. */
export function endOf({ events, end }, own = null, findings = []) {
  if (end === null) return null;
  if (own !== null) return end.end === "over" ? "over" : howAbandoned(events.length, own, findings);
  return end.end === "over" ? "over" : end.end === "abandoned" ? "called off" : null;
}

function howAbandoned(count, { head, roster, entries }, findings) {
  if (head.form !== "full") return null;
  const isWrong = findings.some(({ kind, seq }) => kind === "signature" && seq === count);
  const agreed = entries.some(([kind, number, told]) => kind === WISH && number === count && unpack(told, 0)[0][0] === "abandon");
  const canConsent = roster[13].some((key) => key !== null);
  return agreed && canConsent && !isWrong ? "by consent" : "called off";
}

// Two records of one match held against each other, while it goes on or after: all that `replay verify A B` finds.

import { decode as unpack } from "./reader/kifu.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { END, EVENT } from "./reader/trust.mjs";
import { inOrder, ownChecks, slotOf } from "./check.mjs";
import { isRecord, readRecord } from "./record_file.mjs";

export { isRecord };

const OPEN = [1, 2, 5, 6]; // of what was told of an event: actor, tag, time, who gave it

/** Compare the bytes of two records: what is wrong, as `{kind, seq}`, by event, what is on none last. */
export async function compare(one, other) {
  const findings = new Map();
  const found = (kind, seq = null) => void findings.set(`${kind} ${seq}`, { kind, seq });
  if (!isRecord(one) || !isRecord(other)) return [{ kind: "record", seq: null }];
  const both = [one, other].map(readRecord);
  if (both[0].roster[1] !== both[1].roster[1]) return [{ kind: "head", seq: null }];
  for (const record of both) {
    for (const { kind, seq } of record.findings) found(kind, seq);
    await ownChecks(record, found);
  }
  if (!same(both[0].head.roster, both[1].head.roster)) found("head");
  const apart = firstApart(...both.map(marksOf));
  if (apart !== null) found("mark", apart);
  for (const number of [...endedBefore(...both), ...endedBefore(both[1], both[0])]) found("missing", number);
  if (both.every(({ head }) => head.form === "full")) for (const number of toldApart(...both)) found("told", number);
  return inOrder(findings);
}

const same = (one, other) => order(one, other) === 0;

// The marks of each moment and of the end, as text.
function marksOf({ head, entries }) {
  const marks = new Map();
  for (const entry of entries) {
    const slot = slotOf(entry, head.form);
    marks.set(slot, (marks.get(slot) ?? new Set()).add(String(entry[4])));
  }
  return marks;
}

// The number of the first event after which, or end at which, the marks differ; null if there is none.
function firstApart(mine, theirs) {
  const sorted = (marks) => [...marks].sort().join();
  const differ = [...mine.keys()].filter((slot) => theirs.has(slot) && sorted(mine.get(slot)) !== sorted(theirs.get(slot)));
  const times = differ.map((slot) => [slot.split(" ")[0] === "end", Number(slot.split(" ")[1])]);
  const [first] = times.sort(([ended, number], [alsoEnded, after]) => number - after || ended - alsoEnded);
  if (first === undefined) return null;
  return first[0] ? first[1] : Math.max(first[1] - 1, 0);
}

// The ends that one was told, after which the other has more.
function endedBefore({ entries }, going) {
  const ends = entries.filter(([kind]) => kind === END).map(([, number]) => number);
  return ends.filter((end) => going.entries.some(([kind, number]) => kind <= END && number + (kind === EVENT ? 1 : 0) > end));
}

// The events of which two seats were told two things.
function toldApart(...both) {
  const [mine, theirs] = both.map(({ entries }) => entries.filter(([kind]) => kind === EVENT).map(([, number, told]) => [number, unpack(told, 0)[0]]));
  return mine.filter(([number, told]) => theirs.some(([at, other]) => at === number && !agree(told, other))).map(([number]) => number);
}

// Whether what both were shown is the same: fields that one saw redacted are left out.
function agree(one, other) {
  if (!OPEN.every((place) => same(canonical(one[place]), canonical(other[place])))) return false;
  const [mine, theirs] = [one[3], other[3]];
  const names = one[4] || other[4] ? Object.keys(mine).filter((name) => name in theirs) : Object.keys({ ...mine, ...theirs });
  return names.every((name) => name in mine && name in theirs && same(canonical(mine[name]), canonical(theirs[name])));
}

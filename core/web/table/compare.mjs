// Two records of one match held against each other, while it goes on or after: all that `replay verify A B` finds.

import { decode as unpack, small } from "./reader/kifu.mjs";
import { canonical, order } from "./reader/canonical.mjs";
import { END, EVENT } from "./reader/trust.mjs";
import { ownChecks } from "./check.mjs";
import { isRecord, readRecord } from "./record_file.mjs";
import { coverage, finder, inOrder, judged, lastCode, only, signedMarks } from "./verdict.mjs";

export { isRecord };

const OPEN = [1, 2, 5, 6]; // of what was told of an event: actor, tag, time, who gave it

/** Compare the bytes of two records: what is wrong, and what both cover, as `check` says it. */
export async function compare(one, other) {
  const findings = new Map();
  const found = finder(findings);
  if (!isRecord(one) || !isRecord(other)) return only("record");
  const both = [one, other].map(readRecord);
  const [key, theirs] = both.map(({ roster }) => roster[12]);
  if (both[0].roster[1] !== both[1].roster[1]) return only("head", key && theirs && same(key, theirs) ? key : null);
  const own = [], alone = [];
  for (const record of both) {
    const mine = new Map();
    own.push(await ownChecks(record, finder(mine)));
    for (const { kind, seq } of [...record.findings, ...mine.values()]) found(kind, seq);
    alone.push(coverage(own.at(-1), inOrder(mine)));
  }
  if (!same(both[0].head.roster, both[1].head.roster)) found("head");
  const apart = firstApart(...own.map(({ marks }) => marks));
  if (apart !== null) found("mark", apart, "pair-mark");
  for (const number of [...endedBefore(...both), ...endedBefore(both[1], both[0])]) found("missing", number, "pair-missing");
  if (both.every(({ head }) => head.form === "full")) for (const number of toldApart(...both)) found("told", number, "pair-told");
  return judged(inOrder(findings), { ...covered(alone, own), proof: alone.some(({ proof }) => proof) || (apart !== null && isSignedByOne(own)) });
}

const same = (one, other) => order(one, other) === 0;

// What both records cover.
function covered([mine, theirs], own) {
  const most = (pick, ...numbers) => { const known = numbers.filter((each) => each !== null); return known.length ? pick(...known) : null; };
  const ends = [...new Set([mine.ended, theirs.ended].filter((each) => each !== null))];
  return {
    key: mine.key === theirs.key ? mine.key : null, first: most(Math.max, mine.first, theirs.first), last: most(Math.min, mine.last, theirs.last),
    code: lastCode([...own[0].marks].filter(([slot]) => slot.startsWith("moment ") && own[1].marks.has(slot))),
    signed: mine.signed && theirs.signed, ended: ends.length === 1 ? ends[0] : null,
  };
}

// Whether one host has signed two marks of one moment, one in each record.
function isSignedByOne([mine, theirs]) {
  const keys = [mine, theirs].map(({ roster }) => roster[12]);
  if (keys.includes(null) || !same(...keys)) return false;
  return [...mine.marks.keys()].some((slot) => theirs.marks.has(slot) && new Set([...signedMarks(mine, slot), ...signedMarks(theirs, slot)]).size > 1);
}

// The number of the first event after which, or end at which, the marks differ; null if there is none.
function firstApart(mine, theirs) {
  const sorted = (marks) => [...marks.keys()].sort().join();
  const differ = [...mine.keys()].filter((slot) => theirs.has(slot) && sorted(mine.get(slot)) !== sorted(theirs.get(slot)));
  const times = differ.map((slot) => [slot.split(" ")[0] === "end", BigInt(slot.split(" ")[1])]);
  const [first] = times.sort(([ended, number], [alsoEnded, after]) => (number < after ? -1 : number > after ? 1 : ended - alsoEnded));
  if (first === undefined) return null;
  return small(first[0] || first[1] === 0n ? first[1] : first[1] - 1n);
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
  return names.every((name) => name in mine && name in theirs && same(canonical({ [name]: mine[name] }), canonical({ [name]: theirs[name] })));
}

// What the browser keeps where its disk fails: `test_record_in_node.py` runs it, with a disk of this test.
import assert from "node:assert/strict";

let opened = 0, fails = null;
const kept = new Map();
class Closed extends Error { name = "InvalidStateError"; }

// A connection, whose transactions `fails` breaks: by a `throw`, or an `abort` after all has gone well.
function connection() {
  const base = { isClosed: false };
  base.transaction = () => {
    if (base.isClosed) throw new Closed("the connection is closed");
    if (fails?.throw) throw fails.throw;
    const transaction = { error: fails?.abort ?? null, objectStore: () => ({
      put: (value, key) => { if (!fails) kept.set(JSON.stringify(key), value); return {}; },
      get: (key) => ({ result: kept.get(JSON.stringify(key)) }),
    }) };
    setTimeout(() => (fails?.abort !== undefined ? transaction.onabort() : transaction.oncomplete()));
    return transaction;
  };
  return base;
}
let base = null;
globalThis.indexedDB = { open: () => {
  opened += 1;
  const request = { result: (base = connection()) };
  setTimeout(() => request.onsuccess());
  return request;
} };

const { get, put } = await import("../../../core/web/table/vault.js");
await put("deals", ["m"], 1);
assert.equal(opened, 1);
base.isClosed = true; // as a phone does to a page that was in the background
assert.equal(await get("deals", ["m"]), 1);
base.isClosed = true;
await put("deals", ["m"], 2);
assert.deepEqual([await get("deals", ["m"]), opened], [2, 3]);

// A disk that is full, or fails, is told as this browser's own; a key that is none is not.
for (const abort of [new Error("full"), null]) {
  fails = { abort };
  await assert.rejects(put("deals", ["m"], 3), (error) => error.isOwn);
}
fails = { throw: new Closed("for good") };
await assert.rejects(get("deals", ["m"]), (error) => error.isOwn);
fails = { throw: Object.assign(new Error("no key"), { name: "DataError" }) };
await assert.rejects(put("deals", [NaN], 3), (error) => !error.isOwn);
console.log("fine");

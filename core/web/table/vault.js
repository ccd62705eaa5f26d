// What this browser keeps of trust in IndexedDB: key pairs that no script can read out, secrets of fair deals, and what
// was told, entry by entry. Where a private window keeps nothing, all of it lasts as long as the page.

const STORES = ["keys", "deals", "entries"];
const memory = new Map(STORES.map((store) => [store, new Map()]));

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("kifu", 1);
    request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  }).catch(() => null);
  return opening;
}

// A connection that the browser has closed is opened again, once. That its disk fails is this browser's own trouble
// (`isOwn`), and nobody's lie; that a key is none (`DataError`) is not.
async function run(store, mode, act, isFirst = true) {
  const base = await database();
  if (!base) return undefined;
  try {
    return await transact(base, store, mode, act);
  } catch (error) {
    if (error.name === "InvalidStateError" && isFirst) {
      opening = null;
      return run(store, mode, act, false);
    }
    throw error.name === "DataError" ? error : Object.assign(error, { isOwn: true });
  }
}

function transact(base, store, mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(store, mode);
    const request = act(transaction.objectStore(store));
    const fail = () => reject(transaction.error ?? new Error("this browser has kept nothing"));
    Object.assign(transaction, { oncomplete: () => resolve(request.result), onerror: fail, onabort: fail });
  });
}

/** Keep a value; resolves once it is on disk. */
export async function put(store, key, value) {
  memory.get(store).set(JSON.stringify(key), value);
  await run(store, "readwrite", (box) => box.put(value, key));
}

/** Return a kept value. It is read from disk each time: another tab may have written it. */
export async function get(store, key) {
  const kept = await run(store, "readonly", (box) => box.get(key));
  return kept === undefined ? memory.get(store).get(JSON.stringify(key)) : kept;
}

/** Run `act` while no other tab of this browser runs what has the same name. */
export function alone(name, act) {
  return globalThis.navigator?.locks ? navigator.locks.request(`kifu ${name}`, act) : act();
}

/** All values whose keys begin with these two parts, in the order of their keys. */
export async function all(store, one, two) {
  const kept = await run(store, "readonly", (box) => box.getAll(IDBKeyRange.bound([one, two], [one, two, []])));
  if (kept) return kept;
  const begin = JSON.stringify([one, two]).slice(0, -1);
  return [...memory.get(store)].filter(([key]) => key.startsWith(begin)).map(([, value]) => value);
}

/** Draw a key pair that signs but cannot be read out; null where this browser has no Ed25519. */
export async function newKey() {
  try {
    const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
    await put("keys", encode(raw), pair.privateKey);
    return raw;
  } catch {
    return null;
  }
}

/** Sign with the key whose public half this is, in base64url; null if this browser does not have it. */
export async function sign(publicKey, message) {
  const key = await get("keys", publicKey);
  return key ? new Uint8Array(await crypto.subtle.sign("Ed25519", key, message)) : null;
}

// The key that a seat signs under: the roster's. Only a new holder of the seat signs nothing, which the host says (`signs`):
// who has the key still believes it if a link has brought the seat anew.
export async function signingKey(match, seat, key, signs) {
  const known = key && encode(key);
  if (!known || signs) return known;
  return (await get("keys", known)) && !(await get("deals", [match, seat, "new holder"])) ? known : null;
}

export async function holdAnew(match, seat) {
  if (await get("deals", [match, seat, "joined"])) await put("deals", [match, seat, "new holder"], true);
}

/** The host's keys that this browser knows, in base64url, the latest last; null stands for a host that signs nothing. */
export async function knownHostKeys() {
  return (await get("deals", ["host keys"])) ?? [];
}

/** Know this key of the host from now on, as that of this match, too: once it has a key, that it had none is forgotten. */
export async function knowHostKey(match, key) {
  const others = (await knownHostKeys()).filter((each) => each !== key && (key === null || each !== null));
  await put("deals", ["host keys"], [...others, key]);
  await put("deals", [match, "host key"], { key });
}

/** Compare the host's key in a match with those known: the first is taken, as ssh takes it; returns the one known instead. */
export async function strangeHostKey(match, key) {
  if ((await get("deals", [match, "host key"]))?.key === key) return null; // the user has seen it there
  const known = await knownHostKeys();
  const signed = known.filter((each) => each !== null);
  if (signed.length && !known.includes(key)) return signed.at(-1);
  await knowHostKey(match, key);
  return null;
}

/** Bytes as base64url without `=`, and back; what is not that is no bytes, which nothing agrees with. */
export function encode(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decode(text) {
  if (text === null || text === undefined) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

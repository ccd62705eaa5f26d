// Where the matches of a host are kept: IndexedDB, each match one value; in node, or under no name, nowhere.

const MATCHES = "matches";

export async function openStorage(name) {
  if (!name || !globalThis.indexedDB) return { all: async () => [], put: async () => {} };
  let database = await open(`kifu ${name}`);
  // `whole` is all that is to be kept: it is written where the database was cut off, as it is when somebody deletes what
  // the browser keeps for the site.
  const put = async (values, whole = values) => {
    try {
      return await write(database, values);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      database = await open(`kifu ${name}`);
      return write(database, whole);
    }
  };
  return { all: () => all(database), put };
}

function open(name) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(MATCHES);
  return done(opening);
}

// All that is kept, as pairs of a match's id and its value.
async function all(database) {
  const store = database.transaction(MATCHES).objectStore(MATCHES);
  const [ids, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  return ids.map((id, place) => [id, values[place]]);
}

// Keep these values in one transaction, and forget those that are null; done once it is on the disk.
async function write(database, values) {
  const transaction = database.transaction(MATCHES, "readwrite", { durability: "strict" });
  const store = transaction.objectStore(MATCHES);
  for (const [id, value] of values) value ? store.put(value, id) : store.delete(id);
  await new Promise((kept, failed) => {
    transaction.oncomplete = kept;
    transaction.onerror = transaction.onabort = () => failed(transaction.error ?? new Error("the browser has kept nothing"));
  });
}

function done(request) {
  return new Promise((kept, failed) => {
    request.onsuccess = () => kept(request.result);
    request.onerror = () => failed(request.error);
  });
}

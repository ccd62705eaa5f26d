// What one page of the site hands to another, kept in the browser: the newest, by the key that the other's address has.

import { openStorage } from "./kifu/storage.js";

const NEWEST = 8;

export async function handOver(value) {
  const storage = await openStorage("handed over");
  const older = (await storage.all()).map(([key]) => key).sort().reverse().slice(NEWEST - 1);
  const key = `${Date.now()} ${Math.random()}`; // sorted by time
  await storage.put([[key, value], ...older.map((each) => [each, null])]);
  return key;
}

export async function handedOver(key) {
  return new Map(await (await openStorage("handed over")).all()).get(key);
}

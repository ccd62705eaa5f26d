// node same_bytes.mjs PACKAGE LIST: makes the calls of a list in the engine, and prints what each says.
// LIST is a JSON file of [name, arguments]; {"$file": path} stands for the bytes of a file.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, list] = process.argv;
const { KifuError, startEngine } = await import(pathToFileURL(`${folder}/engine.mjs`));
const engine = await startEngine();

for (const [name, args] of JSON.parse(readFileSync(list, "utf8"), (_, value) => (value?.$file ? new Uint8Array(readFileSync(value.$file)) : value))) {
  console.log(JSON.stringify(await said(name, args)));
}
process.stdout.write("", () => process.exit(0)); // once all of it is written

async function said(name, args) {
  try {
    const value = await engine.call(name, args);
    return value instanceof Uint8Array ? { sha256: createHash("sha256").update(value).digest("hex") } : { value };
  } catch (error) {
    if (!(error instanceof KifuError)) throw error;
    const { name: _, ...facts } = error;
    return { error: { ...facts, detail: error.message } };
  }
}

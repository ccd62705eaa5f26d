// node same_bytes.mjs PACKAGE: makes the calls that come in, one a line, in one engine, and prints what each says.
// A call is [name, arguments] in JSON; {"$file": path} stands for the bytes of a file.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { KifuError, startEngine } = await import(pathToFileURL(`${process.argv[2]}/engine.js`));
const engine = await startEngine();

for await (const line of createInterface({ input: process.stdin })) {
  const [name, args] = JSON.parse(line, (_, value) => (value?.$file ? new Uint8Array(readFileSync(value.$file)) : value));
  console.log(JSON.stringify(await said(name, args)));
}
process.exit(0);

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

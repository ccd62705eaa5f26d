// node every_field.mjs PACKAGE WHEEL CASES: plays each command of CASES, [tag, value in JavaScript], as the first of a match;
// prints what was refused as null, and of all else the value that the match shows, in JavaScript, and the log.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, wheel, cases] = process.argv;
const { load } = await import(pathToFileURL(`${folder}/kifu.js`));
const kifu = await load({ wheels: [readFileSync(wheel)] });
const written = (value) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each));
for (const [tag, source] of JSON.parse(readFileSync(cases))) {
  const match = await kifu.new("every_field", { seats: ["Aki", "Ren"], seed: "07".repeat(32) });
  const told = await match.play(0, { tag, fields: { value: Function(`return ${source}`)() } })
    .then(([{ fields }]) => fields, ({ kind }) => { if (kind !== "rule-violation") throw new Error(kind); return null; });
  console.log(JSON.stringify(told && [written(told.value), Buffer.from(await match.save()).toString("base64")]));
}
process.stdout.write("", () => process.exit(0)); // once all of it is written

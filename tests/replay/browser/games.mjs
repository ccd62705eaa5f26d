// node games.mjs PACKAGE WHEEL GAME…: plays a match of each game in an engine that loads a wheel; prints the names of the
// games that there are, then how each match ended, what is refused, why no worker is there.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, wheel, ...games] = process.argv;
const { load } = await import(pathToFileURL(`${folder}/kifu.js`));
const kifu = await load({ wheels: [readFileSync(wheel)] });
console.log(JSON.stringify((await kifu.games()).map(({ game }) => game)));
for (const game of games) {
  const match = await kifu.new(game, { seats: ["Aki", "Ren"], seed: "07".repeat(32) });
  while (match.status === "going") {
    const [seat] = match.toAct;
    await match.play(seat, await match.choose(seat, "random"));
  }
  console.log(JSON.stringify([match.status, match.result.points.length, (await kifu.audit(Buffer.from(await match.save()))).ok]));
}
const log = await kifu.simulate("take_and_share", { seats: ["Aki", "Ren", "Mio"], bots: ["random"] });
const short = await kifu.shrink(log, { rule: "TS-4", tries: 9 });
console.log(JSON.stringify([(await kifu.impact([log, short], { options: { long: true } })).compared, short.length < log.length, (await kifu.audit(short)).ok]));
const match = await kifu.new(games[0], { seats: ["Aki", "Ren"] });
for (const ask of [() => match.observe(NaN), () => match.takeBack(7n), () => match.play(0), () => kifu.new(games[0], { seats: ["Aki", "Ren"], seed: 0 })])
  await ask().catch(({ kind, message }) => console.log(JSON.stringify([kind, message])));
const host = await kifu.host();
const opened = await (await host.fetch("/api/matches", { method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ game: "cake", seats: ["Aki", "Ren", "Mio"].map((name) => ({ name })) }) })).json();
const leaving = new AbortController();
const stream = await host.fetch(`/api/matches/${opened.match}/events`, { signal: leaving.signal });
const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
const { value } = await reader.read();
leaving.abort();
const rest = await reader.read().catch(({ name }) => name);
console.log(JSON.stringify([stream.status, stream.headers.get("content-type"), value.includes('"about"') && value.includes("id: 0"), rest]));
console.log(JSON.stringify((await host.fetch("/api/matches/m/events")).status));
await host.close();
await host.fetch("/api/matches/m/events").catch(({ kind }) => console.log(JSON.stringify(kind)));
await load({ worker: true }).catch(({ message }) => console.log(JSON.stringify(message)));
process.stdout.write("", () => process.exit(0)); // once all of it is written

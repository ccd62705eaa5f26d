// node games.mjs PACKAGE WHEEL GAME…: plays a match of each game in an engine that loads a wheel; prints the names of the
// games that there are, then how each match ended, then why no worker is there.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, wheel, ...games] = process.argv;
const { load } = await import(pathToFileURL(`${folder}/kifu.mjs`));
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
const match = await kifu.new(games[0], { seats: ["Aki", "Ren"] });
for (const ask of [() => match.observe(NaN), () => match.takeBack(1n), () => match.play(0), () => kifu.new(games[0], { seats: ["Aki", "Ren"], seed: 0 })])
  await ask().catch(({ kind, message }) => console.log(JSON.stringify([kind, message])));
const host = await kifu.host();
await host.close();
const socket = host.socket("/api/matches/m/watch");
await new Promise((done) => { socket.onclose = done; });
await load({ worker: true }).catch(({ message }) => console.log(JSON.stringify(message)));
process.stdout.write("", () => process.exit(0)); // once all of it is written

// A whole frontend in plain JavaScript: one player against two bots, the words of the engine, undo, and a saved game.

import { load } from "./kifu/kifu.js";

const YOU = 0;
const status = document.getElementById("status");
const commands = document.getElementById("commands");
const story = document.getElementById("story");

const kifu = await load({ worker: true });
const saved = localStorage.getItem("game");
let match = saved ? await kifu.open(saved) : await kifu.new("cake", { seats: ["You", "Ren", "Mio"] });
await goOn();

// Let the bots play until it is your turn, then show what you may do; your own command is kept while they think.
async function goOn() {
  await keep();
  while (match.status === "going" && !match.toAct.includes(YOU)) {
    const [seat] = match.toAct;
    await match.play(seat, await match.choose(seat, "easy"));
  }
  await show();
  status.textContent += await keep();
}

// Returns what to say if the storage is full.
async function keep() {
  const text = await match.json();
  try {
    localStorage.setItem("game", text);
    return "";
  } catch (error) {
    return `. Not kept: ${error.message}`;
  }
}

async function show() {
  story.replaceChildren(...(await match.words(YOU)).map((line) => element("li", line)));
  if (match.status !== "going") {
    status.textContent = `Over: ${match.result.points.map((points, seat) => `${match.seats[seat]} ${points}`).join(", ")}`;
    commands.replaceChildren(button("Again", begin));
    return;
  }
  status.textContent = "Your turn";
  const legal = await match.legal(YOU);
  commands.replaceChildren(...legal.map((command) => button(command.text, () => change(() => match.play(YOU, command)))), button("Undo", () => change(() => match.undo(YOU))));
}

// One change at a time; a refusal has the number of the rule, and what it asks.
async function change(make) {
  if (commands.inert) return;
  commands.inert = true;
  try {
    await make();
    await goOn();
  } catch (error) {
    status.textContent = `${error.rule}: ${error.message}`;
  } finally {
    commands.inert = false;
  }
}

async function begin() {
  match = await kifu.new("cake", { seats: match.seats });
  await goOn();
}

function button(text, click) {
  const made = element("button", text);
  made.addEventListener("click", click);
  return made;
}

function element(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}

// A frontend as components of Preact: one player against two bots, the words of the engine, undo, and a saved game.

import { h, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import htm from "htm";
import { load } from "./kifu/kifu.mjs";

const html = htm.bind(h);
const YOU = 0;
const kifu = await load({ worker: true });
let busy = false;

// The match of this page: what is shown of it, and what changes it.
function useMatch(first) {
  const [match, setMatch] = useState(first);
  const [shown, setShown] = useState(null);
  const [refusal, setRefusal] = useState("");

  // Let the bots play until it is your turn; keep the log; show what you may do.
  async function goOn(of = match) {
    while (of.status === "going" && !of.toAct.includes(YOU)) {
      const [seat] = of.toAct;
      await of.play(seat, await of.choose(seat, "easy"));
    }
    localStorage.setItem("kept", JSON.stringify([...(await of.save())]));
    setShown({ words: await of.words(YOU), legal: of.status === "going" ? await of.legal(YOU) : [] });
  }
  useEffect(() => void goOn(), [match]);

  // Make a change, one at a time; a refusal has the number of the rule, and what it asks.
  async function change(made) {
    if (busy) return;
    busy = true;
    try {
      await made();
      setRefusal("");
      await goOn();
    } catch (error) {
      setRefusal(error.rule ? `${error.rule}: ${error.message}` : error.message);
    } finally {
      busy = false;
    }
  }
  return {
    match, shown, refusal,
    play: (command) => change(() => match.play(YOU, command)),
    undo: () => change(() => match.undo(YOU)),
    again: async () => setMatch(await begin()),
  };
}

function Table({ first }) {
  const { match, shown, refusal, play, undo, again } = useMatch(first);
  if (!shown) return html`<p role="status">One moment …</p>`;
  return html`
    <p role="status">${refusal || statusOf(match)}</p>
    <div>
      ${shown.legal.map((command) => html`<button onClick=${() => play(command)}>${command.text}</button>`)}
      ${match.status === "going" ? html`<button onClick=${undo}>Undo</button>` : html`<button onClick=${again}>Again</button>`}
    </div>
    <ol>${shown.words.map((line) => html`<li>${line}</li>`)}</ol>`;
}

function statusOf({ status, result, seats }) {
  if (status === "going") return "Your turn";
  return `Over: ${result.points.map((points, seat) => `${seats[seat]} ${points}`).join(", ")}`;
}

function begin() {
  return kifu.new("take_and_share", { seats: ["You", "Ren", "Mio"] });
}

const kept = localStorage.getItem("kept");
const first = kept ? await kifu.load(Uint8Array.from(JSON.parse(kept))) : await begin();
const app = document.getElementById("app");
app.replaceChildren();
render(html`<${Table} first=${first} />`, app);

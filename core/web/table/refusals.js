// Why not this card: at one's turn, a card that goes with no command is tried all the same, and the rule that refuses it
// is shown at the card, in words. Only where every legal command is listed, so that the try is sure to change nothing.

let refusal = null;

function dropRefusal() {
  refusal?.remove();
  refusal = null;
}

// Return a command that would name this part: a listed one of one part of the same kind, with the other part in its place.
function commandNaming(part) {
  const { selection } = game;
  const like = selection.commands.find(({ parts }) => parts.length > 0 && parts.length <= 2 && parts.at(-1)[0] === part[0] && parts.at(-1).length === part.length);
  if (!like) return null;
  const [from, to] = [like.parts.at(-1), part].map((each) => JSON.stringify(each.length > 2 ? each.slice(1) : each[1]));
  let replaced = false;
  const swap = (value) => {
    if (!replaced && JSON.stringify(value) === from) { replaced = true; return JSON.parse(to); }
    if (Array.isArray(value)) return value.map(swap);
    return value;
  };
  const fields = Object.fromEntries(Object.entries(like.fields).map(([name, value]) => [name, swap(value)]));
  return replaced ? { tag: like.tag, fields } : null;
}

// Ask the rules about the thing that was clicked, and show their refusal there.
async function explainRefusal(node) {
  const mine = game;
  const { observation } = mine;
  if (!isMyTurn(observation) || mine.sending) return;
  const { part } = node.dataset;
  const command = observation.open_ended ? null : commandNaming(JSON.parse(part));
  if (command === null) return showRefusal(part, null, say("not-now", { what: commandLabels() }));
  const body = { ...command, expected_events: observation.count, idempotency_key: newIdempotencyKey() };
  try {
    await signCommand(mine, body); // who signs is answered nothing else
    await request(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body });
    if (game === mine) await refresh();
  } catch (error) {
    if (game === mine && error.problem?.rule) showRefusal(part, error.problem.rule, error.message);
  }
}

// Show it beside the table's things, so that it stays when they are drawn anew.
function showRefusal(part, rule, text) {
  dropRefusal();
  const node = [...game.parts.table.querySelectorAll("[data-part]")].find((each) => each.dataset.part === part);
  if (!node) return;
  refusal = el("div", { class: "refusal", role: "alert" }, noteLine(null, [text], null),
    rule && el("button", { type: "button", class: "link-button", click: () => showRules(game.rules, rule) }, rule));
  game.parts.table.after(refusal);
  placeRefusal(node.getBoundingClientRect());
}

// Above the card, or below one at the upper edge; within the screen and above the dock. `clientWidth`: `innerWidth` grows
// with what stands out.
function placeRefusal(card) {
  const { width, height } = refusal.getBoundingClientRect();
  const side = refusal.offsetParent.getBoundingClientRect();
  const dock = game.parts.bar.parentNode.getBoundingClientRect();
  const left = Math.max(8, Math.min(card.left, document.documentElement.clientWidth - width - 8));
  const above = card.top - height - 8;
  const top = Math.min(above < 8 ? card.bottom + 8 : above, dock.top - height - 8);
  Object.assign(refusal.style, { left: `${left - side.left}px`, top: `${top - side.top}px` });
}

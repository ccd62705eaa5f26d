// Why not this one: what is tapped and goes with no command is tried all the same, and the rule that refuses it is shown
// there, in words. Only where every command is listed, so that the try is sure to change nothing.

let refusal = null;

function dropRefusal() {
  refusal?.remove();
  refusal = null;
}

// Return a command that would name this part: a listed one of a part of the same kind, with this one in its place.
function commandNaming(part) {
  const { commands, openEnded } = game.selection;
  const like = commands.find(({ parts: [one, other] }) => one?.[0] === part[0] && one.length === part.length && !other);
  if (!like || openEnded) return null;
  const [from, to] = [like.parts[0], part].map(([, ...rest]) => JSON.stringify(rest.length > 1 ? rest : rest[0]));
  const fields = swapped(like.fields, from, JSON.parse(to));
  return isSame(fields, like.fields) ? null : { tag: like.tag, fields }; // the same would be done
}

function swapped(fields, from, to) {
  let isDone = false;
  return JSON.parse(JSON.stringify(fields), (_, value) => {
    if (isDone || JSON.stringify(value) !== from) return value;
    isDone = true;
    return to;
  });
}

// Say at the thing that was tapped why it cannot be chosen: whose turn it is, the rule that refuses it, or what can be done.
async function explainRefusal(node) {
  const mine = game;
  const { observation } = mine;
  if (observation.seat === null || observation.status !== "going" || observation.stopped !== null || mine.sending || mine.fork !== null) return;
  if (!isMyTurn(observation)) return showRefusal(node, null, whoseTurn());
  const part = node.dataset.part ? JSON.parse(node.dataset.part) : null;
  const command = part && commandNaming(part);
  const instead = say("not-now", { what: commandLabels() });
  if (!command) return showRefusal(node, null, instead);
  const body = chosenFrom(observation, command);
  try {
    await signCommand(mine, body); // who signs is answered nothing else
    await request(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body });
    if (game === mine) await refresh();
  } catch (error) {
    if (game !== mine || !error.problem?.rule) return;
    const { rule } = error.problem;
    showRefusal(node, ...(rule in mine.rules.rules ? [rule, withSeatLabels(error.message)] : [null, instead]));
  }
}

// Show it beside the table's things, so that it stays when they are drawn anew. `text`: a text, or nodes.
function showRefusal(tapped, rule, text) {
  dropRefusal();
  const { part } = tapped.dataset;
  const node = tapped.isConnected ? tapped : [...game.parts.table.querySelectorAll("[data-part]")].find((each) => each.dataset.part === part);
  if (!node) return;
  const zone = node.closest("ul.things");
  refusal = el("div", { class: "refusal", role: "alert" }, zone && el("p", { class: "quiet" }, `${zone.getAttribute("aria-label")}${say("colon")}${node.getAttribute("aria-label")}`), el("p", { class: "note" }, el("span", {}, typeof text === "string" ? inWords([text]) : text)),
    rule && el("button", { type: "button", class: "link-button", click: () => showRules(game.rules, rule) }, rule));
  game.parts.table.after(refusal);
  placeRefusal(node.getBoundingClientRect());
}

// Above the card, or below one at the upper edge; within the screen (`innerWidth` grows with what stands out) and above the dock.
function placeRefusal(card) {
  const { width, height } = refusal.getBoundingClientRect();
  const side = refusal.offsetParent.getBoundingClientRect();
  const dock = game.parts.bar.parentNode.getBoundingClientRect();
  const left = Math.max(8, Math.min(card.left, document.documentElement.clientWidth - width - 8));
  const above = card.top - height - 8;
  const top = Math.min(above < 8 ? card.bottom + 8 : above, dock.top - height - 8);
  Object.assign(refusal.style, { left: `${left - side.left}px`, top: `${top - side.top}px` });
}

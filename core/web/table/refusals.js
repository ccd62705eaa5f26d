// Why not this one: what is tapped and goes with no command is tried all the same, and the rule that refuses it is shown
// there, in words. Only where every command of the kind is listed, so that the try is sure to change nothing.

let refusal = null;

function dropRefusal() {
  refusal?.remove();
  refusal = null;
}

// Whether all commands of a kind are listed, so that no other one can be done.
function isWhole(tag) {
  const { selection } = game;
  return !selection.openEnded || (selection.isListedWhole(tag) && !selection.isComposable(tag));
}

function namesLike({ parts }, part) {
  return parts.length > 0 && parts.length <= 2 && parts.at(-1)[0] === part[0] && parts.at(-1).length === part.length;
}

// Keep a command for each kind of part, by which such a part can be tried when no command names one.
function keepNaming(legal) {
  for (const command of legal) if (command.parts.length) game.naming.set(`${command.parts.at(-1)[0]} ${command.parts.at(-1).length}`, command);
}

// Return a command that would name this part: one of a part of the same kind, with the other part in its place.
function commandNaming(part) {
  const { commands, openEnded } = game.selection;
  const listed = commands.find((each) => namesLike(each, part));
  const like = listed ?? (openEnded ? null : game.naming.get(`${part[0]} ${part.length}`));
  if (!like || !namesLike(like, part) || !isWhole(like.tag)) return null;
  const alike = listed ? commands.filter((each) => each.tag === like.tag && namesLike(each, part)) : [like];
  const fields = filledIn(like.fields, part, alike) ?? swapped(like.fields, like.parts.at(-1), part);
  return fields && { tag: like.tag, fields };
}

// The fields with a part in those that the last part fills in all commands alike; null if there are none.
function filledIn(fields, part, alike) {
  const [filled, free] = [{ ...fields }, Object.keys(fields)];
  for (let at = part.length - 1; at > 0; at -= 1) {
    const name = free.findLast((each) => alike.every((command) => command.fields[each] === command.parts.at(-1)[at]));
    if (name === undefined) return null;
    free.splice(free.indexOf(name), 1);
    filled[name] = part[at];
  }
  return filled;
}

// The fields with a part for another one in their lists; null if it is in none.
function swapped(fields, old, part) {
  const [from, to] = [old, part].map((each) => JSON.stringify(each.length > 2 ? each.slice(1) : each[1]));
  let replaced = false;
  const swap = (value) => {
    if (!replaced && JSON.stringify(value) === from) { replaced = true; return JSON.parse(to); }
    return Array.isArray(value) ? value.map(swap) : value;
  };
  const made = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, swap(value)]));
  return replaced ? made : null;
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
  refusal = el("div", { class: "refusal", role: "alert" }, el("p", { class: "note" }, el("span", {}, typeof text === "string" ? inWords([text]) : text)),
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

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
  const isMyTurn = observation.seat !== null && observation.to_act.includes(observation.seat);
  if (!isMyTurn || mine.sending || observation.open_ended) return;
  const command = commandNaming(JSON.parse(node.dataset.part));
  if (command === null) return;
  const body = { ...command, expected_events: observation.count, idempotency_key: newIdempotencyKey() };
  try {
    await request(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body });
    if (game === mine) await refresh();
  } catch (error) {
    if (game === mine && error.problem?.rule) showRefusal(node, error.problem.rule, error.message);
  }
}

function showRefusal(node, rule, text) {
  dropRefusal();
  refusal = el("div", { class: "refusal", role: "alert" }, noteLine(null, [text], null),
    el("button", { type: "button", class: "link-button", click: (event) => { event.stopPropagation(); showRules(game.rules, rule); } }, rule));
  node.append(refusal);
  const { left, right } = refusal.getBoundingClientRect();
  const width = document.documentElement.clientWidth; // `innerWidth` grows with what stands out
  const over = Math.max(0, right - width + 8) || Math.min(0, left - 8);
  if (over) refusal.style.translate = `${-over}px 0`;
}

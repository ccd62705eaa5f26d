// Reactions: a few fixed phrases, which each reads in their own language. They are in no log, and can be muted.

const PHRASES = ["hello", "nice", "thanks", "oops", "moment", "good-game"];
const REACTION_MS = 5000;

// The menu of phrases, at a table with other people.
function drawReactions() {
  const people = game.about.seats.filter(({ bot }) => bot === null).length;
  game.parts.reactions = el("div", { class: "reactions", role: "log", "aria-live": "polite", "aria-label": say("reactions") });
  if (people < 2 || !["open", "going"].includes(game.about.status)) return null;
  const menu = el("details", { class: "menu settings", id: "reactions" }, el("summary", { "aria-label": say("reactions"), title: say("reactions") }, "☺"));
  const send = (phrase) => () => { menu.open = false; react(phrase); };
  const phrases = seatsHere(game.match).length ? PHRASES.map((each) => el("button", { type: "button", class: "plain", id: `react-${each}`, click: send(each) }, say(`reaction-${each}`))) : [];
  menu.append(el("div", {}, phrases, setting("reactions-shown", saved["reactions-shown"] !== false)));
  return menu;
}

async function react(phrase) {
  const mine = game;
  const seat = mine.viewer ?? seatsHere(mine.match)[0];
  try {
    await request(`matches/${mine.match}/reactions`, { key: keyOf(mine.match, seat), body: { phrase }, patience: 0 });
  } catch (error) {
    if (game === mine) addReaction(null, error.message);
  }
}

function showReaction({ seat, phrase }) {
  if (saved["reactions-shown"] !== false && PHRASES.includes(phrase)) addReaction(seat, say(`reaction-${phrase}`));
}

function addReaction(seat, text) {
  const line = el("p", {}, seat === null ? [] : [seatName(seat), " "], text);
  game.parts.reactions.append(line);
  setTimeout(() => line.remove(), REACTION_MS);
}

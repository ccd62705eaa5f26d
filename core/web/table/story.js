// The story: what has happened since one's last move, in order and whole, above the bar and for screen readers; and the
// last trick, by who played what. Closed it shows the latest event; a tap opens it.

function buildStory() {
  const latest = el("div", { class: "latest", role: "log", "aria-live": "polite", "aria-relevant": "additions", tabindex: "0", "aria-label": say("since") });
  const toggle = el("button", { type: "button", class: "story-toggle", id: "story-toggle", "aria-expanded": "false" });
  const trick = el("section", { class: "last-trick", "aria-label": say("last-trick"), hidden: true });
  const strip = el("section", { class: "story-strip", "aria-label": say("since") }, toggle, trick, latest);
  latest.addEventListener("scroll", markCut);
  strip.addEventListener("click", (event) => {
    if (event.target.closest(".story-toggle")) openStory(!game.storyOpen);
    else if (!game.storyOpen && !toggle.hidden) openStory(true);
  });
  return Object.assign(strip, { toggle, trick, latest });
}

function openStory(open) {
  game.storyOpen = open;
  drawStory();
  if (open) game.parts.story.scrollTop = 0;
}

// Return the events that are told: those before the observation on the screen, which may lag behind (see pace.js).
function toldEvents() {
  return game.history.slice(0, game.observation?.count ?? 0).filter(Boolean);
}

// Return the events from the viewer's last move on; for a spectator, from the beginning of the trick, round or deal on.
function sinceMine(told) {
  const seat = game.observation?.seat ?? null;
  const mine = told.findLastIndex(({ seat: by, notes }) => (seat === null ? notes.some(({ begins }) => begins) : by === seat));
  return told.slice(Math.max(mine, 0));
}

// Return the events that count: without those that were taken back.
function effectiveOf(told) {
  const left = [];
  for (const each of told) {
    if (each.tag === ".takeback") while (left.length && left.at(-1).seq > each.fields.to) left.pop();
    else left.push(each);
  }
  return left;
}

// Return the events of the last trick that is complete, if the game has tricks, with the notes that belong to it.
function lastTrick(told) {
  const events = effectiveOf(told);
  const begins = ({ notes }) => notes.findIndex((note) => note.begins === "trick");
  const begun = events.flatMap((each, at) => (begins(each) < 0 ? [] : [at]));
  if (begun.length < 2) return [];
  const [first, next] = begun.slice(-2);
  const trick = events.slice(first, next + 1).map((each) => ({ ...each }));
  trick[0].notes = trick[0].notes.slice(begins(trick[0]));
  trick.at(-1).notes = trick.at(-1).notes.slice(0, begins(trick.at(-1)));
  return trick.filter(({ notes }) => notes.length);
}

// Draw the lines that are new, so that they alone are read out; those before one's last move go.
function drawStory() {
  const { toggle, trick, latest } = game.parts.story;
  const told = toldEvents();
  const events = sinceMine(told);
  if (latest.of !== game.history) latest.replaceChildren();
  latest.of = game.history;
  const wanted = new Set(events.map(({ seq }) => String(seq)));
  for (const line of [...latest.children]) if (!wanted.has(line.dataset.seq)) line.remove();
  const drawn = new Set([...latest.children].map((line) => line.dataset.seq));
  latest.append(...events.filter(({ seq }) => !drawn.has(String(seq))).map(storyLine));
  takeMomentaryAway(latest);
  const tricks = lastTrick(told);
  const before = tricks.length > 0 && tricks[0].seq <= events[0].seq;
  const others = events.filter(({ seat }) => seat !== game.observation?.seat).length;
  const open = game.storyOpen && (events.length > 1 || tricks.length > 0);
  toggle.hidden = events.length < 2 && !tricks.length;
  toggle.setAttribute("aria-expanded", String(open));
  toggle.setAttribute("aria-label", `${say("since")}${say("colon")}${others}`);
  toggle.replaceChildren(...(open ? [el("span", {}, say("since"))] : []), el("span", { class: "story-count" }, `${others || ""} ${open ? "▾" : "▴"}`));
  game.parts.story.classList.toggle("is-open", open);
  game.parts.story.hidden = !events.length || game.curtain || hasEnded();
  trick.hidden = !open || !tricks.length;
  if (!trick.hidden) trick.replaceChildren(el("h3", {}, say("last-trick")), ...tricks.map(storyLine));
  const inTrick = new Set(before && !trick.hidden ? tricks.flatMap(({ notes }) => notes) : []);
  for (const line of latest.children) {
    const { notes } = events.find(({ seq }) => String(seq) === line.dataset.seq);
    for (const node of line.children) node.classList.toggle("in-trick", inTrick.has(notes[node.at]));
    line.classList.toggle("in-trick", notes.every((note) => inTrick.has(note)));
  }
}

// Let the latest lines, and what one chooses from, fade out at the lower edge where more lies below it.
function markCut() {
  const { story: { latest }, bar } = game.parts;
  for (const node of [latest, bar.querySelector(".open-choices")]) node?.classList.toggle("cut", node.scrollHeight - node.scrollTop > node.clientHeight + 4);
}

function storyLine({ seq, seat, notes }) {
  return el("div", { "data-seq": seq, class: seat >= 0 ? `told seat-${seat % 8}` : "told" }, notes.map((note, at) => Object.assign(noteOf(note), { at })));
}

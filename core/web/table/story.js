// The story: what has happened since one's last move, in order and whole, above the bar and for screen readers; and the
// last trick, by who played what.

function buildStory() {
  const lines = el("div", { class: "latest", role: "log", "aria-live": "polite", "aria-relevant": "additions", tabindex: "0", "aria-label": say("since") });
  const toggle = el("button", { type: "button", class: "story-toggle", id: "story-toggle", "aria-expanded": "false", click: () => openStory(!game.storyOpen) });
  return el("section", { class: "story-strip", "aria-label": say("since") }, toggle, lines);
}

function openStory(open) {
  game.storyOpen = open;
  drawStory();
  const { story } = game.parts;
  showLastLine(story.lastChild);
  if (open) story.lastChild.scrollTop = 0;
}

// Scroll to the beginning of the last event, not into the middle of a line.
function showLastLine(lines) {
  lines.scrollTop = lines.lastChild ? lines.lastChild.offsetTop - lines.offsetTop : 0;
}

// Return the events since the viewer's last move, all of them for a spectator, at most the latest 60.
function sinceMine() {
  const { history, observation } = game;
  const seat = observation?.seat ?? null;
  const mine = seat === null ? -1 : history.findLastIndex((each) => each?.seat === seat);
  const since = history.slice(Math.max(mine, 0)).filter(Boolean);
  return since.slice(-60);
}

// Return the events of the last trick that is complete, if the game has tricks.
function lastTrick() {
  const begun = game.history.flatMap((each, at) => (each?.notes.some(({ begins }) => begins === "trick") ? [at] : []));
  return begun.length > 1 ? game.history.slice(begun.at(-2), begun.at(-1)) : [];
}

// Draw the lines that are new, so that they alone are read out; those before one's last move go.
function drawStory() {
  const [toggle, lines] = game.parts.story.children;
  const events = sinceMine();
  const shownNow = new Map([...lines.children].map((line) => [Number(line.dataset.seq), line]));
  if (lines.of !== game.history) lines.replaceChildren();
  const kept = lines.of === game.history ? shownNow : new Map();
  lines.of = game.history;
  const wanted = new Set(events.map(({ seq }) => seq));
  for (const [seq, line] of kept) if (!wanted.has(seq)) line.remove();
  for (const each of events) if (!kept.has(each.seq)) lines.append(storyLine(each));
  const trick = lastTrick();
  toggle.replaceChildren(el("span", {}, say("since")), el("span", { class: "story-count" }, `${events.length} ${game.storyOpen ? "▾" : "▴"}`));
  toggle.setAttribute("aria-expanded", String(Boolean(game.storyOpen)));
  toggle.hidden = events.length < 2 && !trick.length;
  game.parts.story.classList.toggle("is-open", Boolean(game.storyOpen));
  game.parts.story.classList.toggle("is-short", toggle.hidden);
  game.parts.story.hidden = !events.length || game.curtain || hasEnded();
  drawLastTrick(trick);
  if (!game.storyOpen) showLastLine(lines);
}

// In the open story: the last trick, before what has happened since.
function drawLastTrick(trick) {
  const { story } = game.parts;
  story.querySelector(".last-trick")?.remove();
  if (!game.storyOpen || !trick.length) return;
  story.lastChild.before(el("section", { class: "last-trick", "aria-label": say("last-trick") }, el("h3", {}, say("last-trick")),
    trick.map(storyLine)));
}

function storyLine({ seq, seat, notes }) {
  return el("div", { "data-seq": seq, class: seat >= 0 ? `told seat-${seat % 8}` : "told" }, notes.map(noteOf));
}

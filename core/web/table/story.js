// The story: what has happened since one's last move, in order and whole, above the bar and for screen readers. Closed it
// shows the latest event and what was done to oneself; a tap opens it.

function buildStory() {
  const latest = el("div", { class: "latest", role: "log", "aria-live": "polite", "aria-relevant": "additions", tabindex: "0", "aria-label": say("since"), scroll: markCut });
  const toggle = el("button", { type: "button", class: "story-toggle", id: "story-toggle", "aria-expanded": "false" });
  const click = ({ target, currentTarget: strip }) => {
    if (!target.closest(".story-toggle") && (game.storyOpen || toggle.hidden)) return;
    game.storyOpen = !game.storyOpen;
    drawStory();
    settleSight();
    strip.scrollTop = 0;
  };
  return Object.assign(el("section", { class: "story-strip", "aria-label": say("since"), click }, toggle, latest), { toggle, latest });
}

// Return the events that are told: those before the observation on the screen, which may lag behind.
function toldEvents() {
  return game.history.slice(0, game.observation?.count ?? 0).filter(Boolean);
}

// Return the events from the viewer's last move on; for a spectator, from the beginning of the trick, round or deal on.
function sinceMine(told) {
  const seat = game.observation?.seat ?? null;
  const mine = told.findLastIndex(({ seat: by, notes }) => (seat === null ? notes.some(({ begins }) => begins) : by === seat));
  return told.slice(Math.max(mine, 0));
}

// Draw the lines that are new, so that they alone are read out; those before one's last move go.
function drawStory() {
  const { toggle, latest } = game.parts.story;
  const events = sinceMine(toldEvents());
  const lineOf = ({ seq }) => latest.querySelector(`[data-seq="${seq}"]`);
  const kept = new Set(events.map(lineOf));
  for (const line of [...latest.children]) if (!kept.has(line)) line.remove();
  latest.append(...events.filter((event) => !lineOf(event)).map(storyLine));
  takeMomentaryAway(latest);
  const others = events.filter(({ seat }) => seat !== game.observation?.seat).length;
  const open = game.storyOpen && events.length > 1;
  toggle.hidden = events.length < 2;
  toggle.setAttribute("aria-expanded", String(open));
  toggle.setAttribute("aria-label", `${say("since")}${say("colon")}${others}`);
  toggle.replaceChildren(...(open ? [el("span", {}, say("since"))] : []), el("span", { class: "story-count" }, `${others || ""} ${open ? "▾" : "▴"}`));
  game.parts.story.classList.toggle("is-open", open);
  game.parts.story.hidden = !events.length || game.curtain || hasEnded();
}

// Let the latest lines, and what one chooses from, fade out at the lower edge where more lies below it.
function markCut() {
  if (!game) return; // what was scrolled has been left meanwhile
  const { story: { latest }, bar } = game.parts;
  bar.style.scrollPaddingBottom = `${bar.querySelector(".commit")?.offsetHeight ?? 0}px`; // which lies over what is scrolled
  if (!game.storyOpen && latest.lastChild) latest.scrollTop = latest.lastChild.offsetTop - latest.offsetTop; // what came last is seen, from its beginning
  latest.classList.toggle("cut-above", !game.storyOpen && latest.scrollTop > 0);
  for (const node of [latest, bar.querySelector(".open-choices")]) node?.classList.toggle("cut", node.scrollHeight - node.scrollTop > node.clientHeight + 4);
}

function storyLine({ seq, seat, notes }) {
  const mine = game.observation?.seat ?? null;
  const toMe = mine !== null && seat !== mine && notes.some(({ text }) => text.includes(mine)); // it stays in sight until one's next move
  return el("div", { "data-seq": seq, class: `told${seat >= 0 ? ` seat-${seat % 8}` : ""}${toMe ? " to-me" : ""}` }, notes.map(noteOf));
}

// Playing on from an earlier event in another match: from which one, and how the table stood before it.

const ASK_AGAIN = 10000;

function hasEnded() {
  return ["over", "abandoned"].includes(game?.observation?.status);
}

// Whether the seat can begin another match with the first events of this one. After a game's end nothing can follow.
function canFork() {
  const { observation } = game;
  return observation.scene !== null && keyOf(game.match, observation.seat) !== null && !observation.proposals.some(({ state }) => state === "pending");
}

function mostShared() {
  return game.observation.status === "over" ? game.observation.count - 1 : game.observation.count;
}

function beginFork() {
  moveFork(mostShared());
  drawBar();
  document.getElementById("fork-at")?.focus();
}

function endFork() {
  Object.assign(game, { fork: null, past: null, trouble: null });
  drawGame();
}

// Choose the event from which on it is played anew. Once the match has ended, the table shows how it stood then.
function moveFork(at) {
  game.fork = Math.min(Math.max(at, 0), mostShared());
  const range = document.getElementById("fork-at");
  if (range) range.value = game.fork;
  document.getElementById("fork-text")?.replaceChildren(...forkSaid());
  markNotes();
  showNote();
  if (hasEnded()) lookBack();
}

// Of several events that are chosen while one is asked for, the last is enough.
async function lookBack() {
  const mine = game;
  if (mine.lookingBack) return;
  mine.lookingBack = true;
  try {
    while (game === mine && mine.fork !== null && mine.past?.count !== mine.fork) {
      mine.past = await ask(`matches/${mine.match}/observation?events=${mine.fork}`, { key: keyOf(mine.match, mine.viewer) });
    }
  } catch (error) {
    mine.trouble = error.message;
  }
  mine.lookingBack = false;
  if (game !== mine) return;
  if (mine.fork === null) mine.past = null;
  drawScene();
  if (mine.trouble) drawBar();
}

// Beside each event that would not be shared, what happens is dimmed.
function markNotes() {
  const { notes } = game.parts;
  notes.classList.toggle("forking", game.fork !== null);
  for (const node of notes.querySelectorAll("[data-seq]")) node.classList.toggle("undone", game.fork !== null && Number(node.dataset.seq) >= game.fork);
}

// Scroll the list, and nothing but the list, to the first event that is played anew.
function showNote() {
  const { notes } = game.parts;
  const node = notes.querySelector(".undone") ?? notes.lastElementChild;
  if (!node) return; // nothing was told yet
  const below = node.getBoundingClientRect().top - notes.getBoundingClientRect().top;
  if (below < 0 || below > notes.clientHeight - 40) notes.scrollTop += below - notes.clientHeight / 2;
}

function onNote(event) {
  const node = event.target.closest("[data-seq]");
  if (game.fork !== null && node && !event.target.closest("button")) moveFork(Number(node.dataset.seq));
}

function forkSaid() {
  const last = game.history.findLast(({ seq }) => seq < game.fork);
  const deed = last?.notes[0];
  return [el("p", { class: "status" }, say("fork-from", { at: game.fork })), deed ? noteOf(deed) : null].filter(Boolean);
}

function drawFork() {
  const range = el("input", { type: "range", id: "fork-at", min: 0, max: mostShared(), value: game.fork, "aria-label": say("fork-event") });
  range.addEventListener("input", () => moveFork(Number(range.value)));
  const step = (key, text, way) => el("button", { type: "button", class: "icon-button", id: `fork-${key}`, "aria-label": text, title: text, click: () => moveFork(game.fork + way) }, icon(key));
  const asked = !hasEnded() && game.about.seats.some(({ seat, bot }) => bot === null && seat !== game.observation.seat);
  const accept = () => propose("fork", game.fork);
  return el("div", { class: "fork" }, el("div", { id: "fork-text", role: "status" }, forkSaid()),
    el("div", { class: "bar-row" }, el("div", { class: "slide" }, step("back", say("back"), -1), range, step("forward", say("forward"), 1)),
      el("div", { class: "actions" }, asked ? action("fork-ask", accept, { primary: true, id: "do-fork-here" }) : action("fork-here", accept, { primary: true }), action("cancel", endFork))),
    el("p", { class: "quiet" }, say("fork-why")));
}

// A match that came of this one, unless this browser has gone there already.
function drawForked({ target: at, fork }) {
  if (kept.matches[fork]) return null;
  return el("div", { class: "bar-row proposal" }, el("p", { role: "status" }, say("forked", { at })),
    el("div", { class: "actions" }, action("go-there", () => goOnIn(fork), { primary: true })));
}

// A fork has the same keys.
function goOnIn(fork) {
  for (const seat of seatsHere(game.match)) keepKey(fork, game.rules.title, seat, keyOf(game.match, seat));
  location.hash = `match=${fork}`;
}

// Nothing is watched once the match has ended, but another may play on from it: ask now and then.
async function lookForFork() {
  const mine = game;
  if (!hasEnded() || mine.fork !== null || document.hidden) return;
  const { proposals } = await ask(`matches/${mine.match}/observation`, { key: keyOf(mine.match, mine.viewer) });
  if (game === mine && JSON.stringify(proposals) !== JSON.stringify(mine.observation.proposals)) await refresh();
}

setInterval(() => lookForFork().catch(() => null), ASK_AGAIN);

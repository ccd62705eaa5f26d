// Forks: another match goes on from an earlier event, before which the table is shown as it was then.

const POLL_MS = 3000;

function hasEnded() {
  return ["over", "abandoned"].includes(game?.observation?.status);
}

function canFork() {
  const { scene, seat, proposals } = game.observation;
  const mayPropose = keyOf(game.match, seat) !== null || (transport.drawPlayOn && hasEnded());
  return scene !== null && mayPropose && !proposals.some(({ status }) => status === "pending");
}

// The most events that a fork can share: after a game's result nothing can follow.
function maxShared() {
  return game.observation.status === "over" ? game.observation.count - 1 : game.observation.count;
}

function beginFork() {
  moveFork(maxShared());
  drawBar();
  document.getElementById("fork-at")?.focus();
}

function endFork() {
  Object.assign(game, { fork: null, past: null, trouble: null });
  drawGame();
}

// Choose how many events the fork shares. If the match has ended, the table is shown as it was then.
function moveFork(at) {
  game.fork = Math.min(Math.max(at, 0), maxShared());
  const range = document.getElementById("fork-at");
  if (range) range.value = game.fork;
  document.getElementById("fork-text")?.replaceChildren(...forkText());
  if (hasEnded() && !game.observation.closed) loadPast();
}

// Load the observation after the events chosen; of several choices during a request only the last is loaded.
async function loadPast() {
  const mine = game;
  if (mine.loadingPast) return;
  mine.loadingPast = true;
  try {
    while (game === mine && mine.fork !== null && mine.past?.count !== mine.fork) {
      const events = mine.fork, past = await insisted(mine, () => request(`matches/${mine.match}/observation?events=${events}`, { key: keyOf(mine.match, mine.viewer) }));
      if (mine.record?.agreed && mine.record.seat === past.seat) await keepView(mine, mine.record, past, events);
      mine.past = { ...past, count: events };
    }
  } catch (error) {
    mine.trouble = error.message;
  }
  mine.loadingPast = false;
  if (game !== mine) return;
  if (mine.fork === null) mine.past = null;
  drawScene();
  if (mine.trouble) drawBar();
}

function forkText() {
  const note = game.history.findLast(({ seq }) => seq < game.fork)?.notes[0];
  return [el("p", { class: "status" }, say("fork-from", { at: game.fork })), note ? noteOf(note) : ""];
}

function drawFork() {
  const range = el("input", { type: "range", id: "fork-at", min: 0, max: maxShared(), value: game.fork, "aria-label": say("fork-event"), input: () => moveFork(Number(range.value)) });
  const step = (key, sign, text, way) => el("button", { type: "button", class: "icon-button", id: `fork-${key}`, "aria-label": text, title: text, click: () => moveFork(game.fork + way) }, sign);
  const needsConsent = !hasEnded() && game.about.seats.some(({ seat, bot }) => bot === null && seat !== game.observation.seat);
  const fork = () => propose("fork", game.fork), shown = { primary: true, id: "do-fork-here" };
  const ask = () => (needsConsent ? action("fork-ask", fork, shown) : action("fork-here", fork, shown));
  const begin = keyOf(game.match, game.observation.seat) === null ? transport.drawPlayOn() : ask();
  return el("div", { class: "fork" }, el("div", { id: "fork-text", role: "status" }, forkText()),
    el("div", { class: "bar-row" }, el("div", { class: "slide" }, step("back", "‹", say("back"), -1), range, step("forward", "›", say("forward"), 1)),
      el("div", { class: "actions" }, begin, action("cancel", endFork))),
    el("p", { class: "quiet" }, say("fork-why")));
}

// A fork of this match, unless this browser has opened it already.
function drawForked(proposal) {
  const { by, target, fork } = proposal;
  if (saved.matches[fork]) return null;
  const again = isAskedAgain(proposal);
  if (again && !seatsHere(game.match).length) return null; // who only watches is asked for no rematch
  return el("div", { class: "bar-row proposal" }, el("p", { role: "status" }, again ? [seatName(by), say("asks-again")] : say("forked", { at: target })),
    el("div", { class: "actions" }, action(again ? "join-again" : "go-there", () => goOnIn(fork), { primary: true })));
}

async function goOnIn(fork) {
  const { match, rules } = game;
  for (const seat of seatsHere(match)) {
    saveMatch(fork, rules.title, { [seat]: keyOf(match, seat) });
    await ceremony.goOn(match, fork, seat);
  }
  location.hash = `match=${fork}`;
}

// Look for a fork now and then: a match that has ended is not watched any more.
async function pollForFork() {
  const mine = game;
  if (!hasEnded() || mine.fork !== null || document.hidden) return;
  const { proposals } = await request(`matches/${mine.match}/observation`, { key: keyOf(mine.match, mine.viewer) });
  if (game === mine && JSON.stringify(proposals) !== JSON.stringify(mine.observation.proposals)) await refresh();
}

setInterval(() => pollForFork().catch(() => null), POLL_MS);

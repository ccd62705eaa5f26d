// The pace of what others do, while one waits: as it comes, slowly, or step by step. What has not been shown yet stands in
// `game.queue`, as the observations that were received; a turn of one's own begins once all of it was shown or skipped.

const PACES = ["as-it-comes", "slowly", "by-steps"];
const SLOW_MS = 1600;

// Without animations all comes at once, unless the player has chosen.
function pace() {
  const still = saved.animations === false || matchMedia("(prefers-reduced-motion: reduce)").matches;
  return PACES.includes(saved.pace) ? saved.pace : still ? "as-it-comes" : "slowly";
}

function drawPaceSetting() {
  const select = el("select", { id: "set-pace" }, PACES.map((each) => el("option", { value: each, selected: each === pace() }, say(`pace-${each}`))));
  select.addEventListener("change", () => {
    save(() => ({ pace: select.value }));
    if (game) showNext();
  });
  return el("label", {}, say("pace"), select);
}

function isMyTurn({ seat, to_act: acting }) {
  return seat !== null && acting.includes(seat);
}

// Whether an observation has only news of others, for which the player can wait.
function canWait({ count, seat }) {
  const { observation, curtain, fork } = game;
  return pace() !== "as-it-comes" && !document.hidden && !curtain && fork === null && observation?.status === "going"
    && observation.seat === seat && observation.count >= game.least && count > observation.count && !isMyTurn(observation);
}

// Take an observation: at once, or in its turn.
function receiveAtPace(observation) {
  const { queue } = game;
  if (!canWait(observation)) {
    queue.length = 0;
    game.shownAt = Date.now();
    return receiveObservation(observation);
  }
  const at = queue.findIndex(({ count }) => count >= observation.count);
  queue.splice(at < 0 ? queue.length : at, queue.length, observation); // what came later has been taken in
  return showNext({ draw: false });
}

// Show what is due; `step`: the next one in any case.
function showNext({ step = false, draw = true } = {}) {
  const mine = game;
  clearTimeout(mine.paced);
  const slowly = pace() === "slowly";
  const due = mine.shownAt + SLOW_MS - Date.now();
  if (mine.queue.length && (step || pace() === "as-it-comes" || (slowly && due <= 0))) {
    mine.shownAt = Date.now();
    receiveObservation(pace() === "as-it-comes" ? mine.queue.splice(0).at(-1) : mine.queue.shift());
  }
  if (mine.queue.length && slowly) mine.paced = setTimeout(() => released().then(() => { if (game === mine) showNext(); }), Math.max(due, mine.shownAt + SLOW_MS - Date.now()));
  if (draw) drawGame();
}

// Show at once all that has come.
function skipAll() {
  const last = game.queue.splice(0).at(-1);
  game.shownAt = Date.now();
  if (last) receiveObservation(last);
  drawGame();
}

// The buttons that go on to what has come, if something waits.
function pacing() {
  if (!game.queue.length) return [];
  return [pace() === "by-steps" ? action("next", () => showNext({ step: true }), { primary: true }) : null, action("skip", skipAll)].filter(Boolean);
}

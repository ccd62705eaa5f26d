// The end of a match: why it ended as it did, its score sheet, as the export prints it, its analysis, and the same table once more.

// Load the sheet, and the analysis if there is one, and draw the sheet once it is known that the match is over.
function loadEnd() {
  const mine = game;
  mine.ending ??= Promise.all([tendAnalysis(mine), loadScores(mine)]).finally(() => { mine.endCame = true; if (game === mine) showArrived(); });
  if (mine.parts.sheet.hidden) drawScores();
}

async function loadScores(mine) {
  mine.scores = await insisted(mine, () => request(`matches/${mine.match}/scores`)).catch(() => null); // of a server that gives out no log: the points stand before the seats
  if (game === mine) drawScores();
}

function drawScores() {
  const { scores, parts, observation } = game;
  if (!scores || observation?.status !== "over") return;
  parts.sheet.hidden = false;
  const again = observation.looked_again ?? []; // who looked once more, by a takeback, at what may be looked at only once
  parts.sheet.replaceChildren(again.length ? el("p", {}, seatNames(again), say("looked-again")) : "", drawSheet({ title: game.rules.title, seats: game.about.seats.length, rows: scores.rows, ended: observation.status, ...observation.result }));
}

// At the end nothing lies over anything: what was won stands first, then the sheet, then the table.
function showEnd(ended) {
  const begins = ended && !document.body.classList.contains("ended");
  document.body.classList.toggle("ended", ended);
  if (begins) scrollTo({ top: 0 });
}

// The server computes the analysis when somebody asks, and keeps it for whoever comes next; the page to step through shows it.

const ANALYSIS_MS = 1000;

// Ask how far the analysis is: somebody else may have asked for it.
async function tendAnalysis(mine, how = {}) {
  try {
    if (!(await loadGames()).analysis) return;
    const ask = () => request(`matches/${mine.match}/analysis`, how);
    const analysis = await (how.method ? ask() : insisted(mine, ask));
    if (game !== mine) return;
    mine.analysis = analysis;
    if (analysis.state === "failed") mine.trouble = say("analysis-failed");
  } catch (error) {
    if (game !== mine) return;
    mine.analysis = { state: "none" };
    mine.trouble = error.message;
  }
  await released();
  if (game !== mine) return;
  drawBar();
  if (isAnalysing()) setTimeout(() => { if (game === mine) tendAnalysis(mine); }, ANALYSIS_MS);
}

function isAnalysing() {
  return ["waiting", "running"].includes(game.analysis?.state);
}

function analyseButton() {
  const begin = () => {
    update(game, { analysis: { state: "waiting", done: 0, of: null }, trouble: null });
    tendAnalysis(game, { method: "POST" });
  };
  return ["none", "failed"].includes(game.analysis?.state) ? action("analyse", begin) : null;
}

function drawAnalysing() {
  if (game.analysis?.state === "done") return el("p", { class: "quiet analysing", role: "status" }, say("analysis-done"));
  if (!isAnalysing()) return null;
  const { state, done, of } = game.analysis;
  const text = say(`analysis-${state}`);
  return el("p", { class: "bar-row quiet analysing" }, el("span", { role: "status" }, text), el("progress", { "aria-label": text, ...(of ? { max: of, value: done } : {}) }),
    of ? el("span", { "aria-hidden": "true" }, say("fact-of", { value: done, most: of })) : null);
}

// The same table once more: a fork without any event, with the same keys; where a deal is fair, a new match, in which all commit anew.
async function openAgain() {
  const { about, rules, match, observation } = game;
  const asked = observation.proposals.find(isAskedAgain);
  if (asked) return goOnIn(asked.fork);
  if (!about.fair) return propose("fork", 0);
  const here = seatsHere(match);
  const seats = about.seats.map(({ bot, seat }) => (bot === null ? {} : botSeat(bot, seat)));
  const players = about.seats.map(({ seat, name }) => ({ who: here.includes(seat) ? "here" : "link", name }));
  const body = { game: about.game, seats, options: about.options, public: about.public, turn_limit_ms: about.turn_limit_ms, keep_momentary_notes: about.keep_momentary_notes, fair: true };
  return tried(() => openTable(body, rules.title, players, ({ name }) => name));
}

// A fork without any event of this match is this table again.
function isAskedAgain({ kind, target, status }) {
  return kind === "fork" && target === 0 && status === "accepted" && hasEnded();
}

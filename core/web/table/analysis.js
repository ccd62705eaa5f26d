// The analysis of a match that is over: the server computes it when somebody asks, and keeps it for whoever comes next. The page to
// step through shows it.

const ANALYSIS_MS = 1000;

// Ask once how far the analysis is; somebody else may have asked for it.
async function loadAnalysis() {
  if (game.analysis !== null) return;
  game.analysis = { state: "none", known: false };
  await tendAnalysis(game);
}

// Begin the analysis, unless it was begun.
function beginAnalysis() {
  game.analysis = { state: "waiting", done: 0, of: null };
  game.trouble = null;
  drawBar();
  tendAnalysis(game, { method: "POST" });
}

// Load the analysis, again and again until it is done.
async function tendAnalysis(mine, how = {}) {
  try {
    if (!(await loadGames()).analysis) return;
    const analysis = await request(`matches/${mine.match}/analysis`, how);
    if (game !== mine) return;
    mine.analysis = { ...analysis, known: true };
    if (analysis.state === "failed") mine.trouble = say("analysis-failed");
  } catch (error) {
    if (game !== mine) return;
    mine.analysis = { state: "none", known: true };
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
  const { known, state } = game.analysis;
  return known && ["none", "failed"].includes(state) ? action("analyse", beginAnalysis) : null;
}

function drawAnalysing() {
  if (game.analysis?.state === "done") return el("p", { class: "analysing", role: "status" }, say("analysis-done"));
  if (!isAnalysing()) return null;
  const { state, done, of } = game.analysis;
  const text = say(`analysis-${state}`);
  return el("p", { class: "analysing" }, el("span", { role: "status" }, text), el("progress", { "aria-label": text, ...(of ? { max: of, value: done } : {}) }),
    of ? el("span", { "aria-hidden": "true" }, say("fact-of", { value: done, most: of })) : null);
}

// The analysis of a match that is over: the server computes it when somebody asks, and keeps it for whoever comes next.

const ANALYSIS_MS = 1000;

// Ask once how far the analysis is; somebody else may have asked for it.
async function loadAnalysis() {
  if (game.analysis !== null) return;
  game.analysis = { state: "none", known: false };
  await tendAnalysis(game);
}

// Begin the analysis, unless it was begun.
function beginAnalysis() {
  game.analysis = { state: "waiting", done: 0, of: null, asked: true };
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
    mine.analysis = { ...analysis, known: true, asked: mine.analysis.asked };
    if (analysis.state === "failed") mine.trouble = say("analysis-failed");
  } catch (error) {
    if (game !== mine) return;
    mine.analysis = { state: "none", known: true };
    mine.trouble = error.message;
  }
  drawBar();
  drawAnalysis();
  if (mine.analysis.asked && mine.analysis.state === "done") readAnalysis();
  else if (isAnalysing()) setTimeout(() => { if (game === mine) tendAnalysis(mine); }, ANALYSIS_MS);
}

// Whoever has asked reads on there: at the top, as the bar lies over what is at the bottom.
function readAnalysis() {
  const heading = game.parts.analysis.firstChild;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

function isAnalysing() {
  return ["waiting", "running"].includes(game.analysis?.state);
}

function analyseButton() {
  const { known, state } = game.analysis;
  return known && ["none", "failed"].includes(state) ? action("analyse", beginAnalysis) : null;
}

function drawAnalysing() {
  if (!isAnalysing()) return null;
  const { state, done, of } = game.analysis;
  const text = say(`analysis-${state}`);
  return el("p", { class: "analysing" }, el("span", { role: "status" }, text), el("progress", { "aria-label": text, ...(of ? { max: of, value: done } : {}) }),
    of ? el("span", { "aria-hidden": "true" }, say("fact-of", { value: done, most: of })) : null);
}

// Above the list of events: the turning points, each with its reason and a link to its event.
function drawAnalysis() {
  if (game.analysis?.state !== "done") return;
  const { analysis } = game.parts;
  const points = game.analysis.remarks.filter((each) => each.turning_point);
  analysis.hidden = false;
  analysis.replaceChildren(el("h2", { tabindex: "-1" }, say("turning-points")), el("p", { class: "quiet" }, say("analysis-about")),
    points.length ? el("ol", {}, points.map(drawTurningPoint)) : el("p", {}, say("no-turning-points")));
  markSwings();
}

function drawTurningPoint({ seq, text }) {
  const notes = game.history[seq]?.notes ?? [];
  return el("li", {}, el("button", { type: "button", class: "link-button", "aria-label": say("to-step", { step: seq }), click: () => goToEvent(seq) }, String(seq)),
    el("div", {}, notes.slice(0, 1).map(noteOf), el("p", { class: "remark" }, inWords(text))));
}

function goToEvent(seq) {
  const line = game.parts.notes.querySelector(`[data-seq="${seq}"]`);
  if (!line) return;
  for (const sought of game.parts.notes.querySelectorAll(".sought")) sought.classList.remove("sought");
  line.classList.add("sought");
  line.tabIndex = -1;
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
}

// In the list of events: a mark, and the reason, at each command that gave much away.
function markSwings() {
  for (const { seq, swing, text } of game.analysis.remarks) {
    const line = swing ? game.parts.notes.querySelector(`[data-seq="${seq}"] > div`) : null;
    if (!line || line.querySelector(".remark")) continue;
    line.append(el("p", { class: "remark" }, el("span", { class: "swing", role: "img", "aria-label": say("swing"), title: say("swing") }, "◆"), inWords(text)));
  }
}

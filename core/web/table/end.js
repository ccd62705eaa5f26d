// The end of a match: why it ended as it did, and its score sheet, as the export prints it.

// Load the sheet, and the analysis if there is one, and draw the sheet once it is known that the match is over.
function loadEnd() {
  const mine = game, coming = [loadAnalysis(), loadScores()];
  mine.ending ??= Promise.all(coming).finally(() => { mine.endCame = true; if (game === mine) showArrived(); });
  if (mine.parts.sheet.hidden) drawScores();
}

// Load the score sheet, once.
async function loadScores() {
  const mine = game;
  if (mine.scores !== undefined) return;
  mine.scores = null;
  try {
    mine.scores = await request(`matches/${mine.match}/scores`);
  } catch (error) {
    if (error.problem) return; // a server that gives out no log: the points stand before the seats
    mine.scores = undefined;
    return;
  }
  if (game === mine) drawScores();
}

function drawScores() {
  const { scores, parts, observation } = game;
  if (!scores || observation?.status !== "over") return;
  parts.sheet.hidden = false;
  parts.sheet.replaceChildren(lookedAgain(observation) ?? "", drawSheet({ title: game.rules.title, seats: game.about.seats.length, rows: scores.rows, ended: observation.status, ...observation.result }));
}

// Who looked once more, by a takeback, at what may be looked at only once.
function lookedAgain({ looked_again: seats }) {
  return seats?.length ? el("p", {}, seatNames(seats), say("looked-again")) : null;
}

// At the end nothing lies over anything: what was won stands first, then the sheet, then the table.
function showEnd(ended) {
  const begins = ended && !document.body.classList.contains("ended");
  document.body.classList.toggle("ended", ended);
  if (begins) scrollTo({ top: 0 });
}

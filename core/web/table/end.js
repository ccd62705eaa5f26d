// The end of a match: its score sheet, as the export prints it, and in one sentence where it was decided.

// Load the sheet, and the analysis if there is one, and draw the sheet once it is known that the match is over.
function loadEnd() {
  const mine = game, coming = [loadAnalysis(), loadScores()];
  mine.ending ??= Promise.all(coming).finally(() => { mine.endCame = true; if (game === mine) showArrived(); });
  if (mine.parts.sheet.hidden) drawScores();
}

// Load what each seat had, step by step, once.
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
  const played = playedOf(scores);
  const rows = scoreRows(played);
  parts.sheet.hidden = false;
  parts.sheet.replaceChildren(...[decisive(played, rows)].filter(Boolean), drawSheet(played, rows));
}

function playedOf({ count, begins, changes }) {
  const factsAt = (at) => changes.findLast((change) => change.at <= at).seats;
  return { title: game.rules.title, seats: game.about.seats.length, steps: count, begins, factsAt, ended: game.observation.status, ...game.observation.result };
}

function heading([mark, number]) {
  return filled(game.rules.sections[mark], { number });
}

// Where the winners took the lead that they kept; null if the rows of the sheet do not say who leads.
function decisive({ points, winners, factsAt }, rows) {
  const score = (at) => factsAt(at).map(([fact]) => fact?.value);
  const best = [Math.max, Math.min].find((most) => String(leaders(points, most)) === String(winners));
  const last = rows.length ? score(rows.at(-1)[0]) : [];
  if (!winners.length || winners.length === points.length) return null;
  if (!best) return tieBroken(points, winners);
  if (rows.length < 2 || String(last) !== String(points)) return aheadBy(points, winners, best);
  const behind = rows.findLastIndex(([at]) => String(leaders(score(at), best)) !== String(winners));
  const what = { what: rows[behind + 1][1] };
  const said = behind < 0 ? say("led-first", what) : behind === rows.length - 2 ? say("decided-last", what) : say("led-from", what);
  return el("p", { class: "decisive" }, seatNames(winners), said);
}

// Where points are counted only at the end: by how many the winners are ahead, and of whom.
function aheadBy(points, winners, best) {
  const others = points.flatMap((value, seat) => (winners.includes(seat) ? [] : [value]));
  const next = points.flatMap((value, seat) => (!winners.includes(seat) && value === best(...others) ? [seat] : []));
  const count = Math.abs(points[winners[0]] - best(...others));
  return sentence(say("ahead-by", { count }), { winners, next });
}

// Where points are level, and a rule for ties names the winners; null if it is no matter of points.
function tieBroken(points, winners) {
  const level = [Math.max, Math.min].map((most) => leaders(points, most)).find((seats) => winners.every((seat) => seats.includes(seat)));
  return level ? sentence(say("tie-broken"), { winners, level }) : null;
}

function sentence(text, seats) {
  return el("p", { class: "decisive" }, text.split(/\{(\w+)\}/).map((part) => (seats[part] ? seatNames(seats[part]) : part)));
}

function leaders(values, most) {
  const top = most(...values);
  return values.flatMap((value, seat) => (value === top ? [seat] : []));
}

// At the end nothing lies over anything: what was won stands first, then the sheet, then the table.
function showEnd(ended) {
  const begins = ended && !document.body.classList.contains("ended");
  document.body.classList.toggle("ended", ended);
  if (begins) scrollTo({ top: 0 });
}

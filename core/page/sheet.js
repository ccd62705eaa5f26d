// The score sheet: what the facts before the seats came to, a row for each part of the match in which one changed.
// `played` is a match that was played: `title`, `seats` and `steps` (their numbers), `begins` (what a step begins: ["trick", 3]),
// `factsAt` (the facts of each seat after so many steps), `points` and `winners`, and `ended`.
// A page has `say`, `label` and `heading` besides what words.js needs.

function drawSheet(played, rows = scoreRows(played)) {
  const seats = Array.from({ length: played.seats }, (_, seat) => seat);
  const head = el("tr", {}, el("td", {}), seats.map((seat) => el("th", { scope: "col" }, seatName(seat))));
  const lines = (isResultAlone(played, rows) ? [] : rows).map(([at, called]) => el("tr", {}, el("th", { scope: "row" }, called.replace(/(?<!·) (?!·)/g, "\u00a0")),
    played.factsAt(at).map((facts) => el("td", {}, facts.map(scoreCell)))));
  return el("table", {}, el("caption", {}, say("sheet-of", { title: played.title })), el("thead", {}, head), el("tbody", {}, lines),
    el("tfoot", {}, resultRow(played, seats)));
}

// Whether the one row says what the result says.
function isResultAlone({ points, factsAt }, rows) {
  return points !== null && rows.length === 1 && factsAt(rows[0][0]).every((facts, seat) => facts.length === 1 && facts[0].value === points[seat]);
}

function scoreCell(fact, place) {
  const { label: key, value, of } = fact;
  if (!place) return el("span", {}, String(value));
  return el("span", { class: "less" }, `${label(key)} `, el("span", { class: "counted" }, of === null ? String(value) : say("fact-of", { value, most: of })));
}

function resultRow(played, seats) {
  return el("tr", {}, el("th", { scope: "row" }, say("result")), played.points === null
    ? el("td", { colspan: seats.length }, say(played.ended === "abandoned" ? "abandoned" : "unfinished"))
    : seats.map((seat) => el("td", {}, el("strong", {}, String(played.points[seat])), badgeOf(played, seat))));
}

// Pairs of how many steps had happened and what the part of the match is called, the last of each part.
function scoreRows({ seats, steps, begins, factsAt }) {
  const rows = new Map();
  const current = {};
  const of = (...marks) => Object.values(begins).filter(([mark]) => marks.includes(mark)).length;
  const shownSections = { deal: of("deal") > 1, round: true, trick: true, turn: !of("round", "trick") };
  let facts = JSON.stringify(factsAt(0));
  for (let step = 0; step < steps; step += 1) {
    if (begins[step]) begin(current, begins[step]);
    const now = JSON.stringify(factsAt(step + 1));
    if (now !== facts) {
      const path = PARTS.filter((mark) => current[mark] && shownSections[mark]).map((mark) => heading([mark, mark === "turn" ? turnRange(current[mark], seats) : current[mark]]));
      const called = path.join(" · ") || say("step", { step: step, of: steps - 1 });
      rows.set(called, [step + 1, called]);
    }
    facts = now;
  }
  return [...rows.values()];
}

const PARTS = ["deal", "round", "trick", "turn"];

function begin(current, [mark, number]) {
  current[mark] = number;
  PARTS.slice(PARTS.indexOf(mark) + 1).forEach((lesser) => delete current[lesser]);
}

// Where a match goes by turns alone, as many as there are seats share a row: "7–12".
function turnRange(turn, seats) {
  const last = Math.ceil(turn / seats) * seats;
  return `${last - seats + 1}–${last}`;
}

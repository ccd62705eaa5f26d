// The score sheet: what the facts before the seats came to, a row for each part of the match in which one changed.

function drawSheet() {
  const title = match.title[shown.lang];
  const seats = match.seats.map((_, seat) => seat);
  const head = el("tr", {}, el("td", {}), seats.map((seat) => el("th", { scope: "col" }, seatName(seat))));
  const rows = scoreRows().map(([at, called]) => el("tr", {}, el("th", { scope: "row" }, called),
    scene(at).slice(1).map((place) => el("td", {}, place.facts.map(scoreCell)))));
  return el("table", {}, el("caption", {}, say("sheet-of", { title })), el("thead", {}, head), el("tbody", {}, rows),
    el("tfoot", {}, resultRow(seats)));
}

function scoreCell(fact, place) {
  const { label: key, value, of } = fact;
  return el("span", { class: place ? "less" : "" }, place ? `${label(key)} ` : "", of === null || !place ? String(value) : say("fact-of", { value, most: of }));
}

function resultRow(seats) {
  return el("tr", {}, el("th", { scope: "row" }, say("result")), match.points === null
    ? el("td", { colspan: seats.length }, say(match.ended === "abandoned" ? "abandoned" : "unfinished"))
    : seats.map((seat) => el("td", {}, el("strong", {}, String(match.points[seat])), badgeOf(match, seat))));
}


// Pairs of how many steps had happened and what the part of the match is called, the last of each part.
function scoreRows() {
  const rows = new Map();
  const current = {};
  const of = (...marks) => Object.values(VIEWER().begins).filter(([mark]) => marks.includes(mark)).length;
  const shownSections = { deal: of("deal") > 1, round: true, trick: true, turn: !of("round", "trick") };
  let facts = seatFacts(0);
  for (let step = 0; step < STEPS; step += 1) {
    if (begins(step)) begin(current, begins(step));
    const now = seatFacts(step + 1);
    if (now !== facts) {
      const path = PARTS.filter((mark) => current[mark] && shownSections[mark]).map((mark) => heading([mark, mark === "turn" ? turnRange(current[mark]) : current[mark]]));
      const called = path.join(" · ") || say("step", { step: step, of: STEPS - 1 });
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
function turnRange(turn) {
  const seats = match.seats.length;
  const last = Math.ceil(turn / seats) * seats;
  return `${last - seats + 1}–${last}`;
}

function seatFacts(at) {
  return JSON.stringify(scene(at).slice(1).map((place) => place.facts));
}

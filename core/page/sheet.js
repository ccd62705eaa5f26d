// The score sheet of a match; each of the `rows` has a label, a value for each seat or null, and who leads in it (`best`).

function drawSheet(played) {
  const seats = Array.from({ length: played.seats }, (_, seat) => seat);
  const head = el("tr", {}, el("td", {}), seats.map((seat) => el("th", { scope: "col" }, seatName(seat))));
  return el("table", {}, el("caption", {}, say("sheet-of", { title: played.title })), el("thead", {}, head), el("tbody", {}, sheetRows(played)),
    el("tfoot", {}, resultRow(played, seats)));
}

// The rows, but for a last one that says what the result says.
function sheetRows({ rows, points }) {
  const told = String(rows.at(-1)?.values) === String(points) ? rows.slice(0, -1) : rows;
  return told.map(({ label: called, values, best }) => el("tr", {}, el("th", { scope: "row" }, called.replace(/(?<!·) (?!·)/g, "\u00a0")),
    values.map((value, seat) => el("td", {}, value === null ? "" : el(best.includes(seat) ? "strong" : "span", {}, String(value))))));
}

function resultRow(played, seats) {
  return el("tr", {}, el("th", { scope: "row" }, say("result")), played.points === null
    ? el("td", { colspan: seats.length }, say(played.ended === "abandoned" ? "abandoned" : "unfinished"))
    : seats.map((seat) => el("td", {}, el("strong", {}, String(played.points[seat])), badgeOf(played, seat))));
}

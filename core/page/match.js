// What was exported, what is shown of it now, and its words in the language chosen.

const match = JSON.parse(document.getElementById("match").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const STEPS = match.acted.length;

// `at`: how many steps have happened; `viewer` and `lang`: places in `match.viewers` and `match.langs`.
const shown = { at: 0, viewer: 0, lang: 0, furigana: true };

const VIEWER = () => match.viewers[shown.viewer];

// The rows of the tables as things to draw.
const faces = match.faces.map(([text, tint, shape, caption = ""]) => ({ text, tint, shape, caption }));
const facts = match.facts.map(([label, value, of]) => ({ label, value, of }));
const things = match.things.map(([rows, count, marks, number, seat, back, ground = ""]) => ({ faces: rows.map((row) => faces[row]), count, marks, number, seat, back, ground }));
const boards = match.boards.map(([kind, rows, indents, winding]) => ({ kind, rows, indents, winding }));
const zones = match.zones.map(([label, rows, board]) => ({ label, things: rows.map((row) => things[row]), board: board === null ? null : boards[board] }));
const places = match.places.map(([seat, ofZones, ofFacts, marks]) =>
  ({ seat, zones: ofZones.map((row) => zones[row]), facts: ofFacts.map((row) => facts[row]), marks }));

// The scenes of each viewer, whole: for each number of steps done, the middle of the table and the place of each seat.
for (const viewer of match.viewers) {
  let lying = [];
  viewer.scenes = viewer.changes.map((changes) => {
    lying = [...lying];
    for (let at = 0; at < changes.length; at += 2) lying[changes[at]] = places[changes[at + 1]];
    return lying;
  });
}

function asPlayed() {
  const rows = match.score_rows.map(({ labels, ...row }) => ({ ...row, label: labels[shown.lang] }));
  return { title: match.title[shown.lang], seats: match.seats.length, rows, points: match.points, winners: match.winners, teams: match.teams, ended: match.ended };
}

function say(key, values) {
  return filled(words[key][shown.lang], values);
}

function label(key) {
  return match.labels[key][1 + shown.lang];
}

function seatLabel(seat) {
  return match.seats[seat][shown.lang];
}

function heading([mark, number]) {
  return filled(match.sections[mark][shown.lang], { number });
}

function noteOf(note) {
  const [rule, ...texts] = match.notes[note];
  return noteLine(rule, texts[shown.lang], rule && match.rules[rule] ? match.rules[rule][shown.lang] : null);
}

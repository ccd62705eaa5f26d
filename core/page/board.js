// Boards: the spaces of a zone as squares, hexagons, bowls, a track or a stack, each with its name, whatever the game.

const SIDE = 60;
const HEXAGON = "30,1 59,17.7 59,51.6 30,68.3 1,51.6 1,17.7";
const GOLDEN = 2.39996; // the angle between two seeds of a bowl
const MAX_SEEDS = 18;

function drawBoard({ label: key, things, board }, fresh) {
  const { kind, rows, indents } = board;
  const halves = Math.max(1, ...rows.map((row, line) => 2 * row.length + (indents[line] || 0)));
  const spaces = el("ul", { class: `things spaces ${kind}`, "aria-label": label(key) });
  spaces.style.setProperty("--halves", halves);
  const places = rows.flatMap((row, line) => row.map((name, column) => ({ name, line, column }))).filter(({ name }) => name !== "").slice(0, things.length);
  const nodes = places.map(({ name, line, column }, at) => {
    const node = drawSpace(kind, name, things[at], fresh.has(`${key} ${at}`));
    node.style.gridArea = `${line + 1} / ${2 * column + (indents[line] || 0) + 1} / auto / span 2`;
    node.style.setProperty("z-index", rows.length - line); // of a stack the top one lies above the others
    return node;
  });
  spaces.append(...nodes);
  return el("div", { class: "zone board-zone" }, el("p", { class: "zone-name", "aria-hidden": "true" }, label(key)), spaces);
}

function drawSpace(kind, name, thing, isNew) {
  const { faces, count, marks, part = null, number = null, ground: terrain = "" } = thing;
  const kinds = ["thing", "space", terrain === "fog" ? "ground-fog" : TINTS.includes(terrain) ? `ground tint-${terrain}` : "", isNew ? "new" : ""];
  const high = kind === "hex" ? 69.28 : SIDE;
  const ground = kind === "hex" ? svg("polygon", { class: "space-face", points: HEXAGON })
    : kind === "pits" ? svg("circle", { class: "space-face", cx: 30, cy: 30, r: 28.5 })
    : svg("rect", { class: "space-face", x: 0.75, y: 0.75, width: SIDE - 1.5, height: SIDE - 1.5, rx: kind === "track" ? 10 : 2 });
  const called = kind === "stack" ? [] : [svg("text", { class: "space-name", x: kind === "grid" || kind === "track" ? 4 : 30, y: kind === "hex" || kind === "pits" ? 14 : 11, "text-anchor": kind === "grid" || kind === "track" ? "start" : "middle" }, name)];
  const lying = svg("g", { transform: kind === "hex" ? "translate(0 5)" : "" }, !count && !faces.length ? [] : kind === "pits" ? bowl(faces, count) : onSpace(thing));
  const drawing = svg("svg", { class: "space-drawing", viewBox: `0 0 ${SIDE} ${high}`, "aria-hidden": "true" }, ground, called, lying);
  return el("li", { class: kinds.join(" ").trim(), "aria-label": `${name}${say("colon")}${thingName(thing)}`, "data-part": part && JSON.stringify(part), "data-space": name },
    el("span", { class: "cards", "aria-hidden": "true" }, drawing, number === null ? null : el("span", { class: "nth" }, String(number))),
    marks.map((mark) => el("span", { class: "mark", "aria-hidden": "true" }, label(mark))));
}

// Pieces or cards on a space: the first lies on top; a number where there are more than are drawn.
function onSpace({ faces, count, back = "card" }) {
  const shownFaces = faces.length ? faces.slice(0, 4) : [null];
  const step = Math.min(6, 12 / shownFaces.length);
  const drawnFaces = shownFaces.map((face, at) => (face && face.shape !== "card" ? piece(face, 30, 32 - step * (shownFaces.length - 1 - at) / 2 + step * at / 2, 21) : small(face ? faceUp(face) : faceDown(back), at * step))).reverse();
  return count > Math.max(1, shownFaces.length) ? [...drawnFaces, counted(count)] : drawnFaces;
}

function small(drawnCard, shift) {
  return make(drawnCard, { x: 15 + shift, y: 12 - shift / 2, width: 32, height: 45 }, []);
}

function bowl(faces, count) {
  const seeds = Array.from({ length: Math.min(count, MAX_SEEDS) }, (_, at) => {
    const far = 3.4 * Math.sqrt(at + 0.4) + (count > 1 ? 1.6 : 0);
    return svg("circle", { class: "seed", cx: 30 + far * Math.cos(at * GOLDEN), cy: 29 + far * Math.sin(at * GOLDEN), r: 3.1 });
  });
  return [svg("g", { class: `card-ink ${tintOf(faces[0])}` }, seeds), counted(count)];
}

function counted(count) {
  return svg("text", { class: "space-count", x: 30, y: 56, "text-anchor": "middle" }, String(count));
}

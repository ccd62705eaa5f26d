// Cards and pieces, drawn as SVG: no picture and no font is loaded.

const SUITS = {
  "♠": "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 7.8 3.1C10.6 20 9.8 21.3 8.5 22h7c-1.3-.7-2.1-2-2.3-3.9A4.5 4.5 0 0 0 21 15c0-5-6-8-9-13z",
  "♥": "M12 21.5C7 17 2.5 13.2 2.5 8.6A4.9 4.9 0 0 1 12 6.7a4.9 4.9 0 0 1 9.5 1.9C21.5 13.2 17 17 12 21.5z",
  "♦": "M12 1.5C14.2 5.6 16.7 9 19.8 12 16.7 15 14.2 18.4 12 22.5 9.8 18.4 7.3 15 4.2 12 7.3 9 9.8 5.6 12 1.5z",
  "♣": "M12 2a4.4 4.4 0 0 1 3.5 7.1 4.5 4.5 0 1 1-2.6 7.8c.2 2.2 1 3.9 2.5 5.1H8.6c1.5-1.2 2.3-2.9 2.5-5.1a4.5 4.5 0 1 1-2.6-7.8A4.4 4.4 0 0 1 12 2z",
  "★": "M12 1.8 14.6 9.1 22.3 9.3 16.2 14.1 18.4 21.5 12 17.1 5.6 21.5 7.8 14.1 1.7 9.3 9.4 9.1z",
  "☾": "M14.8 2.2A10.2 10.2 0 1 0 21.8 15.4 8.6 8.6 0 0 1 14.8 2.2z",
};
const TINTS = ["ink", "red", "orange", "yellow", "green", "blue", "purple", "white"];

// A picture for each tint, which tells it from the others where no colour does.
const PICTURES = {
  ink: "M12 2.5c5 2.8 8.5 6.6 8.5 11.3 0 4.5-3.8 7.2-8.5 7.2s-8.5-2.7-8.5-7.2C3.5 9.1 7 5.3 12 2.5zM5 15.5c4.5 1.5 9.5 1.5 14 0",
  red: "M12.5 1.5c.5 4.5 6.5 7 6.5 13a7 7 0 0 1-14 0c0-3.3 2-5 2.6-8 1.7 1 2.6 2.5 2.7 4.3 2-2.3 2.7-5.5 2.2-9.3z",
  orange: "M12 7.5c5.2-1.6 9 1.2 9 6.2 0 4.6-4 8.3-9 8.3s-9-3.7-9-8.3c0-5 3.8-7.8 9-6.2zM12 7.5C10 4.5 7.5 3 4.8 3c1 2.8 3.7 4.5 7.2 4.5zm0 0c2-3 4.5-4.5 7.2-4.5-1 2.8-3.7 4.5-7.2 4.5z",
  yellow: "M12 1L14.3 6.5L19.8 4.2L17.5 9.7L23 12L17.5 14.3L19.8 19.8L14.3 17.5L12 23L9.7 17.5L4.2 19.8L6.5 14.3L1 12L6.5 9.7L4.2 4.2L9.7 6.5z",
  green: "M3 21C2 9.5 9.5 3 21.5 2.5 22 14 16 20.5 6.5 19.5 9 14 12.5 10 16.5 7.5 11 9.5 6.5 14 3 21z",
  blue: "M12 1.5c4 5.5 7.2 9.3 7.2 13.3a7.2 7.2 0 0 1-14.4 0C4.8 10.8 8 7 12 1.5z",
  purple: "M7.3 6.4a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0zM12.6 10.3a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0zM10.6 16.5a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0zM4.0 16.5a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0zM2.0 10.3a4.7 4.7 0 1 0 9.4 0a4.7 4.7 0 1 0 -9.4 0z",
  white: "M6.5 19.5a5 5 0 0 1-.4-10 6.3 6.3 0 0 1 12-.5 5.3 5.3 0 0 1-.6 10.5z",
};

// Where the pips of a number lie, as on old playing cards: across and down, from -1 to 1.
const [TWO, THREE, FOUR] = [[-1, 1], [-1, 0, 1], [-1, -0.34, 0.34, 1]];
const BESIDE = { 4: TWO, 5: TWO, 6: THREE, 7: THREE, 8: THREE, 9: FOUR, 10: FOUR };
const BETWEEN = { 1: [0], 2: TWO, 3: THREE, 5: [0], 7: [-0.5], 8: [-0.5, 0.5], 9: [0], 10: [-0.67, 0.67] };

const WIDTH = 60;
const HEIGHT = 84;
const MAX_FACES = 12;

const drawn = new Map();

// A card face up; every later one of the same face is a copy of the first.
function faceUp(face) {
  const key = `${face.tint} ${face.shape} ${face.text} ${face.caption ?? ""}`;
  if (!drawn.has(key)) drawn.set(key, face.shape === "card" ? drawFace(face.text, face.tint, face.caption) : alone(face));
  return drawn.get(key).cloneNode(true);
}

function tintOf(face) {
  return `tint-${face && TINTS.includes(face.tint) ? face.tint : "ink"}`;
}

function piece(face, x, y, r) {
  if (face.shape === "die") return die(face, x, y, r * 0.92);
  const size = Math.min(1.25, 2.1 / Math.max(1, cellsOf(face.text))) * r;
  return svg("g", { class: `piece ${tintOf(face)}` }, svg("circle", { class: "piece-edge", cx: x, cy: y + 2, r }), svg("circle", { class: "piece-face", cx: x, cy: y, r }),
    /^[●○]?$/u.test(face.text) ? [] : svg("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" }, face.text)); // a disc is drawn as one
}

const PIPS = { 1: ["0 0"], 2: ["-1 -1", "1 1"], 3: ["-1 -1", "0 0", "1 1"], 4: ["-1 -1", "1 -1", "-1 1", "1 1"] };
PIPS[5] = [...PIPS[4], "0 0"];
PIPS[6] = [...PIPS[4], "-1 0", "1 0"];

// A die: its pips, or its text if that is no number from 1 to 6.
function die({ text, tint }, x, y, r) {
  const square = (kind, down) => svg("rect", { class: kind, x: x - r, y: y - r + down, width: 2 * r, height: 2 * r, rx: r * 0.28 });
  const dots = (PIPS[text] ?? []).map((place) => place.split(" ").map(Number)).map(([across, down]) =>
    svg("circle", { class: "pip", cx: x + across * r * 0.52, cy: y + down * r * 0.52, r: r * 0.17 }));
  return svg("g", { class: `piece die ${tintOf({ tint })}` }, square("piece-edge", 2), square("piece-face", 0),
    dots.length ? dots : svg("text", { x, y: y + r * 0.42, "font-size": r * 1.2, "text-anchor": "middle" }, text));
}

function alone(face) {
  return svg("svg", { class: `card piece-alone ${tintOf(face)}`, viewBox: `0 0 ${WIDTH} ${WIDTH}`, "aria-hidden": "true" }, piece(face, 30, 29, 26));
}

function emptyPlace() {
  return svg("svg", { class: "card nothing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("rect", { class: "space-face", x: 1.5, y: 1.5, width: WIDTH - 3, height: HEIGHT - 3, rx: 6 }));
}

// A suit, or the picture of the tint: as often as the number says where cards are large (`.roomy`), else once.
function drawFace(text, tint, caption = "") {
  const kind = TINTS.includes(tint) ? tint : "ink";
  const suit = SUITS[text[0]];
  const value = suit ? text.slice(1) : text;
  const path = suit ?? PICTURES[kind];
  const corners = cellsOf(value) > 2.4 ? [] : [corner(value, suit), svg("g", { transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` }, corner(value, suit))];
  const wash = suit ? [] : svg("rect", { class: "wash", x: 3, y: 3, width: WIDTH - 6, height: HEIGHT - 6, rx: 4 });
  const once = svg("g", { class: "once" }, suit || !value ? sign(path, WIDTH / 2, HEIGHT / 2, 32) : written(value, path));
  const spread = /^([1-9]|10)$/.test(value) ? svg("g", { class: "pips" }, pips(path, Number(value))) : [];
  return card(`tint-${kind} ${suit ? "suited" : "lettered"}${Array.isArray(spread) ? "" : " spread"}`, wash, once, spread, corners, captioned(caption));
}

function cellsOf(text) {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e80 ? 1.7 : 1), 0);
}

function card(kind, ...printed) {
  const face = svg("rect", { class: "card-face", x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 6 });
  return svg("svg", { class: `card ${kind}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, face, ...printed);
}

// What stands in a corner, where it is seen in a fan, too: the value, and below it the suit.
function corner(value, suit) {
  return [svg("text", { class: "corner", x: 8.5, y: 16.5, "text-anchor": "middle" }, value), suit ? sign(suit, 8.5, 25, 9.5) : []];
}

function sign(path, x, y, size) {
  return svg("path", { d: path, transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})` });
}

function pips(path, number) {
  const size = number === 1 ? 30 : number < 4 ? 16 : number < 9 ? 13 : 11;
  const places = [...(BESIDE[number] ?? []).flatMap((y) => [[-1, y], [1, y]]), ...(BETWEEN[number] ?? []).map((y) => [0, y])];
  return places.map(([across, down]) => sign(path, WIDTH / 2 + across * 9.5, HEIGHT / 2 + down * (number < 4 ? 22 : 26), size));
}

function written(value, path) {
  const lines = inLines(value);
  const size = Math.min(36, 54 / Math.max(...lines.map(cellsOf), 1), 46 / lines.length);
  const middle = HEIGHT / 2 - ((lines.length - 1) * size) / 2;
  return [svg("g", { class: "behind" }, sign(path, WIDTH / 2, HEIGHT / 2, 46)),
    lines.map((line, at) => svg("text", { class: "written", x: WIDTH / 2, y: middle + at * size + size * 0.36, "font-size": size, "text-anchor": "middle" }, line))];
}

// A word on a card is never cut off: a long one stands in lines, broken at a space where there is one.
function inLines(text, most = 7) {
  const lines = [];
  for (let left = text.trim(); left; left = left.slice(lines.at(-1).length).trim()) {
    const space = left.slice(0, most + 1).lastIndexOf(" ");
    lines.push(cellsOf(left) <= most ? left : left.slice(0, space > 0 ? space : most));
  }
  return lines;
}

function captioned(caption) {
  const lines = inLines(caption, 14).slice(0, 2);
  return lines.map((line, at) => svg("text", { class: "caption", x: WIDTH / 2, y: HEIGHT - 5 - 7 * (lines.length - 1 - at), "font-size": Math.min(7, 54 / (0.55 * cellsOf(line))), "text-anchor": "middle" }, line));
}

// What lies face down: the back of a card, or a piece or die of which nothing shows.
function faceDown(back = "card") {
  if (back === "piece" || back === "die") {
    const hidden = alone({ text: back === "die" ? "?" : "", tint: "ink", shape: back });
    hidden.classList.add("unknown");
    return hidden;
  }
  return card("back");
}

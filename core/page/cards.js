// Cards, piles and icons, drawn as SVG: no picture and no font is loaded.

const SUITS = {
  "♠": "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 7.8 3.1C10.6 20 9.8 21.3 8.5 22h7c-1.3-.7-2.1-2-2.3-3.9A4.5 4.5 0 0 0 21 15c0-5-6-8-9-13z",
  "♥": "M12 21.5C7 17 2.5 13.2 2.5 8.6A4.9 4.9 0 0 1 12 6.7a4.9 4.9 0 0 1 9.5 1.9C21.5 13.2 17 17 12 21.5z",
  "♦": "M12 1.5C14.2 5.6 16.7 9 19.8 12 16.7 15 14.2 18.4 12 22.5 9.8 18.4 7.3 15 4.2 12 7.3 9 9.8 5.6 12 1.5z",
  "♣": "M12 2a4.4 4.4 0 0 1 3.5 7.1 4.5 4.5 0 1 1-2.6 7.8c.2 2.2 1 3.9 2.5 5.1H8.6c1.5-1.2 2.3-2.9 2.5-5.1a4.5 4.5 0 1 1-2.6-7.8A4.4 4.4 0 0 1 12 2z",
  "★": "M12 1.8 14.6 9.1 22.3 9.3 16.2 14.1 18.4 21.5 12 17.1 5.6 21.5 7.8 14.1 1.7 9.3 9.4 9.1z",
  "☾": "M14.8 2.2A10.2 10.2 0 1 0 21.8 15.4 8.6 8.6 0 0 1 14.8 2.2z",
};
const TINTS = ["ink", "red", "orange", "yellow", "green", "blue", "purple", "white"];
const WIDTH = 60;
const HEIGHT = 84;
const MAX_FACES = 12;

const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  "back-section": "M12 5 4 12l8 7zM21 5l-8 7 8 7z",
  back: "M16 5 7 12l9 7z",
  play: "M8 4.5 19 12 8 19.5z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  "forward-section": "M12 5l8 7-8 7zM3 5l8 7-8 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
};

function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

const drawn = new Map();

// A card face up; every later one of the same face is a copy of the first.
function faceUp(face) {
  const key = `${face.tint} ${face.shape} ${face.text}`;
  if (!drawn.has(key)) drawn.set(key, face.shape === "card" ? drawFace(face.text, face.tint) : alone(face));
  return drawn.get(key).cloneNode(true);
}

function tintOf(face) {
  return `tint-${face && TINTS.includes(face.tint) ? face.tint : "ink"}`;
}

// A piece: round, in its tint, with its text; or a die.
function piece(face, x, y, r) {
  if (face.shape === "die") return die(face, x, y, r * 0.92);
  const cells = Math.max(1, [...face.text].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e80 ? 1.7 : 1), 0));
  const size = Math.min(1.25, 2.1 / cells) * r;
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

// A piece beside the board, among cards.
function alone(face) {
  return svg("svg", { class: `card piece-alone ${tintOf(face)}`, viewBox: `0 0 ${WIDTH} ${WIDTH}`, "aria-hidden": "true" }, piece(face, 30, 29, 26));
}

// An empty place where cards or pieces may lie.
function emptyPlace() {
  return svg("svg", { class: "card nothing", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("rect", { class: "space-face", x: 1.5, y: 1.5, width: WIDTH - 3, height: HEIGHT - 3, rx: 6 }));
}

function drawFace(text, tint) {
  const kind = TINTS.includes(tint) ? tint : "ink";
  const symbol = SUITS[text[0]];
  const printed = symbol ? suited(symbol, text.slice(1)) : lettered(text);
  return card(`tint-${kind} ${symbol ? "suited" : "lettered"}`, ...printed);
}

function card(kind, ...printed) {
  const face = svg("rect", { class: "card-face", x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 6 });
  return svg("svg", { class: `card ${kind}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, face, ...printed);
}

function suited(symbol, value) {
  const corner = () => [
    svg("text", { class: "corner", x: 10.5, y: 18, "text-anchor": "middle" }, value),
    svg("path", { d: symbol, transform: "translate(5 21) scale(.46)" }),
  ];
  const turned = svg("g", { transform: `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` }, corner());
  return [...corner(), svg("path", { d: symbol, transform: "translate(15 27) scale(1.25)" }), turned];
}

function lettered(text) {
  const letters = [...text];
  const shownText = letters.length > 7 ? `${letters.slice(0, 6).join("")}…` : text;
  const cells = [...shownText].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e80 ? 1.7 : 1), 0);
  const size = Math.min(34, 56 / cells);
  const corner = cells <= 2.4 ? [svg("text", { class: "corner", x: 6.5, y: 18 }, shownText)] : [];
  return [
    svg("rect", { class: "wash", x: 3, y: 3, width: WIDTH - 6, height: HEIGHT - 6, rx: 4 }),
    svg("circle", { class: "medal", cx: WIDTH / 2, cy: HEIGHT / 2 + 3, r: 22 }),
    svg("text", { x: WIDTH / 2, y: HEIGHT / 2 + 3 + size * 0.36, "font-size": size, "text-anchor": "middle" }, shownText),
    ...corner,
  ];
}

// What lies face down: the back of a card, or a piece or die of which nothing shows.
function faceDown(back = "card") {
  if (back === "piece" || back === "die") {
    const hidden = alone({ text: back === "die" ? "?" : "", tint: "ink", shape: back });
    hidden.classList.add("unknown");
    return hidden;
  }
  const waves = svg("rect", { class: "waves", x: 4, y: 4, width: WIDTH - 8, height: HEIGHT - 8, rx: 3.5 });
  return card("back", waves);
}

// The pattern on the backs (seigaiha, waves of the blue sea), once for all of them.
function patterns() {
  const arc = (x, y) => [9, 6, 3].map((r) => svg("circle", { cx: x, cy: y, r }));
  const tile = svg("pattern", { id: "waves", width: 18, height: 9, patternUnits: "userSpaceOnUse" },
    arc(9, 0), arc(0, 4.5), arc(18, 4.5), arc(9, 9), arc(0, 13.5), arc(18, 13.5));
  return svg("svg", { class: "unseen", "aria-hidden": "true" }, svg("defs", {}, tile));
}

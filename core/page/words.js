// Texts set into elements: names, cards in their tints, kana over hard words.
// A page has `say`, `label`, `seatLabel`, and `shown.furigana`.

const LONGEST_WHOLE_NAME = 16; // a longer one may be broken in two
const MARKED = ["deal", "round", "trick"]; // what has a heading of its own in the list of what happened

// A name is a stranger's text: an element of its own keeps its direction from the text around it.
function seatName(seat) {
  const name = seatLabel(seat);
  return el("bdi", { class: `name seat-${seat % 8}${name.length > LONGEST_WHOLE_NAME ? " long" : ""}` }, name);
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? values[name] : all));
}

let wordMarks = { tints: new Map(), readings: {}, finder: null };

// Mark cards and hard words in texts from now on. Only cards that cannot be taken for words are tinted: those that begin with
// neither a letter nor a digit.
function markWords(faces, readings) {
  const tints = new Map(faces.filter(({ text }) => /^[^\p{L}\p{N}]/u.test(text)).map(({ text, tint }) => [text, tint]));
  const texts = [...tints.keys(), ...Object.keys(readings)].sort((a, b) => b.length - a.length);
  const sought = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  wordMarks = { tints, readings, finder: sought ? new RegExp(`(${sought})`, "u") : null };
}

// A text in pieces, strings and numbers of seats; a difficult word gets its kana where it first stands.
function inWords(pieces) {
  const read = new Set();
  return pieces.flatMap((piece) => (typeof piece === "number" ? [seatName(piece)] : marked(piece, read)));
}

function marked(text, read) {
  const { finder, tints, readings } = wordMarks;
  if (!finder) return [text];
  return text.split(finder).map((part) => {
    if (tints.has(part)) return el("span", { class: `inline tint-${tints.get(part)}` }, part);
    const kana = readings[part];
    if (typeof kana !== "string" || !shown.furigana || read.has(part)) return part;
    read.add(part);
    return el("ruby", {}, part, el("rp", {}, "("), el("rt", {}, kana), el("rp", {}, ")"));
  });
}

// A text of a lesson or rule; what stands between backquotes is written as it is.
function prose(text) {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : inWords([part])));
}

// A note, and behind a button the sentence of its rule.
function noteLine(rule, pieces, ruleText) {
  const line = el("p", { class: "note" }, el("span", {}, inWords(pieces)));
  if (rule && ruleText) {
    const sentence = el("span", { class: "sentence", hidden: true }, prose(ruleText));
    const button = el("button", { class: "rule", type: "button", "aria-expanded": "false", "aria-label": say("rule", { rule }), click: () => {
      sentence.hidden = !sentence.hidden;
      button.setAttribute("aria-expanded", String(!sentence.hidden));
    } }, rule);
    line.append(" ", button, sentence);
  }
  return line;
}

// Words in the language chosen: names set in, cards in their tints, kana over hard words.

function say(key, values) {
  const said = words[key][shown.lang];
  return said.replace(/\{(\w+)\}/g, (all, name) => (values && name in values ? values[name] : all));
}

function label(key) {
  return match.labels[key][1 + shown.lang];
}

// A name is a text of a stranger's: it stands in an element of its own, so that its direction reaches nothing around it.
function seatName(seat) {
  return el("bdi", { class: `name seat-${seat % 8}` }, match.seats[seat][shown.lang]);
}

function viewerName(viewer) {
  if (viewer === "table") return say("all-open");
  return viewer === "spectator" ? say("spectator") : match.seats[viewer][shown.lang];
}

function heading([mark, number]) {
  return say(`begins-${mark}`, { number });
}

function quoted(texts) {
  return [...texts].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
}

// Only cards that cannot be taken for words are tinted: those that begin with a sign.
const CARDS = new Map(match.faces.filter(([text]) => /^[^\p{L}\p{N}]/u.test(text)));
const FINDERS = match.langs.map((lang) => {
  const sought = quoted([...CARDS.keys(), ...Object.keys(match.readings[lang])]);
  return sought ? new RegExp(`(${sought})`, "u") : null;
});

// A text of the export, in pieces; each hard word gets its kana where it stands first.
function inWords(pieces) {
  const read = new Set();
  return pieces.flatMap((piece) => (typeof piece === "number" ? [seatName(piece)] : marked(piece, read)));
}

function marked(text, read) {
  const finder = FINDERS[shown.lang];
  if (!finder) return [text];
  return text.split(finder).map((part) => {
    if (CARDS.has(part)) return el("span", { class: `inline tint-${CARDS.get(part)}` }, part);
    const kana = match.readings[match.langs[shown.lang]][part];
    if (typeof kana !== "string" || !shown.furigana || read.has(part)) return part;
    read.add(part);
    return el("ruby", {}, part, el("rp", {}, "("), el("rt", {}, kana), el("rp", {}, ")"));
  });
}

// A note, and behind a button the sentence of its rule.
function noteLine(note) {
  const [rule, ...said] = match.notes[note];
  const line = el("p", { class: "note" }, el("span", {}, inWords(said[shown.lang])));
  if (rule && match.rules[rule]) {
    const sentence = el("span", { class: "sentence", hidden: true }, inWords([match.rules[rule][shown.lang]]));
    const button = el("button", { class: "rule", type: "button", "aria-expanded": "false", "aria-label": say("rule", { rule }), click: () => {
      sentence.hidden = !sentence.hidden;
      button.setAttribute("aria-expanded", String(!sentence.hidden));
    } }, rule);
    line.append(" ", button, sentence);
  }
  return line;
}

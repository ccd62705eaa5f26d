// How a game is played: a panel beside the table or the lobby, with the lesson and the rules by number.

// The lesson that is being drawn, whose labels and names of seats hold meanwhile; else null.
let reading = null;

// Open the panel of a game, at a rule if one is given. The focus returns to where it was when the panel is closed.
async function showRules(play, rule = null) {
  const lesson = play.lesson && (await request(`games/${play.game}/lesson`));
  closeRules();
  const close = el("button", { type: "button", class: "icon-button", id: "close-rules", "aria-label": say("close"), click: closeRules }, "×");
  const node = el("dialog", { class: "rules-panel", "data-game": play.game, "aria-label": say("how-to-play", { what: play.title }), keydown: ({ key }) => key === "Escape" && closeRules() },
    el("div", { class: "rules-head" }, el("h2", { tabindex: "-1" }, play.title), close),
    el("div", { class: "rules-body", tabindex: "0" }, lesson && drawLesson(play, lesson), drawRuleBook(play)));
  document.body.append(node);
  node.show();
  const target = rule === null ? null : node.querySelector(`[data-rule="${CSS.escape(rule)}"]`);
  target?.classList.add("sought");
  target?.scrollIntoView({ block: "center" });
  (target ?? node.querySelector("h2")).focus({ preventScroll: true });
}

function closeRules() {
  const node = document.querySelector(".rules-panel");
  node?.close();
  node?.remove();
}

function drawLesson(play, lesson) {
  reading = { seats: lesson.seats, labels: lesson.labels };
  inkFaces(play, lesson.blocks.flatMap(({ faces, scene }) => faces ?? (scene ? facesOf([scene.table, ...scene.places]) : [])));
  try {
    return el("div", { class: "lesson" }, drawSummary(play), lesson.blocks.map(drawBlock));
  } finally {
    reading = null;
  }
}

function drawBlock({ kind, text, items, ordered, faces, scene, notes }) {
  if (kind === "title") return el("h3", {}, text);
  if (kind === "paragraph") return el("p", {}, prose(text));
  if (kind === "items") return el(ordered ? "ol" : "ul", { class: "points" }, items.map((item) => el("li", {}, prose(item))));
  if (kind === "cards") return el("div", { class: "hand", role: "img", "aria-label": faces.map(({ text }) => text).join(" ") }, faces.map(faceUp));
  if (kind === "example") return el("ol", { class: "story" }, notes.map((note) => el("li", {}, inWords([note.text]), " ", el("span", { class: "rule" }, note.rule))));
  const table = el("div", { class: "table small" });
  drawTable(table, [scene.table, ...scene.places], { mine: scene.viewer >= 0 ? scene.viewer : null });
  for (const place of table.children) place.setAttribute("role", "group"); // no landmarks: the real table has those
  for (const head of table.querySelectorAll("header")) head.setAttribute("role", "none");
  return el("figure", {}, table);
}

function drawSummary(play) {
  const { minutes, difficulty } = play.lesson;
  return el("p", { class: "quiet" }, [rangeText("players", play.seats), rangeText("minutes", minutes), say(`difficulty-${difficulty}`)].join(" · "));
}

function drawRuleBook(play) {
  const rows = Object.entries(play.rules).flatMap(([rule, text]) => [el("dt", {}, rule), el("dd", { "data-rule": rule, tabindex: "-1" }, prose(text))]);
  return el("div", { class: "rules book" }, el("h3", {}, say("rules-by-number")), el("dl", {}, rows));
}

function facesOf(places) {
  return places.flatMap(({ zones }) => zones.flatMap(({ things }) => things.flatMap(({ faces }) => faces)));
}

const inked = new Map();

// Mark these cards in texts from now on, with those of before, and the hard words of a game.
function inkFaces({ readings }, faces) {
  for (const face of faces) inked.set(face.text, face);
  markWords([...inked.values()], readings);
}

// The page put together, and how one moves about in it.

const parts = {};

function build() {
  document.documentElement.lang = match.langs[shown.lang];
  markWords(faces, match.readings[match.langs[shown.lang]]);
  parts.table = el("div", { class: "table" });
  parts.steps = el("ol", { class: "steps" });
  parts.now = el("div", { class: "now", "aria-live": "polite", "aria-atomic": "true" });
  const aside = el("aside", { "aria-label": say("steps") }, el("h2", {}, say("steps"), VIEWER().viewer === "table" ? null : el("span", { class: "narrower" }, say("narrower"))), parts.steps); // this viewer did not see all
  document.body.replaceChildren(drawHead(),
    el("main", {}, parts.table, aside), drawControls(),
    el("section", { class: "sheet", "aria-label": say("sheet"), tabindex: "0" }, drawSheet(asPlayed())), drawAnalysis() ?? "", drawRules(), drawFoot());
  listSteps();
  update();
}

function update() {
  drawTable(parts.table, VIEWER().scenes[shown.at], {
    at: shown.at, near: Math.abs(shown.at - parts.table.last?.at) === 1, lang: match.langs[shown.lang],
    acting: match.asked[shown.at], actor: shown.at ? match.acted[shown.at - 1] : null,
  });
  parts.now.replaceChildren(...notesAt(shown.at), ...drawRemark(shown.at));
  parts.steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
  parts.items[shown.at].setAttribute("aria-current", "step");
  scrollToStep();
  settle();
  const where = shown.at ? say("step", { step: shown.at - 1, of: STEPS - 1 }) : say("start");
  parts.slider.value = shown.at;
  parts.slider.setAttribute("aria-valuetext", where);
  parts.count.textContent = where;
  document.body.classList.toggle("at-end", shown.at === STEPS);
  remember();
}

// Let the table fit above, or beside, the controls, and bring whoever the step is about to where one sees it.
function settle() {
  const controls = document.querySelector(".controls").getBoundingClientRect();
  const isBeside = controls.height > innerHeight / 2;
  const lower = isBeside ? innerHeight : innerHeight - controls.height;
  const isRoomy = innerWidth > 900 && innerHeight > 500; // as page.css has it: then the head is seen, too
  fitTable(parts.table, lower - 8 - (isRoomy ? parts.table.getBoundingClientRect().top + scrollY : 0), false);
  const seats = new Set([match.acted[shown.at - 1], ...(shown.at ? VIEWER().notes[shown.at - 1].flatMap((note) => match.notes[note][1 + shown.lang]) : [])].filter((each) => typeof each === "number" && each >= 0));
  const boxes = [...seats].map((seat) => parts.table.querySelector(`[data-seat="${seat}"]`).getBoundingClientRect()); // whoever is named first, first
  if (shown.at < 2 || boxes.every(({ top, bottom }) => top >= 0 && bottom <= lower)) return; // a page opens at its top
  const whole = parts.table.getBoundingClientRect();
  scrollBy({ top: whole.height <= lower ? whole.top : boxes[0].top });
}

function go(at) {
  const wanted = Math.min(Math.max(at, 0), STEPS);
  if (wanted === shown.at) return;
  shown.at = wanted;
  update();
}

// Where the next part of the match begins, or the last that began before.
function section(way) {
  const marks = Object.entries(VIEWER().begins);
  const majorSections = marks.filter(([, [mark]]) => mark !== "turn" && mark !== "deal").length ? marks.filter(([, [mark]]) => mark !== "turn") : marks;
  const starts = [0, ...majorSections.map(([step]) => Number(step) + 1), STEPS].sort((a, b) => a - b);
  return way > 0 ? starts.find((at) => at > shown.at) ?? STEPS : starts.findLast((at) => at < shown.at) ?? 0;
}

// Look with other eyes, in another language, with or without kana.
function look(change) {
  const focused = document.activeElement && document.activeElement.id;
  Object.assign(shown, change);
  build();
  if (focused) document.getElementById(focused)?.focus();
}

const KEYS = {
  ArrowLeft: (event) => go(event.shiftKey ? section(-1) : shown.at - 1),
  ArrowRight: (event) => go(event.shiftKey ? section(1) : shown.at + 1),
  Home: () => go(0),
  End: () => go(STEPS),
};

function onKey(event) {
  if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key](event);
}

// The address says what is shown: `#step=12&as=1&lang=ja`.
function address(at) {
  const params = { step: at - 1, as: VIEWER().viewer, lang: match.langs[shown.lang] };
  return `#${new URLSearchParams(params)}`;
}

function remember() {
  try {
    history.replaceState(null, "", address(shown.at));
  } catch {
    // a page within a notebook has no address of its own
  }
}

function fromAddress() {
  const params = new URLSearchParams(location.hash.slice(1));
  const step = /^-?\d{1,9}$/.test(params.get("step") || "") ? Number(params.get("step")) + 1 : shown.at;
  const viewer = match.viewers.findIndex(({ viewer }) => String(viewer) === params.get("as"));
  const lang = match.langs.indexOf(params.get("lang"));
  return { at: Math.min(Math.max(step, 0), STEPS), viewer: viewer < 0 ? shown.viewer : viewer, lang: lang < 0 ? shown.lang : lang };
}

function open() {
  shown.at = Math.min(1, STEPS); // the first deal looks better than a bare table
  const wanted = [document.documentElement.lang, ...navigator.languages].map((lang) => match.langs.indexOf(lang.slice(0, 2)));
  shown.lang = Math.max(wanted.find((lang) => lang >= 0) ?? 0, 0);
  Object.assign(shown, fromAddress());
  build();
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => look(fromAddress()));
  addEventListener("resize", () => { settle(); scrollToStep(); });
}

open();

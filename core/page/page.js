// The page put together, and how one moves about in it.

const parts = {};
let previous = null;
let playing = null;
let speed = 1;

const SPEEDS = [0.5, 1, 2, 4];
const STEP_TIME = 1400;

function build() {
  document.documentElement.lang = match.langs[shown.lang];
  previous = null;
  parts.items = null;
  parts.table = el("div", { class: match.seats.length > 4 ? "table many-seats" : "table" });
  parts.steps = el("ol", { class: "steps" });
  resized.disconnect();
  resized.observe(parts.steps);
  parts.now = el("div", { class: "now", "aria-live": "polite", "aria-atomic": "true" });
  parts.help = drawHelp();
  const aside = el("aside", { "aria-label": say("steps") }, el("h2", {}, say("steps"), narrower()), parts.steps);
  document.body.replaceChildren(document.getElementById("links") ?? "", patterns(), drawHead(),
    el("main", {}, parts.table, aside), drawControls(),
    el("section", { class: "sheet", "aria-label": say("sheet") }, drawSheet(asPlayed()), printButton()), drawAnalysis() ?? "", drawRules(), drawFoot(), parts.help);
  parts.record = null;
  update();
}

// Say that this viewer did not see all.
function narrower() {
  return VIEWER().viewer === "table" ? null : el("span", { class: "narrower" }, say("narrower"));
}

// Show the step that is reached: everything that depends on it, and nothing else.
function update() {
  drawTable(parts.table, scene(shown.at), {
    before: previous === null ? null : scene(previous), near: Math.abs(shown.at - previous) === 1, lang: match.langs[shown.lang],
    acting: match.asked[shown.at], actor: shown.at ? match.acted[shown.at - 1] : null,
  });
  parts.now.replaceChildren(...notesAt(shown.at), ...drawRemark(shown.at));
  markStep();
  const where = shown.at ? say("step", { step: shown.at - 1, of: STEPS - 1 }) : say("start");
  parts.slider.value = shown.at;
  parts.slider.setAttribute("aria-valuetext", where);
  parts.count.textContent = where;
  document.body.classList.toggle("at-end", shown.at === STEPS);
  previous = shown.at;
  remember();
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
  showPlaying();
  if (focused) document.getElementById(focused)?.focus();
}

function togglePlay() {
  if (playing) stop();
  else {
    if (shown.at === STEPS) go(0);
    playing = setInterval(advance, STEP_TIME / speed);
  }
  showPlaying();
}

function advance() {
  go(shown.at + 1);
  if (shown.at === STEPS) stop();
  showPlaying();
}

function stop() {
  clearInterval(playing);
  playing = null;
}

function showPlaying() {
  const name = playing ? "pause" : "play";
  parts.play.replaceChildren(icon(name));
  parts.play.setAttribute("aria-label", say(name));
}

function setSpeed(at) {
  speed = SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)];
  document.getElementById("choose-speed").value = SPEEDS.indexOf(speed);
  if (playing) { stop(); playing = setInterval(advance, STEP_TIME / speed); }
}

const KEYS = {
  ArrowLeft: (event) => go(event.shiftKey ? section(-1) : shown.at - 1),
  ArrowRight: (event) => go(event.shiftKey ? section(1) : shown.at + 1),
  PageUp: () => go(section(-1)),
  PageDown: () => go(section(1)),
  Home: () => go(0),
  End: () => go(STEPS),
  " ": togglePlay,
  "+": () => setSpeed(SPEEDS.indexOf(speed) + 1),
  "-": () => setSpeed(SPEEDS.indexOf(speed) - 1),
  s: () => look({ viewer: (shown.viewer + 1) % match.viewers.length }),
  l: () => look({ lang: (shown.lang + 1) % match.langs.length }),
  "?": () => parts.help.showModal(),
};

function onKey(event) {
  const used = event.target.closest("select, dialog, input") || (event.key === " " && event.target.closest("button, a, summary"));
  if (used || event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) return;
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

// Go where the address leads; only for other eyes or another language the page is built anew.
function follow() {
  const wanted = fromAddress();
  if (wanted.viewer !== shown.viewer || wanted.lang !== shown.lang) return look(wanted);
  Object.assign(shown, wanted);
  update();
}

function open() {
  shown.at = Math.min(1, STEPS); // the first deal looks better than a bare table
  const wanted = [document.documentElement.lang, ...navigator.languages].map((lang) => match.langs.indexOf(lang.slice(0, 2)));
  shown.lang = Math.max(wanted.find((lang) => lang >= 0) ?? 0, 0);
  Object.assign(shown, fromAddress());
  build();
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", showRecord);
  matchMedia("print").addEventListener("change", ({ matches }) => { if (matches) showRecord(); });
}

open();

// What stands around the table: the head, the choices, the controls, the rules.

const MARKED = ["deal", "round", "trick"];

function drawHead() {
  const seats = match.seats.map((_, seat) => el("li", {}, seatName(seat),
    match.points === null ? null : el("strong", {}, String(match.points[seat])), badgeOf(match, seat)));
  const date = new Date(match.started === null ? NaN : match.started);
  const when = isNaN(date) ? null : el("time", {}, date.toISOString().slice(0, 10));
  return el("header", { class: "head" },
    el("div", { class: "title" }, el("h1", {}, match.title[shown.lang]),
      el("p", {}, el("span", {}, inWords([say("by", { designer: match.designer[shown.lang] })])), when)),
    el("ul", { class: "players" }, seats), drawChoices());
}

function drawChoices() {
  const eyes = choice("seen-by", match.viewers.map(({ viewer }) => viewerName(viewer)), shown.viewer, (at) => look({ viewer: at }));
  const langs = choice("language", match.langs.map((lang) => ({ en: "English", ja: "日本語" })[lang] || lang), shown.lang, (at) => look({ lang: at }));
  const kana = el("label", { class: "check" }, el("input", { type: "checkbox", checked: shown.furigana }), say("furigana"));
  kana.firstChild.addEventListener("change", (event) => look({ furigana: event.target.checked }));
  const hard = Object.keys(match.readings[match.langs[shown.lang]]).length > 0;
  return el("div", { class: "choices" }, eyes, langs, hard ? kana : null,
    button("theme", turnLight), el("button", { type: "button", class: "icon-button", "aria-label": say("keys"), click: () => parts.help.showModal() }, "?"));
}

function choice(key, names, chosen, choose) {
  const options = names.map((name, at) => el("option", { value: at, selected: at === chosen }, name));
  const select = el("select", { id: `choose-${key}`, "aria-label": say(key) }, options);
  select.addEventListener("change", () => choose(Number(select.value)));
  return el("label", {}, el("span", {}, say(key)), select);
}

function button(name, click) {
  return el("button", { type: "button", class: "icon-button", "aria-label": say(name), title: say(name), click }, icon(name));
}

function turnLight() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
    (!document.documentElement.dataset.light && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.light = dark ? "light" : "dark";
}

function drawControls() {
  parts.slider = el("input", { type: "range", min: 0, max: STEPS, value: 0, "aria-label": say("place") });
  parts.slider.addEventListener("input", () => go(Number(parts.slider.value)));
  parts.play = button("play", togglePlay);
  parts.count = el("output", { class: "count" });
  const speeds = choice("speed", SPEEDS.map((each) => `${each}×`), SPEEDS.indexOf(speed), (at) => setSpeed(at));
  return el("footer", { class: "controls" }, parts.now,
    el("div", { class: "rail" }, ticks(), parts.slider),
    el("div", { class: "buttons" }, button("first", () => go(0)), button("back-section", () => go(section(-1))), button("back", () => go(shown.at - 1)),
      parts.play, button("forward", () => go(shown.at + 1)), button("forward-section", () => go(section(1))), button("last", () => go(STEPS)),
      parts.count, speeds));
}

// A stroke on the rail for each part of the match that begins there, the greater the longer.
function ticks() {
  const lines = Object.entries(VIEWER().begins).filter(([, [mark]]) => MARKED.includes(mark)).map(([step, [mark]]) =>
    svg("line", { x1: step, x2: step, y1: mark === "trick" ? 5 : 1, y2: 9, "vector-effect": "non-scaling-stroke" }));
  return svg("svg", { class: "ticks", viewBox: `0 0 ${Math.max(STEPS, 1)} 10`, preserveAspectRatio: "none", "aria-hidden": "true" }, lines);
}

function drawRules() {
  const rows = Object.entries(match.rules).flatMap(([rule, texts]) => [el("dt", {}, rule), el("dd", {}, inWords([texts[shown.lang]]))]);
  return el("details", { class: "rules" }, el("summary", {}, say("rules")), el("dl", {}, rows));
}

function drawFoot() {
  const options = Object.entries(match.options).filter(([, value]) => typeof value !== "object" || Object.keys(value).length);
  const formatValue = (value) => (typeof value === "boolean" ? say(value ? "yes" : "no") : typeof value === "object" ? JSON.stringify(value) : String(value));
  const chosen = options.map(([name, value]) => el("li", {}, `${match.option_labels[name][shown.lang]}${say("colon")}${formatValue(value)}`));
  const recorded = match.match === null ? null : el("p", {}, say("recorded", { match: match.match, engine: match.engine }));
  return el("div", { class: "foot" }, el("ul", {}, chosen), recorded);
}

function drawHelp() {
  const rows = [["← →", "key-steps"], ["Shift ← →", "key-sections"], ["Home End", "key-ends"], ["Space", "key-play"], ["− +", "key-speed"], ["s", "key-seat"], ["l", "key-language"]];
  const close = el("button", { type: "button", click: () => parts.help.close() }, say("close"));
  return el("dialog", { "aria-label": say("keys") }, el("h2", {}, say("keys")),
    el("dl", {}, rows.flatMap(([keys, key]) => [el("dt", {}, keys.split(" ").map((each) => el("kbd", {}, each))), el("dd", {}, say(key))])), close);
}

function printButton() {
  const framed = window.parent !== window;
  return framed ? null : el("button", { type: "button", class: "print", click: () => window.print() }, say("print"));
}

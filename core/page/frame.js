// What stands around the table: the head, the choices, the controls, the rules.

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
  const names = match.viewers.map(({ viewer }) => (viewer === "table" ? say("all-open") : viewer === "spectator" ? say("spectator") : seatLabel(viewer)));
  const eyes = choice("seen-by", names, shown.viewer, (at) => look({ viewer: at }));
  const langs = choice("language", match.langs.map((lang) => ({ en: "English", ja: "日本語" })[lang] || lang), shown.lang, (at) => look({ lang: at }));
  const kana = checkbox("kana", say("furigana"), shown.furigana, (furigana) => look({ furigana }));
  const hard = Object.keys(match.readings[match.langs[shown.lang]]).length > 0;
  return el("div", { class: "choices" }, eyes, langs, hard ? kana : null);
}

function choice(key, names, chosen, choose) {
  return el("label", {}, el("span", {}, say(key)), picker({ id: `choose-${key}`, "aria-label": say(key) }, names.map((name, at) => [at, name]), chosen, (at) => choose(Number(at))));
}

function button(name, sign, click, key) {
  return el("button", { type: "button", class: "icon-button", "aria-label": say(name), title: `${say(name)} ${key}`, click }, sign);
}

function drawControls() {
  parts.slider = el("input", { type: "range", min: 0, max: STEPS, value: 0, "aria-label": say("place"), input: () => go(Number(parts.slider.value)) });
  parts.count = el("output", { class: "count" });
  return el("footer", { class: "controls" }, parts.now,
    parts.slider,
    el("div", { class: "buttons" }, button("first", "|‹", () => go(0), "Home"), button("back-section", "«", () => go(section(-1)), "Shift ←"), button("back", "‹", () => go(shown.at - 1), "←"),
      button("forward", "›", () => go(shown.at + 1), "→"), button("forward-section", "»", () => go(section(1)), "Shift →"), button("last", "›|", () => go(STEPS), "End"),
      parts.count));
}

function drawRules() {
  const rows = Object.entries(match.rules).flatMap(([rule, texts]) => [el("dt", {}, rule), el("dd", {}, prose(texts[shown.lang]))]);
  return el("details", { class: "rules" }, el("summary", {}, say("rules")), el("dl", {}, rows));
}

function drawFoot() {
  const options = Object.entries(match.options).filter(([, value]) => typeof value !== "object" || Object.keys(value).length);
  const formatValue = (value) => (typeof value === "boolean" ? say(value ? "yes" : "no") : typeof value === "object" ? JSON.stringify(value) : String(value));
  const chosen = options.map(([name, value]) => el("li", {}, `${match.option_labels[name][shown.lang]}${say("colon")}${match.seat_options.includes(name) ? seatLabel(value) : match.option_words?.[name]?.[shown.lang] ?? formatValue(value)}`));
  const recorded = match.match === null ? null : el("p", {}, say("recorded", { match: match.match, engine: match.engine }));
  return el("section", { class: "foot", "aria-label": say("options") }, el("ul", {}, chosen), recorded);
}

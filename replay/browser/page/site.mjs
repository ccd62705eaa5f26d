// The library of a site: its matches, searched and sorted; each opened, judged, stepped through, analysed, played on.

import { fill } from "./dialog.mjs";
import { el } from "./elements.mjs";
import { openJudge } from "./judge.mjs";
import { library, titleOf } from "./library.mjs";
import { openMatch } from "./match.mjs";
import { lang, say, setLang } from "./say.mjs";

const SHOWN = 60;
const COLUMNS = { started: -1, game: 1, events: -1, seats: 1 };

const asked = { text: "", game: "", state: "", rule: "", by: "started", shown: SHOWN };

async function loadLibrary() {
  const { parts, games } = await (await fetch("library/index.json")).json();
  Object.assign(library, { parts, games });
  if (parts) drawList();
  for (let part = 0; part < parts; part += 1) {
    library.rows.push(...(await (await fetch(`library/${part}.json`)).json()));
    library.loaded = part + 1;
    drawRows();
  }
}

function fits(row) {
  const text = asked.text.toLowerCase();
  return (!asked.game || row.game === asked.game) && (!asked.rule || row.rules.includes(asked.rule)) &&
    (!asked.state || stateOf(row) === asked.state) &&
    (!text || [row.log, ...row.seats, titleOf(row)].some((each) => each.toLowerCase().includes(text)));
}

function stateOf({ finding, ended }) {
  return finding ? "broken" : ended ?? "going";
}

function compared(a, b) {
  const by = asked.by, way = COLUMNS[by];
  const [one, other] = [a, b].map((row) => (by === "seats" ? row.seats.join() : by === "game" ? titleOf(row) : row[by] ?? 0));
  return (one < other ? -way : one > other ? way : 0) || (a.log < b.log ? -1 : 1);
}

function choice(id, label, values, value, change) {
  const select = el("select", { id }, values.map(([each, text]) => el("option", { value: each, selected: each === value }, text)));
  select.addEventListener("change", () => { change(select.value); ask({}); });
  return el("label", {}, label, select);
}

function ask(changed) {
  Object.assign(asked, changed, { shown: SHOWN });
  drawRows();
}

// What is asked for: drawn anew when the choices change, and never while somebody writes.
function drawTools() {
  const search = el("input", { type: "search", id: "search", value: asked.text, placeholder: say("site-search") , "aria-label": say("site-search") });
  search.addEventListener("input", () => ask({ text: search.value }));
  const games = Object.keys(library.games).map((game) => [game, titleOf({ game })]);
  return el("div", { class: "tools" }, search,
    choice("game", say("site-game"), [["", say("site-all")], ...games], asked.game, (game) => { ask({ game, rule: "" }); drawRules(); }),
    choice("state", say("site-state"), [["", say("site-all")], ...["over", "going", "abandoned", "broken"].map((each) => [each, say(`site-state-${each}`)])], asked.state, (state) => ask({ state })),
    ruleChoice(),
    choice("by", say("site-sort"), Object.keys(COLUMNS).map((each) => [each, say(`site-by-${each}`)]), asked.by, (by) => ask({ by })));
}

// The rules at work in the matches of the game that is chosen.
function ruleChoice() {
  const rules = [...new Set(library.rows.filter(({ game }) => !asked.game || game === asked.game).flatMap((row) => row.rules))].sort(byNumber);
  return choice("rule", say("site-rule"), [["", say("site-all")], ...rules.map((each) => [each, each])], asked.rule, (rule) => ask({ rule }));
}

function drawRules() {
  document.getElementById("rule").closest("label").replaceWith(ruleChoice());
}

function byNumber(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

function drawRow(row) {
  const seats = row.seats.map((name, seat) => el("bdi", { class: `name seat-${seat % 8}` }, name, row.points ? el("small", {}, ` ${row.points[seat]}`) : null, row.winners?.includes(seat) ? el("span", { class: "winner-badge" }, say("site-won")) : null));
  const open = el("button", { type: "button", class: "row", click: () => openMatch(row) }, el("strong", {}, titleOf(row)),
    el("span", { class: "names" }, seats), el("span", { class: "quiet" }, say("site-events", { count: row.events }), row.started ? ` · ${new Date(row.started).toLocaleDateString(document.documentElement.lang)}` : ""),
    el("span", { class: `mark ${stateOf(row)}` }, row.finding ? `✗ ${row.finding}` : say(`site-state-${stateOf(row)}`)));
  return el("li", {}, open);
}

function drawList() {
  fill(document.getElementById("list"), drawTools(), el("div", { id: "rows" }));
  drawRows();
}

function drawRows() {
  const fitting = library.rows.filter(fits).sort(compared);
  const state = library.loaded < library.parts ? say("site-loading-rows", { count: library.rows.length }) : say("site-found", { count: fitting.length, all: library.rows.length });
  const more = fitting.length > asked.shown ? el("button", { type: "button", class: "plain", id: "more", click: showMore }, say("site-more")) : null;
  fill(document.getElementById("rows"), el("p", { class: "quiet", role: "status" }, state), el("ul", { class: "rows" }, fitting.slice(0, asked.shown).map(drawRow)), more);
}

function showMore() {
  const first = asked.shown;
  asked.shown += SHOWN;
  drawRows();
  document.querySelectorAll(".rows .row")[first].focus();
}

function drawPage() {
  document.documentElement.lang = ["en", "ja"][lang()];
  document.title = say("site-title");
  const other = el("button", { type: "button", class: "plain", id: "language", lang: ["ja", "en"][lang()], click: () => { setLang(1 - lang()); drawPage(); drawLibrary(); } }, ["日本語", "English"][lang()]);
  document.body.replaceChildren(
    el("header", { class: "head" }, el("div", { class: "title" }, el("h1", {}, say("site-title")), el("p", {}, say("site-tagline"))),
      el("div", { class: "choices" }, el("a", { class: "primary", href: "play/", id: "play" }, say("site-play")), other)),
    el("main", { class: "site" }, drawDrop(), el("section", { class: "panel", id: "list", "aria-label": say("site-matches") })),
    el("footer", { class: "foot" }, el("p", { class: "quiet" }, say("site-nothing-hidden"))));
}

// Where a file is dropped or chosen, to be judged here.
function drawDrop() {
  const file = el("input", { type: "file", id: "file", multiple: true, class: "unseen-input" });
  file.addEventListener("change", () => { openJudge([...file.files]); file.value = ""; });
  const area = el("label", { class: "panel drop", for: "file" }, el("strong", {}, say("site-drop")), el("span", { class: "quiet" }, say("site-drop-about")), file);
  for (const kind of ["dragover", "drop"]) area.addEventListener(kind, (event) => event.preventDefault());
  area.addEventListener("drop", ({ dataTransfer }) => openJudge([...dataTransfer.files]));
  return area;
}

function drawLibrary() {
  if (!library.parts) return document.getElementById("list").replaceChildren(el("p", { class: "quiet" }, say("site-no-matches")));
  if (!document.getElementById("search")) drawList();
  return drawRules();
}

drawPage();
await loadLibrary().catch(() => {});
drawLibrary();
globalThis.navigator.serviceWorker?.register("sw.js");

// One match: its audit, and what can be done with it.

import { el } from "./elements.mjs";
import { drawFindings, fill, openDialog, trouble, waiting } from "./dialog.mjs";
import { handOver } from "./handed_over.mjs";
import { lang, say } from "./say.mjs";
import { engine, library, titleOf } from "./library.mjs";

const LANGS = ["en", "ja"];

async function fetchLog(name) {
  const response = await fetch(`logs/${name.split("/").map(encodeURIComponent).join("/")}`);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Open a match of the library.
export async function openMatch(row) {
  const body = openDialog(`${titleOf(row)} · ${row.log}`);
  body.append(waiting("site-judging"));
  try {
    await showLog(body, await fetchLog(row.log), row.log);
  } catch (error) {
    fill(body, trouble(error));
  }
}

// Show the audit of a log in a dialog, and the buttons for what can be done.
export async function showLog(body, log, name) {
  const kifu = await engine();
  const verdict = await kifu.audit(log, { lang: LANGS[lang()] });
  if (verdict.game === null) return fill(body, drawFindings(verdict, ""));
  const told = el("div", { class: "told" });
  const act = (key, work, id) => el("button", { type: "button", class: "plain", id, click: () => run(told, work) }, say(key));
  const actions = [
    act("site-steps", () => stepThrough(told, kifu.page(log, { lang: LANGS[lang()] })), "do-steps"),
    verdict.finished && verdict.ok ? act("site-analyse", () => analyse(told, kifu, log), "do-analyse") : null,
    act("site-compare", () => askOther(told, kifu, log, name), "do-compare"),
    el("button", { type: "button", class: "plain", id: "do-download", click: () => download(log, name) }, say("site-download")),
  ];
  fill(body, drawFindings(verdict, say("site-fine", { count: verdict.events })), el("div", { class: "actions" }, actions),
    verdict.ok ? await drawPlayOn(kifu, log, told) : null, told);
}

async function run(told, work) {
  fill(told, waiting("site-working"));
  try {
    await work();
    if (told.querySelector(":scope > [role=status].quiet")) fill(told);
  } catch (error) {
    fill(told, trouble(error));
  }
}

// Open a page in a tab of its own. A browser allows that only for some seconds after a press: later the link is there to press.
async function stepThrough(told, page) {
  const key = await handed(new TextEncoder().encode(await page));
  const link = el("a", { class: "primary", id: "do-show", href: `steps.html?${new URLSearchParams({ page: key })}#lang=${LANGS[lang()]}`, target: "_blank" }, say("site-show"));
  fill(told, link);
  if (navigator.userActivation?.isActive ?? true) link.click();
  else link.focus();
}

function handed(value) {
  return handOver(value).catch(({ message }) => { throw new Error(`${say("site-no-room")} ${message}`); });
}

async function analyse(told, kifu, log) {
  const bar = el("progress", { max: 1, value: 0, "aria-label": say("site-analysing") });
  let goesOn = true;
  fill(told, el("p", { role: "status" }, say("site-analysing")), bar, el("button", { type: "button", class: "plain", id: "do-stop", click: () => { goesOn = false; } }, say("site-stop")));
  const judged = (done, of) => { Object.assign(bar, { value: done, max: of }); return goesOn && told.isConnected; };
  const page = await kifu.analyse(log, { lang: LANGS[lang()], judged });
  fill(told);
  if (page !== null) await stepThrough(told, page);
}

async function askOther(told, kifu, log, name) {
  const file = el("input", { type: "file", id: "other", "aria-label": say("site-other") });
  const shown = el("div", {});
  const compare = async (other) => {
    const lines = await kifu.diffLines(log, other, { lang: LANGS[lang()] });
    fill(shown, el("pre", { role: "status" }, lines.join("\n") || say("site-same")));
  };
  file.addEventListener("change", async () => run(shown, async () => compare(new Uint8Array(await file.files[0].arrayBuffer()))));
  const here = library.rows.filter((row) => row.log !== name).slice(0, 500);
  const select = el("select", { id: "other-row" }, el("option", { value: "" }, say("site-choose")), here.map((row) => el("option", { value: row.log }, `${titleOf(row)} · ${row.log}`)));
  select.addEventListener("change", () => select.value && run(shown, async () => compare(await fetchLog(select.value))));
  fill(told, el("div", { class: "form" }, el("label", {}, say("site-other"), file), here.length ? el("label", {}, say("site-or-here"), select) : null), shown);
}

// The form to play on from a step: the match is handed to the table page, which holds the host.
async function drawPlayOn(kifu, log, told) {
  const match = await kifu.load(log, { lang: LANGS[lang()] });
  const last = match.status === "over" ? match.count - 1 : match.count; // what is over has nothing to go on with
  const steps = el("input", { type: "number", id: "from", min: 1, max: last, value: Math.max(1, Math.floor(last / 2)), required: true });
  const seat = el("select", { id: "as" }, match.seats.map((name, at) => el("option", { value: at }, name)));
  const bot = el("select", { id: "against" }, [["normal", say("site-bot-normal")], ["easy", say("site-bot-easy")], ["", say("site-one-screen")]].map(([value, text]) => el("option", { value }, text)));
  const form = el("form", { class: "form play-on" }, el("label", {}, say("site-from", { count: last }), steps), el("label", {}, say("site-as"), seat), el("label", {}, say("site-against"), bot),
    el("button", { type: "submit", class: "primary", id: "do-play-on" }, say("site-play-on")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(told, async () => {
      const key = await handed(log);
      location.href = `play/#${new URLSearchParams({ log: key, events: steps.value, seat: seat.value, bot: bot.value })}`;
    });
  });
  await match.free();
  return form;
}

function download(log, name) {
  const url = URL.createObjectURL(new Blob([log]));
  el("a", { href: url, download: name.split("/").pop() }).click();
  URL.revokeObjectURL(url);
}

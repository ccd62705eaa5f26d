// The bar below the table: whose turn it is, the selection, and the commands it makes.

function drawBar(tapped = null) {
  if (!game) return;
  const { seat = null, proposals = [], to_act: acting } = game.observation ?? {};
  const isAsked = proposals.some(({ status, waiting_for: waiting }) => status === "pending" && waiting.includes(seat));
  showBadge(seat !== null && (acting.includes(seat) || isAsked) ? 1 : 0, game.rules.title, "● ");
  const bar = game.parts.bar;
  const focused = bar.contains(document.activeElement) ? document.activeElement : null;
  const caret = focused?.type === "text" ? [focused.selectionStart, focused.selectionEnd] : null;
  const unfolded = [...bar.querySelectorAll("details[open] > summary")].map(({ id }) => id);
  const scrolled = bar.querySelector(".open-choices")?.scrollTop;
  const rows = game.observation && !game.curtain ? barRows() : [];
  const waits = game.lost ? say("lost") : game.asking;
  bar.replaceChildren(...[waits ? el("p", { class: "trouble" }, waits) : null, ...drawAlarm(), drawTrouble(), ...rows].filter(Boolean));
  game.parts.dock.hidden = bar.childElementCount === 0;
  for (const id of unfolded) document.getElementById(id)?.parentNode.toggleAttribute("open", true);
  if (game.selection.begun) keepInSight(bar.querySelector(".open-choices"), scrolled ?? 0);
  markThings(tapped);
  settleSight();
  markCut();
  showArrived();
  const again = focused && document.getElementById(focused.id);
  again?.focus();
  if (caret) again?.setSelectionRange?.(...caret); // else the next letter would stand before the others
}

const FADED_PX = 28; // the lower edge of what one chooses from, where more lies below it

// Leave what one chooses from where it was scrolled to, but let what is chosen be seen whole.
function keepInSight(choices, scrolled = choices?.scrollTop) {
  if (!choices) return;
  choices.scrollTop = scrolled;
  const chosen = [...choices.querySelectorAll(".choice[aria-pressed=true], .chip")].pop()?.getBoundingClientRect();
  const { top, bottom } = choices.getBoundingClientRect();
  if (chosen) choices.scrollTop += Math.max(chosen.bottom + FADED_PX - bottom, 0) + Math.min(chosen.top - top, 0);
}

// Show the table once all that has happened is told, and what came of it, so that nothing jumps while it is opened.
function showArrived() {
  const { parts, observation, curtain, lost, asking, trouble, endCame } = game;
  const hasCome = observation && parts.notes.count >= observation.count && (endCame || observation.closed || observation.status !== "over");
  if (curtain || lost || asking || trouble || hasCome) parts.bar.closest("main").classList.remove("arriving");
}

function drawTrouble() {
  if (!game.trouble) return null;
  const { rule, text } = typeof game.trouble === "string" ? { rule: null, text: game.trouble } : game.trouble;
  return el("div", { class: "trouble", role: "alert" }, noteLine(rule, [text], rule ? game.rules.rules[rule] : null));
}

function barRows() {
  const { observation } = game;
  if (game.fork !== null) return [drawFork()];
  if (game.panel && !hasRecord()) game.panel = false;
  if (game.panel) return [drawRecord()];
  const pending = observation.proposals.filter(({ status }) => status === "pending").map(drawProposal);
  const forked = observation.proposals.filter(({ kind, status }) => kind === "fork" && status === "accepted").map(drawForked);
  const proposals = [...pending, ...forked].filter(Boolean);
  const { trust, fair } = game.about;
  if (fair && ["revealing", "renewing"].includes(trust?.phase)) return [drawDeal(), ...proposals];
  if (fair && trust?.phase === "failed") return [drawDeal(), drawEnd()];
  if (observation.status === "open") return [drawWaitingRoom(), ...proposals];
  if (observation.status === "over" || observation.status === "abandoned") return [...proposals, drawEnd()];
  if (observation.stopped !== null) return [...proposals, status(say("stopped", { what: observation.stopped }), observation.seat === null ? [] : [menu()])];
  if (observation.seat === null) return [status([say("spectating"), " ", whoseTurn()], []), ...proposals];
  if (isMyTurn(observation)) return [...proposals, ...drawTurn()];
  const next = actingHere();
  const hand = next.length ? [action("hand-over", () => handOver(next[0]), { values: { name: seatLabel(next[0]) }, primary: true })] : [];
  return [status(whoseTurn(), [...hand, menu()]), ...proposals];
}

function status(text, actions) {
  return el("div", { class: "bar-row" }, el("p", { class: "status", role: "status" }, text, countdown()), el("div", { class: "actions" }, actions));
}

function action(key, click, { values, primary = false, id = `do-${key}`, ...more } = {}) {
  return el("button", { type: "button", id, class: primary ? "primary" : "plain", click, ...more }, say(key, values));
}

function whoseTurn() {
  const acting = game.observation.to_act;
  if (!acting.length) return say(game.observation.count < game.least ? "received" : "nobody-to-act");
  return [say("waiting-for"), " ", seatNames(acting)];
}

function seatNames(seats) {
  const last = seats.length - 1;
  return seats.flatMap((seat, at) => [at ? say(at === last ? "and" : "comma") : "", seat < 0 ? say("the-table") : seatName(seat)]);
}

function countdown({ deadline_at_ms: deadline } = game.observation) {
  return deadline === null ? null : el("time", { class: "deadline", "data-deadline": deadline });
}

function tick() {
  for (const node of document.querySelectorAll("[data-deadline]")) {
    node.textContent = ` ${timeText(Math.max(0, Math.ceil((Number(node.dataset.deadline) - Date.now()) / 1000)))}`;
  }
  for (const node of document.querySelectorAll("[data-left]")) node.textContent = awayText(Number(node.dataset.left));
}

// A time of so many seconds: days and hours, or as a clock shows it.
function timeText(seconds) {
  const [days, hours, minutes] = [86400, 3600, 60].map((unit) => Math.floor(seconds / unit));
  if (days) return say("left-days", { days, hours: hours % 24 });
  const clock = [hours, minutes % 60, seconds % 60].map((each) => String(each).padStart(2, "0")).join(":");
  return clock.replace(/^0(0:0?)?/, "");
}

function thingsOnTable() {
  const { scene } = game.observation;
  return scene ? [scene.table, ...scene.places].flatMap(({ zones }) => zones.flatMap(({ things }) => things)) : [];
}

function partsOnTable() {
  return new Set(thingsOnTable().filter(({ part }) => part).map(({ part }) => JSON.stringify(part)));
}

function markThings(tapped) {
  const { selection, parts: { table }, observation } = game;
  const mine = observation && isMyTurn(observation) && !game.sending;
  const counts = new Map();
  const rank = (node) => (node.classList.contains("picked") === (node === tapped) ? 99 : Number(node.dataset.order) || (node === tapped ? 98 : 0));
  for (const node of [...table.querySelectorAll("[data-part]")].sort((one, other) => rank(one) - rank(other))) { // of equal cards those that were tapped
    const name = node.dataset.part;
    const nth = counts.get(name) || 0;
    counts.set(name, nth + 1);
    const chosen = mine && selection.count(name) > nth;
    const state = mine ? (chosen ? "selectable" : selection.stateOf(name)) : null;
    const open = state !== null, cards = node.firstElementChild;
    const kinds = { refused: mine && !open, selectable: ["selectable", "replaces"].includes(state), replaces: state === "replaces", possible: state === "possible", picked: chosen };
    for (const [kind, isSo] of Object.entries(kinds)) node.classList.toggle(kind, Boolean(isSo));
    const order = chosen ? selection.chosen.flatMap((each, at) => (each === name ? [at + 1] : []))[nth] : "";
    node.dataset.order = chosen && selection.chosen.length > 1 ? order : "";
    for (const [key, value] of Object.entries({ role: "button", tabindex: "0", "aria-pressed": String(chosen), "aria-label": node.getAttribute("aria-label") })) {
      if (open) cards.setAttribute(key, value);
      else cards.removeAttribute(key);
    }
    cards.setAttribute("aria-hidden", String(!open));
  }
}

function onThing(event) {
  if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
  dropRefusal();
  const node = event.target.closest("[data-part]:is(.selectable, .possible)");
  if (!node) {
    const thing = event.target.closest("[data-part]") ?? event.target.closest(".thing");
    if (thing) explainRefusal(thing);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const [stack, picked] = ["stack", "picked"].map((kind) => node.classList.contains(kind));
  if (picked && event.key === "Enter") return document.getElementById("do-it")?.click();
  return choosePart(node.dataset.part, !picked || stack, node);
}

// Choose a part; where it does not go with what is typed, say so: what is typed stays.
function choosePart(name, again, node) {
  const goes = game.selection.choose(name, again);
  drawBar(node);
  if (!goes) showRefusal(node, null, say("typed-stays", { text: Object.values(game.selection.typed).filter(Boolean).join(" · ") }));
}

function drawWaitingRoom() {
  const free = game.about.seats.filter(({ name }) => name === null);
  const link = new URL(`#match=${game.match}`, document.baseURI).href;
  const copied = el("span", { class: "quiet", role: "status" });
  const here = seatsHere(game.match).length > 0;
  const copy = action("copy-link", async () => {
    try { await navigator.clipboard.writeText(link); copied.textContent = say("copied"); } catch { copied.textContent = ""; shownLink.select(); }
  }, { primary: here && !navigator.share });
  const share = here && navigator.share ? action("share-link", () => navigator.share({ title: game.rules.title, url: link }).catch(() => null), { primary: true }) : null; // whoever closes the sheet sends nothing
  const shownLink = el("input", { type: "text", readonly: true, value: link, class: "link", "aria-label": say("link") });
  const asked = here ? say("another-name") : say("your-name");
  const name = el("input", { type: "text", id: "join-name", maxlength: 64, value: game.joinAs ?? (here ? "" : saved.name), placeholder: asked, "aria-label": asked, input: () => { game.joinAs = name.value; } });
  const submit = (event) => { event.preventDefault(); joinHere(name.value.trim()); };
  const join = el("form", { class: "join", submit }, name, el("button", { class: here ? "plain" : "primary", type: "submit", id: "do-join" }, say(here ? "join-too" : "join")));
  return el("div", { class: "waiting" }, game.notice ? el("p", { class: "notice", role: "status" }, game.notice) : null,
    el("p", { class: "status", role: "status" }, say(free.length === 1 ? "seats-free-one" : "seats-free", { count: free.length })),
    here || !free.length ? null : el("div", { class: "what-is-it" }, game.rules.lesson ? drawFan(game.rules.lesson.cards) : null, drawAbout(game.rules)),
    game.about.fair ? el("p", { class: "quiet" }, say("deal-why-joining")) : null,
    free.length ? unsignedWarning() : null,
    el("div", { class: "bar-row" }, el("div", { class: "share" }, shownLink, share, copy, copied), free.length ? join : null, here && free.length ? action("leave-seat", leaveSeats) : null));
}

async function joinHere(name) {
  if (!name) return document.getElementById("join-name").focus();
  if (!seatsHere(game.match).length) save((now) => { now.name = name; });
  const mine = game, before = seatsHere(mine.match).length;
  try {
    return await once("join", async () => {
      const { seat, key } = await takeSeat(mine.match, name, mine.about);
      mine.notice = null;
      saveMatch(mine.match, mine.rules.title, { [seat]: key });
      await openGame(mine.match);
    });
  } catch (error) {
    mine.trouble = troubleOf(error);
    loadKeys();
    if (seatsHere(mine.match).length <= before) return refresh();
    await openGame(mine.match); // another tab of this browser took a seat at the same moment: it is played here, too
    game.trouble = say("seat-is-here");
    return drawBar();
  }
}

function drawProposal(proposal) {
  const { kind, by, target, waiting_for: waiting } = proposal;
  const text = [seatName(by), say(`proposes-${kind}`, { at: target })];
  const mine = waiting.includes(game.observation.seat);
  const answers = mine ? [action("accept", () => answerProposal(proposal, true), { primary: true }), action("reject", () => answerProposal(proposal, false))] : [];
  if (by === game.observation.seat) answers.push(action("withdraw", () => answerProposal(proposal, false)));
  const others = mine ? [] : [" ", say("waiting-for"), " ", seatNames(waiting)];
  const here = seatsHere(game.match).filter((seat) => waiting.includes(seat) && seat !== game.observation.seat);
  const hand = !mine && here.length ? [action("hand-over", () => handOver(here[0]), { values: { name: seatLabel(here[0]) } })] : [];
  return el("div", { class: "bar-row proposal" }, el("p", { role: "status" }, text, others), el("div", { class: "actions" }, answers, hand));
}

function menu() {
  const { undoes_to: back, proposals, stopped } = game.observation;
  const proposed = proposals.some(({ status }) => status === "pending");
  const close = ({ currentTarget, target }) => { currentTarget.parentNode.open = target.closest("button") === null; };
  const leave = el("details", {}, el("summary", { class: "plain", id: "do-abandon" }, say("abandon")), el("p", { class: "quiet" }, say("abandon-really")),
    action("abandon-yes", () => propose("abandon"))); // what cannot be undone is asked once
  return el("details", { class: "menu" }, el("summary", { "aria-label": say("more"), id: "more" }, "⋯"),
    el("div", { click: close }, back !== null && stopped === null && !proposed ? action("take-back", () => propose("take_back", back)) : null,
      canFork() ? action("fork", beginFork) : null, hasRecord() ? action("record", openPanel) : null, proposed ? null : leave));
}

function endText(result) {
  if (!result.winners.length) return [say("all-lose")];
  if (isDraw(result)) return [say("all-level")];
  return [el("strong", {}, seatNames(result.winners)), say(result.winners.length > 1 ? "win-together" : "win")];
}

function drawEnd() {
  const { result, status, stopped, closed } = game.observation, opened = status === "over" && !closed;
  const text = status === "over" ? endText(result) : [say("abandoned"), stopped === null ? null : [" ", say("stopped", { what: stopped })]];
  if (closed) text.push(" ", say("closed"));
  const log = action("get-log", () => tried(async ({ match }) => saveAs(await logOf(match))));
  const steps = el("a", { class: "plain", id: "step-through", target: "_blank", rel: "noopener", href: `api/matches/${game.match}/page#${new URLSearchParams({ lang: LANGS[shown.lang] })}`, click: transport.showPage }, say("step-through"));
  const why = opened ? game.history.at(-1)?.notes ?? [] : [];
  const isTied = ({ points, winners }) => points.some((each, seat) => !winners.includes(seat) && each === points[winners[0]]);
  if (why.length && isTied(result)) text.push(" ", el("span", { class: "tags" }, inWords(why.filter(({ rule }) => rule === why.at(-1).rule).flatMap(({ text: broken }) => [...broken, " "])))); // what broke the tie
  game.parts.why.replaceChildren(...why.map(noteOf));
  if (opened) loadEnd();
  return el("div", { class: "bar-row end" }, el("p", { class: "status", role: "status" }, text), drawAnalysing(),
    el("div", { class: "actions" }, seatsHere(game.match).length ? action("again", openAgain, { primary: true }) : null, opened ? [steps, analyseButton()] : null,
      canFork() ? action("fork", beginFork) : null, hasRecord() ? action("record", openPanel) : null, opened ? log : null, el("a", { class: "plain", href: "#" }, say("to-lobby"))));
}

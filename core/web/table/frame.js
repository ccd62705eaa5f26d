// The frame of the table: head, notes, curtain.

function buildGame() {
  const parts = { table: el("div", { class: "table", click: onThing, keydown: onThing }), shelf: el("div", { class: "shelf", role: "group", "aria-label": say("out-of-sight"), hidden: true }), bar: el("div", { class: "bar", id: "bar" }),
    story: buildStory(), notes: Object.assign(el("ol", { class: "steps" }), { count: 0, at: {} }), sheet: el("section", { class: "sheet", "aria-label": say("sheet"), tabindex: "0", hidden: true }), why: el("section", { class: "why panel" }), players: el("ul", { class: "players" }), curtain: el("div", { class: "curtain", hidden: true }) };
  parts.bar.addEventListener("scroll", markCut, true); // of what is in it
  parts.dock = el("div", { class: "dock" }, parts.story, parts.shelf, parts.bar);
  game.parts = parts;
  inkFaces(game.rules, []);
  const aside = el("aside", { "aria-label": say("what-happens") }, el("h2", {}, say("what-happens")), parts.notes);
  const ways = [el("a", { href: "#" }, say("to-lobby")), el("button", { type: "button", class: "link-button", id: "show-rules", click: () => showRules(game.rules) }, say("rules"))];
  const title = el("div", { class: "title" }, el("h1", {}, shortTitle(game.rules)), isSmallScreen() ? null : el("p", {}, ways));
  const choices = drawChoices(Object.keys(game.rules.readings).length > 0, ways);
  show(el("header", { class: "head" }, title, parts.players, choices),
    el("main", { class: "playing arriving" }, el("div", { class: "board-side" }, parts.curtain, parts.table, parts.sheet, parts.why, parts.dock), aside));
  scrollTo(0, 0); // a table that is opened begins at its top
}

function drawGame() {
  const { parts, observation } = game;
  parts.players.replaceChildren(...game.about.seats.map(drawPlayer));
  drawCurtain();
  drawScene();
  drawNotes();
  document.body.classList.toggle("waits", observation?.status === "open"); // before anything is measured
  showEnd(Boolean(observation) && hasEnded());
  drawBar();
}

function drawPlayer({ seat, bot }) {
  const points = game.observation?.result?.points[seat];
  const here = seatsHere(game.match).includes(seat);
  const score = points === undefined ? game.observation?.scene?.places[seat]?.facts[0] : null;
  return el("li", { class: game.observation?.to_act.includes(seat) ? "acting" : "" }, seatName(seat),
    bot !== null ? el("small", { class: "bot" }, LEVELS.includes(bot) ? botLabel(bot) : say("bot")) : here ? el("small", { class: "here" }, say("here")) : null,
    game.observation?.absent.includes(seat) ? el("small", {}, say("absent")) : null,
    bot === null && game.away?.[seat] ? el("small", { class: "away", "data-left": game.away[seat] }, awayText(game.away[seat])) : null,
    score ? el("span", { class: "score", title: label(score.label) }, String(score.value)) : null,
    points === undefined ? null : el("strong", {}, String(points)), points === undefined ? null : badgeOf(game.observation.result, seat));
}

function awayText(leftMs) {
  const minutes = Math.floor((Date.now() - leftMs) / 60_000);
  return minutes ? say("away-for", { count: minutes }) : say("away");
}

function drawScene() {
  const { parts } = game;
  const observation = game.past ?? game.observation;
  parts.table.hidden = !observation?.scene || game.curtain;
  if (parts.table.hidden) return;
  const { seat, scene } = observation;
  const places = [scene.table, ...scene.places.slice(seat ?? 0), ...scene.places.slice(0, seat ?? 0)]; // one's own first, then the others clockwise
  inkFaces(game.rules, facesOf(places));
  const last = game.history.findLast(({ seq }) => seq < observation.count);
  drawTable(parts.table, places, { at: observation.count, near: true, acting: observation.to_act, actor: last && last.seat >= 0 ? last.seat : null, mine: seat, lang: `${LANGS[shown.lang]}${shown.furigana}` });
}

function drawNotes() {
  const { notes } = game.parts;
  const told = toldEvents();
  drawStory();
  const low = notes.scrollHeight - notes.scrollTop - notes.clientHeight < 60;
  for (const each of told.slice(notes.count)) {
    const place = each.notes.findIndex(({ begins }) => MARKED.includes(begins)), begun = each.notes[place];
    const sections = countSections(each, begun);
    const title = begun ? filled(game.rules.sections[begun.begins], { number: sections[begun.begins] }) : null;
    if (place === 0) notes.append(el("li", { class: `heading ${begun.begins}` }, el("h3", {}, title)));
    const lines = each.notes.map(noteOf);
    if (place > 0) lines.splice(place, 0, el("h3", { class: "between" }, title));
    const actor = each.actor === null || game.about.seats[each.seat]?.bot === each.actor ? null : el("p", { class: "by quiet" }, actorText(each.actor));
    notes.append(el("li", { class: "step", "data-seq": each.seq }, el("span", { class: "number" }, String(each.seq)), el("div", { "aria-live": "off" }, lines, actor)));
  }
  notes.count = told.length;
  takeMomentaryAway(notes);
  if (low) notes.scrollTop = notes.scrollHeight;
}

// The numbers of the deal, round and trick after an event; where a larger one begins, the smaller begin again.
function countSections({ seq, tag, fields }, begun) {
  const { notes } = game.parts;
  const before = notes.at[tag === ".takeback" ? fields.to : seq - 1] ?? {};
  const after = { ...before };
  if (begun) {
    after[begun.begins] = begun.number ?? (before[begun.begins] ?? 0) + 1;
    MARKED.slice(MARKED.indexOf(begun.begins) + 1).forEach((lesser) => delete after[lesser]);
  }
  return (notes.at[seq] = after);
}

// Take away from some lines the notes that may be read only until somebody acts again.
function takeMomentaryAway(lines) {
  const acted = game.history.findLastIndex(({ seat, tag }) => seat >= 0 || tag === ".takeback");
  for (const line of lines.querySelectorAll(".momentary")) if (Number(line.closest("[data-seq]").dataset.seq) < acted) line.remove();
}

// The actor of an event: a bot, the stand-in, or the seat that proposed a takeback (`seat 2`).
function actorText(by) {
  const proposed = /^seat (\d+)$/.exec(by);
  return proposed ? [say("proposed-by"), " ", seatName(Number(proposed[1]))] : say("played-by", { by: { "stand-in": say("stand-in"), "new key": say("new-holder") }[by] ?? by });
}

function noteOf({ rule, text, momentary }) {
  const line = noteLine(rule, text, rule ? game.rules.rules[rule] ?? null : null);
  line.querySelector(".sentence")?.append(" ", el("button", { type: "button", class: "link-button", click: () => showRules(game.rules, rule) }, say("in-the-rules")));
  line.classList.toggle("momentary", momentary === true);
  return line;
}

// The curtain, which covers the table while the screen goes from player to player.
function drawCurtain() {
  const { curtain } = game.parts;
  curtain.hidden = !game.curtain;
  if (!game.curtain) return curtain.replaceChildren();
  const acting = actingHere();
  const come = (seat, at) => action("i-am", () => comeToScreen(seat), { values: { name: seatLabel(seat) }, primary: at === 0, id: `come-${seat}` });
  return curtain.replaceChildren(el("p", { class: "status" }, acting.length ? [say("curtain-turn"), " ", seatName(acting[0])] : say("curtain")),
    el("p", {}, say("curtain-why")), el("div", { class: "actions" }, game.observation ? comers().map(come) : null));
}

function isSmallScreen() {
  return matchMedia("(max-width: 900px), (max-height: 500px)").matches;
}

// The settings of every page: language, kana. Where there is little room, the ways to other pages (`ways`) stand there, too.
function drawChoices(kana = false, ways = []) {
  const langs = LANGS.map((lang, at) => [at, { en: "English", ja: "日本語" }[lang]]);
  const choices = [picker({ id: "choose-language", "aria-label": say("language") }, langs, shown.lang, (at) => { shown.lang = Number(at); save((now) => { now.lang = LANGS[at]; }); route(); }),
    kana && LANGS[shown.lang] === "ja" ? checkbox("kana", say("furigana"), shown.furigana, (on) => { shown.furigana = on; route(); }) : null];
  if (game === null || !isSmallScreen()) return el("div", { class: "choices" }, choices);
  const summary = el("summary", { "aria-label": say("settings"), title: say("settings") }, "☰");
  return el("div", { class: "choices" }, el("details", { class: "menu settings" }, summary, el("div", {}, ways, choices)));
}

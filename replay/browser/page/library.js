// The library of a site: its matches, searched, the newest first. A log is judged as the table page judges files; what is over
// is then looked at, and played on, at the table.

const LIBRARY_SHOWN = 60;

let library = null;
const sought = { text: "", shown: LIBRARY_SHOWN };

async function openLibrary() {
  closeGame();
  showBadge(0, say("site-title"));
  const list = el("section", { class: "panel", id: "list", "aria-label": say("site-matches") });
  const title = el("div", { class: "title" }, el("h1", {}, say("site-title")), el("p", {}, say("site-tagline")));
  const play = el("a", { class: "primary", href: "#play", id: "play" }, say("site-play"));
  show(el("header", { class: "head" }, title, play, drawChoices()), el("main", { class: "lobby library" }, drawCheckFiles(true), list));
  library ??= await (await fetch("library.json")).json();
  const none = el("p", { class: "quiet" }, say("site-no-matches"));
  list.replaceChildren(...(library.rows.length ? [drawSearch(), el("div", { id: "rows" })] : [none]));
  drawRows();
}

const titleOf = ({ game }) => library.games[game]?.[shown.lang] ?? game;
const stateOf = ({ finding, ended }) => (finding ? "broken" : ended ?? "going");

// What is asked for; it is not drawn anew while somebody writes.
function drawSearch() {
  const input = ({ target }) => {
    Object.assign(sought, { text: target.value, shown: LIBRARY_SHOWN });
    drawRows();
  };
  return el("input", { type: "search", id: "search", value: sought.text, placeholder: say("site-search"), "aria-label": say("site-search"), input });
}

// A match is found that has every word that is sought: in the name of its file, its title, its players, how it stands, or its rules.
function drawRows() {
  const words = sought.text.toLowerCase().split(/\s+/);
  const found = library.rows.filter((row) => {
    const said = [row.log, titleOf(row), ...row.seats, say(`site-state-${stateOf(row)}`), row.finding ?? "", ...row.rules].join("\n").toLowerCase();
    return words.every((word) => said.includes(word));
  });
  const more = () => {
    sought.shown += LIBRARY_SHOWN;
    drawRows();
    document.querySelectorAll(".row")[sought.shown - LIBRARY_SHOWN].focus();
  };
  document.getElementById("rows")?.replaceChildren(el("p", { class: "quiet", role: "status" }, say("site-found", { count: found.length, all: library.rows.length })), el("ul", { class: "matches" }, found.slice(0, sought.shown).map(drawRow)),
    found.length > sought.shown ? el("button", { type: "button", class: "plain", id: "more", click: more }, say("site-more")) : "");
}

function drawRow(row) {
  const seats = row.seats.map((name, seat) => el("bdi", { class: `name seat-${seat % 8}` }, name, row.points ? el("small", {}, ` ${row.points[seat]}`) : null, row.winners?.includes(seat) ? el("span", { class: "winner-badge" }, say("site-won")) : null));
  const when = row.started ? ` · ${new Date(row.started).toLocaleDateString(LANGS[shown.lang])}` : "";
  return el("li", {}, el("a", { class: "row", href: `#${new URLSearchParams({ log: row.log })}` }, el("strong", {}, titleOf(row)),
    el("span", { class: `mark ${stateOf(row)}` }, row.finding ? `✗ ${row.finding}` : say(`site-state-${stateOf(row)}`)), el("span", { class: "names" }, seats),
    el("span", { class: "quiet" }, say("site-events", { count: row.events }), when)));
}

async function openLog(name) {
  closeGame();
  const said = el("div", { class: "panel", id: "log" });
  show(el("header", { class: "head" }, el("div", { class: "title" }, el("h1", {}, name), el("p", {}, el("a", { href: "#" }, say("site-matches")))), drawChoices()), el("main", { class: "lobby library" }, said));
  const response = await fetch(`logs/${name.split("/").map(encodeURIComponent).join("/")}`);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  await checkFiles(said, [new File([await response.arrayBuffer()], name.split("/").pop())]);
}

function drawLogActions({ game: play, ok, finished, events }, log) {
  if (play === null) return null;
  const trouble = el("p", { class: "trouble", role: "alert" });
  const act = (key, work, primary = false) => el("button", { type: "button", class: primary ? "primary" : "plain", id: `do-${key}`,
    click: () => work().catch((error) => trouble.replaceChildren(error.message)) }, say(`site-${key}`));
  const lang = LANGS[shown.lang];
  const steps = async () => stepThroughPage(new TextEncoder().encode(await (await checkingEngine()).page(await bytesOf(log), { lang })), lang);
  const open = async () => { location.hash = `match=${await (await openedHost()).takeIn(await bytesOf(log), { lang })}`; };
  const goOn = () => playOn(log, { events, seat: 0, lang });
  const download = async () => saveAs(log);
  return el("div", {}, el("div", { class: "bar-row" }, act("steps", steps, true), ok && finished ? act("at-the-table", open) : null, ok && !finished ? act("play-on", goOn) : null, act("download", download)), trouble);
}

async function playOn(log, given) {
  const host = await openedHost();
  const { match, keys } = await host.playOn(await bytesOf(log), { bot: "normal", ...given });
  const { title } = await request(`matches/${match}`);
  keys.forEach((key, seat) => { if (key) saveMatch(match, title, { [seat]: key }); });
  location.hash = `match=${match}`;
}

// For whoever has no seat at a match that is over: which one to play on at, against bots.
function drawPlayOn() {
  const mine = game;
  const seat = el("select", { id: "play-on-as", "aria-label": say("site-as") }, mine.about.seats.map(({ name }, at) => el("option", { value: at }, name)));
  const begin = () => tried(async () => playOn(await logOf(mine.match), { events: mine.fork, seat: Number(seat.value), lang: LANGS[shown.lang] }));
  return [el("label", {}, say("site-as"), seat), el("button", { type: "button", class: "primary", id: "do-play-on", click: begin }, say("site-play-on"))];
}

// The lobby: the matches of this browser, the public ones, and a form to open one.

const HIDDEN_MS = 30_000; // a page that nobody sees asks more seldom: only for the badge

let listing = null;
let offered = null;

// The games that may be opened here, in the chosen language.
async function loadGames() {
  const lang = LANGS[shown.lang];
  if (offered?.lang !== lang) offered = { lang, ...(await request("games")) };
  return offered;
}

async function openLobby() {
  closeGame();
  const here = await loadGames();
  const own = el("div", { class: "own-tables" }), lists = el("div", { class: "lists" });
  showBadge(0, say("title"));
  badged = null; // what waits already is no news
  document.body.classList.remove("ended", "waits");
  show(el("header", { class: "head" }, el("div", { class: "title" }, el("h1", {}, say("title")), el("p", {}, say("tagline")), transport.overNetwork ? null : el("p", { class: "quiet", id: "own-browser" }, say("own-browser")), unsignedWarning()), drawChoices()),
    el("main", { class: Object.keys(saved.matches).length ? "lobby has-own" : "lobby" }, own, drawPlayNow(here), drawOpening(here), el("div", {}, lists, drawCheckFiles())));
  listing = { own, lists, timer: setInterval(listMatches, 5000), at: 0 };
  window.addEventListener("online", listMatches);
  await listMatches();
}

function leaveLobby() {
  if (listing) clearInterval(listing.timer);
  window.removeEventListener("online", listMatches);
  listing = null;
}

async function listMatches() {
  const mine = listing;
  if (!mine || (document.hidden && Date.now() - mine.at < HIDDEN_MS)) return;
  mine.at = Date.now();
  try {
    const { matches } = await request("matches");
    const own = await loadOwn();
    if (listing !== mine) return;
    const turns = own.filter(waitsForMe).length;
    showBadge(turns, say("title"));
    const text = JSON.stringify([matches, own, shown.lang, Math.floor(Date.now() / 60_000)]);
    if (text === mine.text) return;
    mine.text = text;
    const [yours, others] = [drawList("your-matches", [...own].sort((one, other) => waitsForMe(other) - waitsForMe(one)).map(drawOwn)), drawList("public-matches", matches.map((each) => drawMatch(each)))];
    mine.own.replaceChildren(...(own.length ? [yours] : [])); // whoever has tables comes back to them
    mine.lists.replaceChildren(...(own.length ? [others] : [yours, others]));
  } catch (error) {
    mine.text = null; // the next answer is drawn, even if it is the same as before
    mine.lists.replaceChildren(el("p", { class: "trouble" }, error.message));
    if (!error.problem) setTimeout(() => { if (listing === mine) listMatches(); }, ASK_AGAIN_MS);
  }
}

function drawList(key, rows) {
  return el("section", { class: "panel" }, el("h2", {}, say(key)), rows.length ? el("ul", { class: "matches" }, rows) : el("p", { class: "quiet" }, say(`no-${key}`)));
}

// A table in a list: what is played there and by whom, a mark for how it stands, and what is said of one's own.
function drawMatch({ match, title, seats, status }, mark = null, since = null) {
  const names = seats.map(({ name, bot }, seat) => el("bdi", { class: `name seat-${seat % 8}` }, shownName(name, bot) ?? "…"));
  return el("li", { class: since ? "own" : null }, el("a", { href: `#match=${match}` }, el("strong", {}, title), mark ?? el("span", { class: `mark ${status}` }, say(`status-${status}`)),
    el("span", { class: "names" }, names), since));
}

// A new match.

// The form's values; `options` has those that differ from their defaults.
const wanted = { game: null, seats: 0, players: [], options: {}, more: false, public: false, momentary: false, fair: false, limit: 0 };
// The levels of bots, the weakest first; a server may have other bots too.
const LEVELS = ["easy", "normal", "strong"];
const LIMITS = [0, 30, 60, 180, 600, 3600, 86400, 259200];

// One tap, and a match against bots begins.
function drawPlayNow(here) {
  if (!here.bots.length) return null;
  const trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  const buttons = here.games.map((play) => el("button", { type: "button", class: "primary", id: `play-${play.game}`, click: () => playNow(play, here, trouble) }, shortTitle(play)));
  return el("section", { class: "panel play-now", "aria-labelledby": "play-now" }, el("h2", { id: "play-now" }, say("play-now")), el("p", { class: "quiet" }, say("play-now-why")), el("div", { class: "titles" }, buttons), trouble);
}

// A title without its second part: "Palace, the kingdom's architects", "MABR 大理石(マーブル)の煌めき".
function shortTitle({ title }) {
  return title.split(/[,、(（]|(?<=[\x21-\x7e]) (?=[^\x00-\x7f])/)[0];
}

async function playNow(play, here, trouble) {
  chooseGame(play, here);
  const who = `bot ${here.bots.includes(LEVELS[0]) ? LEVELS[0] : here.bots[0]}`;
  wanted.players = wanted.players.map((_, seat) => ({ who: seat ? who : "here", name: "" }));
  Object.assign(wanted, { public: false, fair: false, limit: 0 });
  await openMatch(here, trouble);
}

function drawOpening(here) {
  if (!wanted.game) chooseGame(here.games.find(({ game }) => game === "take_and_share") || here.games[0], here);
  const form = el("form", { class: "panel opening" });
  const fill = () => { // what had the focus has it again, so that the arrows go on from there
    const focused = form.contains(document.activeElement) ? document.activeElement.id : "";
    form.replaceChildren(...openingRows(here, fill));
    document.getElementById(focused)?.focus();
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); openMatch(here, form.querySelector("#open-trouble")); });
  fill();
  return form;
}

function chooseGame(play, here) {
  const suggested = play.options.filter((option) => "suggested" in option).map((option) => [option.name, option.suggested]);
  Object.assign(wanted, { game: play.game, options: Object.fromEntries(suggested), seats: Math.min(...play.seats) });
  setPlayers(wanted.seats, here);
}

function setPlayers(count, here) {
  const other = here.bots.length ? { who: `bot ${here.bots[0]}` } : { who: "link" };
  wanted.seats = count;
  wanted.players = Array.from({ length: count }, (_, at) => wanted.players[at] || (at ? { ...other, name: "" } : { who: "here", name: "" }));
}

function openingRows(here, fill) {
  const play = here.games.find(({ game }) => game === wanted.game);
  const games = here.games.map((each) => radio("game", each.game, each.game === wanted.game, [el("strong", {}, each.title), el("small", {}, seatsText(each.seats)), each.lesson ? drawFan(each.lesson.cards) : null], () => { chooseGame(each, here); fill(); }));
  const counts = play.seats.map((count) => radio("seats", count, count === wanted.seats, [String(count)], () => { setPlayers(count, here); fill(); }));
  const players = wanted.players.slice(0, wanted.seats).map((player, seat) => drawPlayerChoice(player, seat, here, fill));
  const options = play.options.map(drawOption);
  const limit = picker({ id: "choose-limit" }, LIMITS.map((each) => [each, say(each ? `limit-${each}` : "no-limit")]), wanted.limit, (each) => { wanted.limit = Number(each); });
  const more = el("details", { class: "more", open: wanted.more }, el("summary", {}, say("options")), options,
    el("label", {}, say("limit"), limit), transport.overNetwork ? [checkbox("public", say("public"), wanted.public, (on) => { wanted.public = on; }),
      play.deals ? checkbox("fair", say("fair"), wanted.fair, (on) => { wanted.fair = on; }) : null] : null,
    checkbox("momentary", say("keep-momentary"), wanted.momentary, (on) => { wanted.momentary = on; }));
  more.addEventListener("toggle", () => { wanted.more = more.open; });
  return [
    el("h2", {}, say("new-match")),
    el("fieldset", { class: "games" }, el("legend", {}, say("game")), games),
    drawAbout(play),
    play.seats.length > 1 ? el("fieldset", { class: "counts" }, el("legend", {}, say("how-many")), counts) : null,
    el("fieldset", { class: "player-choices" }, el("legend", {}, say("who-plays")), players),
    more,
    ...here.broken.map(({ game, detail }) => el("p", { class: "trouble" }, `${game}${say("colon")}${detail}`)),
    el("p", { class: "trouble", id: "open-trouble", role: "alert", hidden: true }),
    el("button", { type: "submit", class: "primary big", id: "do-open" }, say("open")),
  ].filter(Boolean);
}

// Some cards of a game, as its picture.
function drawFan(faces) {
  return el("span", { class: "fan", "aria-hidden": "true" }, faces.slice(0, 4).map(faceUp));
}

// What the chosen game is like, and how it is played.
function drawAbout(play) {
  if (play.lesson === null) return null;
  return el("div", { class: "about" }, el("p", {}, play.lesson.about), drawSummary(play),
    el("button", { type: "button", class: "plain", id: "learn", click: () => showRules(play) }, say("learn")));
}

function seatsText(seats) {
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  return say("players", { count: least === most ? least : `${least}–${most}` });
}

function radio(name, value, checked, children, choose) {
  const input = el("input", { type: "radio", id: `${name}-${value}`, name, value, checked });
  input.addEventListener("change", choose);
  return el("label", { class: "radio" }, input, el("span", {}, children));
}

// The bots, levels first and ascending.
function botsInOrder({ bots }) {
  return [...LEVELS.filter((level) => bots.includes(level)), ...bots.filter((bot) => !LEVELS.includes(bot))];
}

function botLabel(bot) {
  return LEVELS.includes(bot) ? say(`level-${bot}`) : bot;
}

// The seat of a bot; one of a level tells it in its name.
function botSeat(bot, seat) {
  return LEVELS.includes(bot) ? { bot, name: say("bot-name", { seat: seat + 1, bot: botLabel(bot) }) } : { bot };
}

function drawPlayerChoice(player, seat, here, fill) {
  const kinds = [["here", say("player-here")], ...(transport.overNetwork ? [["link", say("player-link")]] : []), ...botsInOrder(here).map((bot) => [`bot ${bot}`, say("player-bot", { bot: botLabel(bot) })])];
  const who = picker({ id: `player-${seat}`, "aria-label": say("who-at", { seat: seat + 1 }) }, kinds, player.who, (kind) => { player.who = kind; fill(); });
  const first = wanted.players.findIndex((each) => each.who === "here") === seat;
  const name = el("input", { type: "text", id: `name-${seat}`, maxlength: 64, placeholder: say("player", { seat: seat + 1 }), "aria-label": say("name-at", { seat: seat + 1 }),
    value: player.name || (first ? saved.name : "") });
  name.addEventListener("input", () => { player.name = name.value; });
  return el("div", { class: `player-choice seat-${seat}` }, el("span", { class: "name" }, String(seat + 1)), who, player.who === "here" ? name : null);
}

async function openMatch(here, trouble) {
  const play = here.games.find(({ game }) => game === wanted.game);
  const players = wanted.players.slice(0, wanted.seats);
  const first = players.find(({ who }) => who === "here");
  if (first?.name.trim()) save(() => ({ name: first.name.trim() }));
  const nameOf = ({ name }, seat) => name.trim() || (players[seat] === first && saved.name) || say("player", { seat: seat + 1 });
  const fair = wanted.fair && play.deals;
  const seats = players.map((player, seat) => (player.who.startsWith("bot ") ? botSeat(player.who.slice(4), seat) : player.who === "link" || fair ? {} : { name: nameOf(player, seat) }));
  const body = { game: wanted.game, seats, options: chosenOptions(play), public: wanted.public, turn_limit_ms: wanted.limit ? wanted.limit * 1000 : null, keep_momentary_notes: wanted.momentary, fair };
  try {
    await openTable(body, play.title, players, nameOf);
  } catch (error) {
    trouble.replaceChildren(error.message);
    trouble.hidden = false;
    trouble.scrollIntoView({ block: "nearest" });
  }
}

// Open a table, with the keys of its seats, and go there; in a fair deal the players at this screen join as all others do.
function openTable(body, title, players, nameOf) {
  return once("open", async () => {
    const { match, keys, opener_key: openerKey } = await request("matches", { body });
    for (const { seat, key } of keys) saveKey(match, title, seat, key);
    if (!keys.length) saveMatch(match, title);
    saveOpenerKey(match, title, openerKey);
    if (body.fair) await joinAll(match, title, players, nameOf);
    location.hash = `match=${match}`;
  });
}

// Take the seats of the players at this screen.
async function joinAll(match, title, players, nameOf) {
  const about = await request(`matches/${match}`);
  if (!about.fair) throw new Error(say("not-fair"));
  for (const [seat, player] of players.entries()) {
    if (player.who !== "here") continue;
    const name = nameOf(player, seat);
    const { key } = await takeSeat(match, name, about, seat);
    saveKey(match, title, seat, key);
  }
}

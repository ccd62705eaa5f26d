// The lobby: the matches of this browser, those that anyone may join or watch, and a new match.

let listing = null;
let offered = null;

// The games that can be played here, in the language chosen.
async function gamesHere() {
  const lang = LANGS[shown.lang];
  if (offered?.lang !== lang) offered = { lang, ...(await ask("games")) };
  return offered;
}

async function openLobby() {
  closeGame();
  const here = await gamesHere();
  const lists = el("div", { class: "lists" });
  document.title = say("title");
  show(el("header", { class: "head" }, el("div", { class: "title" }, el("h1", {}, say("title")), el("p", {}, say("tagline"))), drawChoices()),
    el("main", { class: "lobby" }, drawOpening(here), lists));
  listing = { lists, timer: setInterval(listMatches, 5000) };
  await listMatches();
}

function leaveLobby() {
  if (listing) clearInterval(listing.timer);
  listing = null;
}

async function listMatches() {
  const mine = listing;
  if (!mine || document.hidden) return;
  try {
    const { matches } = await ask("matches");
    const own = Object.keys(kept.matches).reverse().slice(0, 12);
    if (listing !== mine) return;
    const text = JSON.stringify([matches, own, shown.lang]);
    if (text === mine.text) return;
    mine.text = text;
    mine.lists.replaceChildren(
      drawList("your-matches", own.map((match) => drawOwn(match, matches.find((each) => each.match === match)))),
      drawList("public-matches", matches.map(drawMatch)));
  } catch (error) {
    mine.lists.replaceChildren(el("p", { class: "trouble" }, error.message));
  }
}

function drawList(key, rows) {
  return el("section", { class: "panel" }, el("h2", {}, say(key)), rows.length ? el("ul", { class: "matches" }, rows) : el("p", { class: "quiet" }, say(`no-${key}`)));
}

function drawMatch({ match, title, seats, status }) {
  const names = seats.map(({ name }, seat) => el("bdi", { class: `name seat-${seat % 8}` }, name ?? "…"));
  return el("li", {}, el("a", { href: `#match=${match}` }, el("strong", {}, title), el("span", { class: `mark ${status}` }, say(`status-${status}`)),
    el("span", { class: "names" }, names)));
}

function drawOwn(match, about) {
  if (about) return drawMatch(about);
  const drop = el("button", { type: "button", class: "icon-button", "aria-label": say("forget"), title: say("forget"), click: () => { forget(match); listMatches(); } }, "×");
  return el("li", { class: "own" }, el("a", { href: `#match=${match}` }, el("strong", {}, kept.matches[match].title), el("span", { class: "names quiet" }, match)), drop);
}

// A new match.

// `options`: those that differ from the game's own choice.
const wanted = { game: null, seats: 0, chairs: [], options: {}, more: false, public: false, limit: 0 };
const LIMITS = [0, 30, 60, 180, 600, 86400];

function drawOpening(here) {
  if (!wanted.game) choosePlay(here.games.find(({ game }) => game === "take_and_share") || here.games[0], here);
  const form = el("form", { class: "panel opening" });
  const fill = () => form.replaceChildren(...openingRows(here, fill));
  form.addEventListener("submit", (event) => { event.preventDefault(); openMatch(here, form); });
  fill();
  return form;
}

function choosePlay(play, here) {
  Object.assign(wanted, { game: play.game, options: {}, seats: Math.min(...play.seats) });
  chairsFor(wanted.seats, here);
}

function chairsFor(count, here) {
  const other = here.bots.length ? { who: `bot ${here.bots[0]}` } : { who: "link" };
  wanted.seats = count;
  wanted.chairs = Array.from({ length: count }, (_, at) => wanted.chairs[at] || (at ? { ...other, name: "" } : { who: "here", name: "" }));
}

function openingRows(here, fill) {
  const play = here.games.find(({ game }) => game === wanted.game);
  const games = here.games.map((each) => radio("game", each.game, each.game === wanted.game, [el("strong", {}, each.title), el("small", {}, seatsSaid(each.seats))], () => { choosePlay(each, here); fill(); }));
  const counts = play.seats.map((count) => radio("seats", count, count === wanted.seats, [String(count)], () => { chairsFor(count, here); fill(); }));
  const chairs = wanted.chairs.slice(0, wanted.seats).map((chair, seat) => drawChair(chair, seat, here, fill));
  const options = play.options.map(drawOption);
  const limit = el("select", { id: "choose-limit" }, LIMITS.map((each) => el("option", { value: each, selected: each === wanted.limit }, each ? say("seconds", { seconds: each }) : say("no-limit"))));
  limit.addEventListener("change", () => { wanted.limit = Number(limit.value); });
  const more = el("details", { class: "more", open: wanted.more }, el("summary", {}, say("options")), options,
    el("label", {}, say("limit"), limit), tick_box("public", say("public"), wanted.public, (on) => { wanted.public = on; }));
  more.addEventListener("toggle", () => { wanted.more = more.open; });
  return [
    el("h2", {}, say("new-match")),
    el("fieldset", { class: "games" }, el("legend", {}, say("game")), games),
    play.seats.length > 1 ? el("fieldset", { class: "counts" }, el("legend", {}, say("how-many")), counts) : null,
    el("fieldset", { class: "chairs" }, el("legend", {}, say("who-plays")), chairs),
    more,
    el("p", { class: "trouble", id: "open-trouble", role: "alert", hidden: true }),
    el("button", { type: "submit", class: "primary big", id: "do-open" }, say("open")),
  ].filter(Boolean);
}

function seatsSaid(seats) {
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  return say("players", { count: least === most ? least : `${least}–${most}` });
}

function radio(name, value, checked, children, choose) {
  const input = el("input", { type: "radio", name, value, checked });
  input.addEventListener("change", choose);
  return el("label", { class: "radio" }, input, el("span", {}, children));
}

function tick_box(id, text, checked, choose) {
  const input = el("input", { type: "checkbox", id: `tick-${id}`, checked });
  input.addEventListener("change", () => choose(input.checked));
  return el("label", { class: "check" }, input, text);
}

function drawChair(chair, seat, here, fill) {
  const kinds = [["here", say("chair-here")], ["link", say("chair-link")], ...here.bots.map((bot) => [`bot ${bot}`, say("chair-bot", { bot })])];
  const who = el("select", { id: `chair-${seat}`, "aria-label": say("who-at", { seat: seat + 1 }) }, kinds.map(([value, text]) => el("option", { value, selected: value === chair.who }, text)));
  who.addEventListener("change", () => { chair.who = who.value; fill(); document.getElementById(`chair-${seat}`).focus(); });
  const first = wanted.chairs.findIndex((each) => each.who === "here") === seat;
  const name = el("input", { type: "text", id: `name-${seat}`, maxlength: 64, placeholder: say("player", { seat: seat + 1 }), "aria-label": say("name-at", { seat: seat + 1 }),
    value: chair.name || (first ? kept.name : "") });
  name.addEventListener("input", () => { chair.name = name.value; });
  return el("div", { class: `chair seat-${seat}` }, el("span", { class: "name" }, String(seat + 1)), who, chair.who === "here" ? name : null);
}

async function openMatch(here, form) {
  const play = here.games.find(({ game }) => game === wanted.game);
  const chairs = wanted.chairs.slice(0, wanted.seats);
  const first = chairs.find(({ who }) => who === "here");
  if (first?.name.trim()) keep(() => ({ name: first.name.trim() }));
  const seats = chairs.map(({ who, name }, seat) => (who === "link" ? {} : who.startsWith("bot ") ? { bot: who.slice(4) }
    : { name: name.trim() || (chairs[seat] === first && kept.name) || say("player", { seat: seat + 1 }) }));
  const body = { game: wanted.game, seats, options: optionsAsked(play), public: wanted.public, turn_limit_ms: wanted.limit ? wanted.limit * 1000 : null };
  try {
    const repeated = repeatedKey(play);
    if (repeated !== undefined) throw new Error(say("key-twice", { value: repeated }));
    const { match, keys } = await ask("matches", { body });
    for (const { seat, key } of keys) keepKey(match, play.title, seat, key);
    if (!keys.length) keepMatch(match, play.title);
    location.hash = `match=${match}`;
  } catch (error) {
    const trouble = form.querySelector("#open-trouble");
    trouble.textContent = error.message;
    trouble.hidden = false;
  }
}

// The lobby: the matches of this browser, the public ones, and a form to open one.

const HIDDEN_MS = 30_000; // a page that nobody sees asks more seldom: only for the badge

let listing = null;
let offered = null;

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
  show(el("header", { class: "head" }, el("div", { class: "title" }, el("h1", {}, say("title")), el("p", {}, say("tagline")), transport.overNetwork ? null : el("p", { class: "quiet", id: "own-browser" }, say("own-browser")), unsignedWarning()), drawChoices()),
    el("main", { class: Object.keys(saved.matches).length ? "lobby has-own" : "lobby" }, own, drawPlayNow(here), drawOpening(here), el("div", {}, lists, drawCheckFiles())));
  listing = { own, lists, timer: setInterval(listMatches, 5000), at: 0 };
  await listMatches();
}

async function listMatches() {
  const mine = listing;
  if (!mine || (document.hidden && Date.now() - mine.at < HIDDEN_MS)) return;
  mine.at = Date.now();
  try {
    const { matches } = await request("matches");
    const own = await loadOwn();
    if (listing !== mine) return;
    showBadge(own.filter(waitsForMe).length, say("title"));
    const text = JSON.stringify([matches, own, shown.lang, Math.floor(Date.now() / 60_000)]);
    if (text === mine.text) return;
    mine.text = text;
    const [yours, others] = [drawList("your-matches", [...own].sort((one, other) => waitsForMe(other) - waitsForMe(one)).map(drawOwn)), drawList("public-matches", matches.map((each) => drawMatch(each)))];
    mine.own.replaceChildren(...(own.length ? [yours] : [])); // whoever has tables comes back to them
    mine.lists.replaceChildren(...(own.length ? [others] : [yours, others]));
  } catch (error) {
    mine.text = null; // the next answer is drawn, even if it is the same as before
    mine.lists.replaceChildren(el("p", { class: "trouble" }, error.message));
    if (error.againMs) setTimeout(() => { if (listing === mine) listMatches(); }, error.againMs);
  }
}

function drawList(key, rows) {
  return el("section", { class: "panel" }, el("h2", {}, say(key)), rows.length ? el("ul", { class: "matches" }, rows) : el("p", { class: "quiet" }, say(`no-${key}`)));
}

// A table in a list: what is played there and by whom, a mark for how it stands, and what is said of one's own.
function drawMatch({ match, title, seats, status }, mark = null, since = null) {
  const names = seats.map(({ name, bot }, seat) => el("bdi", { class: `name seat-${seat % 8}` }, shownName(name, bot) ?? "…", LEVELS.includes(bot) ? el("small", {}, " ", botLabel(bot)) : null));
  return el("li", { class: since ? "own" : null }, el("a", { href: `#match=${match}` }, el("strong", {}, title), mark ?? el("span", { class: `mark ${status}` }, say(`status-${status}`)),
    el("span", { class: "names" }, names), since));
}

// A new match.

// The form's values; `options` has those that differ from their defaults.
const wanted = { game: null, seats: 0, players: [], options: {}, more: false, public: false, momentary: false, fair: false, limit: 0 };
// The levels of bots, the weakest first; a server may have other bots too.
const LEVELS = ["easy", "normal", "strong"];
const LIMITS = [0, 30, 60, 180, 600, 3600, 86400, 259200];

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
  const submit = (event) => { event.preventDefault(); openMatch(here, form.querySelector("#open-trouble")); };
  const form = el("form", { class: "panel opening", submit });
  const fill = () => { // what had the focus has it again, so that the arrows go on from there
    const focused = form.contains(document.activeElement) ? document.activeElement.id : "";
    form.replaceChildren(...openingRows(here, fill));
    document.getElementById(focused)?.focus();
  };
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
  const games = here.games.map((each) => radio("game", each.game, each.game === wanted.game, [el("strong", {}, each.title), el("small", {}, rangeText("players", each.seats)), each.lesson ? drawFan(each.lesson.cards) : null], () => { chooseGame(each, here); fill(); }));
  const counts = play.seats.map((count) => radio("seats", count, count === wanted.seats, [String(count)], () => { setPlayers(count, here); fill(); }));
  const players = wanted.players.slice(0, wanted.seats).map((player, seat) => drawPlayerChoice(player, seat, here, fill));
  const options = play.options.map(drawOption);
  const limit = picker({ id: "choose-limit" }, LIMITS.map((each) => [each, say(each ? `limit-${each}` : "no-limit")]), wanted.limit, (each) => { wanted.limit = Number(each); });
  const more = el("details", { class: "more", open: wanted.more, toggle: () => { wanted.more = more.open; } }, el("summary", {}, say("options")), options,
    el("label", {}, say("limit"), limit), transport.overNetwork ? [checkbox("public", say("public"), wanted.public, (on) => { wanted.public = on; }),
      play.deals ? checkbox("fair", say("fair"), wanted.fair, (on) => { wanted.fair = on; }) : null] : null,
    checkbox("momentary", say("keep-momentary"), wanted.momentary, (on) => { wanted.momentary = on; }));
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

function drawFan(faces) {
  return el("span", { class: "fan", "aria-hidden": "true" }, faces.slice(0, 4).map(faceUp));
}

function drawAbout(play) {
  if (play.lesson === null) return null;
  return el("div", { class: "about" }, el("p", {}, play.lesson.about), drawSummary(play),
    el("button", { type: "button", class: "plain", id: "learn", click: () => showRules(play) }, say("learn")));
}

// Say how many there are: "2–4", or one number.
function rangeText(key, numbers) {
  const ends = new Set([Math.min(...numbers), Math.max(...numbers)]);
  return say(key, { count: [...ends].join("–") });
}

function radio(name, value, checked, children, choose) {
  return el("label", { class: "radio" }, el("input", { type: "radio", id: `${name}-${value}`, name, value, checked, change: choose }), el("span", {}, children));
}

function botLabel(bot) {
  return LEVELS.includes(bot) ? say(`level-${bot}`) : bot;
}

function botSeat(bot, seat) {
  return LEVELS.includes(bot) ? { bot, name: say("bot-name", { seat: seat + 1, bot: botLabel(bot) }) } : { bot };
}

function drawPlayerChoice(player, seat, { bots }, fill) {
  const inOrder = [...LEVELS.filter((level) => bots.includes(level)), ...bots.filter((bot) => !LEVELS.includes(bot))];
  const kinds = [["here", say("player-here")], ...(transport.overNetwork ? [["link", say("player-link")]] : []), ...inOrder.map((bot) => [`bot ${bot}`, say("player-bot", { bot: botLabel(bot) })])];
  const who = picker({ id: `player-${seat}`, "aria-label": say("who-at", { seat: seat + 1 }) }, kinds, player.who, (kind) => { player.who = kind; fill(); });
  const first = wanted.players.findIndex((each) => each.who === "here") === seat;
  const name = el("input", { type: "text", id: `name-${seat}`, maxlength: 64, placeholder: say("player", { seat: seat + 1 }), "aria-label": say("name-at", { seat: seat + 1 }),
    value: player.name || (first ? saved.name : ""), input: () => { player.name = name.value; } });
  return el("div", { class: `player-choice seat-${seat}` }, el("span", { class: "name" }, String(seat + 1)), who, player.who === "here" ? name : null);
}

async function openMatch(here, trouble) {
  const play = here.games.find(({ game }) => game === wanted.game);
  const players = wanted.players.slice(0, wanted.seats);
  const first = players.find(({ who }) => who === "here");
  if (first?.name.trim()) save((now) => { now.name = first.name.trim(); });
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
    const { match, keys } = await request("matches", { body });
    saveMatch(match, title, Object.fromEntries(keys.map(({ seat, key }) => [seat, key])));
    if (body.fair) await joinAll(match, title, players, nameOf);
    location.hash = `match=${match}`;
  });
}

async function joinAll(match, title, players, nameOf) {
  const about = await request(`matches/${match}`);
  if (!about.fair) throw new Error(say("not-fair"));
  for (const [seat, player] of players.entries()) {
    if (player.who !== "here") continue;
    const name = nameOf(player, seat);
    const { key } = await takeSeat(match, name, about, seat);
    saveMatch(match, title, { [seat]: key });
  }
}

// The options have an input for each kind; a value of several parts is typed as on the command line.

function drawOption(option) {
  const { name, label: text, kind, default: initial, choices, choice_labels: words } = option;
  const value = wanted.options[name] ?? (kind === "seat" ? null : kind === "typed" ? option.typed : initial);
  const set = (now) => { wanted.options[name] = now; };
  if (kind === "bool") return checkbox(name, text, value, set);
  const id = `option-${name}`;
  const seats = wanted.players.slice(0, wanted.seats).map((_, seat) => [seat, say("seat", { seat: seat + 1 })]);
  const input = choices ? picker({ id }, words.map((each, at) => [at, each]), choices.indexOf(value), (at) => set(choices[at]))
    : kind === "seat" ? picker({ id }, [["", say("drawn")], ...seats], value ?? "", (seat) => set(seat === "" ? undefined : Number(seat)))
    : el("input", { type: "text", id, value, change: ({ target }) => set(target.value) }); // as it is typed, a number too: the server says what is no value
  return el("label", { class: "option" }, text, input);
}

// The options of the request; a seat that nobody chose, or that is gone, is drawn.
function chosenOptions(play) {
  const drawn = play.options.filter(({ name, kind }) => kind === "seat" && !(wanted.options[name] < wanted.seats));
  const chosen = play.options.filter((option) => option.name in wanted.options && !drawn.includes(option));
  const seats = drawn.map(({ name }) => [name, Math.floor(Math.random() * wanted.seats)]);
  return Object.fromEntries([...seats, ...chosen.map(({ name }) => [name, wanted.options[name]])]);
}

// The tables of this browser.

const OWN_SHOWN = 12;
const OWN_MS = 10_000;
const owned = new Map();

// The facts of this browser's tables, the newest first; those that go on are asked for anew from time to time.
async function loadOwn() {
  const names = Object.keys(saved.matches).reverse().slice(0, OWN_SHOWN);
  const isStale = ({ about = null, at = 0, lang = null } = {}) => lang !== shown.lang || (["open", "going"].includes(about?.status) && Date.now() - at > OWN_MS);
  const stale = names.filter((match) => isStale(owned.get(match)));
  await Promise.all(stale.map(async (match) => {
    const about = await request(`matches/${match}`).catch((error) => {
      if (error.againMs && !owned.get(match)?.about) throw error;
      return error.againMs ? owned.get(match).about : null;
    });
    owned.set(match, { about, at: Date.now(), lang: shown.lang });
  }));
  return Promise.all(names.map(async (match) => {
    const { about } = owned.get(match);
    return { match, about, hasRecord: about === null && (await keptRecords(match)).length > 0 };
  }));
}

function waitsForMe({ match, about }) {
  return about?.status === "going" && (about.to_act ?? []).some((seat) => seatsHere(match).includes(seat));
}

function drawOwn(own) {
  const { match, about } = own;
  if (about === null) {
    const drop = el("button", { type: "button", class: "icon-button", "aria-label": say("forget"), title: say("forget"), click: () => { forget(match); listMatches(); } }, "×");
    return el("li", { class: "own" }, el("a", { href: `#match=${match}` }, el("strong", {}, saved.matches[match].title), el("span", { class: "quiet" }, say("table-gone"))), own.hasRecord ? el("button", { type: "button", class: "plain", id: `kept-${match}`, click: () => offerKept(match) }, say("keep-record")) : null, drop);
  }
  const turn = waitsForMe(own) ? el("span", { class: "mark your-turn" }, say("its-your-turn")) : whoseTurnOf(about);
  return drawMatch({ ...about, match }, turn, el("time", { class: "quiet" }, sinceText(about.changed_at_ms)));
}

function whoseTurnOf({ status, seats, to_act: acting }) {
  if (status !== "going" || !acting?.some((seat) => seat >= 0)) return null;
  return el("span", { class: "mark going" }, say("waiting-for"), " ", acting.map((seat) => shownName(seats[seat]?.name, seats[seat]?.bot)).filter(Boolean).join(say("comma")));
}

function sinceText(ms) {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, least]) => seconds >= least) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(LANGS[shown.lang], { numeric: "auto" }).format(unit === "second" ? 0 : -Math.floor(seconds / size), unit);
}

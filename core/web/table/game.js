// A match at the table: what one seat sees of it, and what it does.

const MOST_LISTED = 8;
const COMMON_FACES = 4000;

// The match that is on the screen, or null in the lobby.
let game = null;

const known = new Map();

// The same thing as the same object, so that what has not changed is not drawn again.
function same(value) {
  const key = JSON.stringify(value);
  if (!known.has(key)) {
    if (known.size > COMMON_FACES) known.clear();
    known.set(key, value);
  }
  return known.get(key);
}

async function openGame(match) {
  closeGame();
  game = { match, viewer: null, curtain: false, seen: [], scene: null, before: null, choosing: new Choosing(), stop: null, least: 0, fork: null, past: null, sending: false, lost: false, trouble: null };
  const mine = game;
  const here = seatsHere(match);
  mine.about = await ask(`matches/${match}`);
  mine.rules = (await gamesHere()).games.find((each) => each.game === mine.about.game);
  if (game !== mine) return;
  mine.curtain = here.length > 1 && mine.about.status === "going";
  mine.viewer = here.length && !mine.curtain ? here[0] : null;
  buildGame();
  await sitDown();
}

function closeGame() {
  if (game && game.stop) game.stop();
  game = null;
}

// See the match with the eyes of `game.viewer` from its beginning on, and watch it go on. Whoever sat here before,
// or sits down meanwhile, sees it with other eyes: nothing of that may come into what is seen now.
async function sitDown() {
  const mine = game;
  const seen = [];
  if (mine.stop) mine.stop();
  Object.assign(mine, { seen, scene: null, before: null, look: null, fork: null, past: null, stop: null });
  mine.parts.table.replaceChildren();
  mine.parts.table.drawnPlaces = undefined;
  mine.choosing = new Choosing();
  drawGame();
  const key = keyOf(mine.match, mine.viewer);
  await refresh();
  if (game !== mine || mine.seen !== seen) return;
  mine.stop = watch(mine.match, key, 0, (told) => {
    if (game !== mine || mine.seen !== seen) return;
    if (told.seen) seen.push(told.seen);
    if (told.about) mine.about = told.about;
    refresh();
  }, (lost) => { if (mine.lost !== lost) { mine.lost = lost; drawBar(); } });
}

// Look again; of several wishes to look at the same time, one more is enough.
async function refresh() {
  const mine = game;
  if (mine.looking) { mine.again = true; return; }
  mine.looking = true;
  try {
    do {
      mine.again = false;
      const viewer = mine.viewer;
      const look = await ask(`matches/${mine.match}/look`, { key: keyOf(mine.match, viewer) });
      if (game !== mine || mine.viewer !== viewer || look.count < mine.least) continue; // from before what was done
      take(look);
    } while (mine.again && game === mine);
  } catch (error) {
    mine.trouble = error.message;
  }
  mine.looking = false;
  if (game === mine) drawGame();
}

function take(look) {
  const changed = !game.look || game.look.count !== look.count || game.look.seat !== look.seat;
  const wished = game.look?.wishes.find(({ by, state }) => by === look.seat && state === "pending");
  game.look = look;
  if (game.fork !== null) game.fork = canFork() ? Math.min(game.fork, mostShared()) : null;
  if (changed) {
    game.choosing = new Choosing(look.legal, game.rules.commands, look.more);
    game.trouble = null;
  }
  if (wished && look.wishes.some(({ number, state }) => number === wished.number && state === "refused")) game.trouble = say("wish-refused");
  if (look.status !== game.about.status) ask(`matches/${game.match}`).then((about) => { if (game) { game.about = about; drawGame(); } });
}

// Send a command, with the number of events that it was chosen at.
async function submit({ tag, fields }) {
  const mine = game;
  if (mine.sending) return;
  mine.sending = true;
  const body = { tag, fields, at: mine.look.count, id: freshId() };
  try {
    const { count } = await ask(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body });
    mine.least = count;
    if (mine.look && mine.look.count < count) { // nobody looked since: nothing can be done until somebody does
      mine.look = { ...mine.look, to_act: mine.look.to_act.filter((seat) => seat !== mine.look.seat), legal: [] };
      mine.choosing = new Choosing();
    }
    mine.trouble = null;
  } catch (error) {
    const rule = error.problem?.rule;
    mine.trouble = rule ? { rule, said: error.message } : error.message;
  }
  mine.sending = false;
  if (game !== mine) return;
  drawBar();
  await refresh();
}

// Wish for something (`take_back`, `fork`, `abandon`), or answer what another seat wishes.
async function wish(kind, at = 0) {
  await attempt(() => ask(`matches/${game.match}/wishes`, { key: keyOf(game.match, game.viewer), body: { kind, at } }));
}

async function answerWish(number, agree) {
  await attempt(() => ask(`matches/${game.match}/wishes/${number}`, { key: keyOf(game.match, game.viewer), body: { agree } }));
}

async function attempt(act) {
  const mine = game;
  try {
    const told = await act();
    Object.assign(mine, { trouble: null, fork: null, past: null });
    if (game === mine && told.fork && told.state === "done") return goOnIn(told.fork);
  } catch (error) {
    mine.trouble = error.message;
  }
  return game === mine ? refresh() : null;
}

// Another of the players at this screen: first everything is covered, until the seat says that it is there.
function handOver() {
  game.curtain = true;
  game.viewer = null;
  sitDown();
}

function comeToScreen(seat) {
  game.curtain = false;
  game.viewer = seat;
  sitDown();
}

// Of the seats at this screen, those that are asked to act.
function askedHere() {
  const here = seatsHere(game.match);
  return (game.look?.to_act || []).filter((seat) => here.includes(seat));
}

// What words.js asks for.

function calledSeat(seat) {
  if (seat < 0) return say("the-table");
  return game?.about.seats[seat]?.name ?? say("free-seat", { seat: seat + 1 });
}

function label(key) {
  return game?.past?.words[key] ?? game?.look?.words[key] ?? key.replace(/^[a-z]+-/, "").replaceAll("_", " ");
}

const inkable = new Map();

function lex() {
  const at = `${game?.about.game} ${shown.lang} ${inkable.size}`;
  if (lex.at !== at) Object.assign(lex, { at, made: lexOf([...inkable.values()], game?.rules.readings || {}) });
  return { ...lex.made, furigana: shown.furigana };
}

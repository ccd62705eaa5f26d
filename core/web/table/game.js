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
  game = { match, viewer: null, curtain: false, history: [], scene: null, before: null, selection: new Selection(), stop: null, least: 0, fork: null, past: null, sending: false, lost: false, trouble: null };
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
  const history = [];
  if (mine.stop) mine.stop();
  Object.assign(mine, { history, scene: null, before: null, observation: null, fork: null, past: null, stop: null });
  mine.parts.table.replaceChildren();
  mine.parts.table.drawnPlaces = undefined;
  mine.selection = new Selection();
  drawGame();
  const key = keyOf(mine.match, mine.viewer);
  await refresh();
  if (game !== mine || mine.history !== history) return;
  mine.stop = watch(mine.match, key, 0, (told) => {
    if (game !== mine || mine.history !== history) return;
    if (told.event) history.push(told.event);
    if (told.about) mine.about = told.about;
    refresh();
  }, (lost) => { if (mine.lost !== lost) { mine.lost = lost; drawBar(); } });
}

// Look again; of several proposals to observation at the same time, one more is enough.
async function refresh() {
  const mine = game;
  if (mine.looking) { mine.again = true; return; }
  mine.looking = true;
  try {
    do {
      mine.again = false;
      const viewer = mine.viewer;
      const observation = await ask(`matches/${mine.match}/observation`, { key: keyOf(mine.match, viewer) });
      if (game !== mine || mine.viewer !== viewer || observation.count < mine.least) continue; // from before what was done
      take(observation);
    } while (mine.again && game === mine);
  } catch (error) {
    mine.trouble = error.message;
  }
  mine.looking = false;
  if (game === mine) drawGame();
}

function take(observation) {
  const changed = !game.observation || game.observation.count !== observation.count || game.observation.seat !== observation.seat;
  const proposed = game.observation?.proposals.find(({ by, state }) => by === observation.seat && state === "pending");
  game.observation = observation;
  if (game.fork !== null) game.fork = canFork() ? Math.min(game.fork, mostShared()) : null;
  if (changed) {
    game.selection = new Selection(observation.legal, game.rules.commands, observation.open_ended);
    game.trouble = null;
  }
  if (proposed && observation.proposals.some(({ number, state }) => number === proposed.number && state === "rejected")) game.trouble = say("proposal-rejected");
  if (observation.status !== game.about.status) ask(`matches/${game.match}`).then((about) => { if (game) { game.about = about; drawGame(); } });
}

// Send a command, with the number of events that it was chosen at.
async function submit({ tag, fields }) {
  const mine = game;
  if (mine.sending) return;
  mine.sending = true;
  const body = { tag, fields, expected_events: mine.observation.count, idempotency_key: freshId() };
  try {
    const { count } = await ask(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body });
    mine.least = count;
    if (mine.observation && mine.observation.count < count) { // nobody looked since: nothing can be done until somebody does
      mine.observation = { ...mine.observation, to_act: mine.observation.to_act.filter((seat) => seat !== mine.observation.seat), legal: [] };
      mine.selection = new Selection();
    }
    mine.trouble = null;
  } catch (error) {
    const rule = error.problem?.rule;
    mine.trouble = rule ? { rule, text: error.message } : error.message;
  }
  mine.sending = false;
  if (game !== mine) return;
  drawBar();
  await refresh();
}

// Propose something (`take_back`, `fork`, `abandon`), or answer what another seat proposals.
async function propose(kind, target = 0) {
  await attempt(() => ask(`matches/${game.match}/proposals`, { key: keyOf(game.match, game.viewer), body: { kind, target } }));
}

async function answerProposal(number, accept) {
  await attempt(() => ask(`matches/${game.match}/proposals/${number}`, { key: keyOf(game.match, game.viewer), body: { accept } }));
}

async function attempt(act) {
  const mine = game;
  try {
    const told = await act();
    Object.assign(mine, { trouble: null, fork: null, past: null });
    if (game === mine && told.fork && told.state === "accepted") return goOnIn(told.fork);
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
  return (game.observation?.to_act || []).filter((seat) => here.includes(seat));
}

// What words.js asks for.

function seatLabel(seat) {
  if (seat < 0) return say("the-table");
  return game?.about.seats[seat]?.name ?? say("free-seat", { seat: seat + 1 });
}

function label(key) {
  return game?.past?.labels[key] ?? game?.observation?.labels[key] ?? key.replace(/^[a-z]+-/, "").replaceAll("_", " ");
}

const inkable = new Map();

function lex() {
  const at = `${game?.about.game} ${shown.lang} ${inkable.size}`;
  if (lex.at !== at) Object.assign(lex, { at, made: lexOf([...inkable.values()], game?.rules.readings || {}) });
  return { ...lex.made, furigana: shown.furigana };
}

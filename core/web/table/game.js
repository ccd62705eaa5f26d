// A match at the table: what one seat sees of it, and the requests it makes.

const RELEASED_MS = 50;
const MOST_SENT = 4; // how often a command is sent while the table changes

// The match that is on the screen, or null in the lobby.
let game = null;

async function openGame(match) {
  closeGame();
  game = { match, viewer: null, curtain: false, stop: null, least: 0, sending: false, lost: false, asking: null, trouble: null, record: null, panel: false, alarm: null, notice: null, changed: null, analysis: null, storyOpen: false };
  const mine = game;
  const here = seatsHere(match);
  [mine.about] = await Promise.all([request(`matches/${match}`), trustLoaded()]);
  mine.rules = (await loadGames()).games.find((each) => each.game === mine.about.game);
  if (game !== mine) return;
  mine.curtain = here.length > 1 && mine.about.status === "going" && mine.rules.secrets;
  mine.viewer = mine.curtain ? null : comers()[0] ?? null;
  const viewing = startViewing();
  if (mine.about.status === "over" && !mine.about.closed) loadEnd(); // while the observation is on its way
  await viewing;
  tendDeal();
}

function closeGame() {
  game?.stop?.();
  game = null;
}

// Observe the match as `game.viewer` from its beginning on, and watch it. Responses for another viewer, who sat here
// before or sits down meanwhile, are dropped: their cards must not be shown.
async function startViewing() {
  const mine = game;
  const history = [];
  const isStill = () => game === mine && mine.history === history;
  mine.stop?.();
  Object.assign(mine, { history, observation: null, fork: null, past: null, stop: null, selection: new Selection() });
  buildGame();
  drawGame();
  const key = keyOf(mine.match, mine.viewer);
  const record = await openRecord(mine);
  if (!isStill()) return;
  mine.record = record;
  await refresh();
  if (!isStill()) return;
  let telling = Promise.resolve();
  mine.stop = watch(mine.match, key, 0, {
    receive(message) { telling = telling.then(() => keepTold(mine, record, message)).then(() => show(message)); },
    lost(isLost) {
      if (mine.lost === isLost) return;
      mine.lost = isLost;
      released().then(drawBar);
    },
    refused() { if (isStill()) refresh(); },
    rewound() { if (isStill()) startViewing(); },
  });
  const show = (message) => {
    if (message.away && game === mine) {
      mine.away = message.away;
      drawGame();
    }
    if (!isStill() || !(message.event || message.about)) return;
    if (message.event) history[message.event.seq] = message.event;
    if (message.about) {
      mine.about = message.about;
      heard(mine, () => holdRoster(mine, record)).then(() => { if (game === mine) tendDeal(); }); // nothing is done for a deal that is not held to
    }
    refresh();
  };
}

// Wait until nothing is pressed, before news are drawn: what is drawn anew under a finger gets no click.
async function released() {
  while (document.querySelector(":is(.table, .bar):active")) await wait(RELEASED_MS);
}

// Load the observation; several calls during a request lead to one more, and wait for it.
function refresh() {
  if (game.loading) game.again = true;
  else game.loading = load(game);
  return game.loading;
}

async function load(mine) {
  let refused = null;
  try {
    do {
      mine.again = false;
      const viewer = mine.viewer, wasHeld = Boolean(mine.record?.agreed);
      const observation = await insisted(mine, () => observed(mine.match, keyOf(mine.match, viewer)));
      if (game !== mine || mine.viewer !== viewer || observation.count < mine.least) continue; // older than the last command
      if (mine.record?.seat === viewer) await keepLook(mine, mine.record, observation, wasHeld);
      await released();
      if (game !== mine || mine.viewer !== viewer) continue;
      receiveObservation(observation);
      if (mine.again) drawGame(); // the next answer may be long in coming, and what is drawn alone meanwhile is of this one
    } while (mine.again && game === mine);
  } catch (error) {
    mine.trouble = error.message;
    if (error.problem?.status === 401) refused = mine.viewer;
  }
  mine.loading = null;
  if (refused !== null && game === mine && await loseSeat(mine, refused)) return;
  await released();
  if (game === mine) drawGame();
}

function isMyTurn({ seat, to_act: acting }) {
  return seat !== null && acting.includes(seat);
}

// Whether a choice that has begun goes on: all that has happened is that others acted, who act at the same moment.
function isSameMoment(one, other) {
  const acted = one.to_act.filter((seat) => !other.to_act.includes(seat));
  return isMyTurn(other) && other.to_act.every((seat) => one.to_act.includes(seat)) && other.count - one.count === acted.length
    && one.seat === other.seat && isSame(one.legal, other.legal);
}

function isSameChoice(one, other) {
  return isMyTurn(other) && ["seat", "view", "legal", "open_ended"].every((key) => isSame(one[key], other[key]));
}

function receiveObservation(observation) {
  const changed = !game.observation || game.observation.count !== observation.count || game.observation.seat !== observation.seat;
  const proposed = game.observation?.proposals.find(({ by, status }) => by === observation.seat && status === "pending");
  const { opened } = game;
  const goesOn = changed && !game.sending && game.observation && isSameMoment(game.observation, observation);
  if (changed && !goesOn) game.turnBegins = opened && isMyTurn(observation);
  if (game.turnBegins) game.storyOpen = false; // it lay over what one chooses from
  game.opened = true; // a table that is opened begins at its top
  game.observation = observation;
  if (game.fork !== null) game.fork = canFork() ? Math.min(game.fork, maxShared()) : null;
  if (changed && !game.trouble?.stays) game.trouble = null;
  if (changed && !goesOn) {
    dropRefusal();
    game.selection = new Selection(observation.legal, game.rules.commands, observation.open_ended);
    game.selection.imply(partsOnTable());
  }
  if (proposed && observation.proposals.some(({ number, status }) => number === proposed.number && status === "rejected")) game.trouble = say("proposal-rejected");
  const mine = game;
  if (observation.status !== game.about.status) insisted(mine, () => request(`matches/${mine.match}`)).then((about) => { if (game === mine) { game.about = about; drawGame(); } }, () => null);
}

// What is told until the player next does something, whatever others do.
function lasting(text) {
  return { rule: null, text, stays: true };
}

// What is told of a request that was refused: lasting where others came first, as what they did changes the table.
function troubleOf(error, whenLate = error.message) {
  return error.problem?.status === 409 ? lasting(whenLate) : error.message;
}

// Submit a command; if the table has changed since it was chosen, again, as long as it was chosen from the same.
async function submit(command) {
  const mine = game;
  if (mine.sending) return;
  mine.sending = true;
  const what = commandText(command);
  let before, isLate, left = MOST_SENT;
  do {
    before = mine.observation;
    isLate = await send(mine, command);
    if (isLate) await refresh();
    if (game !== mine) return;
    left -= 1;
  } while (isLate && left && mine.observation.count >= mine.least && isSameChoice(before, mine.observation));
  mine.sending = false;
  if (isLate) mine.trouble = lasting(say("not-played", { what }));
  drawGame();
  if (!isLate) await refresh();
}

// A command as it is sent; sent twice with the same key it is applied once.
function chosenFrom({ count, mark }, { tag, fields }) {
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { tag, fields, expected_events: count, expected_mark: mark, idempotency_key: key };
}

// Send a command as chosen from the present observation. Returns whether it was refused because that is not the last one.
async function send(mine, { tag, fields }) {
  const body = chosenFrom(mine.observation, { tag, fields });
  try {
    const { record } = mine;
    const signed = await signCommand(mine, body);
    const { seq, count } = await insisted(mine, () => request(`matches/${mine.match}/commands`, { key: keyOf(mine.match, mine.viewer), body }));
    const wrong = signed && (await record.sent(seq, signed.message, signed.mark, signed.sig));
    if (wrong) raiseAlarm(mine, wrong);
    mine.least = count;
    if (mine.observation && mine.observation.count < count) { // nothing can be done until the next observation
      mine.observation = { ...mine.observation, to_act: mine.observation.to_act.filter((seat) => seat !== mine.observation.seat), legal: [] };
      mine.selection = new Selection();
    }
    mine.trouble = null;
  } catch (error) {
    const { rule, type, count } = error.problem ?? {};
    if (type?.endsWith(":conflict")) {
      mine.least = count; // what is older is not looked at
      return true;
    }
    if (type?.endsWith(":rewound")) {
      startViewing();
      return false;
    }
    mine.trouble = rule ? { rule, text: withSeatLabels(error.message) } : error.message;
  }
  return false;
}

function propose(kind, target = 0) {
  return consent("", { kind, target }, { kind, target, count: game.observation.count });
}

function answerProposal(proposal, accept) {
  return consent(`/${proposal.number}`, { accept }, accept ? proposal : null, say("proposal-gone"));
}

// Send what is said of a proposal, signed if it consents to one; `whenLate`: what is told where it is refused because of what
// has happened meanwhile.
async function consent(path, body, proposal, whenLate) {
  const mine = game;
  try {
    const signed = proposal ? await signConsent(mine, body, proposal) : body;
    const { fork, status } = await request(`matches/${mine.match}/proposals${path}`, { key: keyOf(mine.match, mine.viewer), body: signed });
    Object.assign(mine, { trouble: null, fork: null, past: null });
    if (game === mine && fork && status === "accepted") return goOnIn(fork);
  } catch (error) {
    mine.trouble = troubleOf(error, whenLate);
  }
  return game === mine ? refresh() : null;
}

async function tried(act) {
  const mine = game;
  await act(mine).catch(({ message }) => { mine.trouble = message; });
  update(mine, {});
}

// Change what is known of a match, and draw it if it is the one on the screen.
function update(mine, changes) {
  Object.assign(mine, changes);
  if (game === mine) drawBar();
}

// Let a player come to this screen; where something is hidden, all is covered until that one says to be there.
function handOver(seat) {
  return comeToScreen(game.rules.secrets ? null : seat);
}

// The players at this screen: first who is to act, then who is asked, then the others.
function comers() {
  const here = seatsHere(game.match), { to_act: acting, proposals = [] } = game.observation ?? game.about;
  const asked = proposals.flatMap(({ status, waiting_for: seats }) => (status === "pending" ? seats : []));
  return [...new Set([...acting ?? [], ...asked, ...here])].filter((seat) => here.includes(seat));
}

function comeToScreen(seat) {
  Object.assign(game, { curtain: seat === null, viewer: seat });
  return startViewing();
}

function actingHere() {
  const here = seatsHere(game.match);
  return (game.observation?.to_act || []).filter((seat) => here.includes(seat));
}

function seatLabel(seat) {
  if (reading !== null) return reading.seats[seat];
  if (seat < 0) return say("the-table");
  const { name = null, bot = null } = game?.about.seats[seat] ?? {};
  return shownName(name, bot) ?? say("free-seat", { seat: seat + 1 });
}

// A name; that of a bot in the reader's language, if the page gave it in some language: its level stands beside it.
function shownName(name, bot) {
  if (!name || !LEVELS.includes(bot)) return name;
  const before = words["bot-name"].map((text) => text.split("{seat}")[0]);
  const found = before.find((each) => name.startsWith(each) && /^\d/.test(name.slice(each.length)));
  return found === undefined ? name : `${before[shown.lang]}${parseInt(name.slice(found.length), 10)}`;
}

function label(key) {
  if (reading !== null) return reading.labels[key];
  return game?.past?.labels[key] ?? game?.observation?.labels[key] ?? key.replace(/^[a-z]+-/, "").replaceAll("_", " ");
}

// The tables of this browser: who plays there, whose turn it is and since when; and closing one that is left.

const OWN_SHOWN = 12;
const OWN_MS = 10_000;
const owned = new Map();

// The facts of this browser's tables, the newest first; those that go on are asked for anew from time to time.
async function loadOwn() {
  const names = Object.keys(saved.matches).reverse().slice(0, OWN_SHOWN);
  const stale = names.filter((match) => isStale(owned.get(match)));
  await Promise.all(stale.map(async (match) => {
    const about = await request(`matches/${match}`).catch((error) => (error.problem ? null : owned.get(match)?.about ?? null));
    owned.set(match, { about, at: Date.now(), lang: shown.lang });
  }));
  return Promise.all(names.map(async (match) => {
    const { about, closing = false } = owned.get(match);
    return { match, about, closing, hasRecord: about === null && (await keptRecords(match)).length > 0 };
  }));
}

function isStale(known) {
  if (!known || known.lang !== shown.lang) return true;
  return ["open", "going"].includes(known.about?.status) && Date.now() - known.at > OWN_MS;
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
  const names = about.seats.map(({ name, seat }) => el("bdi", { class: `name seat-${seat % 8}` }, name ?? "…"));
  const turn = waitsForMe(own) ? el("span", { class: "mark your-turn" }, say("its-your-turn")) : whoseTurnOf(about);
  return el("li", { class: "own" }, el("a", { href: `#match=${match}` }, el("strong", {}, about.title), turn ?? el("span", { class: `mark ${about.status}` }, say(`status-${about.status}`)),
    el("span", { class: "names" }, names), el("time", { class: "quiet" }, sinceText(about.changed_at_ms))), closeButton(own));
}

function whoseTurnOf({ status, seats, to_act: acting }) {
  if (status !== "going" || !acting?.some((seat) => seat >= 0)) return null;
  return el("span", { class: "mark going" }, say("waiting-for"), " ", acting.map((seat) => seats[seat]?.name).filter(Boolean).join(say("comma")));
}

// How long ago, in the words of the language.
function sinceText(ms) {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, least]) => seconds >= least) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(LANGS[shown.lang], { numeric: "auto" }).format(unit === "second" ? 0 : -Math.floor(seconds / size), unit);
}

// A table against bots that is left is closed here: nobody else waits there. It asks once.
function closeButton({ match, about, closing }) {
  const seats = seatsHere(match);
  const alone = about.status === "going" && seats.length > 0 && about.seats.every(({ seat, bot }) => bot !== null || seats.includes(seat));
  if (!alone) return null;
  const ask = () => { owned.get(match).closing = true; listMatches(); };
  return closing ? action("close-table-yes", () => closeTable(match, seats), { id: `close-yes-${match}`, primary: true })
    : action("close-table", ask, { id: `close-${match}` });
}

// The tables against bots of this browser that go on, each with a button to close it: too many keep another from opening.
async function drawTablesToClose(trouble) {
  const going = (await loadOwn()).filter((own) => own.about !== null && closeButton(own) !== null);
  const closed = async (match) => { await closeTable(match, seatsHere(match)); trouble.hidden = true; };
  return [el("ul", { class: "matches to-close" }, going.map(({ match, about }) => el("li", {}, el("a", { href: `#match=${match}` }, el("strong", {}, about.title), el("time", { class: "quiet" }, sinceText(about.changed_at_ms))),
    action("close-table-yes", () => closed(match), { id: `make-room-${match}` }))))];
}

async function closeTable(match, [first, ...others]) {
  const ask = (seat, path, body) => request(`matches/${match}/${path}`, { key: keyOf(match, seat), body });
  try {
    const { number, state } = await ask(first, "proposals", { kind: "abandon" });
    if (state === "pending") for (const seat of others) await ask(seat, `proposals/${number}`, { accept: true });
  } catch {
    location.hash = `match=${match}`; // it needs more than a key, such as a signature: it is closed there
  }
  owned.delete(match);
  listMatches();
}

// The tables of this browser: who plays there, whose turn it is and since when.

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
    const { about } = owned.get(match);
    return { match, about, hasRecord: about === null && (await keptRecords(match)).length > 0 };
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
  const turn = waitsForMe(own) ? el("span", { class: "mark your-turn" }, say("its-your-turn")) : whoseTurnOf(about);
  return drawMatch({ ...about, match }, turn, el("time", { class: "quiet" }, sinceText(about.changed_at_ms)));
}

function whoseTurnOf({ status, seats, to_act: acting }) {
  if (status !== "going" || !acting?.some((seat) => seat >= 0)) return null;
  return el("span", { class: "mark going" }, say("waiting-for"), " ", acting.map((seat) => shownName(seats[seat]?.name, seats[seat]?.bot)).filter(Boolean).join(say("comma")));
}

// How long ago, in the words of the language.
function sinceText(ms) {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  const [unit, size] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, least]) => seconds >= least) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(LANGS[shown.lang], { numeric: "auto" }).format(unit === "second" ? 0 : -Math.floor(seconds / size), unit);
}

// The page put together: which of its two sides is shown, in which language, and the keys.

const shown = { lang: 0, furigana: true };

function say(key, values) {
  return filled(words[key][shown.lang], values);
}

function show(...children) {
  document.body.replaceChildren(patterns(), ...children, el("footer", { class: "foot" }, el("p", {}, say("keys-help"))));
}

async function route() {
  document.documentElement.lang = LANGS[shown.lang];
  const at = new URLSearchParams(location.hash.slice(1));
  const match = at.get("match");
  leaveLobby();
  try {
    if (match && at.get("key")) await takeSeat(match, at.get("key"));
    await (match ? openGame(match) : openLobby());
  } catch (error) {
    closeGame();
    show(el("main", { class: "lobby" }, el("section", { class: "panel" }, el("p", { class: "trouble", role: "alert" }, error.message), el("a", { class: "primary", href: "#" }, say("to-lobby")))));
  }
}

// A link with a key brings its seat here; the key does not stay in the address.
async function takeSeat(match, key) {
  history.replaceState(null, "", `#match=${match}`);
  const { seat } = await ask(`matches/${match}/observation`, { key });
  const { title } = await ask(`matches/${match}`);
  keepKey(match, title, seat, key);
}

function speak(lang) {
  shown.lang = lang;
  keep(() => ({ lang: LANGS[lang] }));
  route();
}

// Enter does what is chosen, Escape drops it, the arrows go from one thing to the next.
function onKey(event) {
  if (!game || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, textarea, details")) return;
  if (event.key === "Escape") (game.fork === null ? clearChosen : endFork)();
  else if (event.key === "Enter" && !event.target.closest("button, a")) document.getElementById("do-it")?.click();
  else if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && !event.target.closest("input")) step(event.key === "ArrowRight" ? 1 : -1);
  else return;
  event.preventDefault();
}

function step(way) {
  const stops = [...document.querySelectorAll(":is(.can, .maybe) .cards, .choice, #do-it")];
  const at = stops.indexOf(document.activeElement);
  if (stops.length) stops[(at + way + stops.length + (at < 0 && way < 0 ? 1 : 0)) % stops.length].focus();
}

function open() {
  const langs = [kept.lang, ...navigator.languages].filter(Boolean).map((lang) => LANGS.indexOf(lang.slice(0, 2)));
  shown.lang = Math.max(langs.find((lang) => lang >= 0) ?? 0, 0);
  if (kept.light) document.documentElement.dataset.light = kept.light;
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && game?.observation) refresh(); });
  addEventListener("hashchange", route);
  setInterval(tick, 500);
  route();
}

open();

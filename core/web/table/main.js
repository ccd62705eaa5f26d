// The page: shows the lobby or a match, in one language, and handles the keyboard.

const shown = { lang: 0, furigana: true };

function say(key, values) {
  return filled((words[key] ?? transport.words[key])[shown.lang], values);
}

function show(...children) {
  document.body.className = "";
  document.body.replaceChildren(...children, el("footer", { class: "foot" }, el("p", {}, say("keys-help"))));
}

async function route() {
  document.documentElement.lang = LANGS[shown.lang];
  const at = new URLSearchParams(location.hash.slice(1));
  const match = at.get("match");
  clearInterval(listing?.timer);
  listing = null;
  closeRules();
  try {
    if (match && at.get("key")) await saveKeyOfLink(match, at.get("key"));
    const { openLibrary, openLog } = transport; // of a site
    const open = !openLibrary || at.has("play") ? openLobby : at.has("log") ? () => openLog(at.get("log")) : openLibrary;
    await (match ? openGame(match) : open());
  } catch (error) {
    closeGame();
    show(el("main", { class: "lobby" }, el("section", { class: "panel" }, el("p", { class: "trouble", role: "alert" }, error.message), el("a", { class: "primary", href: "#" }, say("to-lobby")))));
    if (error.againMs) askAgain(document.body.firstElementChild, error);
  }
}

// Ask until the server answers, and show what was sought; unless another page is shown meanwhile.
async function askAgain(page, { againMs = ASK_AGAIN_MS }) {
  await wait(againMs);
  if (page !== document.body.firstElementChild) return;
  await request("games").then(route, (error) => askAgain(page, error));
}

async function saveKeyOfLink(match, key) {
  history.replaceState(null, "", `#match=${match}`);
  const { seat } = await request(`matches/${match}/observation`, { key });
  await trustLoaded();
  if (keyOf(match, seat) !== key) await vault.holdAnew(match, seat);
  const { title } = await request(`matches/${match}`);
  saveMatch(match, title, { [seat]: key });
}

// Enter submits the selection, Escape clears it, the arrows go from one thing to the next.
function onKey(event) {
  if (!game || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, textarea, details, dialog")) return;
  dropRefusal();
  if (event.key === "Escape") (game.fork === null ? clearSelection : endFork)();
  else if (event.key === "Enter" && !event.target.closest("button, a, form")) document.getElementById("do-it")?.click();
  else if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && !event.target.closest("input")) step(event.key === "ArrowRight" ? 1 : -1);
  else return;
  event.preventDefault();
}

function step(way) {
  const stops = [...document.querySelectorAll(":is(.selectable, .possible) .cards, .choice, #do-it")];
  const at = stops.indexOf(document.activeElement);
  if (stops.length) stops[(at + way + stops.length + (at < 0 && way < 0 ? 1 : 0)) % stops.length].focus();
}

function open() {
  const langs = [saved.lang, ...navigator.languages].filter(Boolean).map((lang) => LANGS.indexOf(lang.slice(0, 2)));
  shown.lang = Math.max(langs.find((lang) => lang >= 0) ?? 0, 0);
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", ({ target }) => {
    if (!target.closest?.(".refusal")) dropRefusal();
    if (target.closest?.("dialog")) return; // as it closes, the focus goes back into the menu
    for (const menu of document.querySelectorAll(".menu[open], .menu details[open]")) menu.open = menu.contains(target);
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && game?.observation) refresh(); });
  addEventListener("hashchange", route);
  addEventListener("resize", () => { if (game?.observation) { settleSight(); keepInSight(game.parts.bar.querySelector(".open-choices")); markCut(); } });
  document.addEventListener("scrollend", () => { if (game?.observation) { drawShelf(); markCut(); } }); // the shelf takes room of the story
  setInterval(tick, 500);
  route();
}

open();

// The server of the table page, in this browser: the engine in a worker, its matches in IndexedDB.

const LATE_MS = 300;

const siteLang = () => LANGS[shown.lang]; // of table.js, as all pages of the site have it
const siteSay = (key) => siteWords[key][shown.lang];

let kifuHost = null;
const kifuOpening = (async () => {
  const { load } = await import("../kifu/kifu.mjs");
  const kifu = await load({ worker: true });
  kifuHost = await kifu.host({ name: "table", waits: () => tellLoading("site-other-tab"), unkept: tellUnkept });
  if (kifuHost.unreadable.length) tellLoading("site-unreadable", kifuHost.unreadable.join(", "));
  globalThis.navigator.storage?.persist?.();
  return kifuHost;
})();

globalThis.kifuTransport = {
  overNetwork: false,
  engine: "../kifu/kifu.mjs",
  async fetch(path, init) {
    try {
      await kifuOpening;
    } catch (error) {
      tellLoading("site-no-engine", error.message);
      throw error;
    }
    return kifuHost.fetch(`/${path}`, init);
  },
  socket: (path) => kifuHost.socket(`/${path}`),
  async showPage(path, lang) {
    const page = await kifuHost.fetch(`/${path}`, { headers: { "Accept-Language": lang } });
    const { handOver } = await import("../handed_over.mjs");
    const key = await handOver(new Uint8Array(await page.arrayBuffer()));
    visit(`../steps.html?${new URLSearchParams({ page: key })}#lang=${lang}`);
  },
};

// In a tab of its own, which a browser allows for some seconds after a press: later in this one.
function visit(address) {
  const target = navigator.userActivation?.isActive ?? true ? "_blank" : "";
  Object.assign(document.createElement("a"), { href: address, target }).click();
}

function tellLoading(key, more = "") {
  const told = document.getElementById("loading") ?? document.body.appendChild(Object.assign(document.createElement("p"), { id: "loading" }));
  told.setAttribute("role", "status");
  told.textContent = [siteSay(key), more].join(" ");
}

// That this browser keeps nothing, as long as it does not: the host tries again and again.
function tellUnkept(why) {
  if (why) tellLoading("site-unkept", why);
  else document.getElementById("loading")?.remove();
}

// A match that the library hands over is played on from one of its steps.
async function playOnHandedOver() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("events")) return;
  history.replaceState(null, "", "#");
  const { handedOver } = await import("../handed_over.mjs");
  const log = await handedOver(asked.get("log"));
  await kifuOpening;
  const seat = Number(asked.get("seat"));
  const { match, keys } = await kifuHost.playOn(log, { events: Number(asked.get("events")), seat, bot: asked.get("bot") || null, lang: siteLang() });
  const { title } = await (await kifuHost.fetch(`/api/matches/${match}`)).json();
  keys.forEach((key, at) => { if (key) saveKey(match, title, at, key); }); // eslint-disable-line no-undef -- of table.js
  location.hash = `match=${match}`;
}

addEventListener("load", () => setTimeout(() => { if (!kifuHost && !document.querySelector("main")) tellLoading("site-loading"); }, LATE_MS));
addEventListener("load", () => playOnHandedOver().catch((error) => tellLoading("site-no-engine", error.message)));
globalThis.navigator.serviceWorker?.register("../sw.js");

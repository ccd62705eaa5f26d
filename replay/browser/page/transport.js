// The server of the table page, in this browser: the engine in a worker, its matches in IndexedDB.

let hosting = null;

function openedHost() {
  hosting ??= openHost().catch((error) => {
    hosting = null;
    tellLoading("site-no-engine", error.message);
    throw error;
  });
  return hosting;
}

async function openHost() {
  const kifu = await checkingEngine((...steps) => tellLoading("site-loading", "", steps));
  const host = await kifu.host({ name: "table", waits: () => tellLoading("site-other-tab"), unkept: (why) => (why ? tellLoading("site-unkept", why) : told()) });
  told();
  if (host.unreadable.length) tellLoading("site-unreadable", host.unreadable.join(", "));
  navigator.storage?.persist?.();
  return host;
}

globalThis.kifuTransport = {
  overNetwork: false,
  words: siteWords,
  engine: new URL("kifu/kifu.js", document.currentScript.src).href,
  ...{ openLibrary, openLog, drawLogActions, drawPlayOn },
  async fetch(path, init) {
    return (await openedHost()).fetch(`/${path}`, init);
  },
  async showPage(path, lang) {
    const page = await this.fetch(path, { headers: { "Accept-Language": lang } });
    stepThroughPage(await page.text(), lang);
  },
};

// Show a page in a tab of its own, which a browser allows for some seconds after a press: later in this one. It is given to
// that tab in the storage of this one, of which a tab that is opened gets a copy.
function stepThroughPage(page, lang) {
  try {
    sessionStorage.setItem("page", page);
  } catch ({ message }) {
    throw new Error(`${say("site-no-room")} ${message}`);
  }
  const target = navigator.userActivation?.isActive ?? true ? "_blank" : "";
  el("a", { href: `steps.html#lang=${lang}`, target, rel: "opener" }).click();
}

function tellLoading(key, more = "", steps = null) {
  const told = document.getElementById("loading") ?? document.body.appendChild(el("p", { id: "loading", role: "status" }));
  const bar = steps && el("progress", { max: steps[1], value: steps[0], "aria-label": say(key) });
  told.replaceChildren([say(key), more].join(" "), bar ?? "");
}

function told() {
  document.getElementById("loading")?.remove();
}

if (navigator.serviceWorker) navigator.serviceWorker.register("sw.js").catch(() => {}); // a private window: then there is no use without a network

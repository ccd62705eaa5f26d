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
  async showPage(event) { // of a link, behind which there is nothing
    event.preventDefault();
    const [path] = event.currentTarget.getAttribute("href").split("#"), lang = LANGS[shown.lang];
    const page = await kifuTransport.fetch(path, { headers: { "Accept-Language": lang } });
    return stepThroughPage(new Uint8Array(await page.arrayBuffer()), lang);
  },
};

const NEWEST = 8; // so many pages are kept for the tabs that show them

// Show a page in a tab of its own, which a browser allows for some seconds after a press: later in this one.
async function stepThroughPage(page, lang) {
  const key = `${Date.now()} ${Math.random()}`; // sorted by time
  try {
    const { openStorage } = await import("./kifu/storage.js"), storage = await openStorage("handed over");
    const older = (await storage.all()).map(([each]) => each).sort().reverse().slice(NEWEST - 1);
    await storage.put([[key, page], ...older.map((each) => [each, null])]);
  } catch ({ message }) {
    throw new Error(`${say("site-no-room")} ${message}`);
  }
  const target = navigator.userActivation?.isActive ?? true ? "_blank" : "";
  el("a", { href: `steps.html?${new URLSearchParams({ page: key })}#lang=${lang}`, target }).click();
}

function tellLoading(key, more = "", steps = null) {
  const told = document.getElementById("loading") ?? document.body.appendChild(el("p", { id: "loading", role: "status" }));
  const bar = steps && el("progress", { max: steps[1], value: steps[0], "aria-label": say(key) });
  told.replaceChildren([say(key), more].join(" "), bar ?? "");
}

function told() {
  document.getElementById("loading")?.remove();
}

// Work without a network; a new version waits until it is asked for, as it may not take over a page that is open.
async function keepForNoNetwork() {
  const registration = await navigator.serviceWorker.register("sw.js");
  const offer = (worker) => worker && navigator.serviceWorker.controller && offerVersion(worker);
  const watch = (worker) => worker?.addEventListener("statechange", () => worker.state === "installed" && offer(worker));
  offer(registration.waiting);
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}

function offerVersion(worker) {
  const reload = el("button", { type: "button", class: "plain", id: "new-version", click: () => worker.postMessage("take over") }, say("site-new-version"));
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  document.getElementById("new-version")?.remove();
  document.body.append(reload);
}

if (navigator.serviceWorker) keepForNoNetwork().catch(() => {}); // a private window: then there is no use without a network

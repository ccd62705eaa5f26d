// Serves the site without a network: what it is made of is kept at the first visit, a log once it was asked for.

const VERSION = "$version";
const FILES = $files;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(VERSION);
    await Promise.all(FILES.map((each) => keep(cache, each)));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== VERSION && name.startsWith("kifu ")) await caches.delete(name);
    await self.clients.claim();
  })());
});

// Keep a file under its own name, also where the host answers under another one (`steps` for `steps.html`): a browser
// opens no page with an answer that was sent on.
async function keep(cache, name) {
  const got = await fetch(new Request(name, { cache: "no-cache" }));
  if (!got.ok) throw new Error(`${name}: ${got.status}`);
  const { status, headers } = got;
  await cache.put(name, got.redirected ? new Response(await got.blob(), { status, headers }) : got);
}

// A folder may be asked for by the name of its page, `play/index.html`, and the folder of the table without its slash.
function addressOf({ url }) {
  const found = new URL(url);
  if (found.href.split(/[?#]/)[0] === new URL("play", self.registration.scope).href) found.pathname += "/";
  found.pathname = found.pathname.replace(/\/index\.html$/, "/");
  return found;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(VERSION);
    const address = addressOf(request);
    const kept = await cache.match(address, { ignoreSearch: true });
    if (kept) return address.href === new URL(request.url).href ? kept : Response.redirect(address);
    const got = await fetch(request);
    if (got.ok) await cache.put(request, got.clone()).catch(() => {}); // a full disk keeps nothing, and is shown all the same
    return got;
  })());
});

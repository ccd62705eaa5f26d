// Serves the site without a network: what it is made of is kept at the first visit, a log once it was asked for.

const VERSION = "$version";
const FILES = $files;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(VERSION);
    await cache.addAll(FILES.map((each) => new Request(each, { cache: "no-cache" })));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== VERSION && name.startsWith("kifu ")) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const got = await fetch(request);
    if (got.ok) await cache.put(request, got.clone());
    return got;
  })());
});

// Serves the site without a network: what it is made of is kept at the first visit, a log once it was asked for. Each
// version has a folder of its own, so a page goes on with the version that it began with.

const VERSION = "$version";
const FILES = $files; // of each address the hash of what lies there, as `integrity` has it

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(VERSION);
    await Promise.all(Object.entries(FILES).map(([name, integrity]) => keep(cache, name, integrity)));
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const versions = (await caches.keys()).filter((name) => name.startsWith("kifu ") && name !== VERSION);
    for (const name of versions.slice(0, -1)) await caches.delete(name); // pages of the version before may be open
    await self.clients.claim();
  })());
});

// A page asks for the new version once its reader has.
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());

// Keep a file under its own name, also where the host answers under another one (`steps` for `steps.html`): a browser opens
// no page with an answer that was sent on. With a file of another version this one is not installed.
async function keep(cache, name, integrity) {
  const got = await fetch(name, { cache: "no-cache", integrity });
  const headers = new Headers(got.headers); // the content is no longer packed
  for (const each of ["Content-Encoding", "Content-Length"]) headers.delete(each);
  await cache.put(name, new Response(got.body, { headers }));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(VERSION);
    const isOfVersion = request.url.slice(self.registration.scope.length).startsWith("v-"); // a page of an older one may be open
    const kept = await (isOfVersion ? caches : cache).match(request, { ignoreSearch: true });
    if (kept) return kept;
    const got = await fetch(request);
    if (got.ok) await cache.put(request, got.clone()).catch(() => {}); // a full disk keeps nothing, and is shown all the same
    return got;
  })());
});

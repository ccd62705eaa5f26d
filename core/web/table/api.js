// The server's API: requests with the seat's key in a header, and watching that resumes after a break.

const LANGS = ["en", "ja"];
const RETRY_MS = [250, 500, 1000];
const RETRY_LATER_MS = 5000;
const QUICK_TRIES = 60;
const LONGEST_WAIT_S = 2;
const ASK_AGAIN_MS = 700; // after no answer: that the server is back is told within a second
const CLOSED_OVER = 1000;
const KEY_REFUSED = 4401;
const CLOSED_FOR_GOOD = [4400, 4404]; // malformed, no match

// How the server is reached. A page whose server runs in the browser itself sets `kifuTransport` before this script.
const transport = globalThis.kifuTransport ?? {
  overNetwork: true,
  fetch: (path, init) => fetch(path, { ...init, cache: "no-store", credentials: "omit" }),
  socket(path) {
    const address = new URL(path, document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    return new WebSocket(address);
  },
};

// Send a request and return the body of its response; a problem response is thrown as an error with `problem`.
async function request(path, { key = null, body, method, patience = 5 } = {}) {
  const headers = { "Accept-Language": LANGS[shown.lang] };
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await transport.fetch(`api/${path}`, {
      method: method || (body === undefined ? "GET" : "POST"), headers, body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw Object.assign(new Error(say("no-server")), { unanswered: true });
  }
  const wait = Number(response.headers.get("Retry-After") || 1);
  if (response.status === 429 && wait <= LONGEST_WAIT_S && patience > 0) { // a longer one is told at once
    await new Promise((done) => setTimeout(done, 1000 * wait));
    return request(path, { key, body, method, patience: patience - 1 });
  }
  const content = await response.json().catch(() => ({ detail: say("no-server") }));
  if (!response.ok) throw Object.assign(new Error(content.detail), { problem: content });
  return content;
}

const begun = new Map();

// Do what must not be done twice, e.g. by a double click, unless it failed: not again on the page where it was begun.
async function once(name, act) {
  const place = document.body.firstElementChild; // drawn anew with each page
  if (begun.get(name) === place) return undefined;
  begun.set(name, place);
  try {
    return await act();
  } catch (error) {
    begun.delete(name);
    throw error;
  }
}

// Watch a match from event `since` on: `receive` gets each message, `lost` whether the connection is, and `refused` is
// called once the key opens no seat. Returns a function that ends it.
function watch(match, key, since, receive, lost, refused) {
  let socket = null, tries = 0, ended = false, timer = null;
  const connect = () => {
    socket = transport.socket(`api/matches/${encodeURIComponent(match)}/watch`);
    socket.onopen = () => {
      lost(false);
      socket.send(JSON.stringify({ key, since, lang: LANGS[shown.lang] }));
    };
    socket.onmessage = ({ data }) => {
      tries = 0;
      lost(false);
      const message = JSON.parse(data);
      if (message.event) since = message.event.seq + 1;
      receive(message);
    };
    socket.onclose = ({ code }) => {
      if (!ended && code === KEY_REFUSED) return refused();
      if (ended || code === CLOSED_OVER || CLOSED_FOR_GOOD.includes(code)) return;
      lost(true);
      timer = setTimeout(connect, tries < QUICK_TRIES ? RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] : RETRY_LATER_MS);
      tries += 1;
    };
  };
  // The browser may know first that the network is gone or back.
  const gone = () => lost(true);
  const back = () => {
    if (socket.readyState === WebSocket.OPEN) return lost(false);
    clearTimeout(timer);
    tries = 0;
    if (socket.readyState === WebSocket.CLOSED) connect();
  };
  if (transport.overNetwork) {
    addEventListener("offline", gone);
    addEventListener("online", back);
  }
  connect();
  return () => {
    ended = true;
    removeEventListener("offline", gone);
    removeEventListener("online", back);
    clearTimeout(timer);
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}

// Save what stands at a path as a file.
async function download(path, name) {
  const response = await transport.fetch(path, {});
  if (!response.ok) throw new Error((await response.json()).detail);
  const link = el("a", { href: URL.createObjectURL(await response.blob()), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

// A new idempotency key: a command that is sent twice with it is applied once.
function newIdempotencyKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

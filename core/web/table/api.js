// The server's API: requests with the seat's key in a header, and watching that resumes after a break.

const LANGS = ["en", "ja"];
const RETRY_MS = 250; // and a little longer each time, up to
const RETRY_LATER_MS = 5000;
const LONGEST_WAIT_MS = 2000;
const ASK_AGAIN_MS = 700; // after no answer: that the server is back is told within a second
const REFUSED_FOR_NOW = [429, 502, 503, 504]; // over a limit, or a server that starts anew
const SILENT_MS = 40_000; // the server gives a sign of life every 15 seconds
const GLANCE_MS = 2000; // how long a page that nobody sees watches at a time, where a stream is dear
const GLANCE_AGAIN_MS = 15_000;
const REFUSED_FOR_GOOD = [400, 401, 404, 409]; // malformed, no key of a seat, no match, fewer events than we have had

// How the server is reached. A page whose server runs in the browser itself sets `kifuTransport` before this script.
const transport = globalThis.kifuTransport ?? {
  overNetwork: true,
  fetch: (path, init) => fetch(path, { ...init, cache: "no-store", credentials: "omit" }),
};

// Over HTTP/1.1 a browser has six connections for all its tabs: then one that nobody sees holds none with a stream.
const streamsAreDear = transport.overNetwork && !/^h[23]/.test(performance.getEntriesByType("navigation")[0]?.nextHopProtocol ?? "");

function headersOf(key) {
  return { "Accept-Language": LANGS[shown.lang], "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) };
}

// Send a request and return the body of its response; a problem response is thrown as an error with `problem`. What may be
// asked again later has `againMs`, when.
async function request(path, { key = null, body, method = body === undefined ? "GET" : "POST", patience = 5 } = {}) {
  let response;
  try {
    response = await transport.fetch(`api/${path}`, { method, headers: headersOf(key), body: JSON.stringify(body) });
  } catch {
    throw Object.assign(new Error(say("no-server")), { againMs: ASK_AGAIN_MS });
  }
  const waitMs = waitMsOf(response);
  if (response.status === 429 && waitMs <= LONGEST_WAIT_MS && patience > 0) { // a longer one is told at once
    await wait(waitMs);
    return request(path, { key, body, method, patience: patience - 1 });
  }
  const content = await response.json().catch(() => ({ detail: say("no-server") }));
  if (!response.ok) throw Object.assign(new Error(content.detail), { problem: content, againMs: REFUSED_FOR_NOW.includes(response.status) ? waitMs : 0 });
  return content;
}

function waitMsOf({ headers }) {
  return 1000 * (Number(headers.get("Retry-After")) || 1);
}

function wait(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

// Ask until there is an answer, as long as the match is on the screen, which says why meanwhile. Of what changes something,
// only what has an idempotency key is asked so.
async function insisted(mine, ask) {
  for (;;) {
    try {
      const answer = await ask();
      if (mine.asking) update(mine, { asking: null });
      return answer;
    } catch (error) {
      if (!error.againMs || game !== mine) throw error;
      update(mine, { asking: error.message });
      await wait(error.againMs);
      if (game !== mine) throw error;
    }
  }
}

// Do what must not be done twice, e.g. by a double click, unless it failed: not again on the page where it was begun.
const begun = new Map();

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

// The messages of a stream: each ends with an empty line, and one without data is a sign of life.
async function* messagesOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let unread = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (unread + value).split("\n\n");
    unread = messages.pop();
    for (const message of messages) {
      const data = message.split("\n").find((line) => line.startsWith("data: "));
      yield data ? JSON.parse(data.slice(6)) : {};
    }
  }
}

// Watch a match from event `since` on: `receive` gets each message, `lost` whether the connection is, `refused` is called
// once the key opens no seat, `rewound` once the match has not the events that we have had. Returns a function that ends it.
function watch(match, key, since, { receive, lost, refused, rewound }) {
  const ending = new AbortController(), ended = ending.signal;
  let tries = 0, timer = null, connection = null;
  const end = () => {
    ending.abort();
    leave();
  };
  const leave = () => {
    clearTimeout(timer);
    connection?.abort();
    connection = null;
  };
  const connect = async () => {
    leave();
    const mine = connection = new AbortController();
    const refusedMs = await listen(mine.signal).catch(() => 0); // 0: broken off
    if (ended.aborted || connection !== mine) return;
    connection = null;
    lost(true);
    timer = setTimeout(connect, refusedMs || Math.min(RETRY_MS * 1.05 ** tries, RETRY_LATER_MS));
    tries += 1;
  };
  const listen = async (signal) => {
    const response = await transport.fetch(`api/matches/${encodeURIComponent(match)}/events?since=${since}`, { headers: headersOf(key), signal });
    const { status, ok, body } = response;
    if (signal.aborted) return 0;
    if (REFUSED_FOR_GOOD.includes(status)) end();
    if (status === 401) refused();
    if (status === 409) rewound();
    if (!ok) return REFUSED_FOR_NOW.includes(status) && waitMsOf(response);
    look();
    let silence = null;
    const isAlive = () => {
      clearTimeout(silence);
      silence = setTimeout(connect, SILENT_MS);
    };
    isAlive();
    try {
      for await (const message of messagesOf(body)) {
        if (signal.aborted) return 0;
        isAlive();
        tries = 0;
        lost(false);
        if (message.event) since = message.event.seq + 1;
        if ("ended" in message) end();
        receive(message);
      }
    } finally {
      clearTimeout(silence);
    }
    return 0;
  };
  // A page that nobody sees watches only now and then, where streams are dear; one that is seen watches at once.
  const look = () => {
    if (!document.hidden) return connection || connect();
    if (streamsAreDear) setTimeout(() => { if (!ended.aborted && document.hidden && connection) { leave(); timer = setTimeout(connect, GLANCE_AGAIN_MS); } }, GLANCE_MS);
    return null;
  };
  if (transport.overNetwork) { // the browser may know first that the network is gone or back
    addEventListener("offline", () => lost(true), { signal: ended });
    addEventListener("online", () => { tries = 0; connect(); }, { signal: ended });
    document.addEventListener("visibilitychange", look, { signal: ended });
  }
  connect();
  return end;
}

async function observed(match, key) {
  const first = await request(`matches/${match}/observation`, { key });
  while (first.legal.length < first.legal_count) {
    const more = await request(`matches/${match}/observation?legal_from=${first.legal.length}`, { key });
    if (more.count !== first.count) return observed(match, key);
    first.legal.push(...more.legal);
    Object.assign(first.labels, more.labels);
  }
  return first;
}

// Talking with the server: requests with the seat's key in a header, and watching with resume.

const LANGS = ["en", "ja"];
const RETRY = [500, 1000, 2000, 5000, 10000];
const OVER = 1000;
const REFUSED = [4400, 4401, 4404];

// Ask the API; what it refuses is thrown as an error with its `problem`.
async function ask(path, { key = null, body, method } = {}) {
  const headers = { "Accept-Language": LANGS[shown.lang] };
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method: method || (body === undefined ? "GET" : "POST"), headers, cache: "no-store", credentials: "omit",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error(say("no-server"));
  }
  if (answer.status === 429) {
    await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get("Retry-After") || 1)));
    return ask(path, { key, body, method });
  }
  const told = await answer.json().catch(() => ({ detail: say("no-server") }));
  if (!answer.ok) throw Object.assign(new Error(told.detail), { problem: told });
  return told;
}

// Watch a match from event `since` on: `tell` gets each message. Gives a function that ends it.
function watch(match, key, since, tell, lost) {
  let socket = null, tries = 0, ended = false, timer = null;
  const connect = () => {
    const address = new URL(`api/matches/${encodeURIComponent(match)}/watch`, document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    socket = new WebSocket(address);
    socket.onopen = () => socket.send(JSON.stringify({ key, since, lang: LANGS[shown.lang] }));
    socket.onmessage = ({ data }) => {
      tries = 0;
      lost(false);
      const told = JSON.parse(data);
      if (told.event) since = told.event.seq + 1;
      tell(told);
    };
    socket.onclose = ({ code }) => {
      if (ended || code === OVER || REFUSED.includes(code)) return;
      lost(true);
      timer = setTimeout(connect, RETRY[Math.min(tries, RETRY.length - 1)]);
      tries += 1;
    };
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}

// An id for a command, never used before: the same command sent again is taken once.
function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

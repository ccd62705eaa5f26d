// A page in plain JavaScript against the web API: one player, two bots. Serve this folder from anywhere, and the tables
// with `replay serve --bots random --origin ADDRESS-OF-THIS-PAGE`.

const element = (id) => document.getElementById(id);
let server, match, key;
let latest = 0; // the number of events that are known of

// Send a request with the seat's key, and return the body of its response.
async function request(path, body) {
  const headers = { "Content-Type": "application/json", "Accept-Language": "en" };
  if (key) headers.Authorization = `Bearer ${key}`;
  const response = await fetch(`${server}/api/${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  const content = await response.json();
  // a problem: which rule forbids the command, and why
  if (!response.ok) throw Object.assign(new Error(content.detail), { status: response.status });
  return content;
}

function list(id, texts) {
  element(id).replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

// Draw the table as this seat sees it. It knows no game: zones of things, facts, and labels for them all.
function drawTable({ scene, labels }, names) {
  const things = (zone) => zone.things.map(({ faces, count }) => faces.map((face) => face.text).join(" ") || `[${count}]`).join(" ");
  list("places", [scene.table, ...scene.places].map(({ seat, zones, facts }) => [
    seat === null ? "table" : names[seat],
    ...facts.map(({ label, value }) => `${labels[label]} ${value}`),
    ...zones.filter((zone) => zone.things.length).map((zone) => `${labels[zone.label]} ${things(zone)}`),
  ].join(", ")));
}

// A button for each legal command, with its words. An observation that was on its way while more happened is not drawn.
function drawCommands({ legal, count }) {
  if (count < latest) return;
  latest = count;
  element("commands").replaceChildren(...legal.map(({ tag, fields, text }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.addEventListener("click", () => play(tag, fields, count));
    return button;
  }));
}

async function play(tag, fields, count) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const idempotency_key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  element("commands").replaceChildren();
  try {
    ({ count: latest } = await request(`matches/${match}/commands`, { tag, fields, expected_events: count, idempotency_key }));
  } catch (error) {
    if (error.status !== 409) show(error); // 409: the match has gone on meanwhile
    await request(`matches/${match}/observation?texts=true`).then(drawCommands, show);
  }
}

function show(error) {
  element("trouble").textContent = error.message;
}

// A text comes in pieces: a number is a seat, whose name belongs there.
function inWords(text, names) {
  return text.map((piece) => (typeof piece === "number" ? names[piece] : piece)).join("");
}

// Follow the match until it is over: wait for events, then draw the table anew.
async function follow(names) {
  const notes = [];
  for (let since = 0; ;) {
    const observation = await request(`matches/${match}/observation?texts=true`);
    drawTable(observation, names);
    drawCommands(observation);
    if (observation.result) {
      list("notes", [...notes, `Points: ${observation.result.points.join(" ")}`]);
      return;
    }
    const history = await request(`matches/${match}/history?since=${since}&wait_ms=20000`);
    since = history.count;
    notes.push(...history.events.flatMap((event) => event.notes.map(({ text }) => inWords(text, names))));
    list("notes", notes);
  }
}

element("open").addEventListener("submit", async (event) => {
  event.preventDefault();
  server = element("server").value.replace(/\/$/, "");
  const seats = [{ name: element("name").value }, { bot: "random" }, { bot: "random" }];
  try {
    key = null;
    latest = 0;
    const opened = await request("matches", { game: element("game").value, seats, bot_delay_ms: 0 });
    match = opened.match;
    key = opened.keys[0].key;
    await follow((await request(`matches/${match}`)).seats.map(({ name, bot }) => name ?? bot));
  } catch (error) {
    show(error);
  }
});

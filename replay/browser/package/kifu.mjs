// kifu for JavaScript: the same engine, the same rules, the same bytes as the Python library.
//
//   import * as kifu from "kifu";
//   const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"] });
//   await match.play(0, (await match.legal(0))[0]);

import { KifuError, startEngine } from "./engine.mjs";

export { KifuError };

// Load the engine, in this thread or in a worker of its own; `wheels` are packages of other games, as URLs or bytes.
export async function load({ worker = false, wheels = [], base } = {}) {
  const start = { wheels: wheels.map((wheel) => (wheel instanceof URL ? wheel.href : wheel)), ...(base ? { base: new URL(base, globalThis.location?.href).href } : {}) };
  if (!worker) return new Kifu(await startEngine(start));
  if (!globalThis.Worker) throw new Error("there is no Worker here: leave `worker` out, and the engine runs in this thread");
  const engine = new WorkerEngine(new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" }));
  await engine.call("start", start);
  return new Kifu(engine);
}

// An engine that lives in a worker.
class WorkerEngine {
  #worker;
  #calls = new Map();
  #number = 0;
  #failure = null;
  constructor(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => this.#fail(new Error(message || "the engine's worker failed"));
    this.tell = () => {};
    this.waits = () => {};
  }
  #hear({ id, value, error, said, waiting }) {
    if (said) return this.tell(...said);
    if (waiting) return this.waits();
    const { done, failed } = this.#calls.get(id);
    this.#calls.delete(id);
    return error ? failed(error.kind ? new KifuError(error) : new Error(error.detail)) : done(value);
  }
  #fail(error) {
    this.#failure = error;
    for (const { failed } of this.#calls.values()) failed(error);
    this.#calls.clear();
  }
  call(name, args = {}) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((done, failed) => {
      if (this.#failure) return failed(this.#failure);
      this.#calls.set(id, { done, failed });
      return this.#worker.postMessage({ id, name, args });
    });
  }
  openHost(name, tell, waits) {
    this.tell = tell;
    this.waits = waits;
    return this.call("openHost", { name });
  }
  close() {
    this.#worker.terminate();
    this.#fail(new Error("the engine was closed"));
  }
}

export class Kifu {
  #engine;
  constructor(engine) {
    this.#engine = engine;
  }
  games({ lang = "en" } = {}) {
    return this.#engine.call("games", { lang });
  }
  version() {
    return this.#engine.call("version");
  }
  async new(game, { seats, options = {}, seed = null, lang = "en" } = {}) {
    return new Match(this.#engine, await this.#engine.call("new", { game, seats, options, seed, lang }));
  }
  async load(log, { lang = "en" } = {}) {
    return new Match(this.#engine, await this.#engine.call("load", { log, lang }));
  }
  audit(log, { lang = "en" } = {}) {
    return this.#engine.call("audit", { log, lang });
  }
  verify(record, against = null, { lang = "en", parent = null } = {}) {
    return this.#engine.call("verify", { record, lang, ...(against ? { against } : {}), ...(parent ? { parent } : {}) });
  }
  isForkFirst(one, other, { record = null, lang = "en" } = {}) {
    return this.#engine.call("is_fork_first", { one, other, lang, ...(record ? { record } : {}) });
  }
  diff(a, b, { lang = "en" } = {}) {
    return this.#engine.call("diff", { a, b, lang });
  }
  diffLines(a, b, { lang = "en" } = {}) {
    return this.#engine.call("diff_lines", { a, b, lang });
  }
  trace(log) {
    return this.#engine.call("trace", { log });
  }
  page(log, { lang } = {}) {
    return this.#engine.call("step_through", { log, ...(lang ? { lang } : {}) });
  }
  // Judge each decision of a match that has ended: `judged(done, of, line)` after each; returns the page with remarks.
  async analyse(log, { lang, judged = () => {} } = {}) {
    const { number, decisions } = await this.#engine.call("begin_analysis", { log, ...(lang ? { lang } : {}) });
    try {
      for (let done = 1; ; done += 1) {
        const line = await this.#engine.call("judge_next", { number });
        if (line === null) return await this.#engine.call("analysed_page", { number, ...(lang ? { lang } : {}) });
        if (judged(done, decisions, line) === false) return null;
      }
    } finally {
      await this.#engine.call("end_analysis", { number });
    }
  }
  // Open the host: live matches and bots behind the HTTP API. `name` says where they are kept; "" keeps nothing.
  async host({ name = "", waits = () => {}, unkept = (why) => why && console.error(`kifu: not kept: ${why}`) } = {}) {
    const host = new Host(this.#engine, unkept);
    host.unreadable = await this.#engine.openHost(name, (...said) => host.hear(...said), waits);
    return host;
  }
  close() {
    this.#engine.close?.();
  }
}

// A match: `game`, `seats`, `options`, and as of the last call `count`, `toAct`, `result`, `status`.
export class Match {
  #engine;
  #number;
  constructor(engine, facts) {
    this.#engine = engine;
    this.#take(facts);
  }
  #take({ number, to_act: toAct, ...facts }) {
    this.#number = number;
    Object.assign(this, facts, { toAct });
  }
  #call(name, args = {}) {
    return this.#engine.call(name, { number: this.#number, ...args });
  }
  async #change(name, args) {
    const said = await this.#call(name, args);
    this.#take(await this.#call("facts"));
    return said;
  }
  observe(seat = null, { at = null, lang = "en" } = {}) {
    return this.#call("observe", { seat, at, lang });
  }
  async legal(seat, { lang = "en" } = {}) {
    return (await this.observe(seat, { lang })).legal;
  }
  async view(seat = null, { at = null } = {}) {
    return (await this.observe(seat, { at })).view;
  }
  async scene(seat = null, { at = null } = {}) {
    return (await this.observe(seat, { at })).scene;
  }
  notes(seat = null, { since = 0, lang = "en" } = {}) {
    return this.#call("history", { seat, since, lang });
  }
  async words(seat = null, { since = 0, lang = "en" } = {}) {
    const entries = await this.notes(seat, { since, lang });
    return entries.flatMap(({ notes }) => notes.map(({ text }) => this.say(text)));
  }
  // A text in pieces, with the names of the seats in their places.
  say(text) {
    return text.map((piece) => (typeof piece === "number" ? this.seats[piece] : piece)).join("");
  }
  play(seat, command, { lang = "en" } = {}) {
    const { tag, fields } = command ?? {};
    return this.#change("play", { seat, command: command && { tag, fields }, lang });
  }
  // What is due: in a log that was cut before a deal nobody can act until then.
  deal({ lang = "en" } = {}) {
    return this.#change("deal", { lang });
  }
  takeBack(to, { lang = "en" } = {}) {
    return this.#change("take_back", { to, lang });
  }
  // Back to before the seat's last command that stands.
  undo(seat, { lang = "en" } = {}) {
    return this.#change("undo", { seat, lang });
  }
  abandon() {
    return this.#change("abandon", {});
  }
  choose(seat, bot = "normal", { seed = null, lang = "en" } = {}) {
    return this.#call("choose", { seat, bot, seed, lang });
  }
  save() {
    return this.#call("save");
  }
  page({ lang } = {}) {
    return this.#call("page", lang ? { lang } : {});
  }
  free() {
    return this.#call("forget");
  }
}

const utf8 = new TextEncoder();

// The host's HTTP API and its WebSockets, without a network.
export class Host {
  #engine;
  #sockets = new Map();
  #number = 0;
  #unkept;
  unreadable = []; // the kept matches that this version cannot read: they stay as they are
  constructor(engine, unkept) {
    this.#engine = engine;
    this.#unkept = unkept;
  }
  // As `fetch`, for a path like `/api/games`; returns a `Response`.
  async fetch(path, { method = "GET", headers = {}, body = "" } = {}) {
    headers = headers instanceof Headers ? Object.fromEntries(headers) : headers;
    const [status, got, latin] = await this.#engine.call("request", { method, target: path, headers, body: typeof body === "string" ? utf8.encode(body) : body });
    const bytes = Uint8Array.from(latin, (letter) => letter.charCodeAt(0));
    return new Response(bytes.length ? bytes : null, { status, headers: got });
  }
  // As `new WebSocket`, for a path like `/api/matches/ID/watch`.
  socket(path, headers = {}) {
    this.#number += 1;
    const number = this.#number;
    const socket = new Socket((name, args = {}) => this.#engine.call(name, { number, ...args }));
    this.#sockets.set(number, socket);
    Promise.resolve(socket.open(path, headers)).catch(({ message }) => this.hear(number, null, 1006, message));
    return socket;
  }
  hear(number, data, code, reason) {
    if (number === 0) return this.#unkept(data);
    const socket = this.#sockets.get(number);
    if (data !== null && data !== undefined) return socket?.onmessage?.({ data });
    this.#sockets.delete(number);
    return socket?.end(code, reason);
  }
  // Begin a match with the first `events` of a log; with a `bot` it plays all other seats.
  playOn(log, { events, seat = 0, bot = null, lang = "en" } = {}) {
    return this.#engine.call("play_on", { log, events, seat, bot, lang });
  }
  close() {
    return this.#engine.call("close_host");
  }
}

// What a page needs of a `WebSocket`.
class Socket {
  #call;
  constructor(call) {
    this.#call = call;
    this.readyState = WebSocketState.CONNECTING;
    this.onopen = this.onmessage = this.onclose = null;
  }
  async open(path, headers) {
    await this.#call("watch", { target: path, headers });
    if (this.readyState !== WebSocketState.CONNECTING) return;
    this.readyState = WebSocketState.OPEN;
    this.onopen?.({});
  }
  send(text) {
    return this.#call("send", { text });
  }
  close() {
    this.readyState = WebSocketState.CLOSING;
    return this.#call("leave");
  }
  end(code, reason) {
    this.readyState = WebSocketState.CLOSED;
    this.onclose?.({ code, reason });
  }
}

const WebSocketState = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };

let shared = null;
const engine = () => (shared ??= load());

async function newMatch(game, options) {
  return (await engine()).new(game, options);
}

async function loadMatch(log, options) {
  return (await engine()).load(log, options);
}

async function auditLog(log, options) {
  return (await engine()).audit(log, options);
}

async function verifyRecord(record, against, options) {
  return (await engine()).verify(record, against, options);
}

async function listGames(options) {
  return (await engine()).games(options);
}

async function openHost(options) {
  return (await engine()).host(options);
}

export { newMatch as new, loadMatch as open, auditLog as audit, verifyRecord as verify, listGames as games, openHost as host };
